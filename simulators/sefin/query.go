package sefin

import (
	"net/http"
	"time"
)

// findDPS answers GET and HEAD of /dps/{id}. Anyone may ask whether a DPS made a
// note; which, only those whom it concerns.
func (a *Authority) findDPS(v *visit) answer {
	id := v.request.PathValue("id")
	if simpleTypes()["TSIdDPS"].violated(id) != "" {
		return a.reject(v, *refuse("E0004"))
	}
	a.mu.Lock()
	n := a.ledger.byDPS[id].copy()
	a.mu.Unlock()
	if hide, found := v.plan.find(Hide); n != nil && found && v.now.Before(n.IssuedAt.Add(time.Duration(hide.Delay))) {
		n = nil
	}
	switch {
	case n == nil:
		return answer{status: http.StatusNotFound, body: a.envelope(v, map[string]any{"erros": []message{
			{Code: "E2404", Text: "Não há NFS-e gerada a partir da DPS informada."},
		}})}
	case v.request.Method == http.MethodHead:
		return answer{status: http.StatusOK}
	case !v.caller.isOneOf(n.actors):
		return a.forbidden(v)
	}
	return answer{status: http.StatusOK, body: a.envelope(v, map[string]any{"idDps": n.DPSID, "chaveAcesso": n.AccessKey})}
}

// findNote answers GET /nfse/{key}.
func (a *Authority) findNote(v *visit) answer {
	key := v.request.PathValue("key")
	if !validKey(key) {
		return a.reject(v, message{Code: "E2400", Text: "Chave de acesso inválida."})
	}
	n := a.noteByKey(key)
	switch {
	case n == nil:
		return answer{status: http.StatusNotFound, body: a.envelope(v, map[string]any{"erros": []message{
			{Code: "E2404", Text: "NFS-e não encontrada."},
		}})}
	case !v.caller.isOneOf(n.actors):
		return a.forbidden(v)
	}
	body := a.noteBody(v, n)
	delete(body, "idDps")
	return answer{status: http.StatusOK, body: body}
}

// forbidden is for who is no actor of a note.
func (a *Authority) forbidden(v *visit) answer {
	return answer{status: http.StatusForbidden, body: a.envelope(v, map[string]any{"erros": []message{
		{Code: "E2403", Text: "O certificado não pertence a um ator da NFS-e."},
	}})}
}
