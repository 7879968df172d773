package sefin

import (
	"mime"
	"net/http"

	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/server"
)

// routes returns the routes of SEFIN and of the ADN.
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
	for _, path := range []string{"/nfse", "/nfse/{key}", "/nfse/{key}/eventos", "/dps/{id}"} {
		mux.Handle("/SefinNacional"+path, s.nowhere(http.StatusMethodNotAllowed))
	}
	mux.Handle("/", s.nowhere(http.StatusNotFound))
	mux.Handle("/cities/", s.cityRoutes())
	if s.door != nil {
		mux.Handle(s.door.Path, s.door.Serve(s))
	}
	return mux
}

// handle serves a request of who shows a certificate of the test ICP.
func (s *Simulator) handle(scope Scope, serve func(*call) response) http.Handler {
	identified := func(c *call) response {
		var rejected *rejection
		if c.caller, rejected = s.identify(c.Request); rejected != nil {
			return s.refuseCertificate(c, rejected)
		}
		if c.Request.Method == http.MethodPost && !isJSON(c.Request) {
			return response{status: http.StatusUnsupportedMediaType}
		}
		return serve(c)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, scope, nil, identified) })
}

// serve applies the fault profile to a request, of the national system where there is no city,
// before and after it is served.
func (s *Simulator) serve(w http.ResponseWriter, r *http.Request, scope Scope, city *City,
	serve func(*call) response) {
	defer s.enter(scope)()
	received := s.Receive(w, r, scope)
	if received == nil {
		return
	}
	c := &call{Call: received, city: city}
	c.post = Post{At: c.Now, Scope: scope, Faults: c.Faults.Kinds()}
	if city != nil {
		c.post.City = city.Name
	}
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
}

// respond serves a request, unless a fault takes its place. It names the fault
// that cuts the connection, if one does.
func (s *Simulator) respond(c *call, serve func(*call) response) (answered response, cut Kind) {
	if picked, found := c.Faults.Replacing(false); found {
		answered, cut = s.replaced(c, picked)
		return s.corrupt(c, answered), cut
	}
	answered = serve(c)
	if picked, found := c.Faults.Replacing(true); found {
		answered, cut = s.replaced(c, picked)
	}
	return s.corrupt(c, answered), cut
}

// replaced is the response that a fault puts in the place of the served one.
func (s *Simulator) replaced(c *call, fault Fault) (response, Kind) {
	switch fault.Kind {
	case Reject:
		return s.rejectWith(c, *c.reject(fault.Code).withComplement(fault.Complement)), ""
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
		rejected := []rejection{*c.reject(code).withComplement(fault.Complement)}
		said := s.refusal(c, fault.Status, rejected)
		if c.city != nil {
			said = response{body: s.envelope(c, c.city.refusals(rejected))}
		}
		answered.body, answered.refused = said.body, said.refused
	}
	return answered
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}
