package fact

// Why an attempt to send an e-mail failed: the step, and what the server said or what
// happened to the connection.
var (
	MailStepFailed = define("mail_step_failed",
		"{step:mail_step} failed: {why}",
		"falha {step:mail_step}: {why}")
	MailServerEndless = define("mail_server_endless",
		"the server answers without end",
		"o servidor responde sem fim")
	MailServerWithoutSTARTTLS = define("mail_server_without_starttls",
		"the server does not offer STARTTLS",
		"o servidor não oferece STARTTLS")
	MailServerWithoutLogin = define("mail_server_without_login",
		"the server offers neither PLAIN nor LOGIN",
		"o servidor não oferece PLAIN nem LOGIN")
	MailServerWithoutXOAUTH2 = define("mail_server_without_xoauth2",
		"the server does not offer XOAUTH2",
		"o servidor não oferece XOAUTH2")
	MailAddressWrong = define("mail_address_wrong",
		"the e-mail address is not one",
		"o endereço de e-mail não é um endereço")
	AlarmsWithoutURL = define("alarms_without_url",
		"there is no URL for alarms any more (EMISSOR_ALERTS_URL)",
		"não há mais URL para alarmes (EMISSOR_ALERTS_URL)")
	CustomerAddressWrong = define("customer_address_wrong",
		"the customer's e-mail address is not one",
		"o e-mail do tomador não é um endereço")
)

// The same in short, without the server's words, for places where nothing personal may be.
var (
	MailStepBroke = define("mail_step_broke",
		"{step:mail_step} failed",
		"falha {step:mail_step}")
	MailStepRefused = define("mail_step_refused",
		"{step:mail_step} failed with {status}",
		"falha {step:mail_step}, com a resposta {status}")
	MailNotSent = define("mail_not_sent",
		"sending failed",
		"falha no envio")
)

// Why an e-mail waits, was given up, or was skipped.
var (
	EmailGivenUpAtOnce = define("email_given_up_at_once",
		"given up at once: {why}",
		"desistiu logo: {why}")
	EmailWithoutServer = define("email_without_server",
		"no SMTP server is configured",
		"nenhum servidor SMTP está configurado")
	EmailDocumentAway = define("email_document_away",
		"the document is in the archive, which does not answer now",
		"o documento está no arquivo, que não responde agora")
	EmailWithoutAddress = define("email_without_address",
		"the customer has no e-mail address",
		"o tomador não tem endereço de e-mail")
	EmailWithoutDocument = define("email_without_document",
		"the document is no longer kept",
		"o documento não é mais guardado")
	AlertsUnwanted = define("alerts_unwanted",
		"who was to be told may not see it any more, or does not want to be told",
		"quem seria avisado não pode mais ver isso, ou não quer mais ser avisado")
)
