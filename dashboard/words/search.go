package words

// search is the search for everything, which every page opens.
var search = table{
	"search.title":     {"Buscar e ir", "Search and go"},
	"search.open":      {"Buscar", "Search"},
	"search.words":     {"Nota, tomador, serviço, página ou ação", "Invoice, customer, service, page or action"},
	"search.found":     {"Resultados", "Results"},
	"search.acts":      {"Fazer", "Do"},
	"search.pages":     {"Ir para", "Go to"},
	"search.notes":     {"Notas", "Invoices"},
	"search.customers": {"Clientes", "Customers"},
	"search.services":  {"Serviços", "Services"},
	"search.batch":     {"Emitir por planilha", "Issue from a spreadsheet"},
	"search.key":       {"Criar chave de API", "Create an API key"},
	"search.invite":    {"Convidar usuário", "Invite a user"},
	"search.count":     {"%d resultados", "%d results"},
	"search.count.one": {"%d resultado", "%d result"},
	"search.none": {
		"Nada encontrado. Tente o número, a referência ou parte do nome.",
		"Nothing found. Try the number, the reference or a part of the name.",
	},
	"search.failed": {"A busca não respondeu. Tente de novo.", "The search did not answer. Try again."},
	"search.close":  {"Fechar", "Close"},
}
