package sefin

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// registerEvent answers POST /nfse/{key}/eventos.
func (a *Authority) registerEvent(v *visit) answer {
	if v.problem != nil {
		return a.reject(v, *v.problem)
	}
	if violation := schema().violation(v.sent.root, "pedRegEvento"); violation != "" {
		return a.reject(v, *refuse("E1235").because(violation))
	}
	q := &request{root: v.sent.root, info: child(v.sent.root, "infPedReg"), raw: v.sent.raw}
	if problem := a.reviewRequest(q, v); problem != nil {
		return a.reject(v, *problem)
	}
	registered, problem, err := a.register(q, v)
	switch {
	case err != nil:
		a.log.Error("an event could not be registered", "error", err)
		return answer{status: http.StatusInternalServerError}
	case problem != nil:
		return a.reject(v, *problem)
	}
	v.post.Issued = true
	return answer{status: http.StatusCreated, body: a.envelope(v, map[string]any{"eventoXmlGZipB64": pack(registered.XML)})}
}

// reviewRequest looks at a request by itself, and at who made it.
func (a *Authority) reviewRequest(q *request, v *visit) *message {
	at, _ := time.Parse(time.RFC3339, q.get("dhEvento")) // the schema accepted it
	ambience := "2"
	if a.options.Production {
		ambience = "1"
	}
	switch {
	case q.root.SelectAttrValue("versao", "") == "1.00" && !a.onRecord().AcceptVersion100:
		return refuse("E1825")
	case q.id() != "PRE"+q.get("chNFSe")+q.kind(), q.get("chNFSe") != v.request.PathValue("key"):
		return refuse("E1827")
	case q.get("tpAmb") != ambience:
		return refuse("E1845")
	case at.After(v.now):
		return refuse("E1843")
	}
	certificate, problem := a.checkSignature(q.root, q.info, v, "E1989", "E1980", "E1983", "E1986")
	if problem != nil {
		return problem
	}
	if root8(documentOf(certificate)) != root8(q.author()) {
		if len(q.author()) == 11 {
			return refuse("E0815")
		}
		return refuse("E0812")
	}
	return nil
}

// register decides and writes under one lock.
func (a *Authority) register(q *request, v *visit) (*event, *message, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.ledger.byKey[q.get("chNFSe")]
	if n == nil {
		return nil, refuse("E1831"), nil
	}
	if problem := a.refusal(n, q, v.now); problem != nil {
		return nil, problem, nil
	}
	registered, err := a.addEvent(n, q.kind(), q.id(), q.raw, q.digest(), v.now)
	return registered, nil, err
}

// refusal is why a note's issuer may not register an event. The same request
// again is a duplicate; another is barred by what is registered.
func (a *Authority) refusal(n *note, q *request, now time.Time) *message {
	switch {
	case q.author() != n.Issuer && len(q.author()) == 11:
		return refuse("E0816")
	case q.author() != n.Issuer:
		return refuse("E0813")
	}
	if same := n.event(q.kind()); same != nil && same.Digest == q.digest() {
		return refuse("E0802")
	}
	if barring := n.barring(q.kind()); barring != "" {
		code := map[string]string{"101101": "E0840", "101103": "E0848"}[q.kind()]
		problem := refuse(code)
		problem.Text = strings.TrimSuffix(problem.Text, ".") + " pois, o evento de " + eventNames[barring] +
			" já está vinculado à NFS-e indicada no evento enviado, impedindo sua recepção."
		return problem
	}
	if q.kind() == "101103" {
		return nil
	}
	switch {
	case a.registry.tooLate(n.IssuedAt, now):
		return refuse("E0822")
	case a.registry.CancelUpTo > 0 && n.AmountCents > a.registry.CancelUpTo:
		return refuse("E0823")
	case a.registry.CancelNeedsTaker && n.Taker == "":
		return refuse("E0824")
	}
	return nil
}

// addEvent registers an event of a note. The lock is held.
func (a *Authority) addEvent(n *note, kind, requestID string, request []byte, digest string, now time.Time) (*event, error) {
	nsu := a.ledger.last + 1
	xml, err := a.pki.renderEvent(request, requestID, nsu, now)
	if err != nil {
		return nil, err
	}
	registered := &event{Type: kind, RequestID: requestID, Digest: digest, NSU: nsu, At: now, XML: xml}
	return registered, a.ledger.addEvent(n, registered)
}

