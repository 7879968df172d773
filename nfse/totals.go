package nfse

import "database/sql/driver"

// Totals are the amounts that the authority's document states, in cents. A member that it does
// not state is nil, and so is one that cannot be read: nothing here is computed but the sum of
// what is withheld.
type Totals struct {
	ServiceCents     *int64 `json:"service_cents"`      // the price (vServ)
	NetCents         *int64 `json:"net_cents"`          // left of it after discounts and withholdings (vLiq)
	TotalCents       *int64 `json:"total_cents"`        // what the customer is charged (vTotNF; where absent, the net)
	ISSCents         *int64 `json:"iss_cents"`          // vISSQN
	ISSWithheldCents *int64 `json:"iss_withheld_cents"` // of it, by the customer or an intermediary
	IRRFCents        *int64 `json:"irrf_cents"`         // withheld (vRetIRRF)
	CSRFCents        *int64 `json:"csrf_cents"`         // PIS, COFINS and CSLL withheld (vRetCSLL)
	INSSCents        *int64 `json:"inss_cents"`         // withheld (vRetCP)
	IBSCents         *int64 `json:"ibs_cents"`          // vIBSTot
	CBSCents         *int64 `json:"cbs_cents"`          // vCBS
}

// StatedTotal is one member of totals, by its name in JSON without what it is counted in.
type StatedTotal struct {
	Name  string
	Cents int64
}

// Stated lists the members that the document states, in their order.
func (t *Totals) Stated() (all []StatedTotal) {
	if t == nil {
		return nil
	}
	for _, one := range []struct {
		name  string
		cents *int64
	}{
		{"service", t.ServiceCents}, {"net", t.NetCents}, {"total", t.TotalCents}, {"iss", t.ISSCents},
		{"iss_withheld", t.ISSWithheldCents}, {"irrf", t.IRRFCents}, {"csrf", t.CSRFCents}, {"inss", t.INSSCents},
		{"ibs", t.IBSCents}, {"cbs", t.CBSCents},
	} {
		if one.cents != nil {
			all = append(all, StatedTotal{one.name, *one.cents})
		}
	}
	return all
}

// OrNil returns the totals, or nil where none is stated.
func (t Totals) OrNil() *Totals {
	if t == (Totals{}) {
		return nil
	}
	return &t
}

// Withheld is the sum of what the document states as withheld; nil where it states none.
func (t *Totals) Withheld() *int64 {
	if t == nil {
		return nil
	}
	return SumCents(t.ISSWithheldCents, t.IRRFCents, t.CSRFCents, t.INSSCents)
}

// SumCents adds up amounts of which any may be nil; it is nil where all are.
func SumCents(amounts ...*int64) (sum *int64) {
	for _, one := range amounts {
		switch {
		case one == nil:
		case sum == nil:
			sum = new(*one)
		default:
			*sum += *one
		}
	}
	return sum
}

// Charged is what the customer is charged; nil where the document does not state it.
func (t *Totals) Charged() *int64 {
	if t == nil {
		return nil
	}
	return t.TotalCents
}

// Net is what is left of the price after discounts and withholdings; nil where the document
// does not state it.
func (t *Totals) Net() *int64 {
	if t == nil {
		return nil
	}
	return t.NetCents
}

// Value is what a column holds: the JSON of the API, null for nil.
func (t *Totals) Value() (driver.Value, error) {
	if t == nil {
		return nil, nil
	}
	return stored(t)
}

// Scan reads a column.
func (t *Totals) Scan(v any) error { return scan(v, t) }
