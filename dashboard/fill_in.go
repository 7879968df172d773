package dashboard

import (
	"errors"
	"strings"

	"emissor/dashboard/format"
	"emissor/internal/cnpj"
	"emissor/internal/municipality"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

// The look-ups that fill in forms are bounded for each organization.
const (
	fillsPerSecond = 1
	fillsAtOnce    = 20
)

// fillIn answers the buttons that fill in a form: by its zip code, or by its CNPJ. It reports whether
// one was pressed; then nothing is saved. The fields of the address begin with prefix. What is not
// known, or cannot be asked now, is said at the field, and everything stays as it was typed.
func (r *request) fillIn(form *form, prefix string) (pressed bool, err error) {
	switch r.PostForm.Get("fill") {
	case "zip_code":
		form.heading = "fill.address"
		return true, r.fillByZipCode(form, prefix)
	case "tax_id":
		form.heading = "fill.data"
		return true, r.fillByCNPJ(form, prefix)
	}
	return false, nil
}

func (r *request) fillByZipCode(form *form, prefix string) error {
	zip, err := catalogue.ZipCode(form.trimmed(prefix + "zip_code"))
	if err != nil {
		form.wrong(prefix+"zip_code", "fill.zip_code.wrong")
		return nil
	}
	if !r.d.filling.Allow(r.scope.OrganizationID, r.d.Now()) {
		form.wrong(prefix+"zip_code", "fill.many")
		return nil
	}
	address, outcome, err := r.d.Resolver.Address(r.Context(), r.scope, zip)
	switch {
	case err != nil:
		return err
	case outcome == municipality.Unknown:
		form.wrong(prefix+"zip_code", "fill.zip_code.unknown")
		return nil
	case outcome == municipality.Unavailable:
		form.wrong(prefix+"zip_code", "fill.unavailable")
		return nil
	}
	form.values[prefix+"zip_code"] = format.ZipCode(zip)
	form.fillWith(map[string]string{prefix + "street": address.Street, prefix + "district": address.District,
		"municipality_code": address.Municipality})
	if address.Street != "" {
		form.values[prefix+"street_type"] = "" // which is within the street
	}
	if address.Street == "" && form.trimmed(prefix+"street") == "" {
		form.wrong(prefix+"street", "fill.street")
	}
	return nil
}

func (r *request) fillByCNPJ(form *form, prefix string) error {
	id, err := nfse.ParseTaxID(form.trimmed("tax_id"))
	switch {
	case err != nil || len(id) != 14:
		form.wrong("tax_id", "fill.tax_id.wrong")
		return nil
	case r.d.CNPJ == nil:
		form.wrong("tax_id", "fill.unavailable")
		return nil
	case !r.d.filling.Allow(r.scope.OrganizationID, r.d.Now()):
		form.wrong("tax_id", "fill.many")
		return nil
	}
	company, err := r.d.CNPJ.Lookup(r.Context(), id)
	switch {
	case errors.Is(err, cnpj.ErrUnknown):
		form.wrong("tax_id", "fill.tax_id.unknown")
		return nil
	case err != nil:
		form.wrong("tax_id", "fill.unavailable")
		return nil
	}
	form.values["tax_id"] = format.TaxID(id)
	form.fillWith(map[string]string{"name": company.Name, "nickname": company.TradeName,
		"email": strings.ToLower(company.Email), prefix + "zip_code": format.ZipCode(company.ZipCode),
		prefix + "street_type": company.StreetType, prefix + "street": company.Street,
		prefix + "number": company.Number, prefix + "complement": company.Complement,
		prefix + "district": company.District, "municipality_code": company.Municipality})
	form.regimeOnRecord(company)
	if !company.Active {
		form.wrong("tax_id", "fill.tax_id.inactive")
	}
	return nil
}

// fillWith fills in fields that the form has, with what is known.
func (f *form) fillWith(known map[string]string) {
	for name, value := range known {
		if _, has := f.values[name]; has && strings.TrimSpace(value) != "" {
			f.values[name] = strings.TrimSpace(value)
		}
	}
}

// regimeOnRecord keeps for the profile's page which option of Simples Nacional is public of the company. The page says
// it beside the options: none is chosen before a person has.
func (f *form) regimeOnRecord(company cnpj.Company) {
	is := func(said *bool) bool { return said != nil && *said }
	switch {
	case is(company.MEI):
		f.values["simples_on_record"] = "mei"
	case is(company.Simples):
		f.values["simples_on_record"] = "me"
	case company.Simples != nil:
		f.values["simples_on_record"] = "none"
	}
}
