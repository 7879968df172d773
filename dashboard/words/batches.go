package words

// batches are the messages of notes from a spreadsheet.
var batches = table{
	"section.batches": {"Planilhas", "Spreadsheets"},
	"batch.title":     {"Notas por planilha", "Invoices from a spreadsheet"},
	"batch.means": {
		"Envie uma planilha com uma nota em cada linha. Ela é conferida inteira antes; nada é emitido sem a sua " +
			"confirmação.",
		"Send a spreadsheet with one invoice in each line. It is checked whole first; nothing is issued until " +
			"you confirm.",
	},
	"batch.file": {
		"Arquivo (XLSX ou CSV, até 5 MB e 10.000 linhas)",
		"File (XLSX or CSV, up to 5 MB and 10,000 lines)",
	},
	"batch.check":        {"Conferir", "Check"},
	"batch.file.missing": {"Escolha o arquivo.", "Choose the file."},
	"batch.file.wrong": {
		"A planilha tem erros; corrija-os e envie de novo. Nada foi emitido.",
		"The spreadsheet has errors; correct them and send it again. Nothing was issued.",
	},
	"batch.file.unreadable": {
		"Não foi possível ler o arquivo. Salve-o como XLSX ou CSV.",
		"The file cannot be read. Save it as XLSX or CSV.",
	},
	"batch.file.too_large": {"O arquivo é grande demais.", "The file is too large."},
	"batch.file.too_long": {
		"A planilha tem linhas ou colunas demais: são até 10.000 linhas.",
		"The spreadsheet has too many lines or columns: there may be 10,000 lines.",
	},
	"batch.file.empty": {"A planilha não tem nenhuma nota.", "The spreadsheet has no invoices."},
	"batch.file.no_head": {
		"A primeira linha tem de ter as colunas servico, cpf_cnpj e valor. Use o modelo.",
		"The first line must have the columns servico, cpf_cnpj and valor. Use the template.",
	},
	"batch.known_file": {
		"Esta planilha já foi enviada: esta é a página dela. Nenhuma nota é emitida duas vezes.",
		"This spreadsheet was sent before: this is its page. No invoice is issued twice.",
	},
	"batch.wrong": {"O que corrigir", "What to correct"},
	"batch.wrong.means": {
		"A linha é a do arquivo; a primeira tem os nomes das colunas.",
		"The line is that of the file; the first has the names of the columns.",
	},
	"batch.wrong.more":     {"E mais %d erros.", "And %d more errors."},
	"batch.wrong.more.one": {"E mais 1 erro.", "And 1 more error."},
	"batch.line":           {"Linha", "Line"},
	"batch.column":         {"Coluna", "Column"},
	"batch.what":           {"O que há de errado", "What is wrong"},
	"batch.error":          {"Erro", "Error"},

	"batch.problem.value":   {"O valor não é aceito.", "The value is not accepted."},
	"batch.problem.missing": {"Falta preencher.", "It is missing."},
	"batch.problem.formula": {
		"É uma fórmula. Cole só o valor.", "It is a formula. Paste the value only.",
	},
	"batch.problem.service": {
		"Nenhum serviço ativo tem este nome ou id.", "No active service has this name or id.",
	},
	"batch.problem.services": {
		"Mais de um serviço tem este nome. Use o id do serviço.",
		"More than one service has this name. Use the id of the service.",
	},
	"batch.problem.customer": {
		"Este CPF ou CNPJ não está no cadastro. Preencha nome e endereço.",
		"This CPF or CNPJ is not on record. Fill in name and address.",
	},
	"batch.problem.incomplete": {
		"O cadastro deste tomador está incompleto. Preencha nome e endereço, ou complete o cadastro.",
		"The record of this customer is incomplete. Fill in name and address, or complete the record.",
	},
	"batch.problem.day": {
		"Esta competência não pode ser escolhida hoje.", "This day of competence cannot be chosen today.",
	},
	"batch.problem.zeros": {
		"Este número pode ser um CPF ou um CNPJ que perdeu zeros. Formate a célula como texto e escreva todos os dígitos.",
		"This number may be a CPF or a CNPJ that has lost its zeros. Format the cell as text and write all digits.",
	},

	"batch.template":      {"Modelo com os seus serviços:", "Template with your services:"},
	"batch.template.xlsx": {"baixar XLSX", "download XLSX"},
	"batch.template.csv":  {"baixar CSV", "download CSV"},
	"batch.how":           {"Como preencher", "How to fill it in"},
	"batch.how.service": {
		"Serviço: o nome ou o id de um serviço ativo.",
		"Service: the name or the id of an active service.",
	},
	"batch.how.customer": {
		"Tomador: para quem está no cadastro basta o CPF ou CNPJ; para os outros preencha também nome, CEP e endereço.",
		"Customer: for those on record the CPF or CNPJ is enough; for others fill in name, zip code and address too.",
	},
	"batch.how.values": {
		"Valor como 1.250,50; competência como 31/12/2026 (vazia: o último dia possível do mês que você escolhe ao " +
			"conferir); ISS retido: sim ou não. Sem fórmulas.",
		"Value as 1,250.50; competence as 31/12/2026 (empty: the last day possible of the month that you choose in the " +
			"review); ISS withheld with sim or não. No formulas.",
	},
	"batch.how.twice": {
		"A mesma planilha enviada de novo no mesmo mês não emite nada, mesmo salva outra vez ou em outro formato; " +
			"colunas fora do modelo não contam. Em outro mês ela emite outras notas. Para emitir as mesmas notas de novo " +
			"no mesmo mês, mude a descrição; para repetir linhas com erro, envie uma planilha só com elas.",
		"The same spreadsheet sent again for the same month issues nothing, even if it was saved anew or in another " +
			"format; columns that are not in the template do not count. For another month it issues other invoices. To " +
			"issue the same invoices once more in a month, change the description; to repeat lines with errors, send a " +
			"spreadsheet with those lines only.",
	},

	"batch.sent": {"Planilhas enviadas", "Spreadsheets that were sent"},
	"batch.none": {"Nenhuma planilha ainda.", "No spreadsheets yet."},
	"batch.kept": {
		"Uma planilha fica aqui por 30 dias; as notas ficam sempre.",
		"A spreadsheet stays here for 30 days; its invoices stay.",
	},
	"batch.created": {"Enviada em", "Sent at"},
	"batch.by":      {"Enviada por", "Sent by"},
	"batch.lines":   {"Linhas", "Lines"},
	"batch.total":   {"Soma dos valores", "Sum of the values"},
	"batch.reference": {
		"Referência da primeira nota", "Reference of the first invoice",
	},

	"batch.status.checked":   {"Conferida, aguarda a sua confirmação", "Checked, waits for your confirmation"},
	"batch.status.accepting": {"Em andamento", "In progress"},
	"batch.status.done":      {"Concluída", "Done"},
	"batch.progress":         {"Linhas: %d de %d", "Lines: %d of %d"},
	"batch.totals.accepted":  {"Notas aceitas", "Invoices accepted"},
	"batch.totals.known":     {"Já existiam", "Existed before"},
	"batch.totals.failed":    {"Linhas com erro", "Lines with an error"},
	"batch.line.waiting":     {"aguarda", "waits"},
	"batch.line.accepted":    {"aceita", "accepted"},
	"batch.line.known":       {"já existia", "existed before"},
	"batch.line.failed":      {"com erro", "with an error"},

	"batch.review": {
		"Nenhuma linha tem erro. Confira a quantidade e a soma antes de emitir.",
		"No line has an error. Check the number and the sum before you issue.",
	},
	"batch.month":        {"De que mês é esta planilha?", "Of which month is this spreadsheet?"},
	"batch.month.choose": {"escolha o mês", "choose the month"},
	"batch.month.means": {
		"É o mês de competência das linhas sem data. A mesma planilha no mesmo mês não emite nada de novo; em outro mês, " +
			"emite outras notas.",
		"It is the month of competence of lines without a date. The same spreadsheet issues nothing again in the same " +
			"month; in another month it issues other invoices.",
	},
	"batch.month.missing": {"Escolha o mês da planilha.", "Choose the month of the spreadsheet."},
	"batch.nothing": {
		"todas as notas desta planilha já existem. Confirmar não emite nada.",
		"all invoices of this spreadsheet exist already. Confirming issues nothing.",
	},
	"batch.known": {
		"%d das %d notas já existem e não são emitidas de novo.",
		"%d of the %d invoices exist already and are not issued again.",
	},
	"batch.repeated": {
		"%d linhas pedem o que outra planilha já pediu:", "%d lines ask for what another spreadsheet asked for:",
	},
	"batch.repeated.one": {
		"%d linha pede o que outra planilha já pediu:", "%d line asks for what another spreadsheet asked for:",
	},
	"batch.repeated.means": {
		"mesmo tomador, serviço, valor e mês de competência. Se esta é a mesma planilha corrigida, envie só as " +
			"linhas que faltam.",
		"the same customer, service, value and month of competence. If this is the same spreadsheet with " +
			"corrections, send only the lines that are missing.",
	},
	"batch.repeat": {
		"Emitir também as linhas repetidas: são outras notas", "Issue the repeated lines too: they are other invoices",
	},
	"batch.repeat.missing": {
		"Há linhas que outra planilha já pediu. Marque que são outras notas, ou descarte esta planilha.",
		"Some lines were asked for by another spreadsheet. Say that they are other invoices, or discard this one.",
	},
	"batch.issue":     {"Emitir %d notas", "Issue %d invoices"},
	"batch.issue.one": {"Emitir 1 nota", "Issue 1 invoice"},
	"batch.discard":   {"Descartar a planilha", "Discard the spreadsheet"},
	"batch.discarded": {
		"A planilha foi descartada. Nada foi emitido.",
		"The spreadsheet was discarded. Nothing was issued.",
	},
	"batch.accepted": {
		"As notas estão sendo aceitas. Esta página mostra o andamento.",
		"The invoices are being accepted. This page shows the progress.",
	},
	"batch.result":   {"Baixar o resultado (CSV)", "Download the result (CSV)"},
	"batch.failures": {"Linhas que não viraram notas", "Lines that became no invoices"},
	"batch.failures.means": {
		"As outras linhas seguiram. Para estas, envie uma planilha só com elas.",
		"The other lines went on. For these, send a spreadsheet with them only.",
	},
	"batch.back": {"Ver todas as planilhas", "See all spreadsheets"},

	"batch.failed.internal": {
		"Houve um erro do nosso lado depois de várias tentativas. Envie a linha de novo em outra planilha.",
		"There was an error on our side after several attempts. Send the line again in another spreadsheet.",
	},
	"batch.failed.customer_erased": {
		"Os dados do tomador foram apagados a pedido dele.", "The customer's data was erased as they asked.",
	},
}
