package fact

// What emissor doctor has seen of the installation.
var (
	DoctorElsewhere = define("doctor_elsewhere",
		"This process cannot see it: run `emissor doctor` on the worker's machine, with the worker's settings.",
		"Este processo não tem como ver: execute `emissor doctor` na máquina do worker, com as configurações dele.")
	DoctorNeedsFirst = define("doctor_needs_first",
		"It needs what is wrong above.",
		"Depende do que está errado acima.")
	DoctorBroke = define("doctor_broke",
		"The check came to no end: {why}.",
		"A verificação não chegou ao fim: {why}.")
	DoctorTooSlow = define("doctor_too_slow",
		"no answer in time",
		"sem resposta a tempo")
	DoctorPanicked = define("doctor_panicked",
		"the program failed here",
		"o programa falhou aqui")

	DoctorSettingWrong = define("doctor_setting_wrong",
		"A setting is wrong: {why}.",
		"Uma configuração está errada: {why}.")

	DoctorDatabaseGood = define("doctor_database_good",
		"PostgreSQL answers and keeps what it acknowledges; its schema is at version {schema}.",
		"O PostgreSQL responde e guarda o que confirma; o esquema está na versão {schema}.")
	DoctorDatabaseAway = define("doctor_database_away",
		"The database cannot be used: {why}.",
		"O banco de dados não pode ser usado: {why}.")
	DoctorDatabaseUnsafe = define("doctor_database_unsafe",
		"The connection to the database is not safe: {why}.",
		"A conexão com o banco de dados não é segura: {why}.")
	DoctorSchemaOlder = define("doctor_schema_older",
		"The database's schema is at version {schema}, and this program needs {needed}.",
		"O esquema do banco de dados está na versão {schema}, e este programa precisa da {needed}.")
	DoctorSchemaNewer = define("doctor_schema_newer",
		"The database's schema is at version {schema}, newer than this program's {needed}.",
		"O esquema do banco de dados está na versão {schema}, mais nova que a {needed} deste programa.")

	DoctorEngineGood = define("doctor_engine_good",
		"Temporal answers; its namespace has the search attributes and keeps runs that have ended for {hours} hours.",
		"O Temporal responde; o namespace tem os atributos de busca e guarda por {hours} horas as execuções encerradas.")
	DoctorEngineAnswers = define("doctor_engine_answers",
		"Temporal answers, and knows the namespace.",
		"O Temporal responde e conhece o namespace.")
	DoctorEngineAway = define("doctor_engine_away",
		"Temporal does not answer, or does not let us in: {why}.",
		"O Temporal não responde, ou não nos deixa entrar: {why}.")
	DoctorAttributesMissing = define("doctor_attributes_missing",
		"Temporal's namespace lacks search attributes: {names}.",
		"Faltam atributos de busca no namespace do Temporal: {names}.")
	DoctorAttributesUnseen = define("doctor_attributes_unseen",
		"Temporal does not let us see whether its namespace has the search attributes.",
		"O Temporal não nos deixa ver se o namespace tem os atributos de busca.")
	DoctorRetentionLong = define("doctor_retention_long",
		"Temporal's namespace keeps runs that have ended for {hours} hours, which costs room and is read by nothing here.",
		"O namespace do Temporal guarda por {hours} horas as execuções encerradas: ocupa espaço, e nada aqui as lê.")

	DoctorKeysetGood = define("doctor_keyset_good",
		"The keyset opens, and holds the keys of all {secrets} sealed secrets.",
		"O keyset abre e tem as chaves de todos os {secrets} segredos cifrados.")
	DoctorKeysetMissing = define("doctor_keyset_missing",
		"No keyset is configured.",
		"Nenhum keyset está configurado.")
	DoctorKeysetClosed = define("doctor_keyset_closed",
		"The keyset does not open: {why}.",
		"O keyset não abre: {why}.")
	DoctorKeysetLacks = define("doctor_keyset_lacks",
		"{secrets} sealed secrets are under keys that the keyset does not hold.",
		"{secrets} segredos estão cifrados com chaves que o keyset não tem.")

	DoctorMailGood = define("doctor_mail_good",
		"The mail server {server} lets us in; no message was sent.",
		"O servidor de e-mail {server} nos deixa entrar; nenhuma mensagem foi enviada.")
	DoctorMailFails = define("doctor_mail_fails",
		"The mail server {server} does not take messages from here: {why}.",
		"O servidor de e-mail {server} não recebe mensagens daqui: {why}.")
	DoctorMailNone = define("doctor_mail_none",
		"No mail server is configured: customers get no e-mails, and links are only shown.",
		"Nenhum servidor de e-mail está configurado: tomadores não recebem e-mails, e links só são exibidos.")
)

