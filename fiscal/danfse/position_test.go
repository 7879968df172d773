package danfse_test

import (
	"encoding/xml"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"emissor/test/reference"
)

// word is one of a page, in centimetres.
type word struct {
	Left   float64 `xml:"xMin,attr"`
	Top    float64 `xml:"yMin,attr"`
	Right  float64 `xml:"xMax,attr"`
	Bottom float64 `xml:"yMax,attr"`
	Text   string  `xml:",chardata"`
}

func words(t testing.TB, page []byte) []word {
	t.Helper()
	var read struct {
		Words []word `xml:"body>doc>page>word"`
	}
	text := tool(t, "poppler-utils", "pdftotext", "-bbox", stored(t, page), "-")
	if err := xml.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	for i := range read.Words {
		for _, length := range []*float64{&read.Words[i].Left, &read.Words[i].Top, &read.Words[i].Right,
			&read.Words[i].Bottom} {
			*length *= 2.54 / 72
		}
	}
	return read.Words
}

// Where the official table contradicts the official model of Annex I, which is
// mandatory: there the first column of this row has the block's title, or the
// field is one column further.
var moved = map[string]float64{
	"REGIME DE APURAÇÃO TRIBUTÁRIA PELO SN":              5.41,
	"TIPO DE TRIBUTAÇÃO DO ISSQN":                        5.41,
	"MUNICÍPIO / SIGLA UF / PAÍS DA INCIDÊNCIA DO ISSQN": 10.51,
}

// Labels that the table has and the model words otherwise.
var reworded = map[string]string{
	"AMBIENTE GERADOR": "Ambiente", "TIPO DE AMBIENTE": "Tipo", "MUNICÍPIO": "Município:", "EMAIL": "E-mail",
	"DESCRIÇÃO DO CÓDIGO DE TRIBUTAÇÃO NACIONAL / MUNICIPAL": "Consultoria", // it has no label, only its text
	"INFORMAÇÕES COMPLEMENTARES":                             "Inf.",        // the table gives its text's place
}

// Every field of the official table begins where it says, to half a millimetre.
func TestDraw_PositionsOfTheOfficialTable(t *testing.T) {
	const tolerance = 0.05
	file, err := os.ReadFile(reference.Printed(t, "nt008-v1.02-table-2.4.5.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	drawn := words(t, draw(t, full(t)))
	rows := strings.Split(strings.TrimSpace(string(file)), "\n")[1:]
	for _, row := range rows {
		cells := strings.Split(row, "\t")
		name := cells[1]
		left, leftErr := strconv.ParseFloat(cells[8], 64)
		top, topErr := strconv.ParseFloat(cells[9], 64)
		if leftErr != nil || topErr != nil {
			t.Fatalf("the table has the row %q", row)
		}
		if at, is := moved[name]; is {
			left = at
		}
		expected, is := reworded[name]
		if !is {
			expected, _, _ = strings.Cut(name, " ")
		}
		nearest := math.Inf(1)
		for _, w := range drawn {
			if strings.EqualFold(w.Text, expected) {
				nearest = min(nearest, max(math.Abs(w.Left-left), math.Abs(w.Top-top)))
			}
		}
		if nearest > tolerance {
			t.Errorf("%s of %s is not at %.2f, %.2f: %.3f cm off", name, cells[0], left, top, nearest)
		}
	}
	if len(rows) < 90 {
		t.Errorf("the table has %d rows", len(rows))
	}
}

// Blocks that collapse give their height to the description of the service; what
// is below it stays in its place.
func TestDraw_CollapsedBlocksLeaveTheOthersInPlace(t *testing.T) {
	find := func(page []byte, text string) word {
		for _, w := range words(t, page) {
			if w.Text == text {
				return w
			}
		}
		t.Fatalf("the page has no %s", text)
		return word{}
	}
	document := full(t)
	for _, group := range []string{"toma", "dest", "interm"} {
		document = without(t, document, group)
	}
	for _, text := range []string{"Apurado", "IRRF", "CST", "12.345,67"} {
		if open, collapsed := find(draw(t, full(t)), text), find(draw(t, document), text); open.Top != collapsed.Top {
			t.Errorf("%s moves from %.2f to %.2f", text, open.Top, collapsed.Top)
		}
	}
	if at := find(draw(t, document), "contrato").Top; at > 10 {
		t.Errorf("the description of the service stays at %.2f", at)
	}
}
