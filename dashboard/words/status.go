package words

// statusOfAuthorities are the words of how the authorities do.
var statusOfAuthorities = table{
	"section.status": {"Autoridades", "Authorities"},
	"status_page.means": {
		"Como as autoridades respondem às chamadas desta instalação. Os horários são de Brasília.",
		"How the authorities answer this installation's calls. Times are in Brasília time.",
	},
	"status_page.restricted": {"produção restrita", "restricted production"},
	"status_page.few":        {"poucas chamadas", "few calls"},
	"status_page.well":       {"Normal", "Normal"},
	"status_page.slow":       {"Com falhas", "With failures"},
	"status_page.out":        {"Fora do ar", "Down"},
	"status_page.time":       {"Período", "Period"},
	"status_page.state":      {"Situação", "Status"},
	"status_page.half":       {"Mediana até", "Median up to"},
	"status_page.most":       {"95 % em até", "95 % within"},
	"status_page.failed":     {"Sem resposta", "Not answered"},
	"status_page.hour":       {"Última hora", "Last hour"},
	"status_page.day":        {"Últimas 24 horas", "Last 24 hours"},
	"status_page.week":       {"Últimos 7 dias", "Last 7 days"},
	"status_page.hours":      {"Hora a hora, em 24 horas", "Hour by hour, in 24 hours"},
	"status_page.from":       {"A partir de", "From"},
	"status_page.cities":     {"Por município, em 24 horas", "By city, in 24 hours"},
	"status_page.city":       {"Município", "City"},
	"status_page.outages":    {"Quedas nos últimos 7 dias", "Outages in the last 7 days"},
	"status_page.outage":     {"de %s a %s", "from %s to %s"},
	"status_page.outages.none": {
		"Nenhuma queda nos últimos 7 dias.",
		"No outage in the last 7 days.",
	},
	"status_page.none": {
		"Ainda não há chamadas suficientes para dizer algo.",
		"There are not enough calls yet to say anything.",
	},
}
