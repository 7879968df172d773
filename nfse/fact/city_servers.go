package fact

// Why a note that a city issues by a server of its own is held before it takes a number.
var (
	CityOff = define("city_off",
		"{city} does not issue by Emissor yet: {why}. An operator can turn it on in the table of cities.",
		"{city} ainda não emite pelo Emissor: {why}. Um operador pode ligá-la na tabela de municípios.")
	CityGone = define("city_gone",
		`There is no authority "{authority}": its row was taken out of the table of cities. An operator can put it back.`,
		`Não existe a autoridade "{authority}": sua linha foi retirada da tabela de municípios. Um operador pode `+
			`incluí-la de novo.`)
	CityUnreported = define("city_unreported",
		"nobody has reported a note of this city",
		"ninguém relatou uma nota deste município")
	CityAddressUnknown = define("city_address_unknown",
		"the address of its production is not known, and its test system has older paths",
		"o endereço de produção não é conhecido, e o sistema de testes tem caminhos antigos")
	CityTokenWanted = define("city_token_wanted",
		"its server wants a token of each company, for which there is no place",
		"o servidor pede um token de cada empresa, para o qual não há lugar")
	CityNotOnDay = define("city_not_on_day",
		"The table of cities has no server of {city} for the competence {day}. An operator can add its row.",
		"A tabela de municípios não tem servidor de {city} para a competência {day}. Um operador pode incluí-lo.")
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
		"Whether {city} takes notes of an individual (CPF) as issuer is not known, and nothing is sent: issue them in "+
			"the city's portal.",
		"Não se sabe se {city} aceita notas de pessoa física (CPF) como emitente, e nada é enviado: emita-as no portal "+
			"do município.")
	CityOfSimples = define("city_of_simples",
		"Companies in Simples Nacional issue by the national system, of competence from {from} on.",
		"Empresas do Simples Nacional emitem pelo sistema nacional, nas competências a partir de {from}.")
	CityOfMEI = define("city_of_mei",
		"An MEI issues by the national system, whatever its city does.",
		"O MEI emite pelo sistema nacional, faça o município o que fizer.")
	CityCancelsNothing = define("city_cancels_nothing",
		"{city} takes no cancellation from programs: cancel the note in the city's portal of the NFS-e. A request "+
			"made here ends as refused at once, and nothing is sent.",
		"{city} não aceita cancelamentos de programas: cancele a nota no portal da NFS-e do município. Um pedido "+
			"feito aqui termina recusado na hora, e nada é enviado.")
	CityTellsNothing = define("city_tells_nothing",
		"The server of {city} does not tell of cancellations by others.",
		"O servidor de {city} não informa cancelamentos feitos por terceiros.")
	CityToldByADN = define("city_told_by_adn",
		"They are seen here once the city has shared them with the national environment (ADN), which is asked for "+
			"this company; whether the city does so is not known.",
		"Eles são vistos aqui quando o município os compartilha com o ambiente nacional (ADN), que é consultado para "+
			"esta empresa; se o município o faz, não se sabe.")
	CityOutsideNotSeen = define("city_outside_not_seen",
		"The national environment (ADN) is not asked for this company, so that such cancellations are not seen here.",
		"O ambiente nacional (ADN) não é consultado para esta empresa; por isso esses cancelamentos não são vistos "+
			"aqui.")
	CityReplaces = define("city_replaces",
		"Whether {city} replaces notes is not known: cancel the note there and issue another one.",
		"Não se sabe se {city} substitui notas: cancele a nota lá e emita outra.")
	// CityServerMoved is why an exchange waits for a person. The status is that of HTTP.
	CityServerMoved = define("city_server_moved",
		"the city's server answered {status}: it may have moved, and an operator has to look at its address in the "+
			"table of cities",
		"o servidor da prefeitura respondeu {status}: pode ter mudado de endereço, e um operador precisa conferi-lo na "+
			"tabela de municípios")
)
