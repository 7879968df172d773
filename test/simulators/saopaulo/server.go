package saopaulo

import (
	"net/http"

	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/server"
)

// handle applies the fault profile to a request, before and after it is served.
func (s *Simulator) handle(w http.ResponseWriter, r *http.Request) {
	c := &call{soap: versionOf(r)}
	c.operation = operationOf(r, c.soap)
	scope := Scope("")
	if c.operation != nil {
		scope, c.record.Operation = c.operation.scope, c.operation.name
	}
	if c.Call = s.Receive(w, r, scope); c.Call == nil {
		return
	}
	c.registry = s.Registry()
	c.record.At, c.record.Faults = c.Now, c.Faults.Kinds()

	answered, cut := s.respond(c)
	if cut == "" && !c.Halved() {
		c.record.Status = answered.status
	}
	s.messages.Add(c.record)
	s.Log.Debug("answered", "operation", c.record.Operation, "status", c.record.Status, "codes", c.record.Codes,
		"faults", c.record.Faults)
	if cut != "" {
		fault.Cut(w, cut == Reset)
		return
	}
	answered.write(w, c)
}

// respond serves a request, unless a fault takes its place. It names the fault that
// cuts the connection, if one does.
func (s *Simulator) respond(c *call) (answered response, cut Kind) {
	if picked, found := c.Faults.Replacing(false); found {
		c.peek()
		return replaced(c, picked)
	}
	answered = s.serveCall(c)
	if picked, found := c.Faults.Replacing(true); found {
		return replaced(c, picked)
	}
	return corrupt(c, answered), ""
}

// serveCall does what is asked for: first what the front end checks, then SOAP, then
// the message.
func (s *Simulator) serveCall(c *call) response {
	switch {
	case !s.identify(c):
		return htmlPage(http.StatusForbidden)
	case c.Request.URL.Path != path:
		return htmlPage(http.StatusNotFound)
	case c.Request.Method != http.MethodPost:
		return htmlPage(http.StatusMethodNotAllowed)
	}
	if refused := c.checkSOAP(); refused != nil {
		return *refused
	}
	text, version, refused := c.unwrap()
	if refused != nil {
		return *refused
	}
	return s.answerTo(c, text, version)
}

// answerTo checks a message, and does what it asks for.
func (s *Simulator) answerTo(c *call, text, version string) response {
	refused := c.read(text, version)
	if refused == nil {
		refused = s.checkSender(c)
	}
	if refused != nil {
		return c.respondWith(answer{events: refused})
	}
	if missing := c.message.notSimulated(); missing != "" {
		s.Log.Warn("a valid message holds what is not simulated", "what", missing)
		return response{status: http.StatusNotImplemented, html: "The simulator does not play " + missing + "."}
	}
	return c.respondWith(c.operation.serve(s, c))
}

// identify reads who the client's certificate was given to. The front end refuses clients that have none of the ICP.
func (s *Simulator) identify(c *call) bool {
	if c.Request.TLS == nil || len(c.Request.TLS.PeerCertificates) == 0 {
		return false
	}
	certificate := c.Request.TLS.PeerCertificates[0]
	c.caller = icp.TaxID(certificate)
	return s.ICP.Trusted(certificate, c.Now)
}

// replaced is the response that a fault puts in the place of the served one.
func replaced(c *call, picked Fault) (response, Kind) {
	switch {
	case picked.Kind == Reject && c.operation != nil:
		code, _ := parseCode(picked.Code)
		refused := event{code: code, text: publishedText(code)}
		if picked.Complement != "" {
			refused.text += " " + picked.Complement
		}
		return c.respondWith(answer{events: []event{refused}}), ""
	case picked.Kind == Reject:
		return c.soapFault(unknownAction), ""
	case picked.Kind == Status:
		return statusResponse(c, picked), ""
	}
	return response{}, picked.Kind
}

func statusResponse(c *call, picked Fault) response {
	answered := response{status: picked.Status}
	switch picked.Body {
	case "html":
		answered = htmlPage(picked.Status)
	case SOAPFault:
		answered = c.soapFault(serverBusy)
	case SOAP11Fault:
		answered = soapFault(soap11, serverBusy)
	}
	answered.status, answered.retryAfter = picked.Status, picked.RetryAfter
	return answered
}

func htmlPage(status int) response {
	return response{status: status, html: server.Page(status)}
}
