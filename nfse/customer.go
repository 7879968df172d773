package nfse

// Customer is a taker on record, one per tax id in an organization's
// environment.
type Customer struct {
	ID                 string    `db:"id" json:"id"`
	TaxID              TaxID     `db:"tax_id" json:"document"`
	Name               string    `db:"name" json:"name"`
	Nickname           *string   `db:"nickname" json:"nickname"`
	Email              *string   `db:"email" json:"email"`
	MunicipalityCode   *string   `db:"municipality_code" json:"municipality_code"`
	Address            Address   `db:"address" json:"address"`
	FiscalDataComplete bool      `db:"-" json:"fiscal_data_complete"`
	CreatedAt          Timestamp `db:"created_at" json:"created_at"`
	UpdatedAt          Timestamp `db:"updated_at" json:"updated_at"`

	// MunicipalityDeclared says that the caller sent the code, and it was not found
	// from a zip code: only then can it conflict with a later look-up.
	MunicipalityDeclared bool `db:"municipality_declared" json:"-"`
}

// Address is the address of a taker.
type Address struct {
	StreetType *string `db:"street_type" json:"street_type"`
	Street     *string `db:"street" json:"street"`
	Number     *string `db:"number" json:"number"`
	District   *string `db:"district" json:"district"`
	ZipCode    *string `db:"zip_code" json:"zip_code"`
	Complement *string `db:"complement" json:"complement"`
}

// OrEmpty is a text that may be missing; empty where it is.
func OrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// MissingFiscalField names the first field that a note for this record needs
// and the record lacks, as address.street; empty when the fiscal data is complete.
func (c Customer) MissingFiscalField() string {
	for _, need := range []struct {
		field string
		value *string
	}{
		{"address.street", c.Address.Street},
		{"address.number", c.Address.Number},
		{"address.district", c.Address.District},
		{"address.zip_code", c.Address.ZipCode},
		{"municipality_code", c.MunicipalityCode},
	} {
		if need.value == nil {
			return need.field
		}
	}
	return ""
}

// CustomerSnapshot is the taker as one note used it.
type CustomerSnapshot struct {
	TaxID            TaxID   `json:"document"`
	Name             string  `json:"name"`
	Email            *string `json:"email"`
	MunicipalityCode *string `json:"municipality_code"`
	Address          Address `json:"address"`
}
