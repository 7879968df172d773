package issnet

import (
	"cmp"
	"context"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/soap"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Registrations asks what the city has on record of an issuer (ConsultarDadosCadastrais): it is asked by its municipal
// registration, and issues unless the city says no (EmiteNfse 2). reason says why nothing is known; none when it is.
func (c *Client) Registrations(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile) (
	list []fiscal.Registration, reason fact.Fact) {
	by, missing := soap.ProviderOf(issuer)
	if !missing.None() {
		return nil, missing
	}
	r := c.call(ctx, access, findProvider, []byte(providerGroup(by)))
	switch {
	case r.Read == nil:
		return nil, fact.First(r.Unanswered().NeedsPerson, r.Unanswered().Reason)
	case len(r.Read.Refusals) > 0 || len(r.Read.Root.All("Cadastro")) != 1:
		answer := meaning.Unclear(fiscal.Answer{}, r.Read.Refusals)
		return nil, fact.First(answer.NeedsPerson, answer.Reason)
	}
	record := r.Read.Root.All("Cadastro")[0]
	number := cmp.Or(record.Value("IM"), by.Registration) // as recorded it is not repeated
	return []fiscal.Registration{{Number: strings.TrimLeft(number, "0"), Issues: record.Value("EmiteNfse") != "2"}},
		fact.Fact{}
}
