package words

// messages are what was sent to authorities about a note, and their answers.
var messages = table{
	"messages.title":    {"Mensagens trocadas", "Messages exchanged"},
	"messages.back":     {"Voltar à nota", "Back to the invoice"},
	"messages.all":      {"Todas as mensagens", "All messages"},
	"messages.way":      {"Sentido", "Direction"},
	"messages.sent":     {"Enviada", "Sent"},
	"messages.received": {"Recebida", "Received"},
	"messages.what":     {"Operação", "Operation"},
	"messages.outcome":  {"Resultado", "Outcome"},
	"messages.bytes":    {"Bytes", "Bytes"},
	"messages.gone":     {"não guardada", "not kept"},
	"messages.embedded": {"está no documento", "in the document"},
	"messages.download": {"Baixar os bytes exatos", "Download the exact bytes"},
	"messages.cut":      {"O texto continua no arquivo.", "The text goes on in the file."},
	"messages.means": {
		"De cada tentativa, o que foi assinado e enviado. Das respostas, o documento, os eventos e as que não foram " +
			"entendidas.",
		"Of every attempt, what was signed and sent. Of the answers, the document, the events, and those that were " +
			"not understood.",
	},
	"messages.none": {"Nada foi enviado a uma autoridade.", "Nothing was sent to an authority."},

	"messages.call.issue":             {"Emissão", "Issuance"},
	"messages.call.cancel":            {"Cancelamento", "Cancellation"},
	"messages.call.find":              {"Consulta da nota", "Query for the invoice"},
	"messages.call.find_cancellation": {"Consulta do cancelamento", "Query for the cancellation"},
	"messages.call.find_numbers":      {"Consulta dos números", "Query for the numbers"},
	"messages.call.analysis":          {"Pedido de análise fiscal", "Request of analysis"},
	"messages.call.find_analysis":     {"Consulta do pedido de análise", "Query for the request of analysis"},
	"messages.call.find_answer":       {"Consulta da resposta do município", "Query for the city's answer"},
	"messages.call.find_bar": {
		"Consulta do que impede o cancelamento",
		"Query for what bars the cancellation",
	},

	"messages.outcome.unsigned":        {"A assinar", "To be signed"},
	"messages.outcome.signed":          {"Assinada, a enviar", "Signed, to be sent"},
	"messages.outcome.in_doubt":        {"Resultado a confirmar", "Result to be confirmed"},
	"messages.outcome.accepted":        {"Aceita", "Accepted"},
	"messages.outcome.rejected":        {"Rejeitada", "Rejected"},
	"messages.outcome.number_conflict": {"Número já usado por outro sistema", "Number used by another system"},
	"messages.outcome.unused":          {"Não enviada", "Not sent"},
	"messages.outcome.spent":           {"Rejeitada; segue com outro número", "Rejected; goes on under another number"},
	"messages.outcome.not_delivered":   {"Não entregue", "Not delivered"},
	"messages.outcome.not_found":       {"Nada encontrado", "Nothing found"},
	"messages.outcome.unknown":         {"Resultado desconhecido", "Unknown result"},
}
