package issnet

import (
	"cmp"
	"context"
	"strings"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Registrations asks what the city has on record of an issuer (ConsultarDadosCadastrais): it is asked by its municipal
// registration, and issues unless the city says no (EmiteNfse 2). reason says why nothing is known; none when it is.
func (c *Client) Registrations(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile) (
	list []fiscal.Registration, reason fact.Fact) {
	by, missing := providerOf(issuer)
	if !missing.None() {
		return nil, missing
	}
	r := c.call(ctx, access, findProvider, []byte(by.write()))
	switch {
	case r.read == nil:
		return nil, fact.First(r.unanswered().NeedsPerson, r.unanswered().Reason)
	case len(r.read.refusals) > 0 || len(r.read.records) != 1:
		answer := unclear(fiscal.Answer{}, r.read.refusals)
		return nil, fact.First(answer.NeedsPerson, answer.Reason)
	}
	record := r.read.records[0]
	number := cmp.Or(record.text("IM"), by.registration) // as recorded it is not repeated
	return []fiscal.Registration{{Number: strings.TrimLeft(number, "0"), Issues: record.text("EmiteNfse") != "2"}},
		fact.Fact{}
}
