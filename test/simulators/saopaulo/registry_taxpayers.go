package saopaulo

// Taxpayer is who is registered.
type Taxpayer struct {
	TaxID     string `json:"document"` // CNPJ or CPF
	Name      string `json:"name,omitempty"`
	Simples   bool   `json:"simples,omitempty"`   // 641
	MEI       bool   `json:"mei,omitempty"`       // 359
	Cancelled bool   `json:"cancelled,omitempty"` // 1208
	NoNotes   bool   `json:"no_notes,omitempty"`  // not authorised to issue: 1207, and EmiteNFe false

	// Services are the CodigoServico registered for it: alert 307 for others; nil is all.
	Services []string `json:"services,omitempty"`
	// BarredServices are the CodigoServico that it may not use: 367.
	BarredServices []string `json:"barred_services,omitempty"`

	SelfEmployed bool `json:"self_employed,omitempty"` // a professional on his own: 1233, 1613
	Partnership  bool `json:"partnership,omitempty"`   // of professionals: 1614

	// Immunities are declared for M, N, R and S. Nil: an RPS may claim any.
	Immunities []Immunity `json:"immunities,omitzero"`
	// Benefits are on record for A, B and D. Nil: an RPS may claim any.
	Benefits []Benefit `json:"benefits,omitzero"`
}

// Immunity is what a taxpayer declared in the city's system of immunities (SDI).
type Immunity struct {
	Period
	Services []string `json:"services,omitempty"` // CodigoServico (1213); nil is all
}

// Benefit is what is on record of a taxpayer in the city's system of benefits (GBF).
type Benefit struct {
	Period
	Partial bool   `json:"partial,omitempty"` // it is for D, not for A and B
	Service string `json:"service,omitempty"` // CodigoServico; empty is all
	Taker   string `json:"taker,omitempty"`   // CNPJ (1256); empty is any
}

// registrationsOf counts the registrations of a CNPJ or CPF that are not cancelled.
func (r *Registry) registrationsOf(taxID string) (registrations int) {
	for _, taxpayer := range r.Taxpayers {
		if taxID != "" && taxpayer.TaxID == taxID && !taxpayer.Cancelled {
			registrations++
		}
	}
	return registrations
}
