package fact

// Why a note is refused before it is sent to the city of São Paulo.
var (
	MunicipalTaxCodeMissing = define("municipal_tax_code_missing",
		"The service has no municipal tax code.",
		"O serviço não tem código municipal.")
	MunicipalTaxCodeForm = define("municipal_tax_code_form",
		"The municipal tax code does not have 4 or 5 digits.",
		"O código municipal não tem 4 ou 5 dígitos.")
	MunicipalTaxCodeTooShort = define("municipal_tax_code_too_short",
		"The municipal tax code has less than 4 digits behind its zeros, which are not sent.",
		"O código municipal tem menos de 4 dígitos depois dos zeros, que não são enviados.")
	MunicipalTaxationMissing = define("municipal_taxation_missing",
		"The service does not say where it is taxed.",
		"O serviço não diz onde é tributado.")
	MunicipalTaxationUnknown = define("municipal_taxation_unknown",
		"The municipal taxation is neither T nor F.",
		"A tributação municipal não é T nem F.")
	TaxedElsewhereInTheCity = define("taxed_elsewhere_in_the_city",
		"The service is taxed elsewhere (F), and its place is Sao Paulo.",
		"O serviço é tributado fora (F), e o local da prestação é São Paulo.")
	TaxedElsewhereWithoutRate = define("taxed_elsewhere_without_rate",
		"The service is taxed elsewhere (F), and has no ISS rate.",
		"O serviço é tributado fora (F), e não tem alíquota de ISS.")
	CityRateOutOfRange = define("city_rate_out_of_range",
		"The ISS rate is not from 2 to 5 percent.",
		"A alíquota de ISS não é de 2% a 5%.")

	CompanyAddressLacksStreet = define("company_address_lacks_street",
		"The customer has a CNPJ, and its address lacks the street.",
		"O tomador tem CNPJ, e falta o logradouro no endereço.")
	CompanyAddressLacksNumber = define("company_address_lacks_number",
		"The customer has a CNPJ, and its address lacks the number.",
		"O tomador tem CNPJ, e falta o número no endereço.")
	CompanyAddressLacksDistrict = define("company_address_lacks_district",
		"The customer has a CNPJ, and its address lacks the district.",
		"O tomador tem CNPJ, e falta o bairro no endereço.")
	GovernmentWithCPF = define("government_with_cpf",
		"The service is classified as a purchase of the government, and the customer has a CPF.",
		"O serviço está classificado como compra governamental, e o tomador tem CPF.")
	WithheldByPerson = define("withheld_by_person",
		"The ISS is to be withheld by a person.",
		"O ISS seria retido por uma pessoa física.")
	WithheldOfLetter = define("withheld_of_letter",
		"The ISS is to be withheld, and by the fiscal profile it is taxed by the letter {letter}.",
		"O ISS seria retido, e pelo perfil fiscal a letra da tributação é {letter}.")
	OperationEventNotDescribed = define("operation_event_not_described",
		"The indicator of the operation {indicator} needs a description of the event.",
		"O indicador da operação {indicator} precisa da descrição do evento.")
	CityHasNoDiscounts = define("city_has_no_discounts",
		"The note has a discount, and the city's layout has no element for one: lower the price instead.",
		"A nota tem desconto, e o leiaute da prefeitura não tem campo para isso: reduza o preço.")
	CityHasNoDeductionDocuments = define("city_has_no_deduction_documents",
		"The note deducts by documents, and the city's layout has the amount alone: state that.",
		"A nota deduz por documentos, e o leiaute da prefeitura só tem o valor: informe o valor.")
	CityTakesISSByLetter = define("city_takes_iss_by_letter",
		"How the ISS is due is set for this note, and the city takes that by the letter of taxation in the fiscal "+
			"profile alone: take it away there, and set the letter.",
		"O tratamento do ISS está definido para esta nota, e a prefeitura o recebe só pela letra da tributação no "+
			"perfil fiscal: retire-o e defina a letra.")
	CityHasNoForeignTrade = define("city_has_no_foreign_trade",
		"Of an export the city's layout states that it is one, and the country where it is rendered: take the rest of "+
			"what is said about another country away.",
		"Da exportação o leiaute da prefeitura só informa que é exportação, e o país em que é prestada: retire o mais "+
			"que está informado sobre o exterior.")
	CityHasNoReplacement = define("city_has_no_replacement",
		"The note is to replace another one, and the city's layout has no replacement: cancel the other, and issue "+
			"anew.",
		"A nota substituiria outra, e o leiaute da prefeitura não tem substituição: cancele a outra e emita de novo.")
	CityWorkByRegistration = define("city_work_by_registration",
		"The city's layout names a construction work by its CNO or CEI, 12 digits, and by nothing else.",
		"O leiaute da prefeitura identifica a obra só pelo CNO ou CEI, de 12 dígitos.")
	CityWorkRegistrationInvalid = define("city_work_registration_invalid",
		"The check digit of the construction work's CNO or CEI is wrong.",
		"O dígito verificador do CNO ou CEI da obra está errado.")
	CitySiteElsewhere = define("city_site_elsewhere",
		"The work or event of the note is in another city than the place of its service.",
		"A obra ou o evento da nota fica em outro município que o local da prestação do serviço.")
	CityEventByAddress = define("city_event_by_address",
		"The city's layout names an event by its address in Brazil, whole and printable, and by nothing else.",
		"O leiaute da prefeitura identifica o evento só pelo endereço no Brasil, completo.")
	CityIntermediaryAbroad = define("city_intermediary_abroad",
		"The city's layout takes no intermediary without a CPF or CNPJ.",
		"O leiaute da prefeitura não aceita intermediário sem CPF ou CNPJ.")
	CityTakerWithholdsBesideIntermediary = define("city_taker_withholds_beside_intermediary",
		"The ISS is to be withheld by the customer, and the note has an intermediary.",
		"O ISS seria retido pelo tomador, e a nota tem intermediário.")
	AmountNotPositive = define("amount_not_positive",
		"The amount is not more than 0.",
		"O valor não é maior que 0.")
)

