package generate

import "fmt"

// Place is a zip code and the municipality that it is in.
type Place struct {
	ZipCode          string // 8 digits
	MunicipalityCode string // IBGE
	Known            bool   // whether the zip code is in the built-in ranges
}

// ranges are some of the zip codes of municipalities, in the order of the country.
var ranges = []struct {
	first, last int
	code        string
}{
	{1_000_000, 5_999_999, "3550308"}, {20_000_000, 23_799_999, "3304557"}, {9_300_000, 9_399_999, "3529401"},
	{19_000_000, 19_159_999, "3541406"}, {27_500_000, 27_569_999, "3304201"}, {34_000_000, 34_019_999, "3144805"},
	{58_400_000, 58_449_999, "2504009"}, {77_000_000, 77_299_999, "1721000"}, {97_000_000, 97_179_999, "4316907"},
}

// Place is a place in Brazil. Of one in a hundred nobody knows the zip code.
func (g *Generator) Place() Place {
	in := Pick(g, ranges)
	if g.Chance(0.01) {
		return Place{ZipCode: fmt.Sprintf("0000%04d", g.IntN(10_000)), MunicipalityCode: in.code}
	}
	zip := in.first + g.IntN(in.last-in.first+1)
	return Place{ZipCode: fmt.Sprintf("%08d", zip), MunicipalityCode: in.code, Known: true}
}

// zipCode is a zip code as somebody writes it.
func (g *Generator) zipCode(zip string) string {
	if g.Chance(0.5) {
		return zip[:5] + "-" + zip[5:]
	}
	return zip
}
