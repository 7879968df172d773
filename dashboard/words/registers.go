package words

// registers are those of works and of events.
var registers = table{
	"section.works":  {"Obras", "Works"},
	"section.events": {"Eventos", "Events"},

	"register.why.works": {
		"Obras de construção a que as notas se referem. Itens que precisam de obra emitem com ela.",
		"Construction works that invoices refer to. Services that need one are issued with it.",
	},
	"register.new.works":      {"Nova obra", "New work"},
	"register.one.works":      {"Obra", "Work"},
	"register.none.works":     {"Nenhuma obra ainda.", "No works yet."},
	"register.known_by.works": {"CNO, CEI ou CIB", "CNO, CEI or CIB"},
	"register.close.works":    {"Encerrar a obra", "Close the work"},
	"register.one_of.works": {
		"Informe um só: o CNO ou CEI, o CIB, ou o endereço. No exterior, o endereço sem CEP e sem município.",
		"Give exactly one: the CNO or CEI, the CIB, or the address. Abroad the address has neither zip code nor " +
			"city code.",
	},
	"register.why.events": {
		"Eventos a que se referem notas de serviços do item 12 (diversões, lazer, cultura).",
		"Events that invoices of services of item 12 (amusement, leisure, culture) refer to.",
	},
	"register.new.events":      {"Novo evento", "New event"},
	"register.one.events":      {"Evento", "Event"},
	"register.none.events":     {"Nenhum evento ainda.", "No events yet."},
	"register.known_by.events": {"Dias", "Days"},
	"register.close.events":    {"Encerrar o evento", "Close the event"},
	"register.one_of.events": {
		"Informe um só: a identificação no município, ou o endereço. No exterior, o endereço sem CEP e sem município.",
		"Give exactly one: the identification by the city, or the address. Abroad the address has neither zip code " +
			"nor city code.",
	},

	"site.name":               {"Nome", "Name"},
	"site.registration":       {"CNO ou CEI", "CNO or CEI"},
	"site.cib":                {"CIB, 8 caracteres", "CIB, 8 characters"},
	"site.property_number":    {"Inscrição imobiliária no município", "Number at the city"},
	"site.technical_document": {"ART, RRT ou DRT", "ART, RRT or DRT"},
	"site.identification":     {"Identificação do evento no município", "Identification of the event by the city"},
	"site.from":               {"Primeiro dia", "First day"},
	"site.through":            {"Último dia", "Last day"},
	"site.municipality_code":  {"Município", "City"},
	"site.zip_code":           {"CEP", "Zip code"},
	"site.street":             {"Logradouro", "Street"},
	"site.number":             {"Número", "Number"},
	"site.complement":         {"Complemento", "Complement"},
	"site.district":           {"Bairro", "District"},
	"site.postal_code":        {"Código postal no exterior", "Postal code abroad"},
	"site.city":               {"Cidade no exterior", "City abroad"},
	"site.region":             {"Estado, província ou região no exterior", "State, province or region abroad"},

	"site.wrong.name": {"Informe o nome.", "Give the name."},
	"site.wrong.registration": {
		"O CNO ou CEI tem 12 dígitos, com o verificador certo. Informe só um: CNO ou CEI, CIB ou endereço.",
		"A CNO or CEI has 12 digits, with the right check digit. Give one alone: CNO or CEI, CIB or address.",
	},
	"site.wrong.cib": {
		"O CIB tem 8 letras maiúsculas e dígitos.",
		"A CIB has 8 capital letters and digits.",
	},
	"site.wrong.property_number":    {"No máximo 30 caracteres.", "At most 30 characters."},
	"site.wrong.technical_document": {"No máximo 40 caracteres.", "At most 40 characters."},
	"site.wrong.identification": {
		"Informe só um: a identificação, de até 30 caracteres, ou o endereço.",
		"Give one alone: the identification, of up to 30 characters, or the address.",
	},
	"site.wrong.from":    {"Informe o primeiro dia.", "Give the first day."},
	"site.wrong.through": {"Informe o último dia, não antes do primeiro.", "Give the last day, not before the first."},
	"site.wrong.municipality_code": {
		"Informe o código IBGE de um município; de um endereço no exterior, nenhum.",
		"Give the IBGE code of a city; of an address abroad none.",
	},
	"site.wrong.zip_code": {
		"Informe o CEP, de 8 dígitos; de um endereço no exterior, nenhum.",
		"Give the zip code, of 8 digits; of an address abroad none.",
	},
	"site.wrong.street":     {"Informe o logradouro.", "Give the street."},
	"site.wrong.number":     {"Informe o número.", "Give the number."},
	"site.wrong.complement": {"No máximo 156 caracteres.", "At most 156 characters."},
	"site.wrong.district":   {"Informe o bairro.", "Give the district."},
	"site.wrong.postal_code": {
		"Informe o código postal, de até 11 caracteres.",
		"Give the postal code, of up to 11 characters.",
	},
	"site.wrong.city": {"Informe a cidade, de até 60 caracteres.", "Give the city, of up to 60 characters."},
	"site.wrong.region": {
		"Informe o estado ou a região, de até 60 caracteres.",
		"Give the region, of up to 60 characters.",
	},

	"site.state":     {"Situação", "Status"},
	"site.is_open":   {"aberta a notas", "open to invoices"},
	"site.is_closed": {"encerrado", "closed"},
	"site.added":     {"Registro criado.", "It is on record."},
	"site.changed":   {"Registro salvo.", "It is saved."},
	"site.closed":    {"Encerrado.", "It is closed."},
	"site.closed.means": {
		"Notas novas não podem mais se referir a este registro; as que o têm ficam com ele.",
		"New invoices may no longer refer to it; those that have it keep it.",
	},
	"site.close.means": {
		"Nenhuma nota nova poderá se referir a este registro. Não se desfaz.",
		"No new invoice will be able to refer to it. It cannot be undone.",
	},

	"audit.work.create":           {"criou a obra", "created the work"},
	"audit.work.set":              {"mudou a obra", "changed the work"},
	"audit.work.close":            {"encerrou a obra", "closed the work"},
	"audit.cultural_event.create": {"criou o evento", "created the event"},
	"audit.cultural_event.set":    {"mudou o evento", "changed the event"},
	"audit.cultural_event.close":  {"encerrou o evento", "closed the event"},
}
