package sefin

import (
	"encoding/json"
	"net/http"
	"strings"
)

// response is what will be sent, while it can still be changed.
type response struct {
	status int
	header map[string]string
	body   any // marshalled as JSON; nil is none, string is HTML
}

// envelope adds what every body of SEFIN, or of a city, has.
func (s *Simulator) envelope(c *call, body map[string]any) map[string]any {
	if c.city != nil {
		return c.cityEnvelope(body, s.environment())
	}
	body["tipoAmbiente"] = 2
	if s.production {
		body["tipoAmbiente"] = 1
	}
	body["versaoAplicativo"] = application
	body["dataHoraProcessamento"] = printTime(c.Now)
	return body
}

// refuseCertificate is 401 to queries and events without a client certificate,
// and 403 otherwise.
func (s *Simulator) refuseCertificate(c *call, rejected *rejection) response {
	status := http.StatusForbidden
	if rejected.Code == "E1200" && c.post.Scope != Issue {
		status = http.StatusUnauthorized
	}
	c.post.Codes = []string{rejected.Code}
	return response{status: status, body: s.envelope(c, map[string]any{"erros": []rejection{*rejected}})}
}

// rejectWith rejects what was asked: with a list of erros, or, where it is an
// event, with one erro.
func (s *Simulator) rejectWith(c *call, rejections ...rejection) response {
	for _, one := range rejections {
		c.post.Codes = append(c.post.Codes, one.Code)
	}
	if c.city != nil {
		return s.refuseAtCity(c, rejections)
	}
	if c.post.Scope == Cancel {
		return response{status: http.StatusBadRequest, body: s.envelope(c, map[string]any{"erro": rejections[0]})}
	}
	body := map[string]any{"erros": rejections}
	if c.post.ID != "" {
		body["idDPS"] = c.post.ID
	}
	return response{status: http.StatusBadRequest, body: s.envelope(c, body)}
}

func (r response) write(w http.ResponseWriter, c *call) {
	for name, value := range r.header {
		w.Header().Set(name, value)
	}
	var content []byte
	switch body := r.body.(type) {
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
	c.Answer(w, r.status, content)
}
