package danfse

// Heights and places that table 2.4.5 gives to what is no cell.
const (
	labelHeight = 0.26  // of a label above what it names
	titleHeight = 0.28  // of a label as large as a title
	ruleGap     = 0.03  // between the line above a block and the block
	textBottom  = 28.03 // of the further information
)

// strip is a row of the page, or a block that a phrase stands for.
type strip struct {
	row
	title         string // of the block that begins here
	begins        bool
	phrase        string  // stands for a whole block
	given, needed float64 // heights: by table 2.4.5, and of this note; 0 is left out
}

// strips returns the rows of a note's page from top to bottom.
func strips(n note) (all []strip) {
	blocks := blocks()
	for i, b := range blocks {
		bottom := textBottom
		if i+1 < len(blocks) {
			bottom = blocks[i+1].rows[0].top
		}
		height := bottom - b.rows[0].top
		if b.omitted != nil && b.omitted(n) {
			all = append(all, strip{row: b.rows[0], given: height})
			continue
		}
		if b.phrase != nil {
			if phrase := b.phrase(n); phrase != "" {
				all = append(all, strip{row: b.rows[0], begins: true, phrase: phrase, given: height,
					needed: collapsedHeight})
				continue
			}
		}
		for j, r := range b.rows {
			height := bottom - r.top
			if j+1 < len(b.rows) {
				height = b.rows[j+1].top - r.top
			}
			s := strip{row: r, given: height, needed: height}
			if j == 0 {
				s.begins, s.title = true, b.title
			}
			if r.shown != nil && !r.shown(n) {
				s.needed = 0
			}
			all = append(all, s)
		}
	}
	return all
}

// place lays a note out. Blocks follow each other: what a block above the
// description of the service does not need goes to the description, so that the
// blocks below stay where table 2.4.5 has them; what those do not need, and what
// the description leaves, goes to the further information.
func place(n note) *page {
	p := &page{}
	p.header(n)
	strips := strips(n)
	room := divideRoom(n, strips)
	y := strips[0].top
	for i, s := range strips {
		if s.needed == 0 {
			continue
		}
		if s.begins && i > 0 {
			p.divide(y - ruleGap)
		}
		switch {
		case s.phrase != "":
			p.write(pageLeft+inset, title.baseline(y), title, printable(s.phrase))
		case s.top == descriptionTop:
			s.needed = room.descriptionHeight
			p.write(pageLeft+inset, label.baseline(y), label, "Descrição do Serviço")
			p.lines(y+labelHeight, room.description)
		case s.top == informationTop:
			p.write(pageLeft+inset, title.baseline(y), title, s.title)
			p.lines(y+informationIndent, room.information)
		default:
			p.row(n, s, y)
		}
		y += s.needed
	}
	p.foot(n)
	return p
}

// row draws a row of cells, the first of a block with its title beside them.
func (p *page) row(n note, s strip, top float64) {
	if s.title != "" {
		p.shade(pageLeft, top-ruleGap, columns[2]-pageLeft, s.needed)
		p.write(pageLeft+inset, title.baseline(top), title, s.title)
	}
	for _, c := range s.cells {
		if c.kind == shaded {
			p.shade(c.left(), top-ruleGap, c.right()-c.left(), s.needed)
		}
		p.cell(n, c, top)
	}
}

// cell writes a field: its label, and below it what the note says, on one line.
func (p *page) cell(n note, c cell, top float64) {
	x, width := c.left()+inset, c.right()-c.left()-inset-gutter
	shown := content.cut(cutRunes(orDash(printable(c.text(n))), c.most), width)
	if c.label == "" {
		p.write(x, content.baseline(top), content, shown)
		return
	}
	f, below := label, labelHeight
	if c.kind != plain {
		f, below = title, titleHeight
	}
	p.write(x, f.baseline(top), f, c.label)
	p.write(x, content.baseline(top+below), content, shown)
}

// lines writes a text of several lines.
func (p *page) lines(top float64, lines []string) {
	for i, text := range lines {
		p.write(pageLeft+inset, content.baseline(top+float64(i)*leading), content, text)
	}
}
