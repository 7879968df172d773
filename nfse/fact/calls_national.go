package fact

// Answers of SEFIN, or of a gateway before it, that neither accept nor reject. The status is
// that of HTTP, the code the authority's.
var (
	SefinAnsweredCode = define("sefin_answered_code",
		"the authority answered {status} ({code})",
		"a autoridade respondeu {status} ({code})")
	SefinAnsweredElsewhere = define("sefin_answered_elsewhere",
		"the authority answered {status}, which points elsewhere",
		"a autoridade respondeu {status}, que aponta para outro lugar")
	SefinAnsweredUnclearly = define("sefin_answered_unclearly",
		"the authority answered {status}, in words that say neither yes nor no",
		"a autoridade respondeu {status}, em palavras que não dizem sim nem não")
	SefinAnsweredNothing = define("sefin_answered_nothing",
		"the authority answered {status} without words",
		"a autoridade respondeu {status} sem palavras")
	SefinAnsweredNoJSON = define("sefin_answered_no_json",
		"the authority answered {status}, and not in JSON",
		"a autoridade respondeu {status}, e não em JSON")
)

// Why an answer of SEFIN does not count, or why a person should look at it.
var (
	SefinMessageNotCompressed = define("sefin_message_not_compressed",
		"the message could not be compressed",
		"a mensagem não pôde ser comprimida")
	SefinContradiction = define("sefin_contradiction",
		"the answer contradicts itself",
		"a resposta se contradiz")
	SefinRefusesAndNames = define("sefin_refuses_and_names",
		"the answer both refuses ({code}) and names an access key",
		"a resposta ao mesmo tempo recusa ({code}) e dá uma chave de acesso")
	SefinAboutAnotherDocument = define("sefin_about_another_document",
		"the answer is about another document ({field})",
		"a resposta é sobre outro documento ({field})")
	SefinAboutAnotherEvent = define("sefin_about_another_event",
		"the answer is about another event",
		"a resposta é sobre outro evento")
	SefinOtherEnvironment = define("sefin_other_environment",
		"the answer is from the other environment (tipoAmbiente {environment})",
		"a resposta é do outro ambiente (tipoAmbiente {environment})")
	SefinKeyOfAnotherIssuer = define("sefin_key_of_another_issuer",
		"the access key in the answer is not one of this issuer",
		"a chave de acesso na resposta não é deste emitente")
	SefinContradictsItsDocument = define("sefin_contradicts_its_document",
		"the answer ({status}) contradicts the document in it, which counts ({member})",
		"a resposta ({status}) contradiz o documento que traz, e é este que vale ({member})")
	SefinBodyNotTaken = define("sefin_body_not_taken",
		"the authority takes no message of this size before it knows the certificate (413): "+
			"it is asked what exists, and the message is then held back until it is wanted",
		"a autoridade não recebe uma mensagem deste tamanho antes de conhecer o certificado (413): "+
			"pergunta-se o que existe, e a mensagem então só vai quando for pedida")
	SefinDocumentHidden = define("sefin_document_hidden",
		"a document exists, but this certificate may not see it",
		"existe um documento, mas este certificado não pode vê-lo")
	SefinDocumentNotFetched = define("sefin_document_not_fetched",
		"the document could not be fetched: {why}",
		"o documento não pôde ser baixado: {why}")
	SefinDocumentUnread = define("sefin_document_unread",
		"the document in the answer {why}",
		"o documento na resposta: {why}")
	SefinDocumentToFetch = define("sefin_document_to_fetch",
		"the authority has named an access key: the document is to be fetched",
		"a autoridade citou uma chave de acesso: o documento será baixado")
	SefinDocumentAnother = define("sefin_document_another",
		"the document in the answer is another one (infNFSe Id)",
		"o documento na resposta é outro (infNFSe Id)")
	SefinDocumentOfAnotherDPS = define("sefin_document_of_another_dps",
		"the document in the answer was made from another DPS (infDPS Id)",
		"o documento na resposta foi feito de outra DPS (infDPS Id)")
	SefinEventUnread = define("sefin_event_unread",
		"the event in the answer {why}",
		"o evento na resposta: {why}")
	SefinEventAnother = define("sefin_event_another",
		"the event in the answer is another one",
		"o evento na resposta é outro")
)

// What is wrong with an NFS-e or with an event of one, said after its name.
var (
	NFSeNotOneInf = define("nfse_not_one_inf",
		"has not one infNFSe",
		"não tem um infNFSe, e só um")
	NFSeNotOneDPS = define("nfse_not_one_dps",
		"embeds not one DPS",
		"não contém uma DPS, e só uma")
	NFSeNotOneNumber = define("nfse_not_one_number",
		"has not one number (nNFSe)",
		"não tem um número (nNFSe), e só um")
	NFSeNotOneMoment = define("nfse_not_one_moment",
		"has not one moment of issue (dhProc)",
		"não tem um momento da emissão (dhProc), e só um")
	NFSeMomentNoDate = define("nfse_moment_no_date",
		"has a moment of issue (dhProc) that is no date",
		"tem um momento da emissão (dhProc) que não é uma data")
	NFSeNamesNoKey = define("nfse_names_no_key",
		"names no access key",
		"não cita uma chave de acesso")
	EventNotOneDocument = define("event_not_one_document",
		"is about not one document",
		"não é sobre um documento, e só um")
)

// Why there is no batch of the ADN's distribution.
var (
	ADNAsksForPause = define("adn_asks_for_pause",
		"the ADN asks for a pause (429)",
		"o ADN pede uma pausa (429)")
	ADNAnswered = define("adn_answered",
		"the ADN answered {status}",
		"o ADN respondeu {status}")
	ADNAnsweredCode = define("adn_answered_code",
		"the ADN answered {status} ({code})",
		"o ADN respondeu {status} ({code})")
	ADNAnsweredNoBatch = define("adn_answered_no_batch",
		"the ADN answered {status}, and not in JSON of a page",
		"o ADN respondeu {status}, e não no JSON de uma página")
	ADNOtherEnvironment = define("adn_other_environment",
		"the answer is from another environment (TipoAmbiente) than the one that is configured",
		"a resposta é de outro ambiente (TipoAmbiente) que não o configurado")
	ADNEmptyBatch = define("adn_empty_batch",
		"the ADN says that there are documents, and has none",
		"o ADN diz que há documentos, e não traz nenhum")
	ADNTooManyDocuments = define("adn_too_many_documents",
		"the ADN answered with {count} documents, more than are read of a page",
		"o ADN respondeu com {count} documentos, mais do que se lê de uma página")
	ADNNothingFollows = define("adn_nothing_follows",
		"the ADN answered with nothing that follows the position asked for",
		"o ADN respondeu sem nada que siga a posição pedida")
)

// DistributionNotBegun is the state of a distribution that no worker has polled yet.
var DistributionNotBegun = define("distribution_not_begun",
	"no worker has looked yet: it wants the address of the ADN (EMISSOR_NATIONAL_…_ADN_URL)",
	"nenhum worker perguntou ainda: ele precisa do endereço do ADN (EMISSOR_NATIONAL_…_ADN_URL)")
