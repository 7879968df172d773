package rules

import (
	"errors"
	"regexp"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/text"
	"emissor/nfse"
)

// Check refuses what the city would reject or its layout cannot carry, as far as
// our data tell, and holds what a person must give first. Of several objections
// it finds always the same; nothing that it decides depends on the moment.
func Check(declaration fiscal.Declaration) *fiscal.Objection {
	if hold := profileHold(declaration.Issuer); hold != "" {
		return &fiscal.Objection{Hold: hold}
	}
	for _, find := range []func(fiscal.Declaration) *violation{
		serviceViolation, customerViolation, withholdingViolation, rateViolation, amountViolation,
	} {
		if found := find(declaration); found != nil {
			return &fiscal.Objection{Rejection: found.rejection()}
		}
	}
	return classificationObjection(declaration.Classification)
}

// violation is a rule that a declaration would break.
type violation struct {
	code    string
	field   string // of the API; empty leaves it to the rule
	message string // what is wrong, in a few words
}

// breaks is the violation of a rule that names its own field.
func breaks(code, message string) *violation { return &violation{code: code, message: message} }

// rejection is a violation as the API shows it.
func (v *violation) rejection() *nfse.Rejection {
	explanation, action, field := Explain(fiscal.Issue, v.code)
	if v.field != "" {
		field = &v.field
	}
	return &nfse.Rejection{
		Source: nfse.RejectedByService, Code: v.code, Message: v.message, Field: field,
		Explanation: explanation + " Emissor checked this itself: nothing was sent to the authority.", Action: action,
	}
}

// profileHold says what is to be mended in the organization's own data first.
func profileHold(issuer nfse.FiscalProfile) string {
	var fault *nfse.Error
	if err := ValidateProfile(issuer); errors.As(err, &fault) {
		return "the fiscal profile cannot be issued with by the city of Sao Paulo: " + fault.Field + " " + fault.Message
	}
	if !issuer.Production {
		return "the fiscal profile says --environment restricted, and the city of Sao Paulo has no test system: " +
			"emissor fiscal-profile check validates without issuing, --environment production issues"
	}
	return ""
}

var (
	codeForm         = regexp.MustCompile(`^[0-9]{4,5}$`)
	municipalityForm = regexp.MustCompile(`^[1-9][0-9]{6}$`)
	zipCodeForm      = regexp.MustCompile(`^[0-9]{8}$`)
)

// serviceViolation finds what is wrong with the service.
func serviceViolation(declaration fiscal.Declaration) *violation {
	service := declaration.Note.Service
	switch {
	case service.MunicipalTaxCode == nil:
		return breaks("municipal_tax_code_missing", "The service has no municipal tax code.")
	case !codeForm.MatchString(*service.MunicipalTaxCode):
		return breaks("306", "The municipal tax code does not have 4 or 5 digits.")
	case len(strings.TrimLeft(*service.MunicipalTaxCode, "0")) < 4:
		return breaks("306", "The municipal tax code has less than 4 digits behind its zeros, which are not sent.")
	case service.MunicipalTaxation == nil:
		return breaks("municipal_taxation_missing", "The service does not say where it is taxed.")
	case *service.MunicipalTaxation != "T" && *service.MunicipalTaxation != "F":
		return breaks("206", "The municipal taxation is neither T nor F.")
	case !municipalityForm.MatchString(service.MunicipalityCode) || StateOf(service.MunicipalityCode) == "":
		return breaks("265", "The place of the service is not a 7-digit municipality code.")
	case TaxedOutside(*service.MunicipalTaxation) && service.MunicipalityCode == Municipality:
		return breaks("1232", "The service is taxed elsewhere (F), and its place is Sao Paulo.")
	case text.Lines(service.Description) == "":
		return &violation{"text_not_printable", fieldDescription,
			"service.description has no character that a fiscal document can carry."}
	}
	return nil
}

// ServiceFault is the code of what keeps every live note of a service from being sent;
// empty when nothing does.
func ServiceFault(service nfse.ServiceSnapshot) (code string) {
	declaration := fiscal.Declaration{Note: nfse.Note{Service: service}}
	found := serviceViolation(declaration)
	if found == nil {
		found = rateViolation(declaration)
	}
	if found == nil {
		return ""
	}
	return found.code
}

