package sefin

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// largestBody is the most that a request may carry.
const largestBody = 4 << 20

// answer is what will be sent, while it can still be changed.
type answer struct {
	status int
	header map[string]string
	body   any // marshalled as JSON; nil is none, string is HTML
}

// visit is one request on its way through the stand-in.
type visit struct {
	request *http.Request
	body    []byte
	sent    *parsed  // what was posted, or
	problem *message // why it could not be read
	caller  caller
	now     time.Time
	plan    plan
	post    Post
}

// routes are those of SEFIN and of the ADN.
func (a *Authority) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /SefinNacional/nfse", a.handle(Issue, a.issueNote))
	mux.Handle("GET /SefinNacional/dps/{id}", a.handle(Query, a.findDPS))
	mux.Handle("GET /SefinNacional/nfse/{key}", a.handle(Query, a.findNote))
	mux.Handle("POST /SefinNacional/nfse/{key}/eventos", a.handle(Cancel, a.registerEvent))
	mux.Handle("GET /SefinNacional/nfse/{key}/eventos/{type}/{sequence}", a.handle(Query, a.findEvent))
	mux.Handle("GET /contribuintes/DFe/{nsu}", a.handle(Any, a.distribute))
	mux.Handle("GET /contribuintes/NFSe/{key}/Eventos", a.handle(Any, a.distributeEvents))
	return mux
}

// handle leads a request past the menu of faults, before and after it is served.
func (a *Authority) handle(scope Scope, serve func(*visit) answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		v := &visit{request: r, body: body}
		var wait time.Duration
		v.plan, wait = a.menu.draw(scope)
		if !a.pause(r, wait) {
			return
		}
		v.now = a.now()
		v.post = Post{At: v.now, Scope: scope, Faults: v.plan.kinds()}
		v.read()

		reply, cut := a.answer(v, serve)
		_, half := v.plan.find(HalfAnswer)
		if cut == "" && !half {
			v.post.Status = reply.status
		}
		if r.Method == http.MethodPost {
			a.record(v.post)
		}
		a.log.Debug("answered", "scope", scope, "status", v.post.Status, "codes", v.post.Codes, "faults", v.post.Faults)
		if cut != "" {
			cutConnection(w, cut == Reset)
			return
		}
		reply.write(w, half)
	})
}

// answer serves a request, unless a fault takes its place. It names the fault
// that cuts the connection, if one does.
func (a *Authority) answer(v *visit, serve func(*visit) answer) (reply answer, cut Kind) {
	if fault, found := v.plan.instead(false); found {
		reply, cut = a.instead(v, fault)
		return a.spoil(v, reply), cut
	}
	var problem *message
	if v.caller, problem = a.identify(v.request); problem != nil {
		reply = a.unwelcome(v, problem)
	} else if v.request.Method == http.MethodPost && !isJSON(v.request) {
		reply = answer{status: http.StatusUnsupportedMediaType}
	} else {
		reply = serve(v)
	}
	if fault, found := v.plan.instead(true); found {
		reply, cut = a.instead(v, fault)
	}
	return a.spoil(v, reply), cut
}

// instead is the answer of a fault that takes the place of one.
func (a *Authority) instead(v *visit, fault Fault) (answer, Kind) {
	switch fault.Kind {
	case Reject:
		return a.reject(v, *refuse(fault.Code).because(fault.Complement)), ""
	case Status:
		reply := answer{status: fault.Status, header: map[string]string{}}
		if fault.RetryAfter != "" {
			reply.header["Retry-After"] = fault.RetryAfter
		}
		switch fault.Body {
		case "html":
			reply.body = "<html><head><title>" + http.StatusText(fault.Status) + "</title></head><body><h1>" +
				http.StatusText(fault.Status) + "</h1></body></html>"
		case "erros":
			code := fault.Code
			if code == "" {
				code = "E9999"
			}
			reply.body = a.envelope(v, map[string]any{"erros": []message{*refuse(code).because(fault.Complement)}})
		}
		return reply, ""
	}
	return answer{}, fault.Kind
}

// unwelcome refuses a client's certificate: queries and events are 401 without
// one, everything else is 403.
func (a *Authority) unwelcome(v *visit, problem *message) answer {
	status := http.StatusForbidden
	if problem.Code == "E1200" && v.post.Scope != Issue {
		status = http.StatusUnauthorized
	}
	v.post.Codes = []string{problem.Code}
	return answer{status: status, body: a.envelope(v, map[string]any{"erros": []message{*problem}})}
}

// reject is the answer of SEFIN that says no: a list of erros to a DPS, one erro
// to an event.
func (a *Authority) reject(v *visit, problems ...message) answer {
	for _, problem := range problems {
		v.post.Codes = append(v.post.Codes, problem.Code)
	}
	if v.post.Scope == Cancel {
		return answer{status: http.StatusBadRequest, body: a.envelope(v, map[string]any{"erro": problems[0]})}
	}
	body := map[string]any{"erros": problems}
	if v.post.ID != "" {
		body["idDPS"] = v.post.ID
	}
	return answer{status: http.StatusBadRequest, body: a.envelope(v, body)}
}

// envelope adds what every body of SEFIN has.
func (a *Authority) envelope(v *visit, body map[string]any) map[string]any {
	body["tipoAmbiente"] = 2
	if a.options.Production {
		body["tipoAmbiente"] = 1
	}
	body["versaoAplicativo"] = application
	body["dataHoraProcessamento"] = printTime(v.now)
	return body
}

// pause waits, unless the client or the stand-in goes.
func (a *Authority) pause(r *http.Request, wait time.Duration) bool {
	if wait <= 0 {
		return true
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	case <-a.closing.Done():
		return false
	}
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

func (reply answer) write(w http.ResponseWriter, half bool) {
	for name, value := range reply.header {
		w.Header().Set(name, value)
	}
	var content []byte
	switch body := reply.body.(type) {
	case nil:
	case string:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		content = []byte(body)
	default:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		var text strings.Builder
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		// Maps, texts and numbers can always be marshalled.
		_ = encoder.Encode(body)
		content = []byte(text.String())
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(reply.status)
	if half && len(content) > 0 {
		_, _ = w.Write(content[:len(content)/2])
		_ = http.NewResponseController(w).Flush()
		cutConnection(w, false)
		return
	}
	_, _ = w.Write(content)
}

// cutConnection closes what is under TLS, so that not even its goodbye is said.
func cutConnection(w http.ResponseWriter, reset bool) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if secured, isTLS := connection.(*tls.Conn); isTLS {
		connection = secured.NetConn()
	}
	if tcp, isTCP := connection.(*net.TCPConn); isTCP && reset {
		_ = tcp.SetLinger(0)
	}
	_ = connection.Close()
}
