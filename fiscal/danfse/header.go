package danfse

import "strings"

var (
	heading    = font{true, 9}
	headMiddle = [2]float64{columns[2], columns[4]}
	place8     = font{false, 8}
	small      = font{false, 6}
)

const headerBottom = 1.45

// header writes what is above the blocks, and the border.
func (p *page) header(n note) {
	p.box(0.15, 0.15, 20.85, 29.55, borderWeight)
	p.shade(pageLeft, 0.30, pageRight-pageLeft, headerBottom-0.30)
	p.divide(headerBottom)
	p.logo = area{0.49, 0.44, 4.00, 0.85}

	titles := []line{{text: "DANFSe v2.0"}, {text: "Documento Auxiliar da NFS-e"}}
	if notice := n.notice(); notice != "" {
		titles = append(titles, line{text: notice, colour: red})
	}
	for i, l := range titles {
		l.font, l.x = heading, centred(heading, l.text, headMiddle[0], headMiddle[1])
		l.y = heading.baseline(0.32 + float64(i)*0.36)
		p.texts = append(p.texts, l)
	}
	p.origin(n)
	p.verification(n)
}

// origin writes which city, and which system, the note is of.
func (p *page) origin(n note) {
	x, width := columns[4]+inset, pageRight-columns[4]-inset-gutter
	if !n.outsideList() {
		city := joined(" / ", n.get(inf+"xLocEmi"), n.get(inf+"emit/enderNac/UF"))
		lines := place8.wrap([]string{printable("Município: " + orDash(city))}, width)
		for i, text := range place8.cutLines(lines, 2, width) {
			p.write(x, place8.baseline(0.30+float64(i)*0.31), place8, text)
		}
	}
	environment := environments.of(n.get(dps + "tpAmb"))
	if n.simulated {
		environment = "Simulação (sandbox)"
	}
	for _, said := range []struct {
		top  float64
		text string
	}{
		{0.97, "Ambiente Gerador: " + orDash(generators.of(n.get(inf+"ambGer")))},
		{1.22, "Tipo de Ambiente: " + orDash(environment)},
	} {
		p.write(x, small.baseline(said.top), small, small.cut(printable(said.text), width))
	}
}

// notice says that a note has no fiscal value; empty where it has.
func (n note) notice() string {
	switch {
	case n.simulated:
		return "SIMULAÇÃO - SEM VALOR FISCAL"
	case n.test():
		return "NFS-e SEM VALIDADE JURÍDICA"
	}
	return ""
}

// verification draws the code that leads to the note on the national portal, and
// says so.
func (p *page) verification(n note) {
	said := []string{
		"A autenticidade desta NFS-e pode ser verificada",
		"pela leitura deste código QR ou pela consulta da",
		"chave de acesso no portal nacional da NFS-e",
	}
	if n.simulated {
		said = []string{
			"SIMULAÇÃO: não existe NFS-e, e o portal",
			"nacional não a conhece. O código QR",
			"diz o mesmo.",
		}
	}
	p.code = &squares{area{17.48, 1.67, 1.52, 1.52}, n.address()}
	for i, text := range said {
		p.write(columns[4]+inset, small.baseline(3.36+float64(i)*0.25), small, text)
	}
}

// address is what the code of a note leads to.
func (n note) address() string {
	if n.simulated {
		return "SIMULACAO - SEM VALOR FISCAL - " + n.get(inf+"nNFSe")
	}
	return "https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=" + n.key
}

// foot draws the receipt that the taker may sign.
func (p *page) foot(n note) {
	const top, bottom = 28.10, 28.77
	p.box(pageLeft, top-ruleGap, pageRight, bottom, ruleWeight)
	for _, x := range []float64{columns[2], columns[3]} {
		p.rules = append(p.rules, rule{x, top - ruleGap, x, bottom, ruleWeight})
	}
	for i, name := range []string{"DATA CIENTIFICAÇÃO:", "IDENTIFICAÇÃO E ASSINATURA", "Nº NFS-e / CHAVE NFS-e"} {
		p.write(columns[1+i]+inset, title.baseline(top), title, name)
	}
	number := strings.Join([]string{orDash(n.get(inf + "nNFSe")), n.key}, " / ")
	width := pageRight - columns[3] - inset - gutter
	p.write(columns[3]+inset, content.baseline(top+labelHeight), content, content.cut(printable(number), width))
}
