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
	},
	"outcome": {
		"accepted":      {"accepted", "aceito"},
		"rejected":      {"rejected", "rejeitado"},
		"not_found":     {"not_found", "não encontrado"},
		"not_delivered": {"not_delivered", "não entregue"},
		"unknown":       {"unknown", "resultado desconhecido"},
	},
	"environment": {
		"production": {"production", "produção"},
		"restricted": {"restricted", "produção restrita"},
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
	},
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
