package danfse

// A block is a part of the page under one title, as Annex I of NT 008 arranges it.
// Positions are centimetres from the page's upper left corner, of table 2.4.5,
// which has every block open and the description of the service on one line.
type block struct {
	title   string
	rows    []row
	phrase  func(note) string // stands for the whole block; nil or "" when that is drawn
	omitted func(note) bool   // the note has nothing for the block; nil is never
}

// row is a row of cells. The first cell of a block's first row is its title.
type row struct {
	top   float64
	cells []cell
	shown func(note) bool // nil: always
}

// cell is a field of the page.
type cell struct {
	label  string
	column int // of the four, from 1 on
	span   int // how many columns it takes
	most   int // characters, by a rule of NT 008 that ends them with an ellipsis; 0 is as many as fit
	kind   kind
	text   func(note) string // empty is printed as a dash
}

// kind tells how a cell looks.
type kind int

const (
	plain  kind = iota
	strong      // the label is as large as a title
	shaded      // and the cell is grey
)

// The columns of the page.
var columns = [...]float64{1: 0.30, 2: 5.41, 3: 10.51, 4: 15.62, 5: pageRight}

const (
	pageLeft  = 0.30
	pageRight = 20.70

	collapsedHeight = 0.32
)

// left and right return the edges of a cell.
func (c cell) left() float64  { return columns[c.column] }
func (c cell) right() float64 { return columns[c.column+max(1, c.span)] }

// filled reports whether one of the cells has something to show; that there is no
// special regime, which every note says, is nothing.
func (r row) filled(n note) bool {
	for _, c := range r.cells {
		if text := c.text(n); text != "" && text != specialRegimes["0"] {
			return true
		}
	}
	return false
}

// blocks returns the blocks of the page between its header and its foot.
func blocks() []block {
	return []block{
		identification, partyOf("PRESTADOR / FORNECEDOR", [3]float64{4.34, 4.98, 5.62}, provider, regime),
		takerBlock, receiverBlock, intermediaryBlock, serviceBlock,
		cityTaxes, federalTaxes, reformTaxes, totals, furtherInformation,
	}
}

var identification = block{rows: []row{
	{top: 1.48, cells: []cell{
		{"CHAVE DE ACESSO DA NFS-e", 1, 3, 0, strong, func(n note) string { return n.key }},
	}},
	{top: 2.27, cells: []cell{
		{"NÚMERO DA NFS-e", 1, 1, 0, strong, element(inf + "nNFSe")},
		{"COMPETÊNCIA DA NFS-e", 2, 1, 0, strong, as(date, dps+"dCompet")},
		{"DATA E HORA DA EMISSÃO DA NFS-e", 3, 1, 0, strong, as(moment, inf+"dhProc")},
	}},
	{top: 2.96, cells: []cell{
		{"NÚMERO DA DPS", 1, 1, 0, strong, element(dps + "nDPS")},
		{"SÉRIE DA DPS", 2, 1, 0, strong, element(dps + "serie")},
		{"DATA E HORA DA EMISSÃO DA DPS", 3, 1, 0, strong, as(moment, dps+"dhEmi")},
	}},
	{top: 3.65, cells: []cell{
		{"EMITENTE DA NFS-e", 1, 1, 0, shaded, as(issuers.of, dps+"tpEmit")},
		{"SITUAÇÃO DA NFS-e", 2, 1, 0, strong, as(situations.of, inf+"cStat")},
		{"FINALIDADE", 3, 1, 0, strong, as(purposes.of, request+"finNFSe")},
	}},
}}

// partyOf is the block of a person, with more rows after the usual ones.
func partyOf(title string, tops [3]float64, of func(note) party, more ...row) block {
	show := func(part func(party) string) func(note) string {
		return func(n note) string { return part(of(n)) }
	}
	first := []cell{{"CNPJ / CPF / NIF", 2, 1, 0, plain, show(func(p party) string { return p.inscription })}}
	if title != receiverTitle { // who has no municipal registration in the layout
		first = append(first, cell{"Indicador Municipal (Inscrição)", 3, 1, 0, plain,
			show(func(p party) string { return p.registration })})
	}
	first = append(first, cell{"Telefone", 4, 1, 0, plain, show(func(p party) string { return p.phone })})
	return block{title: title, rows: append([]row{
		{top: tops[0], cells: first},
		{top: tops[1], cells: []cell{
			{"Nome / Nome Empresarial", 1, 2, 80, plain, show(func(p party) string { return p.name })},
			{"Município / Sigla UF", 3, 1, 0, plain, show(func(p party) string { return p.place })},
			{"Código IBGE / CEP", 4, 1, 0, plain, show(func(p party) string { return p.codes })},
		}},
		{top: tops[2], cells: []cell{
			{"Endereço", 1, 2, 80, plain, show(func(p party) string { return p.address })},
			{"E-mail", 3, 2, 0, plain, show(func(p party) string { return p.email })},
		}},
	}, more...)}
}

var regime = row{top: 6.28, cells: []cell{
	{"Simples Nacional na Data de Competência", 1, 1, 40, plain, as(simplesOption.of, dps+"prest/regTrib/opSimpNac")},
	{"Regime de Apuração Tributária pelo SN", 2, 3, 80, plain, as(simplesRegimes.of, dps+"prest/regTrib/regApTribSN")},
}}

// collapsing gives a block a phrase that stands for it.
func collapsing(b block, phrase func(note) string) block {
	b.phrase = phrase
	return b
}

const (
	receiverTitle     = "DESTINATÁRIO DA OPERAÇÃO"
	intermediaryTitle = "INTERMEDIÁRIO DA OPERAÇÃO"
)

var (
	takerBlock = collapsing(partyOf("TOMADOR / ADQUIRENTE", [3]float64{6.92, 7.56, 8.22}, taker),
		func(n note) string {
			if n.has(dps + "toma") {
				return ""
			}
			return "TOMADOR/ADQUIRENTE DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e"
		})
	receiverBlock = collapsing(partyOf(receiverTitle, [3]float64{8.86, 9.50, 10.16}, receiver),
		func(n note) string {
			switch {
			case n.has(request + "dest"):
				return ""
			case n.get(request+"indDest") == "0" && n.has(dps+"toma"):
				return "O DESTINATÁRIO É O PRÓPRIO TOMADOR/ADQUIRENTE DA OPERAÇÃO"
			}
			return "DESTINATÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e"
		})
	intermediaryBlock = collapsing(partyOf(intermediaryTitle, [3]float64{10.80, 11.44, 12.09}, intermediary),
		func(n note) string {
			if n.has(dps + "interm") {
				return ""
			}
			return "INTERMEDIÁRIO DA OPERAÇÃO NÃO IDENTIFICADO NA NFS-e"
		})
)

// element is a cell that shows an element as it is.
func element(path string) func(note) string {
	return func(n note) string { return n.get(path) }
}

// as is a cell that shows an element in another form.
func as(form func(string) string, path string) func(note) string {
	return func(n note) string { return form(n.get(path)) }
}

// firstAs is a cell that shows the first element of several that is there.
func firstAs(form func(string) string, paths ...string) func(note) string {
	return func(n note) string { return form(n.first(paths...)) }
}

// sumOf is a cell that shows the sum of amounts.
func sumOf(paths ...string) func(note) string {
	return func(n note) string {
		amounts := make([]string, len(paths))
		for i, path := range paths {
			amounts[i] = n.get(path)
		}
		return reais(sum(amounts...))
	}
}
