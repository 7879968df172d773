package words

// messages are what was sent to authorities about a note, and their answers.
var messages = table{
	"messages.title":    {"Mensagens trocadas", "Messages exchanged"},
	"messages.back":     {"Voltar à nota", "Back to the note"},
	"messages.all":      {"Todas as mensagens", "All messages"},
	"messages.way":      {"Sentido", "Direction"},
	"messages.sent":     {"Enviada", "Sent"},
	"messages.received": {"Recebida", "Received"},
	"messages.what":     {"Operação", "Operation"},
	"messages.outcome":  {"Resultado", "Outcome"},
	"messages.bytes":    {"Bytes", "Bytes"},
	"messages.gone":     {"não guardada", "not kept"},
	"messages.download": {"Baixar os bytes exatos", "Download the exact bytes"},
	"messages.cut":      {"O texto continua no arquivo.", "The text goes on in the file."},
	"messages.means": {
		"De cada tentativa, o que foi assinado e enviado. Das respostas, o documento, os eventos e as que não foram " +
			"entendidas.",
		"Of every attempt, what was signed and sent. Of the answers, the document, the events, and those that were " +
			"not understood.",
	},
	"messages.none": {"Nada foi enviado a uma autoridade.", "Nothing was sent to an authority."},
}
