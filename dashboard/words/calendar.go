package words

// calendar is the page of what the law changes for a company, and which services lack what.
var calendar = table{
	"calendar.title": {"Calendário da lei", "The law's calendar"},
	"calendar.means": {
		"O que muda nas notas desta empresa, pelo regime do perfil fiscal. Vale a competência da nota, e não o " +
			"dia do envio.",
		"What changes in this company's invoices, by the regime of its fiscal profile. An invoice's day of " +
			"competence counts, not the day on which it is sent.",
	},
	"calendar.profile": {
		"O calendário depende do regime da empresa: preencha antes o perfil fiscal.",
		"The calendar depends on the company's regime: fill in the fiscal profile first.",
	},
	"calendar.company":  {"Ir para a empresa", "Go to the company"},
	"calendar.changes":  {"O que muda, e quando", "What changes, and when"},
	"calendar.from":     {"Competência a partir de", "Competence from"},
	"calendar.what":     {"O que muda", "What changes"},
	"calendar.source":   {"Fonte", "Source"},
	"calendar.undated":  {"sem data", "no day yet"},
	"calendar.begun":    {"já vale", "in force"},
	"calendar.services": {"O que falta nos serviços", "What services lack"},
	"calendar.services.on": {
		"Serviços ativos de produção, conferidos pelas tabelas de %s.",
		"Active live services, checked by the tables of %s.",
	},
	"calendar.services.none": {"Não há serviços ativos de produção.", "There are no active live services."},
	"calendar.services.ready": {
		"Nada falta em nenhum dos %d serviços ativos.",
		"None of the %d active services lacks anything.",
	},
	"calendar.services.ready.one": {
		"Nada falta no %d serviço ativo.",
		"The %d active service lacks nothing.",
	},
	"calendar.services.more": {
		"Só os serviços mais novos foram conferidos; veja os outros na lista de serviços.",
		"Only the newest services were checked; see the others in the list of services.",
	},
	"calendar.rehearse": {
		"Para saber o que aconteceria com as notas já emitidas, quem opera o Emissor ensaia o dia: emissor " +
			"rehearse.",
		"To know what would become of the invoices already issued, who operates Emissor rehearses the day: " +
			"emissor rehearse.",
	},
}
