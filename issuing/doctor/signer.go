package doctor

import (
	"cmp"
	"context"
	"crypto/x509"
	"crypto/x509/pkix"
	"slices"
	"strings"
	"time"

	"emissor/fiscal/mtls"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// signer looks at who has signed the last stored document of the company, and whether that leads to the configured
// roots, or to the system's by what the authority's servers have shown.
func (c *contact) signer(ctx context.Context) ([]Finding, error) {
	last, err := c.Store.Notes.IssuedRequests(ctx, c.of.id, "", 1)
	if err != nil {
		return nil, err
	}
	if len(last) == 0 || last[0].Err != nil || last[0].Issued.Note.Authority == nil ||
		!c.issues(last[0].Issued.Issuer) {
		return []Finding{skipped(Signer, fact.DoctorSignerNone.Fact())}, nil
	}
	document, err := c.Store.Notes.NoteDocument(ctx, last[0].NoteID)
	switch {
	case nfse.IsCode(err, nfse.CodeXMLNotAvailable):
		return []Finding{skipped(Signer, fact.DoctorSignerNone.Fact())}, nil
	case err != nil:
		return nil, err
	}
	at := last[0].Issued.Note.Authority.IssuedAt.Time
	signed, err := xmldsig.Verify(document.XML, nil, at)
	switch {
	case err != nil && fact.OfError(err).Is(fact.SignedByNobody):
		return []Finding{skipped(Signer, fact.DoctorSignerUnsigned.With("authority", called(c.authority.Name())))}, nil
	case err != nil:
		return []Finding{warning(Signer, fact.DoctorSignerUnread.With("why", fact.OfError(err)),
			fact.DoctorDoReport.Fact())}, nil
	}
	return []Finding{c.signedBy(signed, at)}, nil
}

// issues reports whether the company issues today where it did: what another authority signed says nothing of this one.
func (c *contact) issues(issuer nfse.FiscalProfile) bool {
	return issuer.Authority == c.of.profile.Authority && issuer.Production == c.of.profile.Production
}

// signedBy judges who signed a document at a moment. Signers are checked of the national system alone.
func (c *contact) signedBy(signed xmldsig.Signature, at time.Time) Finding {
	signer, known := name(signed.Certificate.Subject), c.shown()
	checked := c.authority.Name() == rules.Name && c.DocumentSigner != nil
	var named, asHost bool
	if checked {
		named, asHost = c.DocumentSigner(signed.Certificate)
	}
	err := c.leads(signed, known, at, asHost || !checked)
	switch {
	case err != nil:
		end := name(mtls.EndOfChain(signed.Certificate, slices.Concat(signed.Others(), known)).Issuer)
		seen := fact.DoctorSignerEnds.With("signer", signer, "why", fact.OfError(err), "end", end)
		do := fact.DoctorDoSignerRoot.With("end", end)
		if checked {
			return problem(Signer, seen, do)
		}
		return warning(Signer, seen, do)
	case checked && !named:
		return problem(Signer, fact.DoctorSignerAnother.With("signer", signer), fact.DoctorDoSigners.Fact())
	case checked:
		return good(Signer, fact.DoctorSignerGood.With("signer", signer))
	}
	found := good(Signer, fact.DoctorSignerTrusted.With("signer", signer))
	if c.authority.Name() == rules.Name {
		found.Do = fact.DoctorDoSigners.Fact()
	}
	return found
}

// leads returns why a signer leads to no root: to none of the configured ones nor, where a host counts, of the system.
func (c *contact) leads(signed xmldsig.Signature, known []*x509.Certificate, at time.Time, host bool) error {
	var err error
	if c.Roots != nil {
		err = signed.LeadsTo(c.Roots, nil, at)
	}
	if host && (err != nil || c.Roots == nil) {
		err = signed.LeadsTo(nil, known, at)
	}
	return err
}

// shown are the certificates by which the authority's servers showed that theirs are trusted.
func (c *contact) shown() (all []*x509.Certificate) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, met := range c.met {
		all = append(all, met.Chain...)
	}
	return all
}

// name is what a certificate calls its holder or issuer, without the CNPJ or CPF that ICP-Brasil puts behind a name.
func name(of pkix.Name) string {
	words, _, _ := strings.Cut(of.CommonName, ":")
	return cmp.Or(words, "-")
}
