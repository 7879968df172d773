package sefin

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/server"
)

// cityRoutes returns the routes of the servers of cities, below /cities/{city}: of both editions of DSF's protocol
// and of clones of SEFIN, of which each city has one. What is asked of a path that exists by a wrong method, as GET
// of /nfse alone, is a 405; everything else, as /notafiscal/, is a 404.
func (s *Simulator) cityRoutes() http.Handler {
	mux := http.NewServeMux()
	for base, paths := range map[string][4]string{
		currentBase: {"/nfse", "/nfse/dps/{id}", "/nfse/{key}", "/nfse/{key}/eventos"},
		olderBase:   {"/dps", "/dps/{id}", "/nfse/{key}", "/nfse/{key}/eventos"},
		sefinBase:   {"/nfse", "/dps/{id}", "/nfse/{key}", "/nfse/{key}/eventos"},
		tiplanBase:  {"/recepcao", "/chave-acesso/{id}", "/nfse/{key}", "/evento"},
	} {
		at := "/cities/{city}" + base
		mux.Handle("POST "+at+paths[0], s.atCity(base, Issue, s.issueNote))
		mux.Handle("GET "+at+paths[1], s.atCity(base, Query, s.findDPSAtCity))
		mux.Handle("GET "+at+paths[2], s.atCity(base, Query, s.findNoteAtCity))
		mux.Handle("POST "+at+paths[3], s.atCity(base, Cancel, s.cancelAtCity))
	}
	mux.Handle("GET /cities/{city}"+sefinBase+"/nfse/{key}/eventos/{type}/{sequence}",
		s.atCity(sefinBase, Query, s.findEvent))
	return mux
}

// atCity serves a request to a city, as handle does one to the national system. On the paths of the
// edition that the city does not have it processes nothing, and names its own (302).
func (s *Simulator) atCity(base string, scope Scope, serve func(*call) response) http.Handler {
	answer := func(w http.ResponseWriter, r *http.Request, city *City, first bool) {
		if first && !fault.Pause(w, r, s.Closing(), time.Duration(city.FirstCall)) {
			return
		}
		s.serve(w, r, scope, city, func(c *call) response { return s.letIn(c, serve) })
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		city, first := s.cityNamed(r.PathValue("city"))
		switch {
		case city == nil:
			http.NotFound(w, r)
		case r.Method == http.MethodHead:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case city.Challenges && strings.HasPrefix(r.UserAgent(), "Go-http-client/"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(server.Page(http.StatusOK)))
		case base != city.base():
			http.Redirect(w, r, city.path()+"/nfse", http.StatusFound)
		default:
			answer(w, r, city, first)
		}
	})
}

// letIn serves a request to a city: at DSF a question is answered without a certificate, so that a good
// answer proves nothing of it.
func (s *Simulator) letIn(c *call, serve func(*call) response) response {
	sends := c.Request.Method == http.MethodPost
	if !sends && c.city.Clone == "" {
		return serve(c)
	}
	var rejected *rejection
	if c.caller, rejected = s.identify(c.Request); rejected != nil {
		return s.rejectWith(c, *rejected)
	}
	if sends && !isJSON(c.Request) {
		return response{status: http.StatusUnsupportedMediaType}
	}
	return serve(c)
}

// cityEnvelope adds what every body of a city has.
func (c *call) cityEnvelope(body map[string]any, environment string) map[string]any {
	body["tipoAmbiente"] = environment
	if c.city.AsNumber {
		body["tipoAmbiente"] = int(environment[0] - '0')
	}
	body["versaoAplicativo"] = cmp.Or(c.city.Version, "1.01")
	body["dataHoraProcessamento"] = c.Now.In(brasilia).Format("2006-01-02T15:04:05.000000000-07:00")
	return body
}

// cityRejection is one entry of erros, or alertas, of a city.
type cityRejection struct {
	Code string `json:"codigo,omitempty"`
	Text string `json:"mensagem"`
}

// refusals are rejections as a city lists them: without a field for what a validator said.
func (c *City) refusals(rejections []rejection) map[string]any {
	var list []cityRejection
	for _, one := range rejections {
		refused := cityRejection{one.Code, one.Text}
		if one.Complement != "" {
			refused.Text += " " + one.Complement
		}
		if c.Wordless {
			refused.Code = ""
		}
		list = append(list, refused)
	}
	return map[string]any{cmp.Or(c.Refuses, "erros"): list}
}

// refuseAtCity refuses what was sent.
func (s *Simulator) refuseAtCity(c *call, rejections []rejection) response {
	status, body := http.StatusBadRequest, c.city.refusals(rejections)
	if c.post.Scope == Issue {
		status = cmp.Or(c.city.RefusesAs, status)
		if c.post.ID != "" {
			body["idDps"] = c.post.ID
		}
	}
	if c.city.InWords {
		return response{status: status, body: server.Page(status)}
	}
	return response{status: status, body: s.envelope(c, body)}
}

// cityKey is an access key as the city writes it.
func (c *City) key(key string) string {
	if c.BareKey {
		return key
	}
	return keyPrefix + key
}

const keyPrefix = "NFS"
