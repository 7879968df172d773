package words

// closing are the messages of the month's closing and of its books.
var closing = table{
	"section.closing":      {"Fechamento do mês", "Month's closing"},
	"closing.month":        {"Mês de competência", "Month of competence"},
	"closing.month.wrong":  {"Informe o mês como 2026-10.", "Enter the month as 2026-10."},
	"closing.months":       {"Outros meses", "Other months"},
	"closing.month.before": {"Mês anterior", "Previous month"},
	"closing.month.after":  {"Mês seguinte", "Next month"},
	"closing.test": {
		"Ambiente de teste: estas notas não têm valor fiscal, e estas somas não servem para apurar tributos.",
		"Test environment: these invoices have no fiscal value, and no taxes can be assessed from these sums.",
	},
	"closing.sums": {"Totais das notas emitidas", "Totals of issued invoices"},
	"closing.iss.means": {
		"O ISS é o dos documentos, também onde o cadastro do serviço diz outra alíquota: a autoridade aplica a que o " +
			"município definiu.",
		"The ISS is that of the documents, also where a service's record says another rate: the authority applies the " +
			"one that the city has set.",
	},
	"closing.sums.means": {
		"Por competência, como os documentos da autoridade informam. Notas canceladas e substituídas ficam à " +
			"parte.",
		"By competence, as the authority's documents state them. Cancelled and replaced invoices are listed " +
			"apart.",
	},
	"closing.sum":     {"Total", "Total"},
	"closing.this":    {"No mês", "This month"},
	"closing.before":  {"Mês anterior", "Previous month"},
	"closing.change":  {"Diferença", "Change"},
	"closing.notes":   {"Notas", "Invoices"},
	"closing.iss_due": {"ISS a recolher", "ISS due"},
	"closing.unstated": {
		"%d notas sem totais no documento: contam só no valor do serviço.",
		"%d invoices without totals in their documents: they count in the amount only.",
	},
	"closing.unstated.one": {
		"1 nota sem totais no documento: conta só no valor do serviço.",
		"1 invoice without totals in its document: it counts in the amount only.",
	},
	"closing.ended":          {"Notas canceladas e substituídas", "Cancelled and replaced invoices"},
	"closing.cancelled":      {"Canceladas", "Cancelled"},
	"closing.replaced":       {"Substituídas", "Replaced"},
	"closing.notes.before":   {"Notas no mês anterior", "Invoices in the previous month"},
	"closing.amount.before":  {"Valor no mês anterior", "Amount in the previous month"},
	"closing.cancelled.list": {"Ver notas canceladas", "See cancelled invoices"},
	"closing.open":           {"Ainda em aberto neste mês", "Still open in this month"},
	"closing.open.none": {
		"Nenhuma nota em aberto: todas as deste mês terminaram.",
		"No open invoices: all of this month have ended.",
	},
	"closing.open.more": {
		"Há outras notas em aberto; estas são as 50 primeiras.",
		"There are other open invoices; these are the first 50.",
	},
	"closing.cancelling":  {"Cancelamento em andamento", "Cancellation in progress"},
	"closing.by.service":  {"Por serviço", "By service"},
	"closing.by.city":     {"Por município da prestação", "By city of the service"},
	"closing.by.regime":   {"Por regime", "By regime"},
	"closing.regime.none": {"Simulada, sem regime", "Simulated, without a regime"},
	"closing.regime.me.1": {"ME ou EPP: tributos e ISS pelo Simples", "ME or EPP: taxes and ISS in Simples"},
	"closing.regime.me.2": {"ME ou EPP: tributos federais pelo Simples", "ME or EPP: federal taxes in Simples"},
	"closing.regime.me.3": {"ME ou EPP: tributos fora do Simples", "ME or EPP: taxes outside Simples"},
	"closing.others":      {"Outros", "Others"},
	"closing.groups.more": {
		"%d outros estão somados na última linha; a planilha tem todos.",
		"%d others are summed up in the last line; the spreadsheet has all of them.",
	},
	"closing.groups.more.one": {
		"1 outro está na última linha; a planilha tem todos.",
		"1 other is in the last line; the spreadsheet has all of them.",
	},
	"closing.none":        {"Nenhuma nota emitida neste mês.", "No invoices issued in this month."},
	"closing.csv":         {"Baixar CSV", "Download CSV"},
	"closing.xlsx":        {"Baixar planilha (XLSX)", "Download spreadsheet (XLSX)"},
	"closing.sheet.sums":  {"Totais", "Totals"},
	"closing.sheet.notes": {"Notas", "Invoices"},
	"closing.xlsx.more": {
		"Há outras notas: o CSV tem todas.",
		"There are other invoices: the CSV has all of them.",
	},
	"closing.cancelled_at":   {"Cancelada em", "Cancelled at"},
	"closing.city":           {"Município da prestação", "City of the service"},
	"closing.archive":        {"Documentos do mês em um ZIP", "The month's documents in one ZIP"},
	"closing.archive.make":   {"Preparar ZIP", "Prepare ZIP"},
	"closing.archive.again":  {"Preparar de novo", "Prepare again"},
	"closing.archive.asked":  {"O ZIP está sendo preparado.", "The ZIP is being prepared."},
	"closing.archive.made":   {"Preparado em", "Prepared at"},
	"closing.archive.until":  {"Disponível até", "Available until"},
	"closing.archive.digest": {"SHA-256 do índice:", "SHA-256 of the index:"},
	"closing.archive.means": {
		"XML, eventos e DANFSe de cada nota, e um índice com o SHA-256 de cada arquivo. O ZIP fica disponível " +
			"por sete dias; quem baixa fica registrado na auditoria.",
		"XML, events and DANFSe of each invoice, and an index with the SHA-256 of each file. The ZIP is kept for " +
			"seven days; the audit log records who downloads it.",
	},
	"closing.archive.pending": {
		"Preparando o ZIP (notas: %d de %d). A página se atualiza sozinha.",
		"Preparing the ZIP (invoices: %d of %d). This page updates automatically.",
	},
	"closing.archive.download":  {"Baixar ZIP", "Download ZIP"},
	"closing.archive.notes":     {"%d notas", "%d invoices"},
	"closing.archive.notes.one": {"1 nota", "1 invoice"},
	"closing.archive.files":     {"%d arquivos", "%d files"},
	"closing.archive.files.one": {"1 arquivo", "1 file"},
	"closing.archive.problems": {
		"%d arquivos não puderam ser feitos: o índice diz quais e por quê.",
		"%d files could not be made: the index says which and why.",
	},
	"closing.archive.problems.one": {
		"1 arquivo não pôde ser feito: o índice diz qual e por quê.",
		"1 file could not be made: the index says which and why.",
	},
	"closing.archive.many": {
		"Três meses já estão sendo preparados. Aguarde um deles ficar pronto.",
		"Three months are being prepared already. Wait until one of them is ready.",
	},
	"closing.books": {"Conferência dos livros", "Agreement of the books"},
	"closing.books.test": {
		"No ambiente de teste só há as notas: nada é lançado nem distribuído.",
		"In the test environment there are only the invoices: nothing is entered in the ledger or distributed.",
	},
	"closing.books.notes":       {"Notas com documento", "Invoices with a document"},
	"closing.books.entered":     {"Nos lançamentos", "In the ledger"},
	"closing.books.distributed": {"Distribuídas pelo ADN", "Distributed by the ADN"},
	"closing.books.left_out": {
		"%d de chaves que não lançam",
		"%d of keys that do not enter invoices in the ledger",
	},
	"closing.books.left_out.one": {"1 de chave que não lança", "1 of a key that does not enter invoices in the ledger"},
	"closing.books.untold": {
		"%d que o ADN ainda não informou ou não informa",
		"%d that the ADN has not told of yet, or does not tell of",
	},
	"closing.books.means": {
		"A distribuição do ADN é conferida um dia depois da emissão. Notas de antes desta conferência existir e " +
			"de prefeituras sem ADN não contam como diferença.",
		"The ADN's distribution is compared one day after the issuance. Invoices from before this comparison " +
			"existed, and of cities without the ADN, do not count as differences.",
	},
	"closing.differences":       {"Diferenças", "Differences"},
	"closing.difference":        {"O que difere", "What differs"},
	"closing.difference.note":   {"Valor da nota", "Amount of the invoice"},
	"closing.difference.ledger": {"Valor lançado", "Amount in the ledger"},
	"closing.differences.none":  {"Os livros conferem.", "The books agree."},
	"closing.differences.more": {
		"Há outras diferenças; estas são as 100 primeiras.",
		"There are other differences; these are the first 100.",
	},
	"closing.difference.ledger_missing": {
		"A nota deveria estar nos lançamentos e não está",
		"The invoice should be in the ledger and is not",
	},
	"closing.difference.ledger_not_reversed": {
		"A nota foi cancelada e o lançamento não foi estornado",
		"The invoice is cancelled and its entry is not reversed",
	},
	"closing.difference.ledger_taken": {
		"A nota vale e o lançamento foi estornado",
		"The invoice stands and its entry is reversed",
	},
	"closing.difference.ledger_amount": {
		"O valor lançado não é o da nota",
		"The amount in the ledger is not the invoice's",
	},
	"closing.difference.adn_missing": {"O ADN não distribuiu a nota", "The ADN has not distributed the invoice"},
	"closing.difference.adn_not_cancelled": {
		"A nota está cancelada e o ADN não distribuiu o cancelamento",
		"The invoice is cancelled and the ADN has not distributed the cancellation",
	},
	"closing.difference.adn_not_applied": {
		"O ADN distribuiu um evento que a nota não segue",
		"The ADN has distributed an event that the invoice does not follow",
	},
	"closing.difference.adn_unknown": {
		"O ADN distribuiu um documento da sua série que não está aqui",
		"The ADN has distributed a document of your series that is not here",
	},
	"audit.archive.make":     {"pediu o ZIP do mês", "asked for the month's ZIP"},
	"audit.archive.download": {"baixou o ZIP do mês", "downloaded the month's ZIP"},

	"audit.documents.restore": {"trouxe documentos do arquivo de volta", "brought documents back from the archive"},
	"ledger.scope": {
		"Aqui estão as notas emitidas por chaves que registram nos lançamentos, e pelo painel quando isso é " +
			"pedido.",
		"Here are the invoices issued by keys that enter them in the ledger, and by hand where that was asked " +
			"for.",
	},
	"ledger.left_out": {
		"%d notas emitidas neste período não estão aqui, porque a chave delas não registra. O fechamento do mês " +
			"tem todas.",
		"%d invoices issued in this period are not here, because their keys do not enter them. The month's " +
			"closing has all.",
	},
	"ledger.left_out.one": {
		"1 nota emitida neste período não está aqui, porque a chave dela não registra. O fechamento do mês tem todas.",
		"1 invoice issued in this period is not here, because its key does not enter it. The month's closing has all.",
	},
	"ledger.left_out.many": {
		"Mais de 1.000 notas emitidas neste período não estão aqui, porque a chave delas não registra. O " +
			"fechamento do mês tem todas.",
		"More than 1,000 invoices issued in this period are not here, because their keys do not enter them. The " +
			"month's closing has all.",
	},
	"ledger.closing": {"Abrir o fechamento do mês", "Open the month's closing"},
}
