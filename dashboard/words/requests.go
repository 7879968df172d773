package words

// requests is the log of requests to the API.
var requests = table{
	"section.requests": {"Requisições", "Requests"},
	"requests.one":     {"Requisição", "Request"},
	"requests.means": {
		"As requisições à API com as chaves deste ambiente nos últimos %d dias. Guardamos os nomes e os tamanhos " +
			"dos campos enviados, nunca o conteúdo.",
		"The requests to the API with the keys of this environment in the last %d days. We keep the names and the " +
			"sizes of the fields that were sent, never their content.",
	},
	"requests.keys":      {"Chaves de API", "API keys"},
	"requests.q":         {"Requisição (req_…), referência ou nota", "Request (req_…), reference or invoice"},
	"requests.gone":      {"Esta requisição não está no registro.", "This request is not on record."},
	"requests.key.wrong": {"Escolha uma das chaves.", "Choose one of the keys."},
	"requests.code":      {"Código do erro", "Error code"},
	"requests.code.wrong": {
		"Informe um código da API, como invalid_request.", "Enter a code of the API, like invalid_request.",
	},
	"requests.operation":       {"Operação", "Operation"},
	"requests.operation.wrong": {"Escolha uma das operações.", "Choose one of the operations."},
	"requests.status":          {"Status HTTP", "HTTP status"},
	"requests.status.2":        {"2xx: aceitas", "2xx: accepted"},
	"requests.status.4":        {"4xx: erros da requisição", "4xx: errors of the request"},
	"requests.status.5":        {"5xx: erros do serviço", "5xx: errors of the service"},
	"requests.left":            {"cliente desconectou", "client disconnected"},
	"requests.all":             {"Todas as requisições", "All requests"},
	"requests.failed":          {"Só com erro", "With errors only"},
	"requests.at":              {"Data e hora", "Date and time"},
	"requests.error":           {"Erro", "Error"},
	"requests.took":            {"Duração", "Duration"},
	"requests.none": {
		"Nenhuma requisição com uma chave deste ambiente nos últimos dias. A primeira:",
		"No requests with a key of this environment in the last days. The first one:",
	},
	"requests.none.found": {
		"Nenhuma requisição com estes filtros.", "No requests match these filters.",
	},
	"requests.none.yet": {
		"Nenhuma entre as 10 mil requisições examinadas. Continue nas mais antigas.",
		"None among the 10,000 requests that were looked at. Go on with older ones.",
	},
	"requests.partly": {
		"Examinamos 10 mil requisições de cada vez. Continue nas mais antigas.",
		"We look at 10,000 requests at a time. Go on with older ones.",
	},
	"requests.refused": {
		"Requisições recusadas por chave revogada, vencida ou de uma rede não permitida, em %[2]d dias: %[1]d. " +
			"Delas guardamos só a contagem.",
		"Requests refused because their key was revoked, had expired or came from a network that it is not allowed " +
			"from, in %[2]d days: %[1]d. Only their number is kept.",
	},
	"requests.lost": {
		"O registro é salvo a cada 2 segundos, fora da requisição: se um processo da API parar de repente, as " +
			"requisições que ele ainda não gravou (as dos últimos 2 segundos, no máximo 10 mil) não aparecem aqui. " +
			"As notas não se perdem. Também não aparecem endereços que a API não tem.",
		"The log is written every 2 seconds, outside the request: if a process of the API ends abruptly, the " +
			"requests that it has not written yet (those of the last 2 seconds, 10,000 at most) are missing here. No " +
			"invoice is lost. Paths that the API does not have are not shown either.",
	},
	"requests.to_note": {"Ver a nota", "See the invoice"},
	"requests.about":   {"Dados da requisição", "Request details"},
	"requests.path":    {"Caminho", "Path"},
	"requests.field":   {"Campo", "Field"},
	"requests.same":    {"Da mesma nota", "Of the same invoice"},
	"requests.of_note": {"Todas as requisições desta nota", "All requests about this invoice"},
	"requests.sent":    {"Campos enviados", "Fields sent"},
	"requests.sent.means": {
		"Nomes e tamanhos apenas: o conteúdo não é guardado.", "Names and sizes only: the content is not kept.",
	},
	"requests.body":    {"Tamanho do corpo em bytes: %d.", "Size of the body in bytes: %d."},
	"requests.bytes":   {"Bytes", "Bytes"},
	"requests.no_body": {"Sem corpo.", "No body."},
	"requests.others": {
		"Campos que a API não conhece: %d.", "Fields that the API does not know: %d.",
	},
	"requests.back":    {"Voltar às requisições", "Back to the requests"},
	"requests.made_it": {"Requisição à API que criou esta nota", "API request that made this invoice"},
}
