package words

// totals are the amounts that the authority's document states.
var totals = table{
	"note.totals": {"Valores no documento da autoridade", "Amounts in the authority's document"},

	"note.totals.service":      {"Serviço", "Service"},
	"note.totals.net":          {"Valor líquido", "Net amount"},
	"note.totals.total":        {"A pagar pelo tomador", "Charged to the customer"},
	"note.totals.iss":          {"ISS", "ISS"},
	"note.totals.iss_withheld": {"ISS retido", "ISS withheld"},
	"note.totals.irrf":         {"IRRF retido", "IRRF withheld"},
	"note.totals.csrf":         {"PIS, COFINS e CSLL retidos", "PIS, COFINS and CSLL withheld"},
	"note.totals.inss":         {"INSS retido", "INSS withheld"},
	"note.totals.ibs":          {"IBS", "IBS"},
	"note.totals.cbs":          {"CBS", "CBS"},

	"note.totals.withheld": {"Total retido", "Withheld in all"},
}
