package rules

// Fields of the API.
const (
	fieldTaxID        = "customer.document"
	fieldName         = "customer.name"
	fieldEmail        = "customer.email"
	fieldAddress      = "customer.address"
	fieldStreet       = "customer.address.street"
	fieldNumber       = "customer.address.number"
	fieldDistrict     = "customer.address.district"
	fieldComplement   = "customer.address.complement"
	fieldZipCode      = "customer.address.zip_code"
	fieldMunicipality = "customer.municipality_code"
	fieldTaxCode      = "service.national_tax_code"
	fieldRate         = "service.iss_rate"
	fieldDescription  = "service.description"
	fieldPlace        = "service.municipality_code"
	fieldAmount       = "amount_cents"
	fieldWithheld     = "iss_withheld"
)

// fields are those that a rule may name.
var fields = []string{
	fieldTaxID, fieldName, fieldEmail, fieldAddress, fieldStreet, fieldNumber, fieldDistrict, fieldComplement,
	fieldZipCode, fieldMunicipality, fieldTaxCode, fieldRate, fieldDescription, fieldPlace, fieldAmount, fieldWithheld,
}
