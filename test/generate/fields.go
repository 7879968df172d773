package generate

import "strings"

// Name is the name of a customer: 1 to 150 characters.
func (g *Generator) Name() string { return g.padded(g.Text(1, 148), 1) }

// UsualName is the nth of names as most people have them.
func UsualName(n int) string {
	given := []string{"Maria", "João", "José", "Antônio", "Conceição", "Luís", "Ângela", "Inês", "Estêvão", "Cauã"}
	family := []string{"da Silva", "D'Ávila", "Araújo", "Sant'Anna", "Müller", "dos Santos", "Gonçalves"}
	return given[n%len(given)] + " " + given[n/len(given)%len(given)] + " " + family[n%len(family)]
}

// Nickname is what a customer is called: 1 to 80 characters.
func (g *Generator) Nickname() string { return g.Text(1, 80) }

// Email is an e-mail address: up to 80 characters. One in thirty has a form that is
// valid here, and that mail servers do not know.
func (g *Generator) Email() string {
	const most, mostLocal, local = 80, 64, "abcxyzABC019!#$%&'*+/=?^_{|}~-"
	domain := "@" + Pick(g, []string{"example.com", "mail.example.org", "x.example", "a-b.c-d.example", "1.example"})
	name := "a"
	for range g.length(1, min(mostLocal, most-len(domain))) - 1 {
		name += string(local[g.IntN(len(local))])
	}
	if middle := len(name) / 2; middle > 1 && g.Chance(0.5) {
		name = name[:middle] + "." + name[middle+1:]
	}
	if g.Chance(0.03) {
		name = "." + name[1:]
	}
	return name + domain
}

// The parts of an address, with the most characters that each may have.
const (
	maxStreetType = 20
	maxStreet     = 255 // with its type
	maxNumber     = 60
	maxDistrict   = 60
	maxComplement = 156
)

// street is the type of a street, which may be empty, and its name: together not
// longer than a document has room for.
func (g *Generator) street() (kind, name string) {
	if !g.Chance(0.5) {
		return "", g.Text(1, maxStreet)
	}
	kind = g.Text(1, maxStreetType)
	return kind, g.Text(1, maxStreet-maxStreetType)
}

// Description is what is printed on a note: 3 to 2000 characters, in several lines.
func (g *Generator) Description() string { return g.Lines(3, 2000) }

// ReasonText is why a note is cancelled: 15 to 255 characters, not counting the
// space around them.
func (g *Generator) ReasonText() string {
	text := strings.TrimSpace(g.Text(15, 255))
	if g.Chance(0.1) {
		text = " " + text + "  "
	}
	return text
}

// AmountCents is an amount: from one cent to the largest.
func (g *Generator) AmountCents() int64 {
	switch g.IntN(20) {
	case 0:
		return 1
	case 1:
		return 999_999_999_999_999
	case 2:
		return 1 + g.Int64N(999_999_999_999_999)
	}
	return 100 + g.Int64N(10_000_000)
}
