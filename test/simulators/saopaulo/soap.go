package saopaulo

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/beevik/etree"
)

// soapVersion is 1.1, 1.2, or empty when Content-Type is of neither.
type soapVersion string

const (
	soap11 soapVersion = "1.1"
	soap12 soapVersion = "1.2"
)

func (v soapVersion) namespace() string {
	if v == soap11 {
		return "http://schemas.xmlsoap.org/soap/envelope/"
	}
	return "http://www.w3.org/2003/05/soap-envelope"
}

func (v soapVersion) contentType() string {
	if v == soap11 {
		return "text/xml; charset=utf-8"
	}
	return "application/soap+xml; charset=utf-8"
}

// versionOf is by the Content-Type.
func versionOf(r *http.Request) soapVersion {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == "text/xml":
		return soap11
	case err == nil && kind == "application/soap+xml":
		return soap12
	}
	return ""
}

// The faults of ASP.NET.
const (
	unknownAction = "Server did not recognize the value of HTTP Header SOAPAction: %s."
	missingAction = "Unable to handle request without a valid action parameter. Please supply a valid soap action."
	wrongEnvelope = "Possible SOAP version mismatch: Envelope namespace %s was unexpected. Expecting %s."
	unreadable    = "Server was unable to read request. ---> %s"
	serverBusy    = "Server was unable to process request. ---> Timeout expired."
)

// checkSOAP refuses what is no SOAP of the service: see README A.2 of the reference for
// the reports.
func (c *call) checkSOAP() *response {
	header, parameter := c.Request.Header.Get("SOAPAction"), actionParameter(c.Request)
	strict := c.soap == soap12 && c.registry.WantsSOAPAction
	var refused response
	switch {
	case c.soap == "", strict && parameter != "":
		refused = htmlPage(http.StatusUnsupportedMediaType)
	case c.soap == soap11 && c.registry.RefuseSOAP11,
		c.soap == soap11 && (len(header) < 2 || !strings.HasPrefix(header, `"`) || !strings.HasSuffix(header, `"`)):
		refused = c.soapFault(fmt.Sprintf(unknownAction, header))
	case strict && header == "", c.operation == nil && header+parameter == "":
		refused = c.soapFault(missingAction)
	case c.operation == nil:
		refused = c.soapFault(fmt.Sprintf(unknownAction, header+parameter))
	default:
		return nil
	}
	return &refused
}

// unwrap takes MensagemXML and VersaoSchema out of the envelope. A wrapper that is not
// the operation's has no message in it (1102).
func (c *call) unwrap() (message, version string, refused *response) {
	fail := func(text string, values ...any) (string, string, *response) {
		answered := c.soapFault(fmt.Sprintf(text, values...))
		return "", "", &answered
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromBytes(c.Body); err != nil || tree.Root() == nil {
		return fail(unreadable, "There is an error in the XML document.")
	}
	envelope := tree.Root()
	if envelope.Tag != "Envelope" || envelope.NamespaceURI() != c.soap.namespace() {
		return fail(wrongEnvelope, envelope.NamespaceURI(), c.soap.namespace())
	}
	body := childOf(envelope, "Body", c.soap.namespace())
	if body == nil || len(body.ChildElements()) != 1 {
		return fail(unreadable, "The Body must hold one element.")
	}
	wrapper := childOf(body, c.operation.name+"Request", messageNamespace)
	if wrapper == nil {
		return "", layout, nil
	}
	number := childOf(wrapper, "VersaoSchema", messageNamespace)
	if number == nil {
		return fail(unreadable, "VersaoSchema is missing.")
	}
	if _, err := strconv.Atoi(number.Text()); err != nil {
		return fail(unreadable, "Input string was not in a correct format.")
	}
	text := childOf(wrapper, "MensagemXML", messageNamespace)
	switch {
	case text == nil:
		return "", number.Text(), nil
	case len(text.ChildElements()) > 0:
		return fail(unreadable, "Unexpected node type Element. ReadElementString method can only be called on "+
			"elements with simple or empty content.")
	}
	return text.Text(), number.Text(), nil
}

func childOf(element *etree.Element, name, namespace string) *etree.Element {
	for _, child := range element.ChildElements() {
		if child.Tag == name && child.NamespaceURI() == namespace {
			return child
		}
	}
	return nil
}

// soapFault is a fault of the request's version.
func (c *call) soapFault(text string) response {
	version := c.soap
	if version == "" {
		version = soap12
	}
	return soapFault(version, text)
}

func soapFault(version soapVersion, text string) response {
	who := "Receiver"
	if !strings.HasSuffix(text, serverBusy) {
		who = "Sender"
	}
	inner := "<soap:Fault><soap:Code><soap:Value>soap:" + who + "</soap:Value></soap:Code>" +
		`<soap:Reason><soap:Text xml:lang="en">` + escape(text) + "</soap:Text></soap:Reason></soap:Fault>"
	if version == soap11 {
		code := map[string]string{"Receiver": "Server", "Sender": "Client"}[who]
		inner = "<soap:Fault><faultcode>soap:" + code + "</faultcode><faultstring>" + escape(text) +
			"</faultstring><detail /></soap:Fault>"
	}
	return response{status: http.StatusInternalServerError, soap: version, inner: inner}
}

// response is what will be sent, while it can still be changed.
type response struct {
	status     int
	retryAfter string
	html       string      // or
	soap       soapVersion // of the envelope
	inner      string      // what its body holds: a fault, or
	operation  string      // an answer to this operation, whose
	retorno    string      // RetornoXML this is
	missing    bool        // without RetornoXML
	cdata      bool        // RetornoXML is not escaped
}

func (r response) write(w http.ResponseWriter, c *call) {
	if r.retryAfter != "" {
		w.Header().Set("Retry-After", r.retryAfter)
	}
	content := []byte(r.html)
	switch {
	case r.soap != "":
		w.Header().Set("Content-Type", r.soap.contentType())
		content = []byte(r.envelope())
	case r.html != "":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	c.Answer(w, r.status, content)
}

func (r response) envelope() string {
	inner := r.inner
	if r.operation != "" {
		retorno := "<RetornoXML>" + escape(r.retorno) + "</RetornoXML>"
		switch {
		case r.missing:
			retorno = ""
		case r.cdata:
			retorno = "<RetornoXML><![CDATA[" + r.retorno + "]]></RetornoXML>"
		}
		inner = "<" + r.operation + `Response xmlns="` + messageNamespace + `">` + retorno +
			"</" + r.operation + "Response>"
	}
	return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="` + r.soap.namespace() + `">` +
		"<soap:Body>" + inner + "</soap:Body></soap:Envelope>"
}

var xmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;", `"`, "&quot;")

// notXML is what no XML may hold.
var notXML = regexp.MustCompile(`[\x00-\x08\x0B\x0C\x0E-\x1F]`)

func escape(text string) string { return xmlEscaper.Replace(notXML.ReplaceAllString(text, "?")) }
