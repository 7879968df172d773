// Package parameters reads what municipalities have set in the national system: whether their agreement (convênio) is
// active and whom it lets issue, and the rates, special regimes and withholdings of a service. The ADN answers it, to
// anybody who has a certificate.
//
// Its answers are read liberally, and only what is certainly the authority's counts:
// a page of a proxy, an address that is gone or an error say nothing of a city.
package parameters

import (
	"context"
	"net/url"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// ADN is the national data environment, as the client of SEFIN asks it.
type ADN interface {
	AskADN(ctx context.Context, access fiscal.Access, name string, path []string, query url.Values) mtls.Reply
}

// Reader asks for the parameters of cities.
type Reader struct{ ADN ADN }

// City asks for the agreement of a city.
func (r Reader) City(ctx context.Context, access fiscal.Access, code string) fiscal.CityAnswer {
	reply := r.ask(ctx, access, "ask_city", code, "convenio")
	answer := readConvenio(reply)
	answer.ShutOut = answer.City == nil && reply.ShutOut()
	return answer
}

// Service asks for what a city has set for a service, coded as ServiceCode does, on
// a day of competence. A table that it does not have is no error.
func (r Reader) Service(
	ctx context.Context, access fiscal.Access, code, service string, day time.Time,
) fiscal.ServiceAnswer {
	date := string(nfse.DayOf(day))
	var found fiscal.ServiceParameters
	for _, part := range []struct {
		name string
		path []string
		read func(mtls.Reply, string, *fiscal.ServiceParameters) (reason fact.Fact)
	}{
		{"aliquota", []string{code, service, date, "aliquota"}, readRates},
		{"regimes_especiais", []string{code, service, date, "regimes_especiais"}, readRegimes},
		{"retencoes", []string{code, date, "retencoes"}, readWithholdings},
	} {
		reply := r.ask(ctx, access, part.name, part.path...)
		if reason := part.read(reply, service, &found); !reason.None() {
			return fiscal.ServiceAnswer{Reason: fact.CityParametersOf.With("table", part.name, "why", reason),
				ShutOut: reply.ShutOut()}
		}
	}
	return fiscal.ServiceAnswer{Service: &found}
}

// ask gets something, and once more when no answer came: handshakes with the ADN
// fail now and then, and a question changes nothing.
func (r Reader) ask(ctx context.Context, access fiscal.Access, name string, path ...string) mtls.Reply {
	path = append([]string{"parametrizacao"}, path...)
	reply := r.ADN.AskADN(ctx, access, name, path, nil)
	if reply.Status == 0 && ctx.Err() == nil {
		reply = r.ADN.AskADN(ctx, access, name, path, nil)
	}
	return reply
}

// ServiceCode is how the parameters name a national tax code (cTribNac) without a
// municipal complement: 010701 is 01.07.01.000. Empty for what is no such code.
func ServiceCode(taxCode string) string {
	if len(taxCode) != 6 {
		return ""
	}
	for _, digit := range []byte(taxCode) {
		if digit < '0' || digit > '9' {
			return ""
		}
	}
	return taxCode[:2] + "." + taxCode[2:4] + "." + taxCode[4:] + ".000"
}
