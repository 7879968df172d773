package danfse

import (
	"fmt"
	"image/color"
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// family is one of the fonts that every reader of PDF has.
const family = "Helvetica"

const pageWidth, pageHeight = 21.0, 29.7

// paint writes a page as PDF.
func paint(w io.Writer, p *page, n note, logo *Logo) error {
	pdf := fpdf.New("P", "cm", "A4", "")
	describe(pdf, n)
	pdf.SetAutoPageBreak(false, 0)
	pdf.AddPage()

	pdf.SetFillColor(grey.r, grey.g, grey.b)
	for _, a := range p.fills {
		pdf.Rect(a.left, a.top, a.width, a.height, "F")
	}
	paintMarks(pdf, p.marks)
	if err := p.code.draw(pdf); err != nil {
		return fmt.Errorf("draw the QR code: %w", err)
	}
	logo.draw(pdf, p.logo)
	for _, l := range p.texts {
		write(pdf, l)
	}
	pdf.SetDrawColor(0, 0, 0)
	for _, r := range p.rules {
		pdf.SetLineWidth(r.weight / pointsPerCM)
		pdf.Line(r.x1, r.y1, r.x2, r.y2)
	}
	return pdf.Output(w)
}

// describe fills in what a PDF says of itself; nothing of it depends on when or
// where it is made.
func describe(pdf *fpdf.Fpdf, n note) {
	pdf.SetTitle("DANFSe "+firstRunes(printable(n.get(inf+"nNFSe")), 15), true)
	pdf.SetSubject("NFS-e "+n.key, true)
	pdf.SetCreator("Emissor", true)
	pdf.SetLang("pt-BR")
	pdf.SetCatalogSort(true)
	processed, err := time.Parse(time.RFC3339, n.get(inf+"dhProc"))
	if err != nil || processed.Year() < 1 || processed.Year() > 9999 {
		processed = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	pdf.SetCreationDate(processed.UTC())
	pdf.SetModificationDate(processed.UTC())
}

func write(pdf *fpdf.Fpdf, l line) {
	pdf.SetTextColor(l.colour.r, l.colour.g, l.colour.b)
	pdf.SetFont(family, l.font.style(), l.font.size)
	pdf.Text(l.x, l.y, encode(l.text))
}

// paintMarks writes words across the page, one below the other.
func paintMarks(pdf *fpdf.Fpdf, marks []string) {
	const angle = 45
	f := font{false, 68} // NT 008 asks for 50 points or more
	if len(marks) > 1 {
		f.size = 54
	}
	for i, text := range marks {
		x := pageWidth / 2
		y := pageHeight * float64(i+1) / float64(len(marks)+1)
		pdf.TransformBegin()
		pdf.TransformRotate(angle, x, y)
		write(pdf, line{x - f.width(text)/2, y + f.size*0.36/pointsPerCM, f, text, dim})
		pdf.TransformEnd()
	}
}

// rgba is the colour for package image.
func (c colour) rgba() color.RGBA { return color.RGBA{uint8(c.r), uint8(c.g), uint8(c.b), 255} }
