package sefin

import (
	"encoding/json"
	"net/http"
	"strings"
)

// response is what will be sent, while it can still be changed.
type response struct {
	status  int
	header  map[string]string
	body    any         // marshalled as JSON; nil is none, string is HTML
	refused []rejection // that the body of SEFIN says, in whichever form
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
	body["dataHoraProcessamento"] = c.Now.In(brasilia).Format(momentForm)
	return body
}

// momentForm is how .NET writes a moment in JSON: with as many digits of the second as it needs, up to seven.
const momentForm = "2006-01-02T15:04:05.9999999-07:00"

// rejectWith rejects what was asked.
func (s *Simulator) rejectWith(c *call, rejections ...rejection) response {
	for _, one := range rejections {
		c.post.Codes = append(c.post.Codes, one.Code)
	}
	if c.city != nil {
		return s.refuseAtCity(c, rejections)
	}
	refused := s.refusal(c, http.StatusBadRequest, rejections)
	if body, isObject := refused.body.(map[string]any); isObject && c.post.Scope != Cancel && c.post.ID != "" {
		body["idDPS"] = c.post.ID
	}
	return refused
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