// What it has seen of the authorities.
var (
	DoctorHostGood = define("doctor_host_good",
		"The server {host} answers by {version}; its certificate ends on {until}.",
		"O servidor {host} responde por {version}; o certificado dele vale até {until}.")
	DoctorHostFails = define("doctor_host_fails",
		"The server {host} cannot be reached: {why}.",
		"O servidor {host} não foi alcançado: {why}.")
	DoctorHostAsksLate = define("doctor_host_asks_late",
		"The server {host} asks for no certificate when a connection begins: "+
			"where it asks for one later, by TLS renegotiation, EMISSOR_AUTHORITY_TLS does not allow it.",
		"O servidor {host} não pede certificado ao abrir a conexão: "+
			"se o pedir depois, por renegociação TLS, EMISSOR_AUTHORITY_TLS não permite.")
	DoctorNoAuthority = define("doctor_no_authority",
		"No authority's address is configured here: live notes wait.",
		"Nenhum endereço de autoridade está configurado aqui: as notas de produção esperam.")

	DoctorClockGood = define("doctor_clock_good",
		"The clock here agrees with that of {authority}, by the Date of its answers.",
		"O relógio daqui concorda com o de {authority}, pelo Date das respostas dela.")
	DoctorClockAhead = define("doctor_clock_ahead",
		"The clock here is {seconds} s ahead of that of {authority}.",
		"O relógio daqui está {seconds} s adiantado em relação ao de {authority}.")
	DoctorClockBehind = define("doctor_clock_behind",
		"The clock here is {seconds} s behind that of {authority}.",
		"O relógio daqui está {seconds} s atrasado em relação ao de {authority}.")
	DoctorClockUnknown = define("doctor_clock_unknown",
		"No authority has answered a question, so that no Date was seen.",
		"Nenhuma autoridade respondeu a uma pergunta, e por isso não se viu nenhum Date.")

	DoctorNumberFree = define("doctor_number_free",
		"{authority} answers: the number {number} of the series {series} is free.",
		"{authority} responde: o número {number} da série {series} está livre.")
	DoctorNumberUsed = define("doctor_number_used",
		"{authority} answers: the next number {number} of the series {series} is used already.",
		"{authority} responde: o próximo número, {number}, da série {series} já foi usado.")
	DoctorQuestionFailed = define("doctor_question_failed",
		"{authority} did not answer the question about a number: {why}.",
		"{authority} não respondeu à pergunta sobre um número: {why}.")
	DoctorQuestionRefused = define("doctor_question_refused",
		"{authority} does not take the certificate ({code}).",
		"{authority} não aceita o certificado ({code}).")
	DoctorNotServed = define("doctor_not_served",
		"{authority} is not called from here in {environment:environment}: no address of it is configured, or it is off.",
		"{authority} não é chamada daqui em {environment:environment}: falta o endereço, ou está desligada.")
	DoctorNotAsked = define("doctor_not_asked",
		"{authority} cannot be asked about a number before a note is sent.",
		"{authority} não pode ser perguntada sobre um número antes de uma nota ser enviada.")
)
