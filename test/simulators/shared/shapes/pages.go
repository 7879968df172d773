package shapes

import "net/http"

// page is what something in front of a host answers.
type page struct {
	status int
	media  string
	body   string
}

func (p page) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", p.media)
	w.WriteHeader(p.status)
	_, _ = w.Write([]byte(p.body))
}

const (
	webPage = "text/html"
	plain   = "text/plain"
)

func nginx(status int, title string) page {
	return page{status, webPage, "<html>\r\n<head><title>" + title + "</title></head>\r\n<body>\r\n<center><h1>" + title +
		"</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"}
}

func iis(status int, title string) page {
	return page{status, webPage + "; charset=utf-8", "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\">\r\n" +
		"<html><head><title>" + title + "</title></head>\r\n<body>\r\n" +
		"<div id=\"header\"><h1>Server Error</h1></div>\r\n<h2>" + title + "</h2>\r\n</body></html>"}
}

var (
	// pagesBefore come in the place of what was asked for. 429, 501, 503: recorded (file 24); IIS's 404 and nginx's 404:
	// reported of routes.
	pagesBefore = []page{
		{429, webPage, "<html><body><h1>429 Too Many Requests</h1>You have sent too many requests in a given amount " +
			"of time.</body></html>"},
		{501, plain, "Este serviço foi movido"},
		{503, plain, "No server is available to handle this request"},
		iis(404, "404 - File or directory not found."),
	}
	// pagesAfter may come after what was asked for was done, too.
	pagesAfter = []page{
		nginx(502, "502 Bad Gateway"), nginx(503, "503 Service Temporarily Unavailable"),
		nginx(504, "504 Gateway Time-out"), {502, plain, "upstream connect error or disconnect/reset before headers"},
		{500, webPage, "<html><head><title>Runtime Error</title></head><body></body></html>"}, {503, plain, ""},
	}
	// certificatePages refuse the client's certificate. 403, 495 and 496: recorded or reported (file 24); 400 is what
	// nginx says without a code of its own.
	certificatePages = []page{
		iis(403, "403 - Forbidden: Access is denied."), nginx(495, "400 The SSL certificate error"),
		nginx(496, "400 No required SSL certificate was sent"), nginx(400, "400 No required SSL certificate was sent"),
	}
)
