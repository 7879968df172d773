package fact

// words are what texts show for values of one kind, such as the name of a call. A value that
// is missing here is shown as it is.
var words = map[string]map[string]text{
	"call": {
		"issue":             {"issue", "emissão"},
		"cancel":            {"cancel", "cancelamento"},
		"find":              {"find", "consulta"},
		"find_cancellation": {"find_cancellation", "consulta do cancelamento"},
		"find_numbers":      {"find_numbers", "consulta dos números"},
		"analysis":          {"analysis", "pedido de análise fiscal"},
		"find_analysis":     {"find_analysis", "consulta do pedido de análise fiscal"},
		"find_answer":       {"find_answer", "consulta da resposta do município"},
		"find_bar":          {"find_bar", "consulta do que impede o cancelamento"},
	},
	"outcome": {
		"accepted":      {"accepted", "aceito"},
		"rejected":      {"rejected", "rejeitado"},
		"not_found":     {"not found", "não encontrado"},
		"not_delivered": {"not delivered", "não entregue"},
		"unknown":       {"unknown", "resultado desconhecido"},
	},
	"environment": {
		"production": {"production", "produção"},
		"restricted": {"restricted", "produção restrita"},
	},
	"lacks": { // what a service lacks, by the code of the defect
		"unclassified":               {"unclassified", "sem classificação IBS/CBS"},
		"misclassified":              {"classification refused today", "classificação recusada hoje"},
		"national_tax_code_missing":  {"without national tax code", "sem código nacional"},
		"municipal_tax_code_missing": {"without municipal tax code", "sem código municipal"},
		"municipal_taxation_missing": {"without the city's taxation", "sem a tributação do município"},
		"city_code_missing":          {"without the city's code", "sem o código do município"},
		"city_code_digits":           {"the city's code has wrong digits", "código do município com dígitos errados"},
		"iss_rate_missing":           {"without ISS rate", "sem alíquota do ISS"},
	},
	"purpose": {
		"live": {"live", "produção"},
		"test": {"test", "teste"},
	},
	"mail_step": { // of a session with the mail server
		"compose":  {"composing the message", "em montar a mensagem"},
		"connect":  {"connecting to the mail server", "em conectar ao servidor de e-mail"},
		"greeting": {"the mail server's greeting", "na saudação do servidor de e-mail"},
		"tls": {
			"securing the connection to the mail server",
			"em proteger a conexão com o servidor de e-mail",
		},
		"authentication": {"authenticating at the mail server", "em autenticar no servidor de e-mail"},
		"sender":         {"naming the sender", "em informar o remetente"},
		"recipient":      {"naming the recipient", "em informar o destinatário"},
		"message":        {"handing over the message", "em entregar a mensagem"},
	},
	"status": {
		"queued":     {"queued", "na fila"},
		"processing": {"processing", "em processamento"},
		"issued":     {"issued", "emitida"},
		"rejected":   {"rejected", "rejeitada"},
		"cancelled":  {"cancelled", "cancelada"},
	},
	"rejecting": { // by whom a note was rejected
		"authority": {"the authority", "pela autoridade"},
		"service":   {"the service", "antes do envio"},
	},
	"number": { // what became of a number
		"accepted":        {"is issued", "foi emitido"},
		"rejected":        {"is rejected", "foi rejeitado"},
		"unused":          {"is unused", "não foi usado"},
		"number_conflict": {"is in use by another system", "é usado por outro sistema"},
		"spent": {"was refused, and the note goes on under another",
			"foi recusado, e a nota segue com outro"},
	},
	"whose": { // where what an authority refuses is kept
		"profile":     {"the company's settings", "da configuração da empresa"},
		"register":    {"a federal register of the company", "de um cadastro federal da empresa"},
		"city":        {"the city", "do município"},
		"service":     {"the service's settings", "da configuração do serviço"},
		"form":        {"this note alone", "desta nota apenas"},
		"customer":    {"the customer's data", "dos dados do tomador"},
		"certificate": {"the certificate", "do certificado"},
		"clock":       {"this machine's clock", "do relógio desta máquina"},
		"program":     {"this program", "deste programa"},
		"note":        {"the note that is to be replaced", "da nota a ser substituída"},
	},
	"act": { // what a person does about a refusal
		"profile": {"correct the fiscal profile", "corrija o perfil fiscal"},
		"registration": {
			"give the municipal registration in the fiscal profile, and say whether it is sent",
			"preencha a inscrição municipal no perfil fiscal e diga se ela é enviada",
		},
		"simples": {
			"compare the fiscal profile with the company's standing in Simples Nacional, and correct it",
			"compare o perfil fiscal com a situação da empresa no Simples Nacional e corrija-o",
		},
		"series": {
			"choose another series in the fiscal profile",
			"escolha outra série no perfil fiscal",
		},
		"register": {
			"compare the fiscal profile with the company's registration, and correct what is wrong",
			"compare o perfil fiscal com o cadastro da empresa e corrija o que estiver errado",
		},
		"city": {
			"ask the city hall; what it changes is found out by itself",
			"fale com a prefeitura; o que ela mudar é percebido sozinho",
		},
		"city_then_send": {
			"ask the city hall, then have the note tried again (its page, or emissor note redrive)",
			"fale com a prefeitura; depois, na página da nota, mande tentar de novo",
		},
		"competence":     {"set another day of competence", "escolha outro dia de competência"},
		"service":        {"correct the service's code", "corrija o código do serviço"},
		"classification": {"correct the service's classification", "corrija a classificação do serviço"},
		"rate":           {"set the service's ISS rate", "preencha a alíquota de ISS do serviço"},
		"months_rate": {
			"set the company's rate of the month, or that of the service",
			"preencha a alíquota do mês da empresa, ou a do serviço",
		},
		"taxation":    {"correct how the service is taxed", "corrija a tributação do serviço"},
		"withholding": {"correct what is withheld", "corrija o que é retido"},
		"note": {
			"complete what the note refers to, or cancel it",
			"complete aquilo a que a nota se refere, ou cancele-a",
		},
		"customer":    {"correct the customer", "corrija o tomador"},
		"certificate": {"add another certificate", "inclua outro certificado"},
		"clock":       {"check this machine's clock", "confira o relógio desta máquina"},
		"await_city": {
			"wait until the city has decided about it, or lifts its block, or cancel this note; it is tried every hour",
			"aguarde o município decidir sobre ela ou retirar o bloqueio, ou cancele esta nota; tenta-se a cada hora",
		},
		"report": {
			"report it to the operators of Emissor; another version may go on with it",
			"avise os operadores do Emissor; outra versão pode seguir com ela",
		},
	},
	"mend": { // what is changed without a person after a refusal
		"send_registration": {"the municipal registration is sent", "a inscrição municipal é enviada"},
		"omit_registration": {"the municipal registration is left out", "a inscrição municipal é omitida"},
		"send_rate":         {"the service's ISS rate is sent", "a alíquota de ISS do serviço é enviada"},
		"omit_rate":         {"the ISS rate is left out", "a alíquota de ISS é omitida"},
		"omit_address":      {"the customer's address is left out", "o endereço do tomador é omitido"},
		"omit_federal":      {"the federal taxes are left out", "os tributos federais são omitidos"},
		"other_signature":   {"it is signed by the other algorithm", "é assinada pelo outro algoritmo"},
	},
	"total": { // a member of the totals that a document states
		"service":      {"the price", "valor do serviço"},
		"net":          {"the net amount", "valor líquido"},
		"total":        {"the amount charged to the customer", "valor a pagar pelo tomador"},
		"iss":          {"the ISS", "ISS"},
		"iss_withheld": {"the ISS withheld", "ISS retido"},
		"irrf":         {"the IRRF withheld", "IRRF retido"},
		"csrf":         {"the PIS, COFINS and CSLL withheld", "PIS, COFINS e CSLL retidos"},
		"inss":         {"the INSS withheld", "INSS retido"},
		"ibs":          {"the IBS", "IBS"},
		"cbs":          {"the CBS", "CBS"},
	},
	"detail": details,
	"ledger": {
		"issued":   {"issued", "emissão"},
		"reversed": {"reversed", "estorno"},
	},
	"proof": { // by what a document is known to be a note's
		"digest":         {"digest", "resumo criptográfico"},
		"correlation_id": {"correlation_id", "id da nota"},
	},
}

// Word is the word for a value of a kind: in Portuguese, or else in English.
func Word(kind, value string, portuguese bool) string {
	l := inEnglish
	if portuguese {
		l = inPortuguese
	}
	return filled(value, kind, l)
}
