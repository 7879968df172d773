package danfse

// page is what is drawn, in the order of its fields: what comes later covers what
// came before. Lengths are centimetres.
type page struct {
	fills []area
	marks []string // words across the page, from its upper part to its lower
	code  *squares
	logo  area
	texts []line
	rules []rule
}

type area struct{ left, top, width, height float64 }

// rule is a straight line. Its weight is in points.
type rule struct{ x1, y1, x2, y2, weight float64 }

// line is one line of text; y is its baseline.
type line struct {
	x, y   float64
	font   font
	text   string // printable
	colour colour
}

type colour struct{ r, g, b int }

var (
	black = colour{}
	red   = colour{255, 0, 0}
	grey  = colour{242, 242, 242} // 5 %
	dim   = colour{166, 166, 166} // 35 %
)

const (
	dash = "-"

	inset   = 0.04 // of a text in its cell
	gutter  = 0.08 // between a text and the next column
	leading = 0.25 // from line to line of a text of several

	borderWeight = 1.0
	ruleWeight   = 0.5
)

func (p *page) write(x, y float64, f font, text string) {
	p.texts = append(p.texts, line{x, y, f, text, black})
}

func (p *page) shade(left, top, width, height float64) {
	p.fills = append(p.fills, area{left, top, width, height})
}

// divide draws the line above a block.
func (p *page) divide(y float64) {
	p.rules = append(p.rules, rule{pageLeft, y, pageRight, y, ruleWeight})
}

// box draws a rectangle.
func (p *page) box(left, top, right, bottom, weight float64) {
	p.rules = append(p.rules,
		rule{left, top, right, top, weight}, rule{right, top, right, bottom, weight},
		rule{right, bottom, left, bottom, weight}, rule{left, bottom, left, top, weight})
}

// centred returns where a text begins that is in the middle of from and to.
func centred(f font, text string, from, to float64) float64 {
	return (from + to - f.width(text)) / 2
}

// baseline returns where the baseline of a text is whose line begins at top.
func (f font) baseline(top float64) float64 { return top + 0.015 + f.size*0.0295 }

// orDash returns what a field without a text shows.
func orDash(text string) string {
	if text == "" {
		return dash
	}
	return text
}
