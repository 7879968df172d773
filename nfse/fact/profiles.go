package fact

// What is wrong with a fiscal profile, said after the name of the field.
var (
	MustBeTaxID = define("must_be_tax_id",
		"is no CPF or CNPJ with right check digits",
		"não é um CPF ou CNPJ com dígitos verificadores certos")
	MustBeMunicipality = define("must_be_municipality",
		"must be the 7-digit IBGE code of a municipality",
		"deve ser o código IBGE de 7 dígitos de um município")
	MustBeMunicipalities = define("must_be_municipalities",
		"must be 7-digit IBGE codes of municipalities, which {quoted} is not",
		"deve ter códigos IBGE de municípios, de 7 dígitos, e {quoted} não é um")

	RegistrationForm = define("registration_form",
		"must have 1 to 15 letters, digits, dots, hyphens or slashes",
		"deve ter de 1 a 15 letras, algarismos, pontos, hífens ou barras")
	RegistrationToSendMissing = define("registration_to_send_missing",
		"is to be sent, but there is none",
		"deve ser enviada, mas não há nenhuma")

	SimplesUnknown = define("simples_unknown",
		"must be none, mei or me",
		"deve ser none, mei ou me")
	SimplesRegimeRequired = define("simples_regime_required",
		"is required of an ME or EPP (simples me): 1, 2 or 3",
		"é obrigatório para ME ou EPP (simples me): 1, 2 ou 3")
	SimplesRegimeForbidden = define("simples_regime_forbidden",
		"is only for an ME or EPP (simples me)",
		"é só para ME ou EPP (simples me)")
	SimplesRegimeUnknown = define("simples_regime_unknown",
		"must be 1, 2 or 3",
		"deve ser 1, 2 ou 3")
	SpecialRegimeUnknown = define("special_regime_unknown",
		"must be 0 to 6, or 9",
		"deve ser de 0 a 6, ou 9")
	SpecialRegimeOfMEI = define("special_regime_of_mei",
		"must be 0 for an MEI (simples mei)",
		"deve ser 0 para MEI (simples mei)")
	SpecialRegimeWithinSimples = define("special_regime_within_simples",
		"must be 0 for an ME or EPP whose taxes are all assessed within Simples (simples_regime 1)",
		"deve ser 0 para ME ou EPP com todos os tributos apurados no Simples (simples_regime 1)")

	SeriesOutOfRange = define("series_out_of_range",
		"must be from 1 to 49999, the range of an issuer's own software",
		"deve ser de 1 a 49999, a faixa dos programas do próprio emitente")

	TaxesOutOfRange = define("taxes_out_of_range",
		"must be from 0 to 100.00 percent",
		"deve ser de 0 a 100,00%")
	TaxesTogetherTooHigh = define("taxes_together_too_high",
		"must be at most 100.00 percent together",
		"somados devem ser no máximo 100,00%")
	TaxesOfSimplesTooHigh = define("taxes_of_simples_too_high",
		"of Simples must be at most 99.99 percent",
		"do Simples deve ser no máximo 99,99%")
	TaxesOfMEI = define("taxes_of_mei",
		"must not be given for an MEI (simples mei)",
		"não deve ser informado para MEI (simples mei)")
	TaxesMustBeOfSimples = define("taxes_must_be_of_simples",
		"must be the one percentage of Simples for an ME or EPP (simples me)",
		"deve ser só o percentual do Simples para ME ou EPP (simples me)")
	TaxesMustNotBeOfSimples = define("taxes_must_not_be_of_simples",
		"must be federal, state and municipal for an issuer outside Simples (simples none)",
		"deve ser federal, estadual e municipal para emitente fora do Simples (simples none)")
)
