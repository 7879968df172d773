package nfse

import "time"

// TestServiceLifetime is how long a service of the test catalogue lasts until it is retired.
const TestServiceLifetime = 30 * 24 * time.Hour

// Service is an entry of the catalogue, with the fields of the contract's
// section 2.1.
type Service struct {
	ID                 string    `db:"id" json:"id"`
	Name               string    `db:"name" json:"name"`
	Description        string    `db:"description" json:"description"`
	MunicipalityCode   string    `db:"municipality_code" json:"municipality_code"`
	DefaultAmountCents int64     `db:"default_amount_cents" json:"default_amount_cents"`
	NationalTaxCode    *string   `db:"national_tax_code" json:"national_tax_code"`
	MunicipalTaxCode   *string   `db:"municipal_tax_code" json:"municipal_tax_code"`
	MunicipalTaxation  *string   `db:"municipal_taxation" json:"municipal_taxation"`
	ISSRate            *Rate     `db:"iss_rate_hundredths" json:"iss_rate"`
	Active             bool      `db:"active" json:"active"`
	CreatedAt          Timestamp `db:"created_at" json:"created_at"`
}

// ServiceSnapshot is the service as one note used it: later changes of the
// catalogue do not change it.
type ServiceSnapshot struct {
	ID                string  `json:"id"`
	Name              string  `json:"name"`
	Description       string  `json:"description"` // as printed on this note
	MunicipalityCode  string  `json:"municipality_code"`
	NationalTaxCode   *string `json:"national_tax_code"`
	MunicipalTaxCode  *string `json:"municipal_tax_code"`
	MunicipalTaxation *string `json:"municipal_taxation"`
	ISSRate           *Rate   `json:"iss_rate"`
}

// Snapshot copies what a note keeps of the service. The note's own description, if any,
// replaces the catalogue's.
func (s Service) Snapshot(description *string) ServiceSnapshot {
	snapshot := ServiceSnapshot{
		ID:                s.ID,
		Name:              s.Name,
		Description:       s.Description,
		MunicipalityCode:  s.MunicipalityCode,
		NationalTaxCode:   s.NationalTaxCode,
		MunicipalTaxCode:  s.MunicipalTaxCode,
		MunicipalTaxation: s.MunicipalTaxation,
		ISSRate:           s.ISSRate,
	}
	if description != nil {
		snapshot.Description = *description
	}
	return snapshot
}
