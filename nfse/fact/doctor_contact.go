package fact

// What emissor doctor --first-contact has seen of the authorities, and what is to be done.
var (
	DoctorTLSGood = define("doctor_tls_good",
		"The server {host} shows a certificate of {names}, issued by {issuer}, until {until}; its chain leads to {root}.",
		"O servidor {host} mostra um certificado de {names}, emitido por {issuer}, até {until}; a cadeia leva a {root}.")
	DoctorTLSFails = define("doctor_tls_fails",
		"The server {host} shows a certificate of {names}, issued by {issuer}, from {from} until {until}; what it shows "+
			"ends at the issuer {end}, and is not trusted: {why}.",
		"O servidor {host} mostra um certificado de {names}, emitido por {issuer}, de {from} até {until}; o que ele "+
			"mostra termina no emissor {end}, e não é confiável: {why}.")

	DoctorCallExists = define("doctor_call_exists", "the HEAD of a document that does not exist",
		"o HEAD de um documento que não existe")
	DoctorCallFind = define("doctor_call_find", "the question about a number that nobody uses",
		"a pergunta sobre um número que ninguém usa")
	DoctorAbsentGood = define("doctor_absent_good",
		"{authority} answers {call}: there is none, as it has to be. Address, certificate and protocol are right.",
		"{authority} responde {call}: não há nenhum, como deve ser. Endereço, certificado e protocolo estão certos.")
	DoctorAbsentFound = define("doctor_absent_found",
		"{authority} answers {call} that there is one: by its answers it is not known what exists.",
		"{authority} responde {call} que há um: pelas respostas dela não se sabe o que existe.")
	DoctorAbsentFails = define("doctor_absent_fails",
		"Nobody would know what became of a note, as {authority} does not answer {call}: {why}.",
		"Ninguém saberia o que aconteceu com uma nota, pois {authority} não responde {call}: {why}.")

	DoctorAskedInHandshake = define("doctor_asked_in_handshake",
		"{authority} asks for the company's certificate when a connection begins; EMISSOR_AUTHORITY_TLS does not matter.",
		"{authority} pede o certificado da empresa ao abrir a conexão; EMISSOR_AUTHORITY_TLS não importa.")
	DoctorAskedByRenegotiation = define("doctor_asked_by_renegotiation",
		"{authority} asks for the company's certificate by TLS renegotiation, which EMISSOR_AUTHORITY_TLS allows.",
		"{authority} pede o certificado da empresa por renegociação TLS, que EMISSOR_AUTHORITY_TLS permite.")
	DoctorAskedNever = define("doctor_asked_never",
		"{authority} has answered questions without asking for the company's certificate.",
		"{authority} respondeu às perguntas sem pedir o certificado da empresa.")
	DoctorAskedUnknown = define("doctor_asked_unknown",
		"{authority} has answered nothing, so that it was not seen how it asks for the certificate.",
		"{authority} não respondeu nada, e por isso não se viu como ela pede o certificado.")

	DoctorADNMissing = define("doctor_adn_missing",
		"Nobody can be asked what the city has set: no address of the ADN is configured in {environment:environment}.",
		"Não há a quem perguntar o que o município definiu: falta o endereço do ADN em {environment:environment}.")
	DoctorConvenioGood = define("doctor_convenio_good",
		"The ADN answers: the convênio of the issuer's city is active, and its companies issue by the national system.",
		"O ADN responde: o convênio do município do prestador está ativo, e as empresas emitem pelo sistema nacional.")
	DoctorConvenioOwn = define("doctor_convenio_own",
		"The ADN answers: the convênio of the issuer's city is active, and the city has a system of its own.",
		"O ADN responde: o convênio do município do prestador está ativo, e o município tem um sistema próprio.")
	DoctorConvenioAbsent = define("doctor_convenio_absent",
		"The ADN answers: the issuer's city has no active convênio; what it sets is not known, and the ISS rate is sent.",
		"O ADN responde: o município do prestador não tem convênio ativo; não se sabe o que define, e a alíquota vai na nota.")
	DoctorConvenioFails = define("doctor_convenio_fails",
		"Notes go on, but the ADN does not say what the issuer's city has set: {why}.",
		"As notas seguem, mas o ADN não diz o que o município do prestador definiu: {why}.")
	DoctorParametersGood = define("doctor_parameters_good",
		"The ADN answers the parameters of the service {service} in the issuer's city; rates: {rates}.",
		"O ADN responde os parâmetros do serviço {service} no município do prestador; alíquotas: {rates}.")
	DoctorParametersNone = define("doctor_parameters_none",
		"No active live service has a national tax code, so that no parameters were asked for.",
		"Nenhum serviço de produção ativo tem código de tributação nacional, e por isso não se pediram parâmetros.")
	DoctorNoRates = define("doctor_no_rates", "none", "nenhuma")

	DoctorRegistrationGood = define("doctor_registration_good",
		"{authority} knows the company under its municipal registration, and lets it issue notes.",
		"{authority} conhece a empresa pela inscrição municipal, e permite que emita notas.")
	DoctorRegistrationUnknown = define("doctor_registration_unknown",
		"{authority} does not know the company under the profile's municipal registration; it knows {others} of it.",
		"{authority} não conhece a empresa pela inscrição municipal do perfil; conhece {others} dela.")
	DoctorRegistrationNotIssuing = define("doctor_registration_not_issuing",
		"{authority} knows the company's municipal registration, and does not let it issue notes.",
		"{authority} conhece a inscrição municipal da empresa, e não permite que emita notas.")
	DoctorRegistrationFails = define("doctor_registration_fails",
		"{authority} does not say whether the company is registered: {why}.",
		"{authority} não diz se a empresa está cadastrada: {why}.")
	DoctorRegistrationNotAsked = define("doctor_registration_not_asked",
		"{authority} offers no question about a company's registration: the first note shows it, as by E0116 and E0120.",
		"{authority} não oferece consulta ao cadastro da empresa: a primeira nota mostra, como por E0116 e E0120.")

	DoctorSignerGood = define("doctor_signer_good",
		"The last document is signed by {signer}, which leads to the configured roots; it is one of "+
			"EMISSOR_NATIONAL_DOCUMENT_SIGNERS.",
		"O último documento está assinado por {signer}, que leva às raízes configuradas; é um de "+
			"EMISSOR_NATIONAL_DOCUMENT_SIGNERS.")
	DoctorSignerTrusted = define("doctor_signer_trusted",
		"The last document is signed by {signer}, which leads to the configured roots; nobody checks that.",
		"O último documento está assinado por {signer}, que leva às raízes configuradas; ninguém confere isso.")
	DoctorSignerAnother = define("doctor_signer_another",
		"The last document is signed by {signer}, which is none of EMISSOR_NATIONAL_DOCUMENT_SIGNERS.",
		"O último documento está assinado por {signer}, que não está em EMISSOR_NATIONAL_DOCUMENT_SIGNERS.")
	DoctorSignerEnds = define("doctor_signer_ends",
		"The last document is signed by {signer}, which leads to no configured root ({why}): the chain ends at the "+
			"issuer {end}.",
		"O último documento está assinado por {signer}, que não leva a nenhuma raiz configurada ({why}): a cadeia "+
			"termina no emissor {end}.")
	DoctorSignerUnread = define("doctor_signer_unread",
		"The signature of the last document does not verify: {why}.",
		"A assinatura do último documento não confere: {why}.")
	DoctorSignerNone = define("doctor_signer_none",
		"Of the company's authority no document is stored yet: run this again after its first note.",
		"Ainda não há documento da autoridade da empresa: execute de novo depois da primeira nota.")
	DoctorSignerUnsigned = define("doctor_signer_unsigned",
		"The last document bears no signature of {authority}: nothing can be checked by it.",
		"O último documento não tem assinatura de {authority}: nada se confere por ela.")

	DoctorDoTLSRoot = define("doctor_do_tls_root",
		"Put the certificate of {end} into the file of EMISSOR_AUTHORITY_CA, once you know that it is theirs.",
		"Ponha o certificado de {end} no arquivo de EMISSOR_AUTHORITY_CA, depois de saber que é deles.")
	DoctorDoTLSHost = define("doctor_do_tls_host",
		"Correct the address: it names a host that the certificate is not for.",
		"Corrija o endereço: ele indica um host para o qual o certificado não vale.")
	DoctorDoTLSDates = define("doctor_do_tls_dates",
		"Compare the dates with the clock here; if it is right, wait for the authority to renew its certificate.",
		"Compare as datas com o relógio daqui; se ele estiver certo, espere a autoridade renovar o certificado.")
	DoctorDoShutOut = define("doctor_do_shut_out",
		"The host does not let this certificate in: compare its chain and its dates, or add another one.",
		"O host não deixa este certificado entrar: confira a cadeia e a validade, ou inclua outro.")
	DoctorDoPath = define("doctor_do_path",
		"That is no answer of the authority: compare the address with its base path, and look for a pause on its site.",
		"Isso não é resposta da autoridade: confira o endereço com o caminho base, e veja no site se há uma pausa.")
	DoctorDoReportAnswer = define("doctor_do_report_answer",
		"Issue nothing there, and report it.",
		"Não emita nada lá, e relate.")
	DoctorDoConvenio = define("doctor_do_convenio",
		"Ask the city; where it stays so, give the services their rates and set --inactive-municipality.",
		"Pergunte ao município; se continuar assim, ponha alíquotas nos serviços e use --inactive-municipality.")
	DoctorDoRegistration = define("doctor_do_registration",
		"Correct --municipal-registration of the fiscal profile, or ask the city for the permission to issue.",
		"Corrija --municipal-registration do perfil fiscal, ou peça ao município a permissão de emitir.")
	DoctorDoSignerRoot = define("doctor_do_signer_root",
		"Put the certificate of {end} into the file of EMISSOR_CERTIFICATE_ROOTS, once you know that it is theirs.",
		"Ponha o certificado de {end} no arquivo de EMISSOR_CERTIFICATE_ROOTS, depois de saber que é deles.")
	DoctorDoSigners = define("doctor_do_signers",
		"Name the signer's host in EMISSOR_NATIONAL_DOCUMENT_SIGNERS, as www.nfse.gov.br, once you know that it is theirs.",
		"Indique o host do assinante em EMISSOR_NATIONAL_DOCUMENT_SIGNERS, como www.nfse.gov.br, sabendo que é deles.")
)
