package sefin

import (
	"fmt"
	"net/http"
)

// What stands in front of SEFIN (IIS) and of the ADN (nginx) answers by itself, with pages: see recording 24.

// The statuses by which nginx refuses a client's certificate.
const (
	statusBadCertificate = 495
	statusNoCertificate  = 496
)

// refuseCertificate is the answer to a client that shows no certificate, or one that is refused: a page of the
// gateway in front. As described it is a refusal: 401 to questions and events without a certificate, else 403.
func (s *Simulator) refuseCertificate(c *call, rejected *rejection) response {
	c.post.Codes = []string{rejected.Code}
	all := []rejection{*rejected}
	missing := c.Request.TLS == nil || len(c.Request.TLS.PeerCertificates) == 0
	switch {
	case s.described && missing && c.post.Scope != Issue:
		return s.refusing(c, http.StatusUnauthorized, all, map[string]any{"erros": all})
	case s.described:
		return s.refusing(c, http.StatusForbidden, all, map[string]any{"erros": all})
	case isSEFIN(c.Request):
		return iisPage(http.StatusForbidden)
	case missing:
		return nginxPage(statusNoCertificate, "No required SSL certificate was sent")
	}
	return nginxPage(statusBadCertificate, "The SSL certificate error")
}

// nowhere answers with a page where there is no route, or none for the method. SEFIN looks at the certificate first.
func (s *Simulator) nowhere(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := iisPage(status)
		if isSEFIN(r) && !s.Identified(r) {
			page = iisPage(http.StatusForbidden)
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(page.status)
		_, _ = fmt.Fprint(w, page.body)
	})
}

// iisTitles are what IIS calls its pages.
var iisTitles = map[int][2]string{
	http.StatusForbidden: {"Forbidden: Access is denied.",
		"You do not have permission to view this directory or page using the credentials that you supplied."},
	http.StatusNotFound: {"File or directory not found.",
		"The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable."},
	http.StatusMethodNotAllowed: {"HTTP verb used to access this page is not allowed.",
		"The page you are looking for cannot be displayed because an invalid method (HTTP verb) was used to attempt access."},
}

func iisPage(status int) response {
	title, words := iisTitles[status][0], iisTitles[status][1]
	return response{status: status, body: fmt.Sprintf("<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" "+
		"\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\">\r\n<html xmlns=\"http://www.w3.org/1999/xhtml\">\r\n"+
		"<head>\r\n<title>%[1]d - %[2]s</title>\r\n</head>\r\n<body>\r\n<div id=\"header\"><h1>Server Error</h1></div>\r\n"+
		"<div id=\"content\"><h2>%[1]d - %[2]s</h2>\r\n<h3>%[3]s</h3></div>\r\n</body>\r\n</html>\r\n", status, title, words)}
}

// nginxPage is how nginx refuses certificates: it calls each of these statuses 400.
func nginxPage(status int, words string) response {
	return response{status: status, body: "<html>\r\n<head><title>400 " + words + "</title></head>\r\n<body>\r\n" +
		"<center><h1>400 Bad Request</h1></center>\r\n<center>" + words + "</center>\r\n<hr><center>nginx</center>\r\n" +
		"</body>\r\n</html>\r\n"}
}
