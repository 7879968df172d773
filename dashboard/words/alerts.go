package words

// alerts are the words of what people are told of by e-mail.
var alerts = table{
	"alerts.title": {"Alertas por e-mail", "E-mail alerts"},
	"alerts.means": {
		"Enviados a %s sobre %s (ambiente de produção). Muitos do mesmo tipo vêm em um só e-mail.",
		"Sent to %s about %s (live environment). Many of one kind come in a single e-mail.",
	},
	"alerts.no_mail": {
		"Esta instalação não tem servidor de e-mail: os alertas esperam até que tenha.",
		"This installation has no mail server: alerts wait until it has one.",
	},
	"alerts.kind.alarm": {"Alarmes da instalação", "Alarms of the installation"},
	"alerts.kind.certificate": {
		"Certificado que vence em 30, 7 ou 1 dia",
		"Certificate that expires in 30, 7 or 1 day",
	},
	"alerts.kind.endpoint":  {"Webhook desativado", "Disabled webhook"},
	"alerts.kind.held":      {"Nota aguardando uma pessoa", "Invoice waiting for a person"},
	"alerts.kind.rejection": {"Nota rejeitada", "Rejected invoice"},
	"alerts.how.now":        {"Na hora", "Right away"},
	"alerts.how.daily":      {"Um resumo por dia, às 8h", "One summary a day, at 8:00"},
	"alerts.how.off":        {"Não enviar", "Do not send"},
	"alerts.save":           {"Salvar", "Save"},
	"alerts.saved":          {"Alertas salvos.", "Alerts saved."},
	"alerts.none": {
		"Não há alertas para quem não é usuário desta empresa.",
		"There are no alerts for who is no user of this company.",
	},
	"audit.field.alert_alarm":       {"alarmes da instalação", "alarms of the installation"},
	"audit.field.alert_certificate": {"certificado que vence", "certificate that expires"},
	"audit.field.alert_endpoint":    {"webhook desativado", "disabled webhook"},
	"audit.field.alert_held":        {"nota aguardando uma pessoa", "invoice waiting for a person"},
	"audit.field.alert_rejection":   {"nota rejeitada", "rejected invoice"},
	"audit.value.now":               {"na hora", "right away"},
	"audit.value.daily":             {"um resumo por dia", "one summary a day"},
	"audit.value.off":               {"não enviar", "do not send"},
	"audit.alert.set":               {"escolheu os alertas por e-mail de", "chose the e-mail alerts of"},
}
