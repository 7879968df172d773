package words

// recurring are the messages of notes that are issued every month.
var recurring = table{
	"section.recurring": {"Recorrentes", "Recurring"},
	"recurring.title":   {"Nota recorrente", "Recurring invoice"},
	"recurring.new":     {"Nova nota recorrente", "New recurring invoice"},
	"recurring.means": {
		"Notas emitidas todo mês, no dia escolhido, com o mesmo tomador e serviço.",
		"Invoices that are issued every month, on the chosen day, for the same customer and service.",
	},
	"recurring.none": {
		"Nenhuma nota recorrente. Crie uma para mensalidades e contratos de valor fixo.",
		"No recurring invoices. Create one for monthly fees and contracts with a fixed amount.",
	},
	"recurring.all":          {"Ver todas as recorrentes", "See all recurring invoices"},
	"recurring.of_customer":  {"Notas recorrentes deste tomador", "Recurring invoices of this customer"},
	"recurring.customer":     {"Tomador do cadastro (nome, CPF ou CNPJ)", "Customer on record (name, CPF or CNPJ)"},
	"recurring.day":          {"Dia do mês", "Day of the month"},
	"recurring.until":        {"Último dia (opcional)", "Last day (optional)"},
	"recurring.description":  {"Descrição na nota (opcional)", "Description on the invoice (optional)"},
	"recurring.reference":    {"Referência das notas", "Reference of the invoices"},
	"recurring.amount.means": {"Vale para cada mês.", "It is the amount of each month."},
	"recurring.day.means": {
		"Em meses mais curtos vale o último dia: 31 é sempre o último. A competência é o dia da emissão. " +
			"Se o dia for hoje, a primeira nota é emitida hoje.",
		"In shorter months it is the last day: 31 always is the last one. The competence is the day of issuing. " +
			"If the day is today, the first invoice is issued today.",
	},
	"recurring.create": {"Criar recorrência", "Create it"},
	"recurring.change": {"Alterar", "Change"},
	"recurring.save":   {"Salvar alterações", "Save changes"},

	"recurring.next":             {"Próxima nota", "Next invoice"},
	"recurring.next.is":          {"%s, %s", "%s, %s"},
	"recurring.next.none.paused": {"nenhuma, enquanto estiver pausada", "none while it is paused"},
	"recurring.next.none.ended":  {"nenhuma: foi encerrada", "none: it has ended"},
	"recurring.status.active":    {"Ativa", "Active"},
	"recurring.status.paused":    {"Pausada", "Paused"},
	"recurring.status.ended":     {"Encerrada", "Ended"},
	"recurring.asked":            {"%d meses a decidir", "%d months to decide"},
	"recurring.asked.one":        {"%d mês a decidir", "%d month to decide"},

	"recurring.waits.service_inactive": {"Parada: serviço inativo", "On hold: inactive service"},
	"recurring.waits.service_inactive.means": {
		"Nada é emitido enquanto o serviço estiver inativo. Os meses que passarem ficam para você decidir.",
		"Nothing is issued while the service is inactive. Months that pass are for you to decide.",
	},
	"recurring.waits.customer_incomplete": {"Parada: cadastro incompleto", "On hold: incomplete customer"},
	"recurring.waits.customer_incomplete.means": {
		"Nada é emitido enquanto o cadastro do tomador estiver incompleto. Os meses que passarem ficam para " +
			"você decidir.",
		"Nothing is issued while the customer's record is incomplete. Months that pass are for you to decide.",
	},
	"recurring.waits.service": {"Abrir o serviço", "Open the service"},

	"recurring.skip":   {"Pular a nota de %s", "Skip the invoice of %s"},
	"recurring.pause":  {"Pausar", "Pause"},
	"recurring.resume": {"Retomar", "Resume"},
	"recurring.end":    {"Encerrar a recorrência", "End the recurring invoice"},
	"recurring.end.means": {
		"Nenhuma nota será mais emitida por ela. As notas já emitidas ficam como estão.",
		"It will issue no more invoices. Invoices that were issued stay as they are.",
	},

	"recurring.months":        {"Meses", "Months"},
	"recurring.months.none":   {"Nenhuma nota ainda.", "No invoices yet."},
	"recurring.month":         {"Mês", "Month"},
	"recurring.on":            {"Dia", "Day"},
	"recurring.note":          {"Nota", "Invoice"},
	"recurring.see":           {"Ver a nota", "See the invoice"},
	"recurring.number":        {"nº %s", "no. %s"},
	"recurring.month.due":     {"Em emissão", "Being issued"},
	"recurring.month.issued":  {"Emitida", "Issued"},
	"recurring.month.missed":  {"Não emitida", "Not issued"},
	"recurring.month.skipped": {"Pulada", "Skipped"},
	"recurring.month.left":    {"Deixada sem nota", "Left without an invoice"},
	"recurring.asks": {
		"Há meses sem nota. Nada é emitido com atraso sem você pedir: emita com a data, o valor e o serviço " +
			"de agora, " +
			"ou deixe sem nota.",
		"Some months have no invoice. Nothing is issued late unless you ask for it: issue it with today's " +
			"date, amount " +
			"and service, or leave the month without one.",
	},
	"recurring.issue":    {"Emitir a nota do mês", "Issue the month's invoice"},
	"recurring.issue.of": {"Emitir %s", "Issue %s"},
	"recurring.leave.of": {"Deixar %s sem nota", "Leave %s without one"},
	"recurring.issue.means": {
		"A nota é emitida agora, com a data de hoje.", "The invoice is issued now, dated today.",
	},
	"recurring.missed.away": {
		"O sistema não emitiu no dia.", "The system did not issue it on its day.",
	},
	"recurring.missed.paused": {"A recorrência estava pausada.", "It was paused."},
	"recurring.missed.changed": {
		"O dia foi alterado para um que já tinha passado.", "The day was changed to one that had passed.",
	},
	"recurring.missed.refused": {
		"A nota foi recusada na validação. Confira o serviço e o cadastro do tomador.",
		"The invoice was refused by the checks. Look at the service and the customer's record.",
	},
	"recurring.missed.service_inactive": {"O serviço estava inativo.", "The service was inactive."},
	"recurring.missed.customer_incomplete": {
		"O cadastro do tomador estava incompleto.", "The customer's record was incomplete.",
	},

	"recurring.wrong.customer": {"Escolha um tomador do cadastro.", "Choose a customer on record."},
	"recurring.wrong.day":      {"O dia vai de 1 a 31.", "The day is from 1 to 31."},
	"recurring.wrong.until": {
		"O último dia não pode ser antes da próxima nota.", "The last day cannot be before the next invoice.",
	},
	"recurring.created": {"Recorrência criada. Confira a próxima nota.", "Created. See the next invoice below."},
	"recurring.changed": {"Alterações salvas. Valem da próxima nota em diante.", "Saved, from the next invoice on."},
	"recurring.paused":  {"Recorrência pausada.", "Paused."},
	"recurring.resumed": {"Recorrência retomada.", "Resumed."},
	"recurring.skipped": {"Mês pulado.", "Month skipped."},
	"recurring.ended":   {"Recorrência encerrada.", "Ended."},
	"recurring.issuing": {"Nota pedida. Estamos emitindo.", "We're issuing the invoice."},
	"recurring.left":    {"Mês deixado sem nota.", "Left without an invoice."},

	"audit.recurrence.create": {"criou a nota recorrente", "created the recurring invoice"},
	"audit.recurrence.set":    {"mudou a nota recorrente", "changed the recurring invoice"},
	"audit.recurrence.pause":  {"pausou a nota recorrente", "paused the recurring invoice"},
	"audit.recurrence.resume": {"retomou a nota recorrente", "resumed the recurring invoice"},
	"audit.recurrence.end":    {"encerrou a nota recorrente", "ended the recurring invoice"},
	"audit.recurrence.skip":   {"pulou um mês da nota recorrente", "skipped a month of the recurring invoice"},
	"audit.recurrence.issue": {
		"mandou emitir um mês da nota recorrente", "had a month issued of the recurring invoice",
	},
	"audit.recurrence.leave": {
		"deixou sem nota um mês da nota recorrente", "left without an invoice a month of the recurring invoice",
	},
	"audit.field.day_of_month": {"dia do mês", "day of the month"},
	"audit.field.until":        {"último dia", "last day"},
	"audit.field.iss_withheld": {"ISS retido", "ISS withheld"},
	"audit.value.active":       {"ativa", "active"},
	"audit.value.paused":       {"pausada", "paused"},
	"audit.value.ended":        {"encerrada", "ended"},
}
