package sefin

import (
	"crypto/x509"
	"net/http"

	"github.com/beevik/etree"
)

// properties are the JSON properties that carry documents.
const (
	dpsProperty     = "dpsXmlGZipB64"
	requestProperty = "pedidoRegistroEventoXmlGZipB64"
)

// read opens the document that was sent, and notes its id and digest as far as
// they can be read.
func (v *visit) read() {
	property, root, info := dpsProperty, "DPS", "infDPS"
	switch v.post.Scope {
	case Issue:
	case Cancel:
		property, root, info = requestProperty, "pedRegEvento", "infPedReg"
	default:
		return
	}
	if v.sent, v.problem = open(v.body, property, root); v.problem != nil {
		return
	}
	if signed := child(v.sent.root, info); signed != nil {
		v.post.ID = signed.SelectAttrValue("Id", "")
	}
	v.post.Digest = textAt(v.sent.root, digestPath)
}

func open(body []byte, property, root string) (*parsed, *message) {
	text, problem := unpack(body, property)
	if problem != nil {
		return nil, problem
	}
	return parseDocument(text, root)
}

// issueNote answers POST /nfse.
func (a *Authority) issueNote(v *visit) answer {
	if v.problem != nil {
		return a.reject(v, *v.problem)
	}
	if violation := schema().violation(v.sent.root, "DPS"); violation != "" {
		return a.reject(v, *refuse("E1235").because(violation))
	}
	d := &dps{root: v.sent.root, info: child(v.sent.root, "infDPS"), raw: v.sent.raw}
	if a.isTaken(d.number()) {
		return a.reject(v, *refuse("E0014"))
	}
	registry := a.onRecord()
	looked := &review{
		dps: d, registry: registry, production: a.options.Production, now: v.now, notes: a.noteByKey,
		signer: func() *message { return a.checkSigner(d, v) },
	}
	if problems := looked.run(); len(problems) > 0 {
		return a.reject(v, problems...)
	}
	issued, problem, err := a.commit(d, registry, v)
	switch {
	case err != nil:
		a.log.Error("a note could not be issued", "error", err)
		return answer{status: http.StatusInternalServerError}
	case problem != nil:
		return a.reject(v, *problem)
	}
	v.post.Issued = true
	return answer{status: http.StatusCreated, body: a.noteBody(v, issued)}
}

// checkSigner looks at the signature of a DPS and at who made it.
func (a *Authority) checkSigner(d *dps, v *visit) *message {
	certificate, problem := a.checkSignature(d.root, d.info, v, "E0717", "E0714", "E0715", "E0716")
	if problem == nil && root8(documentOf(certificate)) != root8(d.issuer()) {
		return refuse("E0718")
	}
	return problem
}

// commit issues a note, unless its number was taken meanwhile, or what it
// replaces was cancelled: deciding and writing happen under one lock.
func (a *Authority) commit(d *dps, registry *Registry, v *visit) (*note, *message, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ledger.byNumber[d.number()] != nil {
		return nil, refuse("E0014"), nil
	}
	replaced := a.ledger.byKey[d.get("subst/chSubstda")]
	if replaced != nil && replaced.barring("105102") != "" {
		return nil, refuse("E0046"), nil
	}
	number := a.ledger.sequence[d.issuer()] + 1
	key := accessKey(d, number, a.random.IntN(1_000_000_000))
	nsu := a.ledger.last + 1
	xml, err := a.pki.renderNote(d, registry, key, number, nsu, v.now)
	if err != nil {
		return nil, nil, err
	}
	issued := &note{
		Entry: Entry{
			AccessKey: key, DPSID: d.id(), Issuer: d.issuer(), Municipality: d.get("cLocEmi"),
			Series: d.get("serie"), Number: d.get("nDPS"), NFSeNumber: number, Digest: d.digest(),
			CIntContrib: d.get("serv/cServ/cIntContrib"), AmountCents: d.amount(), Taker: d.document("toma"), IssuedAt: v.now,
		},
		nsu: nsu, actors: d.actors(), dps: d.raw, xml: xml,
	}
	if err := a.ledger.add(issued); err != nil {
		return nil, nil, err
	}
	if replaced != nil {
		err = a.replace(replaced, d, key, v.now)
	}
	return issued, nil, err
}

func (a *Authority) isTaken(number string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ledger.byNumber[number] != nil
}

// noteByKey is a note as it is now; nil when there is none.
func (a *Authority) noteByKey(key string) *note {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ledger.byKey[key].copy()
}

// noteBody is what is answered about a note.
func (a *Authority) noteBody(v *visit, n *note) map[string]any {
	return a.envelope(v, map[string]any{"idDps": n.DPSID, "chaveAcesso": n.AccessKey, "nfseXmlGZipB64": pack(n.xml)})
}

// checkSignature verifies the signature beside an element, and its certificate;
// the codes are for a missing, a wrong, one by an invalid certificate, and one by
// a certificate outside the standard.
func (a *Authority) checkSignature(root, signed *etree.Element, v *visit, missing, wrong, invalid, outside string) (*x509.Certificate, *message) {
	certificate, err := verifySignature(root, signed)
	switch {
	case err == errUnsigned:
		return nil, refuse(missing)
	case err != nil:
		return nil, refuse(wrong).because(err.Error())
	}
	isInvalid, isOutside := a.signerProblem(certificate, v.now)
	switch {
	case isInvalid != "":
		return nil, refuse(invalid).because(isInvalid)
	case isOutside != "":
		return nil, refuse(outside).because(isOutside)
	}
	return certificate, nil
}
