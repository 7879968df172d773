package words

// places are the places of operations in the built-in table of cIndOp. An imported table has
// the official words, which stay as they are.
var places = map[string]string{
	"along the road, in proportion":     "ao longo da via, em proporção",
	"an address of none of the parties": "endereço que não é de nenhuma das partes",
	"the acquirer's address":            "endereço do adquirente",
	"the acquirer's main domicile":      "domicílio principal do adquirente",
	"the address of delivery":           "endereço da entrega",
	"the recipient's address":           "endereço do destinatário",
	"the recipient's main domicile":     "domicílio principal do destinatário",
	"the supplier's establishment":      "estabelecimento do fornecedor",
	"where the cargo is fetched":        "onde a carga é retirada",
	"where the event is":                "onde é o evento",
	"where the property is":             "onde está o imóvel ou o bem",
	"where the service is rendered":     "onde o serviço é prestado",
	"where the transport begins":        "onde começa o transporte",
}

// Place is the place of an operation, in the reader's language.
func (l Language) Place(name string) string {
	if portuguese, ours := places[name]; ours && l == Portuguese {
		return portuguese
	}
	return name
}
