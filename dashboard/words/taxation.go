package words

// taxation is what is withheld of services, by customers, and what the company declares.
var taxation = table{
	"tax.title": {"Tributação e retenções", "Taxation and withholdings"},
	"tax.why.service": {
		"O que tomadores pessoa jurídica retêm do valor deste serviço. Quem diz se a lei se aplica é a empresa.",
		"What company customers withhold of this service's price. Whether the law applies is the company's to say.",
	},
	"tax.why.customer": {
		"O que este tomador retém, quando não é o que o serviço diz. Pessoa física (CPF) nada retém.",
		"What this customer withholds, where it is not what the service says. An individual (CPF) withholds nothing.",
	},
	"tax.withholds":            {"O tomador retém", "The customer withholds"},
	"tax.withholds.by_service": {"conforme o serviço", "by the service"},
	"tax.withholds.never":      {"nunca (dispensado)", "never (exempt)"},
	"tax.withholds.own":        {"um conjunto próprio (órgão público)", "a set of its own (public body)"},
	"tax.withholds.wrong":      {"Escolha uma das opções.", "Choose one of the options."},
	"tax.simples_taker": {
		"É do Simples Nacional: não retém PIS, COFINS e CSLL",
		"It is in Simples Nacional: it withholds no PIS, COFINS and CSLL",
	},
	"tax.own": {"Conjunto próprio", "Set of its own"},
	"tax.usual": {
		"Em % do valor; em branco não se retém. Usual: IRRF 1,5 ou 1; PIS 0,65; COFINS 3; CSLL 1; INSS 11. IRRF, " +
			"e a soma de PIS, COFINS e CSLL, só acima de R$ 10,00 por nota.",
		"In percent of the price; empty is not withheld. Usual: IRRF 1.5 or 1; PIS 0.65; COFINS 3; CSLL 1; INSS " +
			"11. IRRF, and PIS, COFINS and CSLL together, only above BRL 10.00 an invoice.",
	},
	"tax.irrf":   {"IRRF, %", "IRRF, percent"},
	"tax.pis":    {"PIS, %", "PIS, percent"},
	"tax.cofins": {"COFINS, %", "COFINS, percent"},
	"tax.csll":   {"CSLL, %", "CSLL, percent"},
	"tax.inss":   {"INSS, %", "INSS, percent"},
	"tax.inss-base": {"Base do INSS, % do valor (em branco: todo)",
		"Base of the INSS, percent of the price (empty: all)"},
	"tax.rates.wrong": {
		"As alíquotas devem somar menos de 100%, e a base do INSS precisa da alíquota dele.",
		"The rates must be below 100 percent together, and a base of the INSS needs its rate.",
	},
	"tax.saved": {"Tributação salva.", "Taxation saved."},
	"tax.snapshot": {
		"Uma nota fica com o que valia quando foi aceita.",
		"An invoice keeps what was set when it was accepted.",
	},

	"review.withheld":          {"Tributos federais retidos", "Federal taxes withheld"},
	"review.withheld.none":     {"nenhum", "none"},
	"review.own_contributions": {"PIS e COFINS próprios", "Own PIS and COFINS"},
	"review.net":               {"Valor líquido esperado", "Net amount expected"},

	"company.own_contributions":            {"PIS e COFINS próprios, nas notas", "Own PIS and COFINS, on invoices"},
	"company.own_contributions.cumulative": {"cumulativo: 0,65% e 3%", "cumulative: 0.65 and 3 percent"},
	"company.own_contributions.non_cumulative": {"não cumulativo: 1,65% e 7,6%",
		"non-cumulative: 1.65 and 7.6 percent"},
	"company.own_contributions.means": {
		"O que a própria empresa deve e informa em cada nota, até o fim de PIS e COFINS em 2026. Não é retenção.",
		"What the company owes itself and states on every invoice, until PIS and COFINS end with 2026. It is not " +
			"withheld.",
	},
	"company.own_contributions.wrong": {
		"Deve ser nenhum para pessoa física, MEI, empresa com os tributos federais dentro do Simples e para a cidade " +
			"de São Paulo.",
		"It must be none of an individual, an MEI, a company whose federal taxes are within Simples, and for the " +
			"city of São Paulo.",
	},
	"company.simples_rates": {
		"Simples: alíquota efetiva de ISS por mês, como 2026-10=2,01; 2026-11=2,05",
		"Simples: effective ISS rate by month, as 2026-10=2.01; 2026-11=2.05",
	},
	"company.simples_rates.means": {
		"O ISS retido de ME e EPP vai pela alíquota do mês anterior ao da nota. Com algum mês informado, a nota " +
			"cujo mês falta espera por ele.",
		"ISS withheld of an ME or EPP goes at the rate of the month before the invoice's. Once a month is given, " +
			"an invoice whose month is missing waits for it.",
	},
	"company.simples_rates.wrong": {
		"Escreva meses e alíquotas de 1,80 a 5,00, como 2026-10=2,01; 2026-11=2,05.",
		"Write months and rates from 1.80 to 5.00, as 2026-10=2.01; 2026-11=2.05.",
	},
}
