package danfse

// The cells of taxes and totals.

var cityTaxes = block{
	title: "TRIBUTAÇÃO MUNICIPAL (ISSQN)",
	phrase: func(n note) string {
		if !n.withoutISS() {
			return ""
		}
		return "TRIBUTAÇÃO MUNICIPAL (ISSQN) - OPERAÇÃO NÃO SUJEITA AO ISSQN"
	},
	rows: []row{
		{top: 14.43, cells: []cell{
			{"Tipo de Tributação do ISSQN", 2, 1, 0, plain, as(taxations.of, city+"tribISSQN")},
			{"Município / Sigla UF / País de Incidência do ISSQN", 3, 2, 0, plain, func(n note) string {
				return inCountry(n.get(inf+"xLocIncid"), n.get(inf+"cLocIncid"), n.get(city+"cPaisResult"))
			}},
		}},
		optional(15.08,
			cell{"Regime Especial de Tributação do ISSQN", 1, 1, 0, plain,
				as(specialRegimes.of, dps+"prest/regTrib/regEspTrib")},
			cell{"Tipo de Imunidade do ISSQN", 2, 1, 40, plain, as(immunities.of, city+"tpImunidade")},
			cell{"Suspensão da Exigibilidade do ISSQN", 3, 1, 40, plain, as(suspensions.of, city+"exigSusp/tpSusp")},
			cell{"Número Processo Suspensão", 4, 1, 0, plain, element(city + "exigSusp/nProcesso")},
		),
		optional(15.73,
			cell{"Benefício Municipal", 1, 1, 0, plain, as(benefits.of, inf+"valores/tpBM")},
			cell{"Cálculo do BM", 2, 1, 0, plain, firstAs(reais, inf+"valores/vCalcBM", city+"BM/vRedBCBM")},
			cell{"Total Deduções/Reduções", 3, 1, 0, plain, func(n note) string {
				return reais(sum(n.first(values+"vDedRed/vDR", inf+"valores/vCalcDR"),
					n.get(reform+"valores/vCalcReeRepRes")))
			}},
			cell{"Desconto Incondicionado", 4, 1, 0, plain, as(reais, values+"vDescCondIncond/vDescIncond")},
		),
		{top: 16.37, cells: []cell{
			{"BC ISSQN", 1, 1, 0, plain, as(reais, inf+"valores/vBC")},
			{"Alíquota Aplicada", 2, 1, 0, plain, as(percent, inf+"valores/pAliqAplic")},
			{"Retenção do ISSQN", 3, 1, 0, plain, as(withholdings.of, city+"tpRetISSQN")},
			{"ISSQN Apurado", 4, 1, 0, plain, as(reais, inf+"valores/vISSQN")},
		}},
	},
}

// optional is a row that is left out when it has nothing to show.
func optional(top float64, cells ...cell) row {
	r := row{top: top, cells: cells}
	r.shown = r.filled
	return r
}

const (
	contribution = federal + "piscofins/"

	// Of tpRetPisCofins: PIS and COFINS are withheld, and count with the CSLL.
	contributionsWithheld = "1"
)

var federalTaxes = block{title: "TRIBUTAÇÃO FEDERAL (EXCETO CBS)", rows: []row{
	{top: 17.02, cells: []cell{
		{"IRRF", 2, 1, 0, plain, as(reais, federal+"vRetIRRF")},
		{"Contribuição Previdenciária - Retida", 3, 1, 0, plain, as(reais, federal+"vRetCP")},
		{"Contribuições Sociais - Retidas", 4, 1, 0, plain, func(n note) string {
			if n.get(contribution+"tpRetPisCofins") == contributionsWithheld {
				return sumOf(federal+"vRetCSLL", contribution+"vPis", contribution+"vCofins")(n)
			}
			return reais(n.get(federal + "vRetCSLL"))
		}},
	}},
	{top: 17.67, shown: note.withContributions, cells: []cell{
		{"PIS - Débito Apuração Própria", 1, 1, 0, plain, ownContribution("vPis")},
		{"COFINS - Débito Apuração Própria", 2, 1, 0, plain, ownContribution("vCofins")},
		{"Descrição Contrib. Sociais - Retidas", 3, 2, 0, plain,
			as(contributions.of, contribution+"tpRetPisCofins")},
	}},
}}

// ownContribution is PIS or COFINS where it is not withheld.
func ownContribution(name string) func(note) string {
	return func(n note) string {
		if n.get(contribution+"tpRetPisCofins") == contributionsWithheld {
			return reais("0")
		}
		return reais(n.get(contribution + name))
	}
}

