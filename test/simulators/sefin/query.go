package sefin

import (
	"encoding/json"
	"net/http"
	"time"

	"emissor/test/simulators/shared/accesskey"
)

// findDPS answers GET and HEAD of /dps/{id}. Anyone may ask whether a DPS made a
// note; which, only its parties.
func (s *Simulator) findDPS(c *call) response {
	id := c.Request.PathValue("id")
	if simpleTypes()["TSIdDPS"].Violated(id) != "" {
		return s.rejectWith(c, *reject("E0004"))
	}
	s.mu.Lock()
	n := s.ledger.byDPS[id].copy()
	s.mu.Unlock()
	if n != nil && n.City != "" {
		n = nil // of a note that a city issued only the document is shared
	}
	hide, found := c.Faults.Find(Hide)
	if n != nil && found && c.Now.Before(n.IssuedAt.Add(time.Duration(hide.Delay))) {
		n = nil
	}
	switch {
	case n == nil:
		return s.noDPS(c)
	case c.Request.Method == http.MethodHead:
		return response{status: http.StatusOK}
	case !c.caller.isOneOf(n.actors):
		return s.forbidden(c)
	}
	body := s.envelope(c, map[string]any{"chaveAcesso": n.AccessKey})
	if s.described {
		body["idDps"] = n.DPSID
	}
	return response{status: http.StatusOK, body: body}
}

// findNote answers GET /nfse/{key}.
func (s *Simulator) findNote(c *call) response {
	key := c.Request.PathValue("key")
	if !accesskey.Valid(key) {
		return s.rejectWith(c, rejection{Code: "E2400", Text: "Chave de acesso inválida."})
	}
	n := s.noteByKey(key)
	switch {
	case n == nil:
		return s.noNote(c)
	case !c.caller.isOneOf(n.actors):
		return s.forbidden(c)
	}
	body := s.noteBody(c, n)
	delete(body, "idDps")
	return response{status: http.StatusOK, body: body}
}

// findEvent answers GET /nfse/{key}/eventos/{type}/{sequence}: never in the shape that is described, but in the one
// that is seen, where the document is encoded twice.
func (s *Simulator) findEvent(c *call) response {
	key, kind := c.Request.PathValue("key"), c.Request.PathValue("type")
	n := s.noteByKey(key)
	var found *event
	if n != nil && c.Request.PathValue("sequence") == "1" {
		found = n.event(kind)
	}
	if found == nil {
		body := s.envelope(c, map[string]any{"mensagem": "Evento não encontrado."})
		return response{status: http.StatusNotFound, body: body}
	}
	if !c.caller.isOneOf(n.actors) {
		return s.forbidden(c)
	}
	entry := map[string]any{
		"chaveAcesso": key, "tipoEvento": kind, "numeroPedidoRegistroEvento": 1,
		"dataHoraRecebimento": printTime(found.At), "arquivoXml": encodeAgain(pack(found.XML)),
	}
	body := map[string]any{"eventos": []any{entry}}
	if !s.described {
		s.asRecorded(entry, found)
		s.envelope(c, body)
	}
	return response{status: http.StatusOK, body: body}
}

// asRecorded gives the entry of an event what was recorded of it: a moment without a zone, and numbers in production
// (recording 10), which are texts in restricted production (11).
func (s *Simulator) asRecorded(entry map[string]any, found *event) {
	entry["dataHoraRecebimento"] = found.At.In(brasilia).Format("2006-01-02T15:04:05.000")
	entry["numeroPedidoRegistroEvento"] = "1"
	if s.production {
		entry["tipoEvento"], entry["numeroPedidoRegistroEvento"] = json.Number(found.Type), 1
	}
}

// noDPS is 404 of a DPS that made no note: it says another environment, and no version (recording 08).
func (s *Simulator) noDPS(c *call) response {
	missing := rejection{Code: "E2404", Text: "Não foi gerada uma NFS-e com o identificador de DPS informado"}
	answered := s.refusal(c, http.StatusNotFound, []rejection{missing})
	if body, isObject := answered.body.(map[string]any); isObject && !s.described {
		body["tipoAmbiente"] = 0
		delete(body, "versaoAplicativo")
	}
	return answered
}

// noNote is 404 of an access key (recording 07).
func (s *Simulator) noNote(c *call) response {
	missing := rejection{Code: "E2401", Text: "Chave de acesso não encontrada."}
	return s.refusal(c, http.StatusNotFound, []rejection{missing})
}

// forbidden is 403, for who is no party of a note.
func (s *Simulator) forbidden(c *call) response {
	stranger := rejection{Code: "E2403", Text: "O certificado não pertence a um ator da NFS-e."}
	return s.refusal(c, http.StatusForbidden, []rejection{stranger})
}
