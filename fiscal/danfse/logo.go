package danfse

import (
	"bytes"
	"errors"
	"image"
	"image/draw"
	_ "image/jpeg" // ParseLogo reads both
	"image/png"

	"codeberg.org/go-pdf/fpdf"
)

// Logo is the official logo of the NFS-e, which is not part of the project.
type Logo struct {
	png  []byte
	size image.Point
}

// Bounds of a logo, for pages of at most 100 KB.
const (
	maxLogoPixels = 1 << 20
	maxLogoBytes  = 60 << 10
)

// ParseLogo reads a logo in PNG or JPEG.
func ParseLogo(file []byte) (*Logo, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, errors.New("the logo is neither PNG nor JPEG")
	}
	if config.Width*config.Height > maxLogoPixels || config.Width < 1 || config.Height < 1 {
		return nil, errors.New("the logo has more pixels than a megapixel: 1200 by 240 are plenty")
	}
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, errors.New("the logo is damaged")
	}
	// On the grey of the header and in eight bits a colour: what every reader of PDF shows alike.
	flat := image.NewRGBA(image.Rect(0, 0, config.Width, config.Height))
	draw.Draw(flat, flat.Rect, image.NewUniform(grey.rgba()), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, picture, picture.Bounds().Min, draw.Over)
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&encoded, flat); err != nil {
		return nil, err
	}
	if encoded.Len() > maxLogoBytes {
		return nil, errors.New("the logo is too large: a page has 100 KB at most")
	}
	return &Logo{encoded.Bytes(), flat.Rect.Size()}, nil
}

// draw puts the logo into a, as large as it goes in its own proportions. Without
// a logo there is a name in its place.
func (l *Logo) draw(pdf *fpdf.Fpdf, a area) {
	if l == nil {
		write(pdf, line{a.left, a.top + 0.60, font{true, 20}, "NFS-e", black})
		write(pdf, line{a.left + 2.20, a.top + 0.31, small, "Nota Fiscal de", black})
		write(pdf, line{a.left + 2.20, a.top + 0.58, small, "Serviço eletrônica", black})
		return
	}
	scale := min(a.width/float64(l.size.X), a.height/float64(l.size.Y))
	width, height := scale*float64(l.size.X), scale*float64(l.size.Y)
	options := fpdf.ImageOptions{ImageType: "PNG"}
	pdf.RegisterImageOptionsReader("logo", options, bytes.NewReader(l.png))
	pdf.ImageOptions("logo", a.left, a.top+(a.height-height)/2, width, height, false, options, 0, "")
}
