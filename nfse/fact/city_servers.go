package fact

// Why a note that a city issues by a server of its own is held before it takes a number.
var (
	CityOff = define("city_off",
		"{city} does not issue by Emissor yet: {why}. An operator can turn it on in the table of cities.",
		"{city} ainda não emite pelo Emissor: {why}. Um operador pode ligá-la na tabela de municípios.")
	CityNotOnDay = define("city_not_on_day",
		"The table of cities has no server of {city} for the competence {day}.",
		"A tabela de municípios não tem servidor de {city} para a competência {day}.")
	CitySeries = define("city_series",
		"{city} leaves the series {first} to {last} to companies, and the fiscal profile has {series}.",
		"{city} deixa para as empresas as séries de {first} a {last}, e o perfil fiscal tem a {series}.")
	CityNumbersMissing = define("city_numbers_missing",
		"{city} grants the numbers that a company uses, and the fiscal profile has none for the series {series}: ask "+
			"the city for a range and set it.",
		"{city} concede os números que a empresa usa, e o perfil fiscal não tem nenhum para a série {series}: peça "+
			"uma faixa ao município e informe-a.")
	CityCodeMissing = define("city_code_missing",
		"The service {service} has no code of {city} (cTribMun).",
		"O serviço {service} não tem o código municipal de {city} (cTribMun).")
	CityCodeDigits = define("city_code_digits",
		"The code of the service {service} in {city} (cTribMun) must have {digits} digits.",
		"O código municipal do serviço {service} em {city} (cTribMun) deve ter {digits} dígitos.")
	CityRegistrationMissing = define("city_registration_missing",
		"{city} needs the company's municipal registration, and the fiscal profile has none.",
		"{city} exige a inscrição municipal da empresa, e o perfil fiscal não a tem.")
	CityOfIndividual = define("city_of_individual",
		"Whether {city} takes notes of an individual (CPF) as issuer is not known.",
		"Não se sabe se {city} aceita notas de pessoa física (CPF) como emitente.")
	CityOfSimples = define("city_of_simples",
		"Companies in Simples Nacional issue by the national system, of competence from {from} on.",
		"Empresas do Simples Nacional emitem pelo sistema nacional, nas competências a partir de {from}.")
	CityReplaces = define("city_replaces",
		"Whether {city} replaces notes is not known: cancel the note there and issue another one.",
		"Não se sabe se {city} substitui notas: cancele a nota lá e emita outra.")
)
