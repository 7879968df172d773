package words

// received are notes of other issuers in which the organization is a party.
var received = table{
	"section.received": {"Notas recebidas", "Invoices received"},

	"received.live": {"Notas recebidas existem só no ambiente de produção: ninguém emite contra o ambiente de teste.",
		"Received invoices exist in live only: nobody issues to the test environment."},
	"received.to_live": {"Ver em produção", "See live"},

	"received.month":        {"Competência (mês)", "Competence (month)"},
	"received.month.wrong":  {"Escreva o mês assim: 2026-11.", "Write the month like this: 2026-11."},
	"received.month.needed": {"Para procurar por nome, escolha o mês.", "To look for a name, choose the month."},
	"received.month.zip":    {"O ZIP é de um mês: escolha-o.", "The ZIP is of one month: choose it."},
	"received.zip.many": {"São notas demais para um arquivo. Filtre por emitente ou situação e baixe em partes.",
		"These are too many invoices for one file. Filter by issuer or status, and download in parts."},
	"received.issuer.filter": {"Emitente (CNPJ, CPF ou parte do nome)", "Issuer (CNPJ, CPF or part of the name)"},
	"received.pay":           {"Só com imposto a reter", "Only with tax to withhold"},
	"received.last_month":    {"Mês passado", "Last month"},
	"received.csv":           {"Baixar CSV", "Download CSV"},
	"received.zip":           {"Baixar ZIP do mês", "Download the month's ZIP"},

	"received.issuer":            {"Emitente", "Issuer"},
	"received.issuer.id":         {"CNPJ ou CPF do emitente", "Issuer's CNPJ or CPF"},
	"received.role":              {"Esta empresa é", "This company is"},
	"received.role.taker":        {"Tomador", "Customer"},
	"received.role.intermediary": {"Intermediário", "Intermediary"},
	"received.role.provider":     {"Prestador (emitida por outra parte)", "Provider (issued by another party)"},
	"received.role.unknown":      {"Não identificado", "Not identified"},
	"received.service":           {"Código do serviço", "Service code"},
	"received.description":       {"Descrição do serviço", "Description of the service"},
	"received.issued":            {"Emitida em", "Issued at"},
	"received.digest":            {"SHA-256 do XML", "SHA-256 of the XML"},
	"received.iss_withheld":      {"ISS retido", "ISS withheld"},
	"received.federal_withheld":  {"Tributos federais retidos", "Federal taxes withheld"},
	"received.to_withhold":       {"A reter", "To withhold"},
	"received.read_at":           {"Recebida em", "Received at"},
	"received.place":             {"Município onde o ISS é devido", "Municipality where the ISS is due"},

	"received.status.issued":    {"Emitida", "Issued"},
	"received.status.cancelled": {"Cancelada", "Cancelled"},
	"received.status.replaced":  {"Substituída", "Replaced"},

	"received.sums.notes":   {"Notas válidas", "Valid invoices"},
	"received.sums.amount":  {"Valor dos serviços", "Amount of the services"},
	"received.sums.iss":     {"ISS a reter", "ISS to withhold"},
	"received.sums.federal": {"Tributos federais a reter", "Federal taxes to withhold"},
	"received.sums.not":     {"Canceladas ou substituídas", "Cancelled or replaced"},
	"received.sums.means": {"As somas são do mês filtrado, sem as canceladas e as substituídas.",
		"The sums are of the month that is filtered, without cancelled and replaced invoices."},

	"received.none.found": {"Nenhuma nota recebida com estes filtros.", "No received invoice matches these filters."},
	"received.none": {"Aqui aparecem as notas que outras empresas emitem para o CNPJ desta. Elas são lidas do " +
		"Ambiente de " +
		"Dados Nacional com o certificado da empresa, sem que ninguém as envie.",
		"Here are the invoices that other companies issue to this company's CNPJ. They are read from the " +
			"national data " +
			"environment (ADN) with the company's certificate; nobody has to send them."},
	"received.none.company": {"Ir para a empresa e o certificado", "Go to the company and its certificate"},
	"received.not_begun": {"A leitura ainda não começou: ela precisa do perfil fiscal e de um certificado " +
		"válido da empresa.",
		"Reading has not begun: it needs the company's fiscal profile and a valid certificate."},
	"received.since": {"Lidas para %s desde %s.", "Read for %s since %s."},
	"received.last":  {"Última leitura: %s.", "Read last: %s."},
	"received.never": {"Ainda não houve uma leitura que desse certo.", "No reading has succeeded yet."},

	"received.iss.warning": {"O documento diz que o ISS é retido por esta empresa: cabe a ela recolhê-lo ao " +
		"município onde " +
		"é devido. O prazo é o do município.",
		"The document says that this company withholds the ISS: it has to pay it to the municipality where " +
			"it is due. " +
			"The term is that municipality's."},
	"received.federal.warning": {"O documento diz que há tributos federais retidos: cabe a esta empresa " +
		"recolhê-los. Confira " +
		"os prazos com a contabilidade.",
		"The document says that federal taxes are withheld: this company has to pay them. Ask your accountant for " +
			"the terms."},
	"received.amount.unknown": {"O valor da retenção não está no documento.",
		"The amount withheld is not in the document."},
	"received.restricted": {"Nota de produção restrita: sem valor fiscal.",
		"An invoice of restricted production: it has no fiscal value."},
	"received.signature": {"A assinatura do documento não foi confirmada",
		"The document's signature was not confirmed"},
	"received.not_kept":          {"O XML não é mais guardado.", "The XML is no longer kept."},
	"received.events":            {"O que aconteceu com a nota", "What happened to the invoice"},
	"received.no_events":         {"Nenhum evento foi registrado.", "No event was registered."},
	"received.event.replacement": {"Substituída pela nota", "Replaced by the invoice"},
	"received.event.problem":     {"Não conta", "Does not count"},
	"received.says":              {"O que o documento diz", "What the document says"},
	"received.manifest":          {"Confirmar ou rejeitar", "Confirm or reject"},
	"received.manifest.means": {"Como tomador, você confirma ou rejeita a nota no portal nacional, com o mesmo " +
		"certificado. " +
		"Rejeitar não cancela a nota: permite que o emitente a substitua. Depois de confirmada, o emitente não a " +
		"cancela mais.",
		"As the customer you confirm or reject the invoice at the national portal, with the same certificate. " +
			"Rejecting does " +
			"not cancel it: it lets the issuer replace it. Once it is confirmed, its issuer can no longer cancel it."},
	"received.manifest.portal": {"Abrir o portal nacional", "Open the national portal"},
	"received.public":          {"Consultar no portal da autoridade", "See it at the authority's portal"},

	"problem.received_not_drawn": {
		"O DANFSe desta nota não pode ser desenhado",
		"This invoice's DANFSe cannot be drawn",
	},
	"problem.received_not_drawn.text": {"O documento tem uma forma que o DANFSe nacional não prevê. Baixe o " +
		"XML, ou peça o " +
		"impresso ao emitente.",
		"The document has a form that the national DANFSe does not provide for. Download the XML, or ask its issuer " +
			"for the printed form."},
}
