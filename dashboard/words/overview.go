package words

// overview is the first page.
var overview = table{
	"overview.latest": {"Notas recentes", "Recent invoices"},
	"overview.all":    {"Ver todas as notas", "See all invoices"},
	"overview.days":   {"Últimos 30 dias", "The last 30 days"},
	"overview.age": {
		"Cada nota conta no dia em que foi recebida. Atualizado há no máximo 1 minuto.",
		"Each invoice counts on the day on which it was received. Updated at most 1 minute ago.",
	},
	"overview.plot.notes":        {"Notas por dia e situação", "Invoices by day and status"},
	"overview.plot.money":        {"Valor por dia e situação", "Amount by day and status"},
	"overview.legend":            {"Situações", "Statuses"},
	"overview.axis.thousand":     {"R$ mil", "R$ thousand"},
	"overview.axis.million":      {"R$ milhões", "R$ million"},
	"overview.axis.billion":      {"R$ bilhões", "R$ billion"},
	"overview.table":             {"Os mesmos números em tabela", "The same numbers as a table"},
	"overview.day":               {"Dia", "Day"},
	"overview.sum":               {"Total", "Total"},
	"overview.no_plot":           {"Nenhuma nota nos últimos 30 dias.", "No invoice in the last 30 days."},
	"overview.issued.production": {"Valor emitido", "Amount issued"},
	"overview.issued.restricted": {
		"Valor em produção restrita, sem valor fiscal",
		"Amount in restricted production, without fiscal value",
	},
	"overview.issued.mixed": {
		"Valor emitido, em parte talvez em produção restrita, sem valor fiscal",
		"Amount issued, some of it perhaps in restricted production, without fiscal value",
	},
	"overview.issued.test":  {"Valor simulado, sem valor fiscal", "Amount simulated, without fiscal value"},
	"overview.issued.unset": {"Valor emitido", "Amount issued"},
	"overview.time":         {"Da aceitação à emissão", "From acceptance to issue"},
	"overview.half":         {"mediana %s", "median %s"},
	"overview.most":         {"95 %% em até %s", "95 %% within %s"},
	"overview.untimed":      {"ainda nenhuma", "none yet"},
	"overview.rejected":     {"Rejeições por código", "Rejections by code"},
	"overview.code":         {"Código", "Code"},
	"overview.notes":        {"Notas", "Invoices"},
	"overview.do":           {"O que fazer", "What to do"},
	"overview.waiting":      {"Pendências", "To do"},
	"overview.nothing":      {"Nenhuma pendência.", "You're all caught up."},
	"overview.engine_away": {
		"O motor (Temporal) ainda não responde; num primeiro início ele ainda está sendo preparado. O que for aceito " +
			"agora espera por ele, e é emitido sozinho quando ele responder.",
		"The engine (Temporal) does not answer yet; on a first start it is still being prepared. What is accepted " +
			"now waits for it, and is issued by itself when it answers.",
	},
	"overview.stalled": {
		"As notas não estão andando: a mais antiga espera há %s. Nada do que foi aceito se perde, e tudo segue " +
			"sozinho; os operadores desta instalação precisam ver o motivo.",
		"Invoices are not moving: the oldest has waited for %s. Nothing that was accepted is lost, and all of it " +
			"goes on by itself; the operators of this installation have to see why.",
	},
	"overview.unstarted": {
		"%d notas, entregas ou e-mails não puderam começar; tentamos de novo sozinhos, e os operadores foram " +
			"avisados",
		"%d invoices, deliveries or e-mails could not begin; we try again by ourselves, and the operators are " +
			"told",
	},
	"overview.unstarted.one": {
		"%d nota, entrega ou e-mail não pôde começar; tentamos de novo sozinhos, e os operadores foram avisados",
		"%d invoice, delivery or e-mail could not begin; we try again by ourselves, and the operators are told",
	},
	"overview.held":     {"%d notas esperam por algo seu", "%d invoices wait for something of yours"},
	"overview.held.one": {"%d nota espera por algo seu", "%d invoice waits for something of yours"},
	"overview.series": {
		"%d séries bloqueadas: os operadores precisam ver o que houve",
		"%d series are on hold: the operators must look at what happened",
	},
	"overview.series.one": {
		"%d série bloqueada: os operadores precisam ver o que houve",
		"%d series is on hold: the operators must look at what happened",
	},
	"overview.missed_months": {
		"%d meses de notas recorrentes não foram emitidos: decida o que fazer",
		"%d months of recurring invoices were not issued: decide what to do",
	},
	"overview.missed_months.one": {
		"%d mês de nota recorrente não foi emitido: decida o que fazer",
		"%d month of a recurring invoice was not issued: decide what to do",
	},
	"overview.queued":     {"%d notas na fila há mais de 5 minutos", "%d invoices queued for more than 5 minutes"},
	"overview.queued.one": {"%d nota na fila há mais de 5 minutos", "%d invoice queued for more than 5 minutes"},
	"overview.processing": {
		"%d notas em processamento há mais de 5 minutos",
		"%d invoices in processing for more than 5 minutes",
	},
	"overview.processing.one": {
		"%d nota em processamento há mais de 5 minutos",
		"%d invoice in processing for more than 5 minutes",
	},
	"overview.rejections":     {"%d notas rejeitadas nos últimos 7 dias", "%d invoices rejected in the last 7 days"},
	"overview.rejections.one": {"%d nota rejeitada nos últimos 7 dias", "%d invoice rejected in the last 7 days"},
	"overview.stuck_deliveries": {
		"%d entregas falharam quatro vezes ou mais; tentamos de novo sozinhos",
		"%d deliveries failed four times or more; we try again by ourselves",
	},
	"overview.stuck_deliveries.one": {
		"%d entrega falhou quatro vezes ou mais; tentamos de novo sozinhos",
		"%d delivery failed four times or more; we try again by ourselves",
	},
	"overview.stuck_emails": {
		"%d e-mails não conseguem sair; tentamos de novo sozinhos, e a página deles diz por quê",
		"%d e-mails cannot go out; we try again by ourselves, and their page says why",
	},
	"overview.stuck_emails.one": {
		"%d e-mail não consegue sair; tentamos de novo sozinhos, e a página dele diz por quê",
		"%d e-mail cannot go out; we try again by ourselves, and its page says why",
	},
	"overview.endpoints":        {"%d endpoints de webhook desativados", "%d webhook endpoints are disabled"},
	"overview.endpoints.one":    {"%d endpoint de webhook desativado", "%d webhook endpoint is disabled"},
	"overview.deliveries":       {"%d entregas falharam", "%d deliveries failed"},
	"overview.deliveries.one":   {"%d entrega falhou", "%d delivery failed"},
	"overview.emails":           {"%d e-mails falharam", "%d e-mails failed"},
	"overview.emails.one":       {"%d e-mail falhou", "%d e-mail failed"},
	"overview.certificate":      {"O certificado de %s termina em %s", "The certificate of %s ends on %s"},
	"overview.first":            {"Primeiros passos", "First steps"},
	"overview.done":             {"feito", "done"},
	"overview.step.profile":     {"Perfil fiscal", "Fiscal profile"},
	"overview.step.certificate": {"Certificado A1", "A1 certificate"},
	"overview.step.service":     {"Serviço", "Service"},
	"overview.step.service.act": {"Criar um serviço", "Create a service"},
	"overview.step.classification": {
		"Classificação do serviço (IBS e CBS)",
		"Classification of the service (IBS and CBS)",
	},
	"overview.step.note": {"Primeira nota", "First invoice"},
}
