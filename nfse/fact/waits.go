package fact

// Why rows of the outbox are not started for now.
var (
	NoAuthority = define("no_authority",
		"no tax authority is configured for live notes",
		"nenhuma autoridade fiscal está configurada para notas de produção")
	AboveRate = define("above_rate",
		"the organization has more of them than are started in a second; they go in turn, the oldest first",
		"a empresa tem mais destes do que são iniciados por segundo; eles vão por ordem, os mais antigos primeiro")
	InTurn = define("in_turn",
		"the notes of a series are sent one at a time; they go in turn, the oldest first",
		"as notas de uma série são enviadas uma de cada vez; elas vão por ordem, as mais antigas primeiro")
	ToBeStarted = define("to_be_started",
		"to be started in the workflow engine",
		"início no motor de workflows")
)

// What a note needs and a worker, or its organization, does not have.
var (
	EnvironmentNotServed = define("environment_not_served",
		`the worker is not configured for the environment {environment:environment} of the authority "{authority}"`,
		`o worker não está configurado para a {environment:environment} da autoridade "{authority}"`)
	NoDistributionAddress = define("no_distribution_address",
		"the worker has no address of the ADN for this environment: EMISSOR_NATIONAL_PRODUCTION_ADN_URL, "+
			"EMISSOR_NATIONAL_RESTRICTED_ADN_URL",
		"o worker não tem o endereço do ADN neste ambiente: EMISSOR_NATIONAL_PRODUCTION_ADN_URL, "+
			"EMISSOR_NATIONAL_RESTRICTED_ADN_URL")
	NoFiscalProfile = define("no_fiscal_profile",
		"the organization has no fiscal profile: set one with `emissor fiscal-profile set`",
		"a empresa não tem perfil fiscal: preencha-o em Empresa › Perfil fiscal")
	TaxIDNotShown = define("tax_id_not_shown",
		"the issuer's CNPJ or CPF is not shown to be the organization's: add a certificate of it whose chain leads to "+
			"a root certificate, or ask the operator (`emissor organization allow-tax-id`)",
		"ainda não foi mostrado que o CNPJ ou CPF do emitente é da empresa: inclua em Empresa › Certificados um em "+
			"nome dele, com a cadeia até uma raiz, ou fale com os operadores do Emissor")
	TaxIDOfAnother = define("tax_id_of_another",
		"the issuer's CNPJ or CPF belongs to another organization: ask the operator "+
			"(`emissor organization allow-tax-id`)",
		"o CNPJ ou CPF do emitente pertence a outra organização: fale com os operadores do Emissor")
)

// Why the message of a note cannot be built, or is not sent any more.
var (
	LayoutUnknown = define("layout_unknown",
		"the authority asks for the layout {layout}, which this version does not have: upgrade",
		"a autoridade pede o leiaute {layout}, que esta versão não tem: atualize o Emissor")
	MessageNotBuilt = define("message_not_built",
		"the message to the authority cannot be built; the worker's log says why",
		"a mensagem à autoridade não pode ser montada; o log do worker diz por quê")
	NoLongerTaken = define("no_longer_taken",
		"the authority would not take the note any more ({code}): {why}",
		"a autoridade não aceitaria mais a nota ({code}): {why}")
)

