package danfse

const service = dps + "serv/"

var serviceBlock = block{title: "SERVIÇO PRESTADO", rows: []row{
	{top: 12.74, cells: []cell{
		{"Código de Tributação Nacional / Municipal", 2, 1, 0, plain, func(n note) string {
			return joined(" / ", maskTax(n.get(service+"cServ/cTribNac")), n.get(service+"cServ/cTribMun"))
		}},
		{"Código da NBS", 3, 1, 0, plain, as(maskNBS, service+"cServ/cNBS")},
		{"Local da Prestação / Sigla UF / País", 4, 1, 0, plain, placeOfService},
	}},
	{top: 13.39, cells: []cell{
		{"", 1, 4, 170, plain, func(n note) string { return n.first(inf+"xTribMun", inf+"xTribNac") }},
	}},
	{top: descriptionTop},
}}

// The description of the service and the further information have as many lines
// as there is room: layout.go divides it.
const (
	descriptionTop  = 13.79
	descriptionMost = 1300
	informationTop  = 22.27
	informationMost = 2000
)

func placeOfService(n note) string {
	code := n.get(service + "locPrest/cLocPrestacao")
	name := n.get(inf + "xLocPrestacao")
	if name == "" && code != "" {
		name = municipalityName(code)
	}
	return inCountry(name, code, n.get(service+"locPrest/cPaisPrestacao"))
}

// inCountry names a place with its state and country; what is not abroad is in
// Brazil.
func inCountry(name, code, country string) string {
	if name == "" && country == "" {
		return ""
	}
	if country == "" {
		country = "BR"
	}
	return joined(" / ", name, state(code), country)
}