// Why a note is held by the rules of the city, until a person has given something.
var (
	CityProfileRefused = define("city_profile_refused",
		"the fiscal profile cannot be issued with by the city of Sao Paulo: {field} {why}",
		"não se pode emitir pela Prefeitura de São Paulo com o perfil fiscal, a corrigir em Empresa › Perfil fiscal: "+
			"{field} {why}")
	CityHasNoTestSystem = define("city_has_no_test_system",
		"the fiscal profile says --environment restricted, and the city of Sao Paulo has no test system: emissor "+
			"fiscal-profile check validates without issuing, --environment production issues",
		"o perfil fiscal está em produção restrita, e a Prefeitura de São Paulo não tem sistema de teste: para "+
			"emitir, escolha Produção em Empresa › Perfil fiscal")
	CityClassificationMissing = define("city_classification_missing",
		"the service has no classification for IBS and CBS, which layout 2 requires: give it by emissor service "+
			"classify",
		"o serviço não tem classificação de IBS e CBS, que o leiaute 2 exige: informe em Serviços")
	CityClassificationUnsaid = define("city_classification_unsaid",
		"the classification of the service does not say whether it is for personal use (indFinal, 293), which layout "+
			"2 requires: give it by emissor service classify",
		"a classificação do serviço não diz se é para uso pessoal (indFinal, 293), o que o leiaute 2 exige: informe "+
			"em Serviços")
	CityClassificationRefused = define("city_classification_refused",
		"the classification of the service cannot be sent: {field} {why} ({rule}): give it by emissor service "+
			"classify",
		"a classificação do serviço não pode ser enviada: {field} {why} ({rule}): corrija-a em Serviços")
)

// What is wrong with a classification by the tables and the layout of the city, said after
// the name of its part.
var (
	CityIndicatorUnknown = define("city_indicator_unknown",
		"{indicator} is not in Annex VII as the city goes by it",
		"{indicator} não está no Anexo VII que a prefeitura segue")
	CityClassTribDeferred = define("city_class_trib_deferred",
		"{class_trib} requires a deferral, which the city's layout has not",
		"{class_trib} exige diferimento, que o leiaute da prefeitura não tem")
	CityHasNoDeferral = define("city_has_no_deferral",
		"must not be given: the city's layout has no deferral",
		"não deve ser informado: o leiaute da prefeitura não tem diferimento")
	CityHasNoPresumedCredit = define("city_has_no_presumed_credit",
		"must not be given: the city's layout has no presumed credit",
		"não deve ser informado: o leiaute da prefeitura não tem crédito presumido")
	CityOperationMissing = define("city_operation_missing",
		"must be given with tp-ente-gov",
		"deve ser informado com tp-ente-gov")
	CityPropertyForbidden = define("city_property_forbidden",
		"and the other parts of a property must not be given with the cIndOp {indicator}: they are for those that "+
			"begin with 02",
		"e as outras partes do imóvel não devem ser informadas com o cIndOp {indicator}: são para os que começam por "+
			"02")
	MustBePrintable = define("must_be_printable",
		"must be given, in characters that documents carry",
		"deve ser informado, em caracteres que documentos aceitam")
)

// What is wrong with a fiscal profile by the rules of the city, said after the name of the
// field.
var (
	CityIsAnother = define("city_is_another",
		"must be {municipality}: the city of Sao Paulo issues for its own companies",
		"deve ser {municipality}: a Prefeitura de São Paulo emite para as empresas do município")
	CityRegistrationRequired = define("city_registration_required",
		"is required by the city of Sao Paulo: the company's CCM",
		"é exigida pela Prefeitura de São Paulo: o CCM da empresa")
	CityRegistrationForm = define("city_registration_form",
		"must be the company's CCM: 1 to 12 digits, and no others",
		"deve ser o CCM da empresa: de 1 a 12 algarismos, e nada mais")
	CitySeriesOutOfRange = define("city_series_out_of_range",
		"must be from 1 to {most}",
		"deve ser de 1 a {most}")
	CityTaxationInsideUnknown = define("city_taxation_inside_unknown",
		"must be one of {letters}: how services that are taxed in the city are taxed",
		"deve ser uma de {letters}: como são tributados os serviços devidos ao município")
	CityTaxationOutsideUnknown = define("city_taxation_outside_unknown",
		"must be one of {letters}: how services that are taxed elsewhere are taxed",
		"deve ser uma de {letters}: como são tributados os serviços devidos a outro município")
	CityIssuesOutsideSimples = define("city_issues_outside_simples",
		"must be none: the city of Sao Paulo does not issue for companies of Simples Nacional any more (641), which "+
			"issue through the national system (authority national)",
		"deve ser none: a Prefeitura de São Paulo não emite mais para empresas do Simples Nacional (641), que emitem "+
			"pelo sistema nacional")
)
