package fact

// Why the parameters of a city could not be had.
var (
	CityParametersOf = define("city_parameters_of",
		"{table}: {why}",
		"{table}: {why}")
	CityNobodyToAsk = define("city_nobody_to_ask",
		"no certificate opens to ask with",
		"nenhum certificado abre para perguntar")
)
