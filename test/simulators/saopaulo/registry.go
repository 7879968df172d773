package saopaulo

import (
	"strings"
	"time"

	"emissor/test/simulators/shared/fault"
)

// Registry is what the city knows of taxpayers and services, and how it behaves where
// sources disagree. The zero value accepts every message that is valid in itself. Its
// maps are not to be changed once it was handed over.
type Registry struct {
	// Taxpayers are by municipal registration. One that is not listed belongs to the first that issues under it.
	Taxpayers map[string]Taxpayer `json:"taxpayers,omitempty"`
	// OnlyTaxpayers refuses registrations that are not listed (1202).
	OnlyTaxpayers bool `json:"only_taxpayers,omitempty"`
	// Services are by CodigoServico, without zeros before it. When there are any, others do not exist (306).
	Services map[string]Service `json:"services,omitempty"`
	// UnknownProperties are the CIB that the register of properties lacks (270).
	UnknownProperties []string `json:"unknown_properties,omitempty"`
	// Revoked are the serial numbers of certificates that were revoked, in hexadecimal
	// without zeros before them (1054).
	Revoked []string `json:"revoked,omitempty"`
	// PartlyExemptFrom is the day from which partial exemptions (D) are taken (1615); empty
	// is 2015-02-23.
	PartlyExemptFrom string `json:"partly_exempt_from,omitempty"`
	// WarnOfBenefits has alerts (1251 to 1253) take the place of the errors about benefits
	// that are not on record (1254 to 1256).
	WarnOfBenefits bool `json:"warn_of_benefits,omitempty"`

	// CancelWidth is how wide the string of a cancellation is: 24, or 20 by anything else.
	// It is always 24 where a registration has more than 8 digits.
	CancelWidth  int      `json:"cancel_width,omitempty"`
	CancelWithin Duration `json:"cancel_within,omitempty"` // the deadline of cancelling (324); 0 is 180 days
	ResendWithin Duration `json:"resend_within,omitempty"` // how long an RPS can be sent again (324); 0 is 180 days

	// RefuseSOAP11 answers SOAP 1.1 with the fault that a user of the service reported.
	RefuseSOAP11 bool `json:"refuse_soap11,omitempty"`
	// WantsSOAPAction answers SOAP 1.2 as the same user reported: with 415 where the media type has an action, and with
	// a fault where there is no header SOAPAction.
	WantsSOAPAction bool `json:"wants_soap_action,omitempty"`
	// NotFound is how ConsultaNFe says 1106 for many keys: an error for each, with its key
	// (empty), "once", without a key, or "omitted" where something else was found.
	NotFound string `json:"not_found,omitempty"`
	// Edition04 is the edition v02-4 of the schemas, before 2026-05-14: ValorInicialCobrado
	// is accepted, RetencaoPisCofins is not, PagamentoParceladoAntecipado must be there.
	Edition04 bool `json:"edition_04,omitempty"`
}

// Duration is a time.Duration that is written as text, such as 4320h.
type Duration = fault.Duration

// The answers that Registry.NotFound asks for.
const (
	Once    = "once"
	Omitted = "omitted"
)

// halfYear is the deadline of resending and cancelling.
const halfYear = 180 * 24 * time.Hour

func passed(deadline Duration, since, now time.Time) bool {
	if deadline == 0 {
		deadline = Duration(halfYear)
	}
	return now.Sub(since) > time.Duration(deadline)
}

// bareNumber is a registration or a number without zeros before it.
func bareNumber(text string) string {
	if bare := strings.TrimLeft(text, "0"); bare != "" {
		return bare
	}
	return "0"
}
