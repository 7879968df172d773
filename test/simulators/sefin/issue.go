package sefin

import (
	"net/http"

	"emissor/test/simulators/shared/accesskey"
	"emissor/test/simulators/shared/icp"
)

// issueNote answers POST /nfse.
func (s *Simulator) issueNote(c *call) response {
	if c.unreadable != nil {
		return s.rejectWith(c, *c.unreadable)
	}
	if violation := schemaViolation(s.schemasView(c.document.root), "DPS"); violation != "" {
		return s.rejectWith(c, *reject("E1235").withComplement(violation))
	}
	d, registry := newDPS(c.document), s.currentRegistry()
	if violation := d.lacksIBSCBS(registry); violation != "" {
		return s.rejectWith(c, *reject("E1235").withComplement(violation))
	}
	if missing := c.notSimulated(d); missing != "" {
		return s.notImplemented(missing)
	}
	if d.get("tpEmit") != byProvider {
		return s.rejectWith(c, *reject("E9996"))
	}
	if refused := s.checkDPSSigner(d, c); refused != nil { // recorded to come before what the document says
		return s.rejectWith(c, *refused)
	}
	if s.isIssued(d.number()) && (c.city == nil || !c.city.SecondNote) {
		return s.rejectWith(c, *reject("E0014"))
	}
	review := &dpsReview{
		dps: d, registry: registry, environment: s.environment(), now: c.Now, city: c.city,
		cancelled: func(key string) bool { n := s.noteByKey(key); return n != nil && n.cancelled() },
	}
	if rejections := review.run(); len(rejections) > 0 {
		return s.rejectWith(c, rejections...)
	}
	if refused := s.refuses(d.issuer()); refused != nil {
		return s.rejectWith(c, *refused)
	}
	issued, rejected, err := s.commit(d, registry, c)
	switch {
	case err != nil:
		s.Log.Error("a note could not be issued", "error", err)
		return response{status: http.StatusInternalServerError}
	case rejected != nil:
		return s.rejectWith(c, *rejected)
	}
	c.post.Issued = true
	body := s.noteBody(c, issued)
	switch {
	case c.city != nil:
		body["idDps"], body["chaveAcesso"], body["alertas"] = issued.DPSID, c.city.key(issued.AccessKey), []any{}
	case !s.described:
		body["alertas"] = nil // recordings 01 to 03
	}
	return response{status: http.StatusCreated, body: body}
}

// notSimulated names the first thing in a DPS that is not simulated where it was sent; empty when all of it is.
func (c *call) notSimulated(d *dps) string {
	switch byAnother := d.get("tpEmit") != byProvider; {
	case byAnother && c.city != nil:
		return "issuing by the taker or an intermediary (tpEmit) at a city"
	case byAnother:
		return "" // it is refused, no matter what else it has
	case c.city != nil && d.has("subst"):
		return "a replacement at a city"
	}
	return d.notSimulated()
}

// notImplemented is 501: what is valid but not simulated is neither accepted nor
// rejected, because neither answer would be known to be the authority's.
func (s *Simulator) notImplemented(what string) response {
	s.Log.Warn("a valid document holds what is not simulated", "what", what)
	return response{status: http.StatusNotImplemented, body: "The simulator does not play " + what + "."}
}

// checkDPSSigner checks the signature of a DPS and who made it.
func (s *Simulator) checkDPSSigner(d *dps, c *call) *rejection {
	signer, rejected := s.checkSignature(d.root, d.info, c.Now, dpsSignatureCodes)
	if rejected == nil && icp.CompanyOf(signer) != icp.CompanyOf(d.issuer()) {
		return reject("E0718")
	}
	if rejected == nil && c.city != nil {
		return c.city.signedForCity(d.root, dpsSignatureCodes)
	}
	return rejected
}

// commit issues a note, unless its number was used meanwhile: deciding and
// writing happen under one lock.
func (s *Simulator) commit(d *dps, registry *Registry, c *call) (*note, *rejection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.ledger.byNumber[d.number()]
	if before != nil && (c.city == nil || !c.city.SecondNote) {
		return nil, reject("E0014"), nil
	}
	old, rejected := s.toReplace(d, c.Now)
	if rejected != nil {
		return nil, rejected, nil
	}
	number := s.ledger.sequence[d.issuer()] + 1
	key := accesskey.New(accesskey.Note{
		Municipality: d.get("cLocEmi"), Generator: s.generator(c.city), Issuer: d.issuer(), Number: number,
		IssuedAt: d.issued(), Random: s.Random.IntN(1_000_000_000),
	})
	nsu := s.ledger.last + 1
	xml, err := s.signer.buildNFSe(d, registry, key, number, nsu, c.Now, c.Faults)
	if err != nil {
		return nil, nil, err
	}
	issued := &note{
		Entry: Entry{
			AccessKey: key, DPSID: d.id(), Issuer: d.issuer(), Municipality: d.get("cLocEmi"),
			Series: d.get("serie"), Number: d.get("nDPS"), NFSeNumber: number, Digest: d.digest(),
			CIntContrib: d.get("serv/cServ/cIntContrib"), AmountCents: d.amount(), Taker: d.taxID("toma"),
			Replaces: d.get("subst/chSubstda"), IssuedAt: c.Now,
		},
		nsu: nsu, actors: d.actors(), dps: d.raw, xml: xml,
	}
	if c.city != nil {
		issued.City = c.city.Name
	}
	if before != nil {
		issued.SecondOf = before.AccessKey
	}
	if old != nil {
		return issued, nil, s.replace(old, issued, d)
	}
	return issued, nil, s.ledger.add(issued)
}

func (s *Simulator) isIssued(number string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger.byNumber[number] != nil
}

// noteByKey returns a note as it is now; nil when there is none.
func (s *Simulator) noteByKey(key string) *note {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger.byKey[key].copy()
}

// noteBody is what is answered about a note: with its Id, not that of the DPS, as was recorded of SEFIN.
func (s *Simulator) noteBody(c *call, n *note) map[string]any {
	id := keyPrefix + n.AccessKey
	if s.described {
		id = n.DPSID
	}
	return s.envelope(c, map[string]any{
		"idDps": id, "chaveAcesso": n.AccessKey, "nfseXmlGZipB64": pack(n.xml),
	})
}
