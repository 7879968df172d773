package frame

import (
	"errors"
	"strings"

	"emissor/dashboard/format"
	"emissor/internal/cnpj"
	"emissor/internal/municipality"
	"emissor/issuing/catalogue"
	"emissor/nfse"
)

// FillIn answers the buttons that fill in a form: by its zip code, or by its CNPJ. It reports whether
// one was pressed; then nothing is saved. The fields of the address begin with prefix. What is not
// known, or cannot be asked now, is said at the field, and everything stays as it was typed.
func (r *Request) FillIn(form *Form, prefix string) (pressed bool, err error) {
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

func (r *Request) fillByZipCode(form *Form, prefix string) error {
	zip, err := catalogue.ZipCode(form.Trimmed(prefix + "zip_code"))
	if err != nil {
		form.AddProblem(prefix+"zip_code", "fill.zip_code.wrong")
		return nil
	}
	if !r.D.Filling.Allow(r.Scope.OrganizationID, r.D.Now()) {
		form.AddProblem(prefix+"zip_code", "fill.many")
		return nil
	}
	address, outcome, err := r.D.Resolver.Address(r.Context(), r.Scope, zip)
	switch {
	case err != nil:
		return err
	case outcome == municipality.Unknown:
		form.AddProblem(prefix+"zip_code", "fill.zip_code.unknown")
		return nil
	case outcome == municipality.Unavailable:
		form.AddProblem(prefix+"zip_code", "fill.unavailable")
		return nil
	}
	form.Values[prefix+"zip_code"] = format.ZipCode(zip)
	form.fillWith(map[string]string{prefix + "street": address.Street, prefix + "district": address.District,
		"municipality_code": address.Municipality})
	if address.Street != "" {
		form.Values[prefix+"street_type"] = "" // which is within the street
	}
	if address.Street == "" && form.Trimmed(prefix+"street") == "" {
		form.AddProblem(prefix+"street", "fill.street")
	}
	return nil
}

func (r *Request) fillByCNPJ(form *Form, prefix string) error {
	id, err := nfse.ParseTaxID(form.Trimmed("tax_id"))
	switch {
	case err != nil || len(id) != 14:
		form.AddProblem("tax_id", "fill.tax_id.wrong")
		return nil
	case r.D.CNPJ == nil:
		form.AddProblem("tax_id", "fill.unavailable")
		return nil
	case !r.D.Filling.Allow(r.Scope.OrganizationID, r.D.Now()):
		form.AddProblem("tax_id", "fill.many")
		return nil
	}
	company, err := r.D.CNPJ.Lookup(r.Context(), id)
	switch {
	case errors.Is(err, cnpj.ErrUnknown):
		form.AddProblem("tax_id", "fill.tax_id.unknown")
		return nil
	case err != nil:
		form.AddProblem("tax_id", "fill.unavailable")
		return nil
	}
	form.Values["tax_id"] = format.TaxID(id)
	form.fillWith(map[string]string{"name": company.Name, "nickname": company.TradeName,
		"email": strings.ToLower(company.Email), prefix + "zip_code": format.ZipCode(company.ZipCode),
		prefix + "street_type": company.StreetType, prefix + "street": company.Street,
		prefix + "number": company.Number, prefix + "complement": company.Complement,
		prefix + "district": company.District, "municipality_code": company.Municipality})
	form.regimeOnRecord(company)
	if !company.Active {
		form.AddProblem("tax_id", "fill.tax_id.inactive")
	}
	return nil
}

// fillWith fills in fields that the form has, with what is known.
func (f *Form) fillWith(known map[string]string) {
	for name, value := range known {
		if _, has := f.Values[name]; has && strings.TrimSpace(value) != "" {
			f.Values[name] = strings.TrimSpace(value)
		}
	}
}

// regimeOnRecord keeps for the profile's page which option of Simples Nacional is public of the company. The page says
// it beside the options: none is chosen before a person has.
func (f *Form) regimeOnRecord(company cnpj.Company) {
	is := func(said *bool) bool { return said != nil && *said }
	switch {
	case is(company.MEI):
		f.Values["simples_on_record"] = "mei"
	case is(company.Simples):
		f.Values["simples_on_record"] = "me"
	case company.Simples != nil:
		f.Values["simples_on_record"] = "none"
	}
}
