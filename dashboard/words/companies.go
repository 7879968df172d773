package words

// companies are the words of what operators see first, and of what they do with companies.
var companies = table{
	"companies.well":         {"Nada está errado agora.", "Nothing is wrong now."},
	"companies.wrong":        {"O que está errado agora", "What is wrong now"},
	"companies.series.holds": {"Séries bloqueadas", "Series on hold"},
	"companies.wrong.held":   {"Notas aguardando uma pessoa", "Invoices waiting for a person"},
	"companies.wrong.slow": {
		"Notas em andamento há mais de uma hora",
		"Invoices on their way for more than an hour",
	},
	"companies.wrong.brakes": {
		"Notas recusadas que seguram as seguintes",
		"Refused invoices that hold the ones behind them",
	},
	"companies.wrong.certificates":  {"Certificados que vencem", "Certificates that expire"},
	"companies.wrong.emails":        {"E-mails que falharam", "Failed e-mails"},
	"companies.wrong.alerts":        {"Alertas que não chegaram", "Alerts that did not arrive"},
	"companies.alerts":              {"Alertas", "Alerts"},
	"companies.alerts.at":           {"Desistência em", "Given up at"},
	"companies.alerts.url":          {"URL da instalação", "URL of the installation"},
	"companies.alerts.to":           {"Destinatário", "Recipient"},
	"companies.alerts.installation": {"Instalação", "Installation"},
	"companies.wrong.webhooks":      {"Webhooks com falhas", "Webhooks that fail"},
	"companies.wrong.outbox": {
		"Fila de processamento parada: a linha mais antiga espera há %s.",
		"The processing queue is stalled: its oldest row has waited for %s.",
	},
	"companies.wrong.engine": {"O motor (Temporal) não responde.", "The engine (Temporal) does not answer."},
	"companies.wrong.refused": {
		"%d linhas da fila que o motor não aceitou",
		"%d rows of the queue that the engine refused",
	},
	"companies.wrong.refused.one": {
		"%d linha da fila que o motor não aceitou",
		"%d row of the queue that the engine refused",
	},
	"companies.wrong.distributions": {"Distribuições que não são lidas", "Distributions that are not read"},
	"companies.wrong.cities":        {"Municípios sem parâmetros", "Cities without parameters"},

	"companies.ends":             {"Vence em", "Expires on"},
	"companies.ended":            {"Venceu em", "Expired on"},
	"companies.certificate":      {"Certificado", "Certificate"},
	"companies.certificate.open": {"Enviar outro", "Upload another"},
	"companies.failed":           {"Falhas", "Failures"},
	"companies.emails.retry":     {"Enviar de novo", "Send again"},
	"companies.webhook":          {"Endpoint", "Endpoint"},
	"companies.webhook.off":      {"desativado em %s", "disabled on %s"},
	"companies.webhook.retry":    {"Reenviar as que falharam", "Retry failed deliveries"},
	"companies.webhook.enable":   {"Reativar", "Enable"},
	"companies.code":             {"Código", "Code"},
	"companies.redrive":          {"Tentar de novo agora", "Retry now"},
	"companies.accepted":         {"Recebida em", "Accepted at"},
	"companies.audit":            {"Quem fez o quê, em toda a instalação", "Who did what, in the whole installation"},

	"companies.series":   {"Série", "Series"},
	"act.series.release": {"Liberar a série", "Release the series"},
	"companies.series.means": {
		"As notas que esperam por esta série voltam a ser enviadas. Libere somente depois de conferir na autoridade " +
			"quais números já foram usados.",
		"The invoices that wait for this series are sent again. Release it only after checking at the " +
			"authority which " +
			"numbers have been used.",
	},
	"companies.series.released": {"Série liberada.", "Series released."},
	"companies.series.not_held": {"A série já não estava bloqueada.", "The series was not on hold any more."},

	"companies.state": {"Situação", "Status"},
	"companies.state.waiting": {
		"Na fila; será iniciada assim que houver vaga.",
		"In the queue; it starts as soon as there is room.",
	},
	"companies.state.tried": {
		"Tentada %d vezes; a próxima tentativa é em %s.",
		"Tried %d times; the next attempt is at %s.",
	},
	"companies.state.refused": {
		"O motor não a aceitou %d vezes; a próxima tentativa é em %s.",
		"The engine refused it %d times; the next attempt is at %s.",
	},
	"companies.calls":   {"As últimas 50 chamadas, uma a uma", "The last 50 calls, one by one"},
	"companies.details": {"Detalhes", "Details"},

	"companies.new": {"Nova empresa", "New company"},
	"companies.new.means": {
		"Depois de criada, convide quem é responsável por ela.",
		"Once it is created, invite its owner.",
	},
	"companies.create": {"Criar empresa", "Create company"},
	"companies.name":   {"Nome da empresa", "Name of the company"},
	"companies.name.wrong": {
		"Informe o nome da empresa, com até 150 caracteres.",
		"Enter the company's name, up to 150 characters.",
	},
	"companies.rename":      {"Alterar o nome da empresa", "Rename the company"},
	"companies.rename.this": {"Alterar o nome", "Rename"},
	"companies.created": {
		"Empresa criada. Convide agora quem é responsável por ela.",
		"Company created. Now invite its owner.",
	},
	"companies.renamed": {"Nome alterado.", "Company renamed."},
	"companies.back":    {"Voltar à operação", "Back to operations"},

	"audit.organization.rename": {"mudou o nome da organização", "renamed the organization"},
}