// customerViolation finds what is wrong with the customer.
func customerViolation(declaration fiscal.Declaration) *violation {
	note := declaration.Note
	customer := note.Customer
	zipCode := customer.Address.ZipCode
	switch {
	case !validTaxID(customer.TaxID) && customer.TaxID.IsCNPJ():
		return breaks("302", "The customer's CNPJ is not valid.")
	case !validTaxID(customer.TaxID):
		return breaks("1109", "The customer's CPF is not valid.")
	case customer.TaxID == declaration.Issuer.TaxID:
		return breaks("301", "The customer is the issuing organization itself.")
	case text.Line(customer.Name) == "":
		return &violation{"text_not_printable", fieldName,
			"customer.name has no character that a fiscal document can carry."}
	case StateOf(note.Municipality.Code) == "":
		return breaks("318", "The customer's municipality is not a 7-digit code.")
	case zipCode != nil && !zipCodeForm.MatchString(*zipCode):
		return breaks("342", "The customer's zip code does not have 8 digits.")
	case !customer.TaxID.IsCNPJ() && buysForGovernment(declaration.Classification):
		return breaks("283", "The service is classified as a purchase of the government, and the customer has a CPF.")
	case customer.TaxID.IsCNPJ():
		return companyAddressViolation(customer.Address)
	}
	return nil
}

// companyAddressViolation finds what the address of a company lacks: the schema says that
// its parts are required of takers with a CNPJ, and of no others. Of a person what there is
// is sent.
func companyAddressViolation(address nfse.Address) *violation {
	switch {
	case text.StreetLine(address) == "":
		return breaks("317", "The customer has a CNPJ, and its address lacks the street.")
	case address.Number == nil:
		return breaks("253", "The customer has a CNPJ, and its address lacks the number.")
	case dropped(address.Number):
		return &violation{"text_not_printable", fieldNumber,
			"customer.address.number has no character that a fiscal document can carry."}
	case address.District == nil:
		return breaks("251", "The customer has a CNPJ, and its address lacks the district.")
	case dropped(address.District):
		return &violation{"text_not_printable", fieldDistrict,
			"customer.address.district has no character that a fiscal document can carry."}
	}
	return nil
}

func buysForGovernment(c *nfse.Classification) bool { return c != nil && c.TpEnteGov != nil }

// withholdingViolation finds ISS withheld by who cannot, or where there is none.
func withholdingViolation(declaration fiscal.Declaration) *violation {
	letter := Letter(declaration)
	switch {
	case !declaration.Note.ISSWithheld:
		return nil
	case !declaration.Note.Customer.TaxID.IsCNPJ():
		return breaks("1616", "The ISS is to be withheld by a person.")
	case letter != "T" && letter != "F":
		return breaks("321", "The ISS is to be withheld, and by the fiscal profile it is taxed by the letter "+
			letter+".")
	}
	return nil
}

const minRate nfse.Rate = 200 // LC 116, art. 8-A

// rateViolation finds a rate that must be sent and is missing or out of bounds.
// Where the ISS is due to the city, it takes its own.
func rateViolation(declaration fiscal.Declaration) *violation {
	service := declaration.Note.Service
	rate := service.ISSRate
	switch {
	case TaxedOutside(*service.MunicipalTaxation) && rate == nil:
		return breaks("iss_rate_missing", "The service is taxed elsewhere (F), and has no ISS rate.")
	case rate != nil && (*rate < 0 || *rate > nfse.MaxRate),
		TaxedOutside(*service.MunicipalTaxation) && *rate < minRate:
		return breaks("225", "The ISS rate is not from 2 to 5 percent.")
	}
	return nil
}

// amountViolation finds an amount that no note can carry.
func amountViolation(declaration fiscal.Declaration) *violation {
	switch amount := declaration.Note.AmountCents; {
	case amount < 1:
		return breaks("303", "The amount is not more than 0.")
	case amount > nfse.MaxAmountCents:
		return breaks("amount_out_of_range", "The amount is out of range.")
	}
	return nil
}
