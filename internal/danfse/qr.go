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
	code, err := qr.Encode(s.text, qr.M, qr.Auto)
	if err != nil {
		return err
	}
	size := code.Bounds().Dx()
	side := s.width / float64(size)
	dark := func(x, y int) bool { return x < size && code.At(x, y) == color.Black }
	pdf.SetFillColor(0, 0, 0)
	for y := range size {
		for x := 0; x < size; x++ {
			from := x
			for dark(x, y) {
				x++
			}
			if x > from {
				pdf.Rect(s.left+float64(from)*side, s.top+float64(y)*side, float64(x-from)*side, side, "F")
			}
		}
	}
	return nil
}