// eventNames are what the descriptions of events begin with, and what the ADN
// calls them.
var eventNames = map[string]string{
	"101101": "Cancelamento de NFS-e",
	"101103": "Solicitação de Análise Fiscal para Cancelamento de NFS-e",
	"105102": "Cancelamento de NFS-e por Substituição",
	"105104": "Cancelamento de NFS-e Deferido por Análise Fiscal",
	"105105": "Cancelamento de NFS-e Indeferido por Análise Fiscal",
	"203202": "Manifestação de NFS-e - Confirmação do Tomador",
	"305101": "Cancelamento de NFS-e por Ofício",
}

// agent is the CPF of the tax agent that stands for a municipality.
const agent = "00000000191"

// replace registers that a note was replaced by another. The lock is held.
func (a *Authority) replace(n *note, by *dps, key string, now time.Time) error {
	reason := "<cMotivo>" + by.get("subst/cMotivo") + "</cMotivo>"
	if by.has("subst/xMotivo") {
		var x writer
		x.text("xMotivo", by.get("subst/xMotivo"))
		reason += x.String()
	}
	return a.appendOwn(n, "105102", reason+"<chSubstituta>"+key+"</chSubstituta>", now)
}

// RegisterEvent registers an event that does not come from the issuer, as the
// municipality or the taker would: 305101 (cancelled by office), 105104 and
// 105105 (a requested analysis granted and denied) or 203202 (confirmed by the
// taker, which bars a cancellation).
func (a *Authority) RegisterEvent(accessKey, kind string) error {
	const byAgent = "<CPFAgTrib>" + agent + "</CPFAgTrib>"
	details, known := map[string]string{
		"305101": byAgent + "<nProcAdm>1</nProcAdm><xProcAdm>Cancelamento por oficio de teste</xProcAdm>",
		"105104": byAgent + "<cMotivo>1</cMotivo><xMotivo>Deferido em teste</xMotivo>",
		"105105": byAgent + "<cMotivo>1</cMotivo><xMotivo>Indeferido em teste</xMotivo>",
		"203202": "",
	}[kind]
	if !known {
		return fmt.Errorf("the event %q is not one of 305101, 105104, 105105 and 203202", kind)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.ledger.byKey[accessKey]
	switch {
	case n == nil:
		return fmt.Errorf("there is no note with this access key")
	case n.cancelled():
		return fmt.Errorf("the note is cancelled already")
	case strings.HasPrefix(kind, "10510") && n.event("101103") == nil:
		return fmt.Errorf("no analysis was requested (101103)")
	}
	return a.appendOwn(n, kind, details, a.now())
}

// appendOwn registers an event of which the authority itself makes the request.
// The lock is held.
func (a *Authority) appendOwn(n *note, kind, details string, now time.Time) error {
	id := "PRE" + n.AccessKey + kind
	author, ambience := "CNPJAutor", "2"
	if a.options.Production {
		ambience = "1"
	}
	document := n.Issuer
	if kind == "203202" && n.Taker != "" {
		document = n.Taker
	}
	if len(document) == 11 {
		author = "CPFAutor"
	}
	var x writer
	x.raw(`<pedRegEvento xmlns="` + fiscalNamespace + `" versao="1.01"><infPedReg Id="` + id + `">`)
	x.text("tpAmb", ambience)
	x.text("verAplic", application)
	x.text("dhEvento", printTime(now))
	x.text(author, document)
	x.text("chNFSe", n.AccessKey)
	x.raw("<e" + kind + ">")
	x.text("xDesc", eventNames[kind])
	x.raw(details)
	x.raw("</e" + kind + "></infPedReg></pedRegEvento>")
	_, err := a.addEvent(n, kind, id, []byte(x.String()), "", now)
	return err
}

// findEvent answers GET /nfse/{key}/eventos/{type}/{sequence}: not in the shape
// that is documented, but in the one that is seen, where the document is encoded
// twice.
func (a *Authority) findEvent(v *visit) answer {
	key, kind := v.request.PathValue("key"), v.request.PathValue("type")
	n := a.noteByKey(key)
	var found *event
	if n != nil && v.request.PathValue("sequence") == "1" {
		found = n.event(kind)
	}
	if found == nil {
		return answer{status: http.StatusNotFound, body: a.envelope(v, map[string]any{"mensagem": "Evento não encontrado."})}
	}
	if !v.caller.isOneOf(n.actors) {
		return a.forbidden(v)
	}
	twice := base64.StdEncoding.EncodeToString([]byte(pack(found.XML)))
	return answer{status: http.StatusOK, body: map[string]any{"eventos": []any{map[string]any{
		"chaveAcesso": key, "tipoEvento": kind, "numeroPedidoRegistroEvento": 1,
		"dataHoraRecebimento": printTime(found.At), "arquivoXml": twice,
	}}}}
}
