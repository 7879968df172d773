package danfse

import "strings"

var furtherInformation = block{title: "INFORMAÇÕES COMPLEMENTARES", rows: []row{{top: informationTop}}}

// information returns the further information: what there is of it, in the order
// of NT 008.
func information(n note) string {
	const further = service + "infoCompl/"
	var parts []string
	for _, part := range []struct{ name, text string }{
		{"Inf. Cont.", n.get(further + "xInfComp")},
		{"NFS-e Subst.", n.get(dps + "subst/chSubstda")},
		{"Doc. Ref.", n.get(further + "docRef")},
		{"Cod. Obra", n.get(service + "obra/cObra")},
		{"Insc. Imob.", n.first(request+"imovel/inscImobFisc", service+"obra/inscImobFisc")},
		{"Cod. Evt.", n.get(service + "atvEvento/idAtvEvt")},
		{"Doc. Tec.", n.get(further + "idDocTec")},
		{"Núm. Ped.", n.get(further + "xPed")},
		{"Item Ped.", strings.Join(n.fields[further+"gItemPed/xItemPed"], ", ")},
		{"Inf. A. T. Mun.", n.get(inf + "xOutInf")},
	} {
		if part.text != "" {
			parts = append(parts, part.name+": "+part.text)
		}
	}
	return strings.Join(parts, " | ")
}

// approximateTaxes returns the line that the law demands: it stays, no matter what is cut before it.
func approximateTaxes(n note) string {
	const total = values + "trib/totTrib/"
	percentage := func(level string) string {
		if amount := reais(n.get(total + "vTotTrib/vTotTrib" + level)); amount != "" {
			return amount
		}
		return orDash(percent(n.get(total + "pTotTrib/pTotTrib" + level)))
	}
	line := "Totais Aproximados dos Tributos cfe. Lei nº 12.741/2012: Federais: " + percentage("Fed") +
		"; Estaduais: " + percentage("Est") + "; Municipais: " + percentage("Mun")
	// An issuer of Simples Nacional declares one rate for all of them.
	if rate := percent(n.get(total + "pTotTribSN")); rate != "" {
		line += "; Simples Nacional: " + rate
	}
	return line
}
