package fact

// Why the city of São Paulo was not asked.
var (
	CityNotServed = define("city_not_served",
		"this process does not serve the city of Sao Paulo",
		"este processo não atende a Prefeitura de São Paulo")
	CityProductionOnly = define("city_production_only",
		"a note is issued in production only: the city has no test system",
		"só se emite em produção: a prefeitura não tem sistema de teste")
	CityMessageTooLarge = define("city_message_too_large",
		"the message is larger than {kb} KB",
		"a mensagem passa de {kb} KB")
	CityMessageNoRPS = define("city_message_no_rps",
		"the message is no RPS",
		"a mensagem não é um RPS")
	CityMessageWithoutValue = define("city_message_without_value",
		"the message has no value",
		"a mensagem não tem valor")
	CityMessageNoCancellation = define("city_message_no_cancellation",
		"the message is no cancellation",
		"a mensagem não é um cancelamento")
	CityFieldMissing = define("city_field_missing",
		"{field}: there is none",
		"{field}: não há")
	CityFieldDigits = define("city_field_digits",
		"{field}: not 1 to {most} digits",
		"{field}: não são de 1 a {most} algarismos")
)

// Answers of the city that neither accept nor reject. Codes are the city's.
var (
	CityRefusedUnread = define("city_refused_unread",
		"the city turned the request away (HTTP {status})",
		"a prefeitura recusou o pedido sem o ler (HTTP {status})")
	CityRefusesEnvelope = define("city_refuses_envelope",
		"the city does not take the form of the request: set EMISSOR_SAO_PAULO_SOAP to the other version",
		"a prefeitura não aceita a forma do pedido: um operador deve pôr em EMISSOR_SAO_PAULO_SOAP a outra versão")
	CityRefusesCertificate = define("city_refuses_certificate",
		"the city refuses the certificate ({code})",
		"a prefeitura recusa o certificado ({code})")
	CityFault = define("city_fault",
		"a SOAP fault",
		"uma falha SOAP")
	CityUnclear = define("city_unclear",
		"the city answered in words that say neither yes nor no",
		"a prefeitura respondeu em palavras que não dizem sim nem não")
	CityUnclearCodes = define("city_unclear_codes",
		"the city answered in words that say neither yes nor no ({codes})",
		"a prefeitura respondeu em palavras que não dizem sim nem não ({codes})")
	CityAnsweredCodes = define("city_answered_codes",
		"the city answered {codes}",
		"a prefeitura respondeu {codes}")
	CityNotOfEveryNumber = define("city_not_of_every_number",
		"the city does not say of every number whether it is free",
		"a prefeitura não diz de todos os números se estão livres")
)

// Why an answer of the city cannot be read or does not count.
var (
	CityAnswerUnread = define("city_answer_unread",
		"the answer cannot be read: it {why}",
		"a resposta não pode ser lida: {why}")
	CityAnswerToSomethingElse = define("city_answer_to_something_else",
		"is the answer to something else",
		"é a resposta a outra coisa")
	CityNoEnvelope = define("city_no_envelope",
		"is no SOAP envelope with an answer",
		"não é um envelope SOAP com uma resposta")
	CitySuccessAndErrors = define("city_success_and_errors",
		"the answer says both success and {codes}",
		"a resposta diz ao mesmo tempo sucesso e {codes}")
	CityRefusesAndNames = define("city_refuses_and_names",
		"the answer both refuses ({codes}) and names a note",
		"a resposta ao mesmo tempo recusa ({codes}) e cita uma nota")
	CityAboutAnotherRPS = define("city_about_another_rps",
		"the answer is about another RPS",
		"a resposta é sobre outro RPS")
	CityAboutAnotherNote = define("city_about_another_note",
		"the answer is about another note",
		"a resposta é sobre outra nota")
	CityAboutOtherNotes = define("city_about_other_notes",
		"the answer is about other notes",
		"a resposta é sobre outras notas")
	CityAboutSeveralNotes = define("city_about_several_notes",
		"the answer is about several notes",
		"a resposta é sobre várias notas")
	CityAnswerWrong = define("city_answer_wrong",
		"the answer {why}",
		"a resposta {why}")
	CityNoteWrong = define("city_note_wrong",
		"the note in the answer {why}",
		"a nota na resposta {why}")
	CityOneNoteWrong = define("city_one_note_wrong",
		"a note in the answer {why}",
		"uma nota na resposta {why}")
	CityNoteStatusUnknown = define("city_note_status_unknown",
		"the note has a status that is neither issued nor cancelled",
		"a nota tem uma situação que não é normal nem cancelada")
	CityOneNoteStatusUnknown = define("city_one_note_status_unknown",
		"a note has a status that is neither issued nor cancelled",
		"uma nota tem uma situação que não é normal nem cancelada")
)

// What is wrong with an answer or with a note in it, said after its name.
var (
	CityNamesNotOneNote = define("city_names_not_one_note",
		"names not one note",
		"não cita uma nota, e só uma")
	CityNamesNoNumber = define("city_names_no_number",
		"names a note without a number",
		"cita uma nota sem número")
	CityNamesAnotherCompany = define("city_names_another_company",
		"names a note of another company",
		"cita uma nota de outra empresa")
	CityNamesNoRPS = define("city_names_no_rps",
		"names no RPS",
		"não cita nenhum RPS")
	CityNoteWithoutMoment = define("city_note_without_moment",
		"has no moment of issue (DataEmissaoNFe)",
		"não tem o momento da emissão (DataEmissaoNFe)")
	CityNoteWithoutStatus = define("city_note_without_status",
		"has no status (StatusNFe)",
		"não tem situação (StatusNFe)")
)

// What the city did with the note of an RPS.
var (
	CityNoteToFetch = define("city_note_to_fetch",
		"the note is to be fetched",
		"a nota está por baixar")
	CityNoteToFetchAlerts = define("city_note_to_fetch_alerts",
		"the note is to be fetched (alerts {codes})",
		"a nota está por baixar (alertas {codes})")
	CityTwoNotesStand = define("city_two_notes_stand",
		"two notes stand under one RPS: {first} and {second}",
		"há duas notas válidas do mesmo RPS: {first} e {second}")
	CityNoteUndecided = define("city_note_undecided",
		"the note {note} was made of the RPS {number} of series {series}, and whether it is this one cannot be told "+
			"by what the city shows of it",
		"a nota {note} foi feita do RPS {number} da série {series}, e pelo que a prefeitura mostra dela não se sabe "+
			"se é esta")
	CityNoteCancelled = define("city_note_cancelled",
		"the note {note} was cancelled at the city",
		"a nota {note} foi cancelada na prefeitura")
	// The argument gone is a note's number, or CityNoteUnnamed.
	CityNoteReplaced = define("city_note_replaced",
		"the city cancelled the note {gone}, which was made of the RPS {number} of series {series} before, and issued "+
			"the note {note} in its place",
		"a prefeitura cancelou a nota {gone}, feita antes do RPS {number} da série {series}, e emitiu a nota {note} "+
			"no lugar dela")
	CityNoteGone = define("city_note_gone",
		"the city says (217) that it cancelled the note {gone}, which was made of the RPS {number} of series {series} "+
			"before, and its answer names no other that can be read",
		"a prefeitura diz (217) que cancelou a nota {gone}, feita antes do RPS {number} da série {series}, e a "+
			"resposta não traz outra que se possa ler")
	CityNoteUnnamed = define("city_note_unnamed",
		"(of unknown number)",
		"(de número desconhecido)")
)
