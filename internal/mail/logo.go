package mail

import (
	"bytes"
	"errors"
	"image"
	"image/draw"
	_ "image/jpeg" // ParseLogo reads both
	"image/png"
)

// Bounds of a company's logo.
const (
	MostLogoWidth   = 1200
	MostLogoHeight  = 600
	maxEncodedLogo  = 200 << 10 // it goes with every e-mail
	shownLogoWidth  = 240       // of the reader's pixels, at most
	shownLogoHeight = 96
)

// Why a file cannot be a logo.
var (
	ErrLogoFormat = errors.New("mail: the logo is neither PNG nor JPEG, or it is damaged")
	ErrLogoSize   = errors.New("mail: the logo has too many pixels")
	ErrLogoBytes  = errors.New("mail: the logo takes too many bytes")
)

// ParseLogo reads a logo in PNG or JPEG and returns its pixels as a new PNG: nothing else of the file
// goes on. Its size is read before its pixels are.
func ParseLogo(file []byte) ([]byte, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return nil, ErrLogoFormat
	}
	if config.Width > MostLogoWidth || config.Height > MostLogoHeight {
		return nil, ErrLogoSize
	}
	picture, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, ErrLogoFormat
	}
	pixels := image.NewNRGBA(image.Rect(0, 0, config.Width, config.Height))
	draw.Draw(pixels, pixels.Rect, picture, picture.Bounds().Min, draw.Src)
	var encoded bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&encoded, pixels); err != nil {
		return nil, err
	}
	if encoded.Len() > maxEncodedLogo {
		return nil, ErrLogoBytes
	}
	return encoded.Bytes(), nil
}

// logoShown is the size that a logo is shown in, in its own proportions and never larger than it is.
func logoShown(logo []byte) (width, height int, err error) {
	config, err := png.DecodeConfig(bytes.NewReader(logo))
	if err != nil || config.Width < 1 || config.Height < 1 {
		return 0, 0, errors.Join(ErrLogoFormat, err)
	}
	scale := min(1, shownLogoWidth/float64(config.Width), shownLogoHeight/float64(config.Height))
	return max(1, int(scale*float64(config.Width))), max(1, int(scale*float64(config.Height))), nil
}
