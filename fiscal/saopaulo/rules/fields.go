package rules

// Fields of the API.
const (
	fieldTaxID        = "customer.document"
	fieldName         = "customer.name"
	fieldAddress      = "customer.address"
	fieldStreet       = "customer.address.street"
	fieldNumber       = "customer.address.number"
	fieldDistrict     = "customer.address.district"
	fieldZipCode      = "customer.address.zip_code"
	fieldMunicipality = "customer.municipality_code"
	fieldCode         = "service.municipal_tax_code"
	fieldTaxation     = "service.municipal_taxation"
	fieldRate         = "service.iss_rate"
	fieldDescription  = "service.description"
	fieldPlace        = "service.municipality_code"
	fieldAmount       = "amount_cents"
	fieldWithheld     = "iss_withheld"
)

// fields are those that a rule may name.
var fields = []string{
	fieldTaxID, fieldName, fieldAddress, fieldStreet, fieldNumber, fieldDistrict, fieldZipCode, fieldMunicipality,
	fieldCode, fieldTaxation, fieldRate, fieldDescription, fieldPlace, fieldAmount, fieldWithheld,
}
