package sefin

import (
	"encoding/base64"
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
		return s.notFound(c, "Não há NFS-e gerada a partir da DPS informada.")
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
		return s.notFound(c, "NFS-e não encontrada.")
	case !c.caller.isOneOf(n.actors):
		return s.forbidden(c)
	}
	body := s.noteBody(c, n)
	delete(body, "idDps")
	return response{status: http.StatusOK, body: body}
}

// findEvent answers GET /nfse/{key}/eventos/{type}/{sequence}: not in the shape
// that is documented, but in the one that is seen, where the document is encoded
// twice.
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
	twice := base64.StdEncoding.EncodeToString([]byte(pack(found.XML)))
	return response{status: http.StatusOK, body: map[string]any{"eventos": []any{map[string]any{
		"chaveAcesso": key, "tipoEvento": kind, "numeroPedidoRegistroEvento": 1,
		"dataHoraRecebimento": printTime(found.At), "arquivoXml": twice,
	}}}}
}

func (s *Simulator) notFound(c *call, text string) response {
	body := s.envelope(c, map[string]any{"erros": []rejection{{Code: "E2404", Text: text}}})
	return response{status: http.StatusNotFound, body: body}
}

// forbidden is 403, for who is no party of a note.
func (s *Simulator) forbidden(c *call) response {
	body := s.envelope(c, map[string]any{"erros": []rejection{
		{Code: "E2403", Text: "O certificado não pertence a um ator da NFS-e."},
	}})
	return response{status: http.StatusForbidden, body: body}
}
