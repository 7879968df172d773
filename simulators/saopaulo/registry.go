package saopaulo

import (
	"strings"
	"time"

	"emissor/simulators/shared/fault"
)

// Registry is what the city knows of taxpayers and services, and how it behaves where
// sources disagree. The zero value accepts every message that is valid in itself. Its
// maps are not to be changed once it was handed over.
type Registry struct {
	// Taxpayers are by municipal registration. One that is not listed is whoever first
	// issues under it.
	Taxpayers map[string]Taxpayer `json:"taxpayers,omitempty"`
	// OnlyTaxpayers refuses registrations that are not listed (1202).
	OnlyTaxpayers bool `json:"only_taxpayers,omitempty"`
	// Services are by CodigoServico. When there are any, others do not exist (306).
	Services map[string]Service `json:"services,omitempty"`

	// CancelWidth is how wide the string of a cancellation is: 20, which 0 is too, or 24.
	CancelWidth  int      `json:"cancel_width,omitempty"`
	CancelWithin Duration `json:"cancel_within,omitempty"` // the deadline of cancelling (324); 0 is 180 days
	ResendWithin Duration `json:"resend_within,omitempty"` // how long an RPS can be sent again (324); 0 is 180 days

	// RefuseSOAP11 answers SOAP 1.1 with the fault that one who runs it measured.
	RefuseSOAP11 bool `json:"refuse_soap11,omitempty"`
	// NotFound is how ConsultaNFe says 1106 for many keys: an error for each, with its key
	// (empty), "once", without a key, or "omitted" where something else was found.
	NotFound string `json:"not_found,omitempty"`
	// Edition04 is the edition v02-4 of the schemas, before 2026-05-14: ValorInicialCobrado
	// is accepted, RetencaoPisCofins is not, PagamentoParceladoAntecipado must be there.
	Edition04 bool `json:"edition_04,omitempty"`
}

// Taxpayer is who is registered.
type Taxpayer struct {
	TaxID     string   `json:"document"` // CNPJ or CPF
	Name      string   `json:"name,omitempty"`
	Simples   bool     `json:"simples,omitempty"`   // 641
	MEI       bool     `json:"mei,omitempty"`       // 359
	Cancelled bool     `json:"cancelled,omitempty"` // 1208
	NoNotes   bool     `json:"no_notes,omitempty"`  // not authorised to issue: 1207, and EmiteNFe false
	Services  []string `json:"services,omitempty"`  // CodigoServico registered for it; alert 307 for others; nil is all
}

// Service is a line of the city's table of services.
type Service struct {
	Rate          int64 `json:"rate,omitempty"`           // in hundredths of a percent; 0 is not known
	NoWithholding bool  `json:"no_withholding,omitempty"` // 209
	NoDeductions  bool  `json:"no_deductions,omitempty"`  // 308
	NoOutside     bool  `json:"no_outside,omitempty"`     // 309
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

// service is a line of the table. A code that begins with 0 is never one: that is how
// those of the national list look, which are not the city's.
func (r *Registry) service(code string) (service Service, exists bool) {
	if strings.HasPrefix(code, "0") {
		return Service{}, false
	}
	service, exists = r.Services[code]
	return service, exists || len(r.Services) == 0
}

// bareNumber is a registration or a number without zeros before it.
func bareNumber(text string) string {
	if bare := strings.TrimLeft(text, "0"); bare != "" {
		return bare
	}
	return "0"
}