// What a person must do after an answer of the authority, or must find out.
var (
	FormRefused = define("form_refused",
		"the authority refuses the form of the document ({code}), however it is signed: check this machine's clock; "+
			"it is tried again every hour",
		"a autoridade recusa a forma do documento ({code}), como quer que seja assinado: confira o relógio desta "+
			"máquina; tenta-se de novo a cada hora")
	RefusedByRule = define("refused_by_rule",
		"the authority refuses the document by its rule {code}: a person must put right what it is about, or cancel "+
			"the note; it is tried again every hour",
		"a autoridade recusa o documento pela regra {code}: uma pessoa precisa corrigir o que ela aponta, ou cancelar "+
			"a nota; tenta-se de novo a cada hora")
	RefusedForSettings = define("refused_for_settings",
		"the authority refuses the document by its rule {code} ({subject}), for what is of {whose:whose}: {act:act}; "+
			"nothing was issued, the note is not rejected, and it goes on under the same reference",
		"a autoridade recusa o documento pela regra {code} ({subject}), por algo que é {whose:whose}: {act:act}; nada "+
			"foi emitido, a nota não foi rejeitada e segue com a mesma referência")
	// RefusalDoubted: code.
	RefusalDoubted = define("refusal_doubted",
		"the authority refuses by its rule {code}, which was false in outages and before its registers are filled: the "+
			"same document is sent again by itself, each time after a question, before a person is asked",
		"a autoridade recusa pela regra {code}, que já foi falsa em instabilidades e antes de os cadastros estarem "+
			"preenchidos: o mesmo documento é enviado de novo, sempre após uma consulta, antes de se pedir a uma pessoa")
	HeldBySibling = define("refusal_braked",
		"the note {note} of the same company is refused by the authority's rule {code}, which would refuse this one "+
			"too: this one follows when that one has gone on",
		"a nota {note} da mesma empresa é recusada pela regra {code} da autoridade, que recusaria esta também: esta "+
			"segue quando aquela tiver seguido")
	RegistrationSent = define("registration_sent", // learned, whatever the profile says
		"it is sent all the same: the authority refused a document without it ({code}) and took one with it; whatever "+
			"is changed here ends that",
		"é enviada mesmo assim: a autoridade recusou um documento sem ela ({code}) e aceitou um com ela; o que for "+
			"mudado aqui encerra isso")
	RegistrationOmitted = define("registration_omitted",
		"it is left out all the same: the authority refused a document with it ({code}) and took one without it; "+
			"whatever is changed here ends that",
		"é omitida mesmo assim: a autoridade recusou um documento com ela ({code}) e aceitou um sem ela; o que for "+
			"mudado aqui encerra isso")
	RefusedByDefect = define("refused_by_defect",
		"the authority refuses by its rule {code} what this program built: report it to its makers",
		"a autoridade recusa pela regra {code} o que este programa montou: informe a quem o faz")
	UncataloguedCode = define("uncatalogued_code",
		"the authority answers by a code that no catalogue has ({code}): it is asked about, and the same sent again, "+
			"every hour",
		"a autoridade responde com um código que nenhum catálogo tem ({code}): a cada hora pergunta-se por ela e "+
			"envia-se o mesmo de novo")
	OutcomeNotAskable = define("outcome_not_askable",
		"the authority cannot be asked what became of a request: a person must find out",
		"não há como perguntar à autoridade o que foi feito de um pedido: uma pessoa precisa descobrir")
	DocumentUnreadable = define("document_unreadable",
		"what the authority has made cannot be read: {why}",
		"o que a autoridade fez não pode ser lido: {why}")
)

// Why no number is taken, and nothing is sent under one that was taken.
var (
	SeriesHeld = define("series_held",
		"the series is held: {why}; emissor series says what to do",
		"a série está retida: {why}; Empresa › Numeração diz a quem pedir a liberação")
	SeriesOfAnotherSystem = define("series_of_another_system",
		"another system uses the series {series}: choose one that nothing else uses, by emissor fiscal-profile set "+
			"--series",
		"outro sistema usa a série {series}: escolha em Empresa › Perfil fiscal uma que nada mais use")
	SeriesUsedUp = define("series_used_up",
		"the series {series} has no number left that a document can bear: choose another series that nothing else "+
			"uses, by emissor fiscal-profile set --series",
		"a série {series} não tem mais números que caibam em um documento: escolha em Empresa › Perfil fiscal outra "+
			"que nada mais use")
	GrantedNumbersUsedUp = define("granted_numbers_used_up",
		"the numbers {first} to {last} that the city has granted for the series {series} are used up: ask the city for "+
			"others and set them, by emissor fiscal-profile set --granted-numbers",
		"os números de {first} a {last} que o município concedeu para a série {series} acabaram: peça outros ao "+
			"município e informe-os em Empresa › Perfil fiscal")
	NumberUsedInLostTime = define("number_used_in_lost_time",
		"the number {number} of series {series} is used at the authority, and our records may be a copy of before: it "+
			"may be a note's of ours that was sent in the time that was lost",
		"o número {number} da série {series} está usado na autoridade, e nossos registros podem ser uma cópia "+
			"anterior: pode ser de uma nota nossa, enviada no tempo que se perdeu")
	DocumentsNotOnRecord = define("documents_not_on_record",
		"the authority has documents under the series {series} that are not on record here, as after a restore: "+
			"emissor recovery list names them and says what to do",
		"a autoridade tem documentos na série {series} que não estão registrados aqui, como depois de uma restauração: "+
			"quem opera a instalação decide sobre cada um")
	SequenceNotChecked = define("sequence_not_checked",
		"the numbers could not be checked: {why}",
		"não foi possível conferir os números: {why}")
	NumberNotKnownFree = define("number_not_known_free",
		"whether the number is free is not known: {why}",
		"não se sabe se o número está livre: {why}")
	SeriesNotKnownFree = define("series_not_known_free",
		"whether the numbers of the series are free is not known: {why}",
		"não se sabe se os números da série estão livres: {why}")
)
