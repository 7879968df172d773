package danfse

import (
	"strings"
	"sync"

	"codeberg.org/go-pdf/fpdf"
)

// ellipsis ends what was cut (NT 008, item 2.1).
const ellipsis = "..."

// font is a face of the page.
type font struct {
	bold bool
	size float64 // points
}

// The fonts of NT 008, item 2.4.
var (
	title   = font{true, 7}  // of a block, and labels that stand out
	label   = font{true, 6}  // of a field
	content = font{false, 7} // of a field
)

const pointsPerCM = 72 / 2.54

// style names the face in fpdf.
func (f font) style() string {
	if f.bold {
		return "B"
	}
	return ""
}

// glyphs are the widths of the 256 characters of the plain and the bold face, in
// thousandths of the size.
var glyphs = sync.OnceValue(func() (widths map[bool]*[256]float64) {
	pdf := fpdf.New("P", "pt", "A4", "")
	widths = map[bool]*[256]float64{}
	for _, bold := range []bool{false, true} {
		pdf.SetFont(family, font{bold: bold}.style(), 10)
		widths[bold] = new([256]float64)
		for c := 1; c < 256; c++ {
			widths[bold][c] = float64(pdf.GetStringSymbolWidth(string([]byte{byte(c)})))
		}
	}
	return widths
})

// width measures a printable text in centimetres.
func (f font) width(text string) float64 {
	widths, sum := glyphs()[f.bold], 0.0
	for _, c := range []byte(encode(text)) {
		sum += widths[c]
	}
	return sum / 1000 * f.size / pointsPerCM
}

// fitting returns the longest beginning of a text that is no wider than width, and
// the rest.
func (f font) fitting(text string, width float64) (beginning, rest string) {
	widths, left := glyphs()[f.bold], width*pointsPerCM/f.size*1000
	for i, r := range text {
		c, _ := characters.EncodeRune(r)
		if left -= widths[c]; left < 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// cut returns a text that fits a line: whole, or its beginning and an ellipsis.
func (f font) cut(text string, width float64) string {
	if f.width(text) <= width {
		return text
	}
	beginning, _ := f.fitting(text, width-f.width(ellipsis))
	return strings.TrimRight(beginning, " ") + ellipsis
}

// cutRunes cuts a text that has more characters than a field takes, three of
// which are the ellipsis.
func cutRunes(text string, most int) string {
	beginning := firstRunes(text, most-len(ellipsis))
	if most == 0 || beginning == text {
		return text
	}
	return strings.TrimRight(beginning, " ") + ellipsis
}

// wrap breaks lines between words so that each fits; a word wider than a line is
// broken too.
func (f font) wrap(lines []string, width float64) (wrapped []string) {
	for _, line := range lines {
		for {
			beginning, rest := f.fitting(line, width)
			if rest == "" {
				wrapped = append(wrapped, beginning)
				break
			}
			if space := strings.LastIndex(beginning, " "); space > 0 && rest[0] != ' ' {
				beginning, rest = beginning[:space], line[space:]
			}
			if beginning == "" { // not even one character fits
				return wrapped
			}
			wrapped = append(wrapped, strings.TrimRight(beginning, " "))
			line = strings.TrimLeft(rest, " ")
		}
	}
	return wrapped
}

// cutLines keeps at most so many lines, the last of them with an ellipsis where
// more followed.
func (f font) cutLines(lines []string, most int, width float64) []string {
	if len(lines) <= most {
		return lines
	}
	lines = append([]string{}, lines[:max(0, most)]...)
	if most > 0 {
		last, _ := f.fitting(lines[most-1], width-f.width(ellipsis))
		lines[most-1] = strings.TrimRight(strings.TrimSuffix(last, ellipsis), " ") + ellipsis
	}
	return lines
}