const (
	rates  = reform + "valores/"
	totalR = reform + "totCIBS/"
)

var reformTaxes = block{
	title:   "TRIBUTAÇÃO IBS / CBS",
	omitted: func(n note) bool { return !n.withReform() },
	rows: []row{
		{top: 18.32, cells: []cell{
			{"CST / cClassTrib", 2, 1, 0, plain, func(n note) string {
				const class = request + "valores/trib/gIBSCBS/"
				return joined(" / ", n.get(class+"CST"), n.get(class+"cClassTrib"))
			}},
			{"Indicador de Operação / Código IBGE Incidência / Município Incidência / Sigla UF", 3, 2, 0, plain,
				func(n note) string {
					code := n.get(reform + "cLocalidadeIncid")
					return joined(" / ", n.get(request+"cIndOp"), code, n.get(reform+"xLocalidadeIncid"), state(code))
				}},
		}},
		{top: 18.96, cells: []cell{
			{"Exclusões e Reduções da Base de Cálculo", 1, 1, 0, plain, sumOf(values+"vDescCondIncond/vDescIncond",
				rates+"vCalcReeRepRes", inf+"valores/vISSQN", contribution+"vPis", contribution+"vCofins")},
			{"Base de Cálculo Após Exclusões e Reduções", 2, 1, 0, plain, as(reais, rates+"vBC")},
			{"Red. Alíquota IBS / Red. Alíquota CBS", 3, 1, 0, plain,
				percents(rates+"uf/pRedAliqUF", rates+"mun/pRedAliqMun", rates+"fed/pRedAliqCBS")},
			{"Alíquota - IBS UF / IBS Mun", 4, 1, 0, plain, percents(rates+"uf/pIBSUF", rates+"mun/pIBSMun")},
		}},
		{top: 19.61, cells: []cell{
			{"Alíq. Efetiva Municipal - IBS", 1, 1, 0, plain, as(percent, rates+"mun/pAliqEfetMun")},
			{"Valor Apurado Municipal - IBS", 2, 1, 0, plain, as(reais, totalR+"gIBS/gIBSMunTot/vIBSMun")},
			{"Alíq. Efetiva Estadual - IBS", 3, 1, 0, plain, as(percent, rates+"uf/pAliqEfetUF")},
			{"Valor Apurado Estadual - IBS", 4, 1, 0, plain, as(reais, totalR+"gIBS/gIBSUFTot/vIBSUF")},
		}},
		{top: 20.26, cells: []cell{
			{"Valor Total Apurado - IBS", 1, 1, 0, plain, as(reais, totalR+"gIBS/vIBSTot")},
			{"Alíquota - CBS", 2, 1, 0, plain, as(percent, rates+"fed/pCBS")},
			{"Alíquota Efetiva - CBS", 3, 1, 0, plain, as(percent, rates+"fed/pAliqEfetCBS")},
			{"Valor Total Apurado - CBS", 4, 1, 0, plain, as(reais, totalR+"gCBS/vCBS")},
		}},
	},
}

// percents is a cell of several rates, each with a dash where it has none.
func percents(paths ...string) func(note) string {
	return func(n note) string {
		shown, any := make([]string, len(paths)), false
		for i, path := range paths {
			if shown[i] = percent(n.get(path)); shown[i] == "" {
				shown[i] = dash
			} else {
				any = true
			}
		}
		if !any {
			return ""
		}
		return joined(" / ", shown...)
	}
}

var totals = block{title: "VALOR TOTAL DA NFS-e", rows: []row{
	{top: 20.90, cells: []cell{
		{"VALOR DA OPERAÇÃO / SERVIÇO", 2, 1, 0, strong, as(reais, values+"vServPrest/vServ")},
		{"Desconto Incondicionado", 3, 1, 0, plain, as(reais, values+"vDescCondIncond/vDescIncond")},
		{"Desconto Condicionado", 4, 1, 0, plain, as(reais, values+"vDescCondIncond/vDescCond")},
	}},
	{top: 21.59, cells: []cell{
		{"Total das Retenções (ISSQN / Federais)", 1, 1, 0, plain, as(reais, inf+"valores/vTotalRet")},
		{"VALOR LÍQUIDO DA NFS-e", 2, 1, 0, strong, as(reais, inf+"valores/vLiq")},
		{"Total do IBS/CBS", 3, 1, 0, plain, sumOf(totalR+"gIBS/vIBSTot", totalR+"gCBS/vCBS")},
		{"VALOR LÍQUIDO DA NFS-e + IBS/CBS", 4, 1, 0, shaded, as(reais, totalR+"vTotNF")},
	}},
}}
