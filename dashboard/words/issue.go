package words

// issue is the form by which a person issues a note.
var issue = table{
	"issue.service_words": {"Outro serviço, por palavras", "Another service, by words"},
	"issue.services":      {"Serviços encontrados", "Services found"},
	"issue.services.none": {
		"Nenhum serviço ativo tem todas estas palavras.", "No active service has all of these words.",
	},
	"issue.title": {"Emitir nota", "Issue an invoice"},
	"issue.again": {
		"Preenchida com os dados da nota rejeitada. Corrija o que for preciso; a nova nota tem outra referência.",
		"Filled in from the rejected invoice. Correct what needs it; the new invoice has another reference.",
	},
	"issue.no_service": {
		"Ainda não há serviço ativo neste ambiente.",
		"There is no active service in this environment yet.",
	},
	"issue.reference": {"Referência", "Reference"},
	"issue.reference.means": {
		"Código seu (pedido, contrato). Repetir a referência não gera outra nota.",
		"Your own code (order, contract). Repeating a reference does not issue another invoice.",
	},
	"issue.amount":     {"Valor (R$)", "Amount (R$)"},
	"issue.competence": {"Competência (opcional)", "Competence (optional)"},
	"issue.competence.means": {
		"O dia do serviço, que decide o mês do imposto: de %s a %s. Vazia, é hoje.",
		"The day of the service, which decides the month of the tax: from %s to %s. Empty, it is today.",
	},
	"issue.wrong.competence": {
		"Escolha uma competência entre os dias que a empresa permite, ou deixe vazia para hoje.",
		"Choose a competence within the days that the company allows, or leave it empty for today.",
	},
	"issue.description":         {"Descrição só desta nota (opcional)", "Description of this invoice only (optional)"},
	"issue.taker":               {"Tomador", "Customer"},
	"issue.name":                {"Nome ou razão social", "Name"},
	"issue.zip_code":            {"CEP", "Zip code (CEP)"},
	"issue.street_type":         {"Tipo de logradouro (opcional)", "Type of street (optional)"},
	"issue.street":              {"Logradouro", "Street"},
	"issue.number":              {"Número", "Number"},
	"issue.complement":          {"Complemento (opcional)", "Complement (optional)"},
	"issue.district":            {"Bairro", "District"},
	"issue.scenario":            {"O que simular", "What to simulate"},
	"issue.scenario.authorized": {"Autorizada", "Authorized"},
	"issue.scenario.rejected":   {"Rejeitada", "Rejected"},
	"issue.scenario.slow":       {"Demorada", "Slow"},
	"issue.after":               {"Depois da autorização", "After the authorization"},
	"issue.email_customer":      {"Enviar e-mail ao tomador", "Send an e-mail to the customer"},
	"issue.register_ledger":     {"Registrar em Lançamentos", "Register a ledger entry"},
	"issue.confirm_municipal_operation": {
		"Confirmar a operação municipal padrão, onde houver",
		"Confirm the default municipal operation, where there is one",
	},
	"issue.value.production": {"Esta nota terá valor fiscal.", "This invoice will have fiscal value."},
	"issue.value.restricted": {
		"Produção restrita: a nota vai ao ambiente de testes da autoridade e não tem valor fiscal.",
		"Restricted production: the invoice goes to the authority's own test system and has no fiscal value.",
	},
	"issue.value.test": {
		"É uma simulação: nenhuma autoridade é avisada, e a nota não tem valor fiscal.",
		"This is a simulation: no authority is told, and the invoice has no fiscal value.",
	},
	"issue.value.unset": {
		"A empresa não tem perfil fiscal: a nota espera até que ele exista.",
		"The company has no fiscal profile: the invoice waits until there is one.",
	},
	"issue.review": {"Revisar", "Review"},
	"issue.send":   {"Emitir", "Issue"},

	"review.title": {"Revisar a nota", "Review the invoice"},
	"review.changed": {
		"Algo mudou desde que você revisou. Nada foi emitido: veja de novo abaixo o que será enviado.",
		"Something changed since you reviewed it. Nothing was issued: look again below at what is sent.",
	},
	"review.back":                   {"Voltar e corrigir", "Go back and correct"},
	"review.environment.test":       {"Teste", "Test"},
	"review.environment.restricted": {"Produção restrita (sem valor fiscal)", "Restricted (without fiscal value)"},
	"review.environment.production": {"Produção", "Production"},
	"review.environment.unset":      {"Produção (sem perfil fiscal)", "Live (without a fiscal profile)"},
	"review.issuer":                 {"Emitente", "Issuer"},
	"review.municipal_tax_code":     {"Código municipal", "Municipal code"},
	"review.service_city":           {"Município do serviço", "Municipality of the service"},
	"review.iss_rate":               {"Alíquota de ISS", "ISS rate"},
	"review.city":                   {"Município do tomador", "Municipality of the customer"},
	"review.unclassified":           {"Sem classificação", "No classification"},
	"review.no_email": {
		"Sim, mas o tomador não tem e-mail: nada é enviado",
		"Yes, but the customer has no e-mail address: nothing is sent",
	},
	"issue.accepted": {
		"Nota recebida. Estamos emitindo; esta página se atualiza sozinha.",
		"Invoice received. We're issuing it; this page updates automatically.",
	},
	"issue.known": {
		"Esta referência já era desta nota, com os mesmos dados: nenhuma outra foi emitida.",
		"This reference was this invoice's already, with the same data: no other was issued.",
	},
	"issue.wrong.reference": {
		"A referência é obrigatória: de 1 a 200 caracteres, sem espaço no começo ou no fim.",
		"The reference is required: 1 to 200 characters, without a space at its beginning or end.",
	},
	"issue.wrong.service":      {"Escolha um serviço.", "Choose a service."},
	"issue.wrong.amount_cents": {"Escreva o valor em reais, como 150,00.", "Write the amount in reais, as 150.00."},
	"issue.wrong.description": {
		"A descrição tem de 3 a 2000 caracteres.",
		"The description has 3 to 2000 characters.",
	},
	"issue.wrong.scenario": {"Escolha o que simular.", "Choose what to simulate."},
	"issue.wrong.customer": {
		"Escolha um tomador, ou informe os dados dele.",
		"Choose a customer, or enter their data.",
	},
	"issue.wrong.both": {
		"Escolha um tomador ou informe os dados de outro, não os dois.",
		"Choose a customer or enter the data of another, not both.",
	},
	"issue.wrong.tax_id": {"CPF ou CNPJ inválido. Confira os dígitos.", "Enter a valid CPF or CNPJ."},
	"issue.wrong.name": {
		"Informe o nome ou a razão social (até 150 caracteres).",
		"Enter the name (at most 150 characters).",
	},
	"issue.wrong.address.zip_code": {
		"O CEP tem 8 dígitos, como 01310-100.",
		"The zip code has 8 digits, as 01310-100.",
	},
	"issue.wrong.address.street_type": {
		"O tipo de logradouro tem até 20 caracteres.",
		"The type of street has at most 20 characters.",
	},
	"issue.wrong.address.street": {
		"O logradouro é obrigatório: até 255 caracteres com o tipo.",
		"The street is required: at most 255 characters with its type.",
	},
	"issue.wrong.address.number": {
		"O número é obrigatório: até 60 caracteres, ou S/N.",
		"The number is required: at most 60 characters, or S/N.",
	},
	"issue.wrong.address.complement": {
		"O complemento tem até 156 caracteres.",
		"The complement has at most 156 characters.",
	},
	"issue.wrong.address.district": {
		"O bairro é obrigatório: até 60 caracteres.",
		"The district is required: at most 60 characters.",
	},
	"issue.wrong.municipality_code": {
		"Informe o código IBGE de um município: 7 dígitos.",
		"Give the IBGE code of a municipality: 7 digits.",
	},
	"issue.code.idempotency_conflict": {
		"Esta referência já é de outra nota, pedida com outros dados. Escolha outra para uma cobrança nova.",
		"This reference is another invoice's already, asked for with other data. Choose another one for a new " +
			"charge.",
	},
	"issue.code.service_not_found": {"Este serviço não existe mais.", "This service is not there any more."},
	"issue.code.service_inactive": {
		"Este serviço está inativo. Ative-o no cadastro ou escolha outro.",
		"This service is inactive. Activate it in the catalogue or choose another one.",
	},
	"issue.code.customer_not_found": {
		"Este tomador não está mais no cadastro.",
		"This customer is not on record any more.",
	},
	"issue.code.customer_incomplete": {
		"O cadastro deste tomador está incompleto. Complete-o, ou informe os dados aqui.",
		"The record of this customer is incomplete. Complete it, or give the data here.",
	},
	"issue.code.municipality_code_conflict": {
		"O CEP é de outro município. Corrija um dos dois.",
		"The zip code is of another municipality. Correct one of the two.",
	},
	"issue.code.zip_code_not_found": {
		"CEP não encontrado. Confira-o ou informe também o código IBGE do município.",
		"Unknown CEP. Check it, or give the IBGE code of the municipality as well.",
	},
	"issue.code.zip_code_lookup_unavailable": {
		"A consulta de CEP não responde agora. Tente de novo, ou informe também o código IBGE do município.",
		"The look-up of zip codes does not answer right now. Try again, or give the IBGE code of the " +
			"municipality as well.",
	},
}
