package sefin

import (
	"mime"
	"net/http"

	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/server"
)

// routes are those of SEFIN and of the ADN.
func (s *Simulator) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /SefinNacional/nfse", s.handle(Issue, s.issueNote))
	mux.Handle("GET /SefinNacional/dps/{id}", s.handle(Query, s.findDPS))
	mux.Handle("GET /SefinNacional/nfse/{key}", s.handle(Query, s.findNote))
	mux.Handle("POST /SefinNacional/nfse/{key}/eventos", s.handle(Cancel, s.registerEvent))
	mux.Handle("GET /SefinNacional/nfse/{key}/eventos/{type}/{sequence}", s.handle(Query, s.findEvent))
	mux.Handle("GET /contribuintes/DFe/{nsu}", s.handle(Distribution, s.distribute))
	mux.Handle("GET /contribuintes/NFSe/{key}/Eventos", s.handle(Distribution, s.distributeEvents))
	const parameters = "GET /parametrizacao/{municipality}/"
	mux.Handle(parameters+"convenio", s.parameters(s.agreementParameters))
	mux.Handle(parameters+"{service}/historicoaliquotas", s.parameters(s.rates))
	mux.Handle(parameters+"{day}/retencoes", s.parameters(s.withholdingParameters))
	mux.Handle(parameters+"{service}/{day}/{what}", s.parameters(s.threeSegments))
	mux.Handle("GET /SefinNacional/parametros_municipais/", s.parameters(s.oldParameters))
	return mux
}

// handle applies the fault profile to a request, before and after it is served.
func (s *Simulator) handle(scope Scope, serve func(*call) response) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.enter(scope)()
		received := s.Receive(w, r, scope)
		if received == nil {
			return
		}
		c := &call{Call: received}
		c.post = Post{At: c.Now, Scope: scope, Faults: c.Faults.Kinds()}
		c.read()

		answered, cut := s.respond(c, serve)
		if cut == "" && !c.Halved() {
			c.post.Status = answered.status
		}
		if r.Method == http.MethodPost {
			s.posts.Add(c.post)
		}
		s.Log.Debug("answered", "scope", scope, "status", c.post.Status, "codes", c.post.Codes, "faults", c.post.Faults)
		if cut != "" {
			fault.Cut(w, cut == Reset)
			return
		}
		answered.write(w, c)
	})
}

// respond serves a request, unless a fault takes its place. It names the fault
// that cuts the connection, if one does.
func (s *Simulator) respond(c *call, serve func(*call) response) (answered response, cut Kind) {
	if picked, found := c.Faults.Replacing(false); found {
		answered, cut = s.replaced(c, picked)
		return s.corrupt(c, answered), cut
	}
	var rejected *rejection
	if c.caller, rejected = s.identify(c.Request); rejected != nil {
		answered = s.refuseCertificate(c, rejected)
	} else if c.Request.Method == http.MethodPost && !isJSON(c.Request) {
		answered = response{status: http.StatusUnsupportedMediaType}
	} else {
		answered = serve(c)
	}
	if picked, found := c.Faults.Replacing(true); found {
		answered, cut = s.replaced(c, picked)
	}
	return s.corrupt(c, answered), cut
}

// replaced is the response that a fault puts in the place of the served one.
func (s *Simulator) replaced(c *call, fault Fault) (response, Kind) {
	switch fault.Kind {
	case Reject:
		return s.rejectWith(c, *reject(fault.Code).withComplement(fault.Complement)), ""
	case Status:
		return s.statusResponse(c, fault), ""
	}
	return response{}, fault.Kind
}

func (s *Simulator) statusResponse(c *call, fault Fault) response {
	answered := response{status: fault.Status, header: map[string]string{}}
	if fault.RetryAfter != "" {
		answered.header["Retry-After"] = fault.RetryAfter
	}
	switch fault.Body {
	case "html":
		answered.body = server.Page(fault.Status)
	case "erros":
		code := fault.Code
		if code == "" {
			code = "E9999"
		}
		answered.body = s.envelope(c, map[string]any{
			"erros": []rejection{*reject(code).withComplement(fault.Complement)},
		})
	}
	return answered
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
