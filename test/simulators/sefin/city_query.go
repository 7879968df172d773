package sefin

import (
	"net/http"
	"strings"
	"time"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/xmltree"
)

// findDPSAtCity answers GET /nfse/dps/{id}: to whom, it does not ask.
func (s *Simulator) findDPSAtCity(c *call) response {
	id := c.Request.PathValue("id")
	if simpleTypes()["TSIdDPS"].Violated(id) != "" {
		return s.rejectWith(c, *reject("E0004"))
	}
	s.mu.Lock()
	n := s.ledger.byDPS[id].copy()
	s.mu.Unlock()
	hide, hidden := c.Faults.Find(Hide)
	hidden = hidden && n != nil && c.Now.Before(n.IssuedAt.Add(time.Duration(hide.Delay)))
	switch {
	case (!c.city.issued(n) || hidden) && c.city.InWords:
		return response{status: http.StatusNotFound, body: server.Page(http.StatusNotFound)}
	case !c.city.issued(n) || hidden:
		body := map[string]any{}
		if c.city.SaysE0044 {
			body = c.city.refusals([]rejection{*c.reject(noSuchNote)})
		}
		return response{status: http.StatusNotFound, body: s.envelope(c, body)}
	case c.city.RepeatsID:
		return s.foundAtCity(c, map[string]any{"idDps": n.DPSID, "chaveAcesso": c.city.key(n.AccessKey)})
	}
	return s.foundAtCity(c, map[string]any{"chaveAcesso": c.city.key(n.AccessKey)})
}

// noSuchNote is E0044, which is 400 where it was asked by an access key.
const noSuchNote = "E0044"

// findNoteAtCity answers GET /nfse/{key}: the document as it was issued, no matter what became of it.
func (s *Simulator) findNoteAtCity(c *call) response {
	key := plainKey(c)
	if !accesskey.Valid(key) {
		return s.rejectWith(c, rejection{Text: "A chave de acesso deve ter 50 dígitos."})
	}
	n := s.noteByKey(key)
	if !c.city.issued(n) {
		return s.rejectWith(c, *c.reject(noSuchNote))
	}
	found := s.foundAtCity(c, map[string]any{"nfseXmlGZipB64": pack(n.xml)})
	found.body.(map[string]any)["tipoAmbiente"] = s.environment() // always a text here (recording 29)
	return found
}

func (s *Simulator) foundAtCity(c *call, body map[string]any) response {
	body["alertas"] = []any{}
	return response{status: http.StatusOK, body: s.envelope(c, body)}
}

// plainKey is the access key of a path, which may come with its prefix.
func plainKey(c *call) string { return strings.TrimPrefix(c.Request.PathValue("key"), keyPrefix) }

// cancelAtCity answers POST /nfse/{key}/eventos. Only one event is played: that the note is cancelled at once. A note
// that is cancelled already is refused without a code, no matter who asks.
func (s *Simulator) cancelAtCity(c *call) response {
	if c.city.Clone == CloneTiplan && c.unreadable == nil {
		c.Request.SetPathValue("key", xmltree.TextAt(c.document.root, "infPedReg/chNFSe"))
	}
	n := s.noteByKey(plainKey(c))
	switch {
	case n != nil && !c.city.issued(n), n == nil && accesskey.Valid(plainKey(c)):
		return s.rejectWith(c, *c.reject(noSuchNote))
	case n != nil && n.cancelled() && c.city.Clone == "":
		return s.rejectWith(c, rejection{Text: notActive})
	}
	return s.registerEvent(c)
}

// notActive is what a city says to a cancellation of a note that is cancelled.
const notActive = "Nota fiscal não está ativa. Situação atual Cancelada"
