package issnet

import (
	"bytes"
	"encoding/xml"
	"mime"
	"net/http"
	"slices"
	"strings"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/server"
)

// call is one request, and what is known of it while it is served.
type call struct {
	*server.Call
	operation
	behaviour Behaviour
	national  *sefin.Simulator
	message   *received
}

// response is what will be sent.
type response struct {
	status int
	html   bool
	body   string
}

func page(status int) response { return response{status, true, server.Page(status)} }

// soapFault is all that the service says of its own errors.
func soapFault() response {
	return response{http.StatusInternalServerError, false, enveloped("<soap:Fault><faultcode>soap:Server</faultcode>" +
		"<faultstring>Error</faultstring></soap:Fault>")}
}

func enveloped(content string) string {
	return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope ` +
		`xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>` + content + `</soap:Body></soap:Envelope>`
}

// handle applies the fault profile to a request, before and after it is served.
func (s *Simulator) handle(national *sefin.Simulator, w http.ResponseWriter, r *http.Request) {
	c := &call{operation: operationOf(r), behaviour: s.Behaviour(), national: national}
	if c.Call = national.Receive(w, r, c.scope); c.Call == nil {
		return
	}
	answered, cut := s.respond(c)
	if cut != "" {
		fault.Cut(w, cut == sefin.Reset)
		return
	}
	w.Header().Set("Content-Type", "text/xml; charset=utf-8")
	if answered.html {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	c.Answer(w, answered.status, []byte(answered.body))
}

// respond serves a request, unless a fault takes its place. It names the fault that cuts the
// connection, if one does.
func (s *Simulator) respond(c *call) (answered response, cut sefin.Kind) {
	if picked, found := c.Faults.Replacing(false); found {
		return c.replaced(picked)
	}
	answered = s.serve(c)
	if picked, found := c.Faults.Replacing(true); found {
		return c.replaced(picked)
	}
	return answered, ""
}

// replaced is the response that a fault puts in the place of the served one.
func (c *call) replaced(picked sefin.Fault) (response, sefin.Kind) {
	switch {
	case picked.Kind == sefin.Reject:
		return c.say(refuse(picked.Code, "Rejeição "+picked.Code+". "+picked.Complement)), ""
	case picked.Kind == sefin.Status && (picked.Status != http.StatusInternalServerError || picked.Body == "html"):
		return page(picked.Status), ""
	case picked.Kind == sefin.Status:
		return soapFault(), ""
	}
	return response{}, picked.Kind
}

// serve does what is asked for: first what the front end checks, then SOAP, then the message.
func (s *Simulator) serve(c *call) response {
	media, _, _ := mime.ParseMediaType(c.Request.Header.Get("Content-Type"))
	switch {
	case !c.national.Identified(c.Request):
		return page(http.StatusForbidden)
	case c.Request.Method != http.MethodPost:
		return page(http.StatusMethodNotAllowed)
	case media != "text/xml":
		return page(http.StatusUnsupportedMediaType)
	case c.name == "" || slices.Contains(c.behaviour.Unserved, c.name):
		return soapFault()
	}
	read, refused := readMessage(c.Body, c.operation)
	switch {
	case refused != nil:
		return c.say(*refused)
	case slices.Contains(c.behaviour.Off, c.name):
		return c.say(switchedOf)
	}
	c.message = read
	return c.say(c.operation.serve(s, c))
}

// say is the response of an answer, in the form that the city has.
func (c *call) say(said answer) response {
	var b strings.Builder
	b.WriteString(`<` + c.answer + ` xmlns="` + namespace + `">`)
	if len(said.messages) > 0 {
		b.WriteString("<ListaMensagemRetorno>")
		for _, one := range said.messages {
			b.WriteString("<MensagemRetorno><Codigo>" + escaped(one.code) + "</Codigo><Mensagem>" + escaped(one.text) +
				"</Mensagem></MensagemRetorno>")
		}
		b.WriteString("</ListaMensagemRetorno>")
	}
	b.WriteString(said.content + "</" + c.answer + ">")
	content := b.String()
	if c.behaviour.Escaped {
		content = escaped(content)
	}
	body := enveloped("<" + c.name + `Response xmlns="` + namespace + `"><` + c.name + "Result>" + content +
		"</" + c.name + "Result></" + c.name + "Response>")
	if _, found := c.Faults.Find(sefin.UnreadableXML); found {
		body = body[:len(body)/2]
	}
	return response{http.StatusOK, false, body}
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}
