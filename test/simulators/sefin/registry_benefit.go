package sefin

import "slices"

// Benefit is what a municipality grants under a number (nBM).
type Benefit struct {
	Kind  string `json:"kind"`                   // tpBM, 1 to 4: an exemption, by percent, by value, another rate
	Rate  int64  `json:"rate,omitempty"`         // of kind 4, in hundredths of a percent
	Most  int64  `json:"most_percent,omitempty"` // of kind 2, in hundredths of a percent; 0 is no limit (E0586)
	From  string `json:"from,omitempty"`         // in force from a day (E0544)
	Until string `json:"until,omitempty"`        // to a day

	OnlyEstablished bool     `json:"only_established,omitempty"` // for who is established in the city (E0548)
	Services        []string `json:"services,omitempty"`         // by cTribNac; empty is all (E0550)
	Taxpayers       []string `json:"taxpayers,omitempty"`        // CNPJ and CPF; empty is all (E0550)
}

// The kinds of a benefit (tpBM).
const (
	exemption     = "1"
	lessByPercent = "2"
	lessByValue   = "3"
	differentRate = "4"
)

// benefit is what is granted under the number of a DPS; its kind is empty where there is no
// number. Of one that is not on record the document shows the kind: without a reduction it is
// an exemption.
func (r *Registry) benefit(d *dps) Benefit {
	if !d.has(benefit) {
		return Benefit{}
	}
	if granted, listed := r.Benefits[d.get(benefit+"/nBM")]; listed {
		return granted
	}
	switch {
	case d.has(benefit + "/vRedBCBM"):
		return Benefit{Kind: lessByValue}
	case d.has(benefit + "/pRedBCBM"):
		return Benefit{Kind: lessByPercent}
	}
	return Benefit{Kind: exemption}
}

// hasBenefit reports whether a city granted a benefit under a number, which begins with the
// city's code.
func (r *Registry) hasBenefit(number, municipality string) bool {
	_, listed := r.Benefits[number]
	return number[:7] == municipality && (listed || len(r.Benefits) == 0)
}

func (b Benefit) inForce(day string) bool { return day >= b.From && (b.Until == "" || day <= b.Until) }

// covers reports whether a benefit is for a service and a provider.
func (b Benefit) covers(service, taxID string) bool {
	return (len(b.Services) == 0 || slices.Contains(b.Services, service)) &&
		(len(b.Taxpayers) == 0 || slices.Contains(b.Taxpayers, taxID))
}
