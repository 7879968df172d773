package danfse

import (
	"image/color"

	"codeberg.org/go-pdf/fpdf"
	"github.com/boombuler/barcode/qr"
)

// squares is a QR code, drawn as squares and so sharp in every size.
type squares struct {
	area
	text string
}

func (s squares) draw(pdf *fpdf.Fpdf) error {
	size, runs, err := encoded(s.text)
	if err != nil {
		return err
	}
	side := s.width / float64(size)
	pdf.SetFillColor(0, 0, 0)
	for _, r := range runs {
		pdf.Rect(s.left+float64(r.x)*side, s.top+float64(r.y)*side, float64(r.width)*side, side, "F")
	}
	return nil
}

// run is dark squares of a QR code beside each other.
type run struct{ x, y, width int }

// encoded makes the QR code of a text: how many squares wide and high it is, and the dark ones.
func encoded(text string) (size int, runs []run, err error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return 0, nil, err
	}
	size = code.Bounds().Dx()
	dark := func(x, y int) bool { return x < size && code.At(x, y) == color.Black }
	for y := range size {
		for x := 0; x < size; x++ {
			from := x
			for dark(x, y) {
				x++
			}
			if x > from {
				runs = append(runs, run{from, y, x - from})
			}
		}
	}
	return size, runs, nil
}
