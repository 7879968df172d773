package danfse

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hostile are texts that break pages.
var hostile = []string{
	"", " ", "-", "...", "\x00\x1b[31m\u0085", "a\r\nb\tc", strings.Repeat("W", 2000), strings.Repeat("i", 2000),
	strings.Repeat("palavra ", 400), strings.Repeat("Ç\u0303", 900), strings.Repeat("\n", 1300),
	strings.Repeat("linha\n", 300), "\u202egnp.exe\u202c", "שלום עולם", "مرحبا بالعالم",
	strings.Repeat("👩‍👩‍👧‍👦", 50), "₿ ﬁ ½ ™ — “x”",
	"a\u0301e\u0301ő č", `) Tj ET (\`, "((((", `\\\`, "%%EOF", "&lt;", "\u2028\u2029", "\ufffd\ufffe",
	"12345678901234567890123456789012345678901234567890", "99999999999999999999.99", "-1.00", "1e9", "NaN", ".", "1.",
}

func sample(t testing.TB) note {
	t.Helper()
	document, err := os.ReadFile("testdata/full.xml")
	if err != nil {
		t.Fatal(err)
	}
	n, err := readNote(document)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// No text of a page runs into another or out of the page, no matter what a note says and leaves out.
func TestPlace_NothingOverlaps(t *testing.T) {
	whole := sample(t)
	text := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String(), rapid.StringN(1000, 2000, 8000))
	rapid.Check(t, func(t *rapid.T) {
		n := note{fields: fields{}, key: whole.key, simulated: rapid.Bool().Draw(t, "simulated")}
		common := rapid.Bool().Draw(t, "one text everywhere")
		everywhere := text.Draw(t, "text")
		for path, texts := range whole.fields {
			switch rapid.IntRange(0, 3).Draw(t, path) {
			case 0: // left out
			case 1:
				n.fields[path] = texts
			default:
				if n.fields[path] = []string{everywhere}; !common {
					n.fields[path] = []string{text.Draw(t, path)}
				}
			}
		}
		if problem := overlap(place(n)); problem != "" {
			t.Fatal(problem)
		}
	})
}

// The longest texts that the layout allows.
func TestPlace_LongestTexts(t *testing.T) {
	for _, letter := range []string{"W", "m", "i", "palavra ", "a\n"} {
		n := sample(t)
		for path := range n.fields {
			if strings.Contains(path, "/x") || strings.HasSuffix(path, "email") {
				n.fields[path] = []string{strings.Repeat(letter, 2000/len(letter))}
			}
		}
		p := place(n)
		if problem := overlap(p); problem != "" {
			t.Errorf("%q: %s", letter, problem)
		}
		last := ""
		for _, l := range p.texts {
			if l.y < 28.05 {
				last = l.text
			}
		}
		if !strings.HasPrefix(last, "Totais Aproximados dos Tributos") {
			t.Errorf("%q: the last line is %q", letter, last)
		}
	}
}

// Texts of the usual width get all the characters that NT 008 grants them.
func TestPlace_UsualTextsAreCutByTheirCharactersOnly(t *testing.T) {
	n := sample(t)
	usual := strings.Repeat("Serviços de consultoria em tecnologia da informação prestados no mês. ", 40)
	n.fields[service+"cServ/xDescServ"] = []string{usual}
	n.fields[inf+"xOutInf"] = []string{usual}
	room := divideRoom(n, strips(n))
	for name, c := range map[string]struct {
		lines []string
		most  int
	}{
		"description": {room.description, descriptionMost},
		"information": {room.information[:len(room.information)-1], informationMost},
	} {
		shown := strings.Join(c.lines, " ")
		if length := len([]rune(shown)); length < c.most-3 || !strings.HasSuffix(shown, ellipsis) {
			t.Errorf("%s has %d characters: %s", name, length, shown)
		}
	}
}

// overlap says which texts of a page run into each other or out of their page.
func overlap(p *page) string {
	type box struct{ left, top, right, bottom float64 }
	boxes := make([]box, len(p.texts))
	for i, l := range p.texts {
		size := l.font.size / pointsPerCM
		boxes[i] = box{l.x, l.y - 0.72*size, l.x + l.font.width(l.text), l.y + 0.20*size}
		b := boxes[i]
		if b.left < 0.15 || b.right > 20.85 || b.top < 0.15 || b.bottom > 29.55 {
			return fmt.Sprintf("%q is outside the page: %+v", l.text, b)
		}
		for j, other := range boxes[:i] {
			if b.left < other.right && other.left < b.right && b.top < other.bottom && other.top < b.bottom {
				return fmt.Sprintf("%q and %q overlap: %+v, %+v", p.texts[j].text, l.text, other, b)
			}
		}
	}
	return ""
}
