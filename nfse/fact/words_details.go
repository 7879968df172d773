package fact

// details are the words for a field of what a note has beyond the API, as process or
// supplier.street: for its part, and in brackets whose it is.
var details = func() map[string]text {
	said := map[string]text{
		"customer.document":         {"customer.document", "CPF ou CNPJ do tomador"},
		"service.national_tax_code": {"service.national_tax_code", "código de tributação nacional"},
		"service.municipality_code": {"service.municipality_code", "local da prestação"},

		"deduction.documents": {"the documents deducted", "documentos deduzidos"},
	}
	for part, word := range detailParts {
		said[part] = word
		for owner, whose := range detailOwners {
			said[owner+"."+part] = text{
				word.english + " (" + whose.english + ")", word.portuguese + " (" + whose.portuguese + ")",
			}
		}
	}
	return said
}()

var detailOwners = map[string]text{
	"abroad":              {"service abroad", "exterior"},
	"deduction":           {"deduction", "dedução"},
	"deduction.documents": {"document deducted", "documento deduzido"},
	"event":               {"event", "evento"},
	"foreign_taker":       {"customer abroad", "tomador no exterior"},
	"intermediary":        {"intermediary", "intermediário"},
	"iss":                 {"ISS", "ISS"},
	"replaces":            {"replacement", "substituição"},
	"supplier":            {"supplier", "fornecedor"},
	"work":                {"construction work", "obra"},
}

var detailParts = map[string]text{
	"access_key":         {"the access key", "chave de acesso"},
	"amount_cents":       {"the amount", "valor"},
	"benefit":            {"the number of the benefit", "número do benefício"},
	"benefit_cents":      {"the reduction by the benefit", "redução pelo benefício"},
	"cents":              {"the amount", "valor"},
	"cib":                {"the CIB", "CIB"},
	"city":               {"the city", "cidade"},
	"competence":         {"competence", "competência"},
	"complement":         {"the complement", "complemento"},
	"country":            {"the country where it is rendered", "país em que é prestado"},
	"currency":           {"the currency", "moeda"},
	"deduction":          {"the deduction", "dedução"},
	"description":        {"the description", "descrição"},
	"district":           {"the district", "bairro"},
	"export_record":      {"the number of the export record", "número do registro de exportação"},
	"fiscal_other":       {"the number", "número"},
	"goods":              {"the movement of goods", "movimentação de bens"},
	"identification":     {"either an identification or an address", "identificação, ou endereço"},
	"immunity":           {"the kind of immunity", "tipo de imunidade"},
	"import_declaration": {"the number of the import declaration", "número da declaração de importação"},
	"issued":             {"the date", "data"},
	"kind":               {"the kind", "tipo"},
	"mode":               {"how it is rendered", "modo de prestação"},
	"municipality_code":  {"its municipality", "município"},
	"name":               {"the name", "nome"},
	"nfse":               {"the key of the NFS-e", "chave da NFS-e"},
	"nif":                {"the NIF", "NIF"},
	"number":             {"the number", "número"},
	"other":              {"the number", "número"},
	"postal_code":        {"the postal code", "código postal"},
	"process":            {"the process of the suspension", "processo da suspensão"},
	"property_number":    {"the number of the property", "inscrição imobiliária"},
	"provider_mechanism": {"the provider's mechanism", "mecanismo do prestador"},
	"reason_code":        {"the reason", "motivo"},
	"reason_text":        {"the words for the reason", "descrição do motivo"},
	"region":             {"the region", "estado, província ou região"},
	"registration":       {"one of CNO, CIB and address", "um só entre CNO, CIB e endereço"},
	"relationship":       {"the relationship of the parties", "vínculo entre as partes"},
	"result_country":     {"the country of the result", "país do resultado"},
	"street":             {"the street", "logradouro"},
	"suspension":         {"the kind of suspension", "tipo de suspensão"},
	"taker_mechanism":    {"the customer's mechanism", "mecanismo do tomador"},
	"tax_id":             {"the CPF or CNPJ", "CPF ou CNPJ"},
	"technical_document": {"the technical document", "documento técnico"},
	"through":            {"the dates", "datas"},
	"used_cents":         {"the amount", "valor"},
}
