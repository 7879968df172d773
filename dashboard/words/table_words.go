package words

import "cmp"

// tableWords are the names in the built-in tables of classification that are ours: of places and kinds of
// operations (cIndOp), and of kinds of taxation (CST). An imported table has the official words, which stay
// as they are.
var tableWords = map[string]string{
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
	"where the good is fetched, away from the supplier's establishment": "" +
		"onde o bem é retirado, fora do estabelecimento do fornecedor",
	"where the port is":             "onde é o porto",
	"where the property is":         "onde está o imóvel ou o bem",
	"where the service is rendered": "onde o serviço é prestado",
	"where the service is rendered, away from the supplier's establishment": "" +
		"onde o serviço é prestado, fora do estabelecimento do fornecedor",
	"where the transport begins": "onde começa o transporte",

	"administration and brokerage of property":    "administração e intermediação de imóveis",
	"advertising space, not onerous":              "espaço para publicidade, sem cobrança",
	"advertising space, onerous":                  "espaço para publicidade, com cobrança",
	"advertising space, onerous, acquirer abroad": "espaço para publicidade, com cobrança, a quem está no exterior",
	"exploration of roads":                        "exploração de via",
	"fairs, congresses, shows and the like":       "feiras, congressos, espetáculos e semelhantes",
	"lease and right of way of railways, roads, posts, cables and ducts": "" +
		"locação e direito de passagem de ferrovias, rodovias, postes, cabos e dutos",
	"movable good, delivered": "bem móvel, entregue",
	"movable good, fetched":   "bem móvel, retirado",
	"movable good, rented by a company for all its establishments": "" +
		"bem móvel alugado por uma empresa para todos os seus estabelecimentos",
	"other goods, not onerous":                  "outros bens, sem cobrança",
	"other goods, onerous":                      "outros bens, com cobrança",
	"other goods, onerous, acquirer abroad":     "outros bens, com cobrança, a quem está no exterior",
	"other services, not onerous":               "outros serviços, sem cobrança",
	"other services, onerous":                   "outros serviços, com cobrança",
	"other services, onerous, acquirer abroad":  "outros serviços, com cobrança, a quem está no exterior",
	"port services":                             "serviços portuários",
	"property, or rights to it":                 "imóvel, ou direitos sobre ele",
	"service done physically to a movable good": "serviço feito fisicamente em bem móvel",
	"service done physically to property":       "serviço feito fisicamente em imóvel",
	"service done physically to property of special characteristics": "" +
		"serviço feito fisicamente em imóvel de características especiais",
	"service to a person, or enjoyed in person": "serviço feito a uma pessoa, ou usufruído presencialmente",
	"transport of cargo":                        "transporte de carga",
	"transport of passengers":                   "transporte de passageiros",

	"full taxation":                         "tributação integral",
	"uniform rates":                         "alíquotas uniformes",
	"uniform rates, reduced":                "alíquotas uniformes, reduzidas",
	"reduced rate":                          "alíquota reduzida",
	"fixed rate":                            "alíquota fixa",
	"fixed rate, proportional":              "alíquota fixa proporcional",
	"reduced base":                          "redução da base de cálculo",
	"exemption":                             "isenção",
	"immunity and non-incidence":            "imunidade e não incidência",
	"deferral":                              "diferimento",
	"deferral with reduced rate":            "diferimento com redução de alíquota",
	"suspension":                            "suspensão",
	"single-phase taxation":                 "tributação monofásica",
	"transfer of credit":                    "transferência de crédito",
	"adjustment in the free zone of Manaus": "ajuste de IBS na Zona Franca de Manaus",
	"adjustments":                           "ajustes",
	"taxed by a document of its own":        "tributação em declaração própria",
	"exclusion from the base":               "exclusão da base de cálculo",
}

// TableWords is a name in a table of classification, in the reader's language.
func (l Language) TableWords(name string) string {
	if l != Portuguese {
		return name
	}
	return cmp.Or(tableWords[name], name)
}
