package danfse

import "math"

// room is what the two long texts of a page get, and their lines.
type room struct {
	description       []string
	descriptionHeight float64 // with its label
	information       []string
}

const (
	// From the title of the further information to its first line, by table 2.4.5.
	informationIndent = 22.68 - informationTop

	descriptionHeight = 14.43 - descriptionTop // by table 2.4.5
	descriptionGap    = 0.08                   // below its last line

	// What the description gets at least, of the lines that both may have: its
	// share of the characters that NT 008 grants them.
	descriptionPart = float64(descriptionMost) / (descriptionMost + informationMost)
)

// divideRoom breaks the two long texts into lines and gives each its room: the
// description what it needs, as long as the further information gets what it
// needs too, and else at least its share.
func divideRoom(n note, strips []strip) room {
	width := pageRight - pageLeft - 2*inset
	description := cutRunes(orDash(n.get(service+"cServ/xDescServ")), descriptionMost)
	described := content.wrap(printableLines(description), width)
	var informed []string
	if text := information(n); text != "" {
		informed = content.wrap([]string{cutRunes(printable(text), informationMost)}, width)
	}
	above, below := freed(strips)
	// What there is for lines: of the description, and of the further information.
	height := (descriptionHeight - labelHeight - descriptionGap) + (textBottom - informationTop - informationIndent) +
		above + below
	count := int(math.Floor(height/leading)) - 1 // the line of the law is always there

	most := max(count-len(informed), int(float64(count)*descriptionPart))
	described = content.cutLines(described, most, width)
	informed = content.cutLines(informed, count-len(described), width)

	needed := labelHeight + float64(len(described))*leading + descriptionGap
	spare := height - float64(len(described)+len(informed)+1)*leading
	informed = append(informed, content.cut(printable(approximateTaxes(n)), width))
	return room{
		description:       described,
		descriptionHeight: max(needed, min(descriptionHeight+above, needed+spare)),
		information:       informed,
	}
}

// freed returns how much height a note leaves that table 2.4.5 gives to its rows,
// above the description of the service and below it.
func freed(strips []strip) (above, below float64) {
	for _, s := range strips {
		if s.top < descriptionTop {
			above += s.given - s.needed
		} else {
			below += s.given - s.needed
		}
	}
	return above, below
}
