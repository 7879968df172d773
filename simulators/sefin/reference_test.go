package sefin

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// reference reads a file of the reference material, beside the repository.
func reference(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../../shared/national", path))
	if err != nil {
		t.Skipf("the reference material is not beside the repository: %v", err)
	}
	return content
}

// rows are the fields of a table, without its head.
func rows(t *testing.T, path string) [][]string {
	t.Helper()
	var all [][]string
	for line := range strings.Lines(string(reference(t, path))) {
		all = append(all, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	if len(all) < 100 {
		t.Fatalf("%s holds %d lines", path, len(all))
	}
	return all[1:]
}

func TestEveryMunicipalityExists(t *testing.T) {
	for _, row := range rows(t, "data/municipios-anexoA-20251210.tsv") {
		if !municipalityExists(row[0]) {
			t.Errorf("%s does not exist", row[0])
		}
	}
	for _, code := range []string{"", "3304558", "9999999", "0000000", "330455", "33O4557"} {
		if municipalityExists(code) {
			t.Errorf("%q exists", code)
		}
	}
}

func TestEveryCEPLiesInItsState(t *testing.T) {
	var registry Registry
	for _, row := range rows(t, "data/cep-ranges.tsv") {
		for _, cep := range row[:2] {
			if !registry.postalCodeOf(cep, row[2]) {
				t.Errorf("%s does not lie in %s but in %q", cep, row[2], stateOfCEP(cep))
			}
		}
	}
}

func TestEveryServiceExists(t *testing.T) {
	listed := map[string]bool{}
	for _, row := range rows(t, "data/ctribnac-anexoB.tsv") {
		listed[row[0]] = true
		if !serviceExists(row[0]) {
			t.Errorf("%s does not exist", row[0])
		}
	}
	for code := range services() {
		if !listed[code] {
			t.Errorf("%s is not on the official list", code)
		}
	}
	for _, row := range rows(t, "data/nbs-anexoB.tsv") {
		if !nbsExists(row[0]) {
			t.Errorf("NBS %s does not exist", row[0])
		}
	}
}

func TestMessagesHaveOfficialCodes(t *testing.T) {
	official := string(reference(t, "data/sefin-rules-anexoI-v1.00-20251216.tsv")) +
		string(reference(t, "data/sefin-rules-anexoII-events-v1.00-20251216.tsv")) + string(reference(t, "README.md"))
	for code := range messages {
		if !strings.Contains(official, code) {
			t.Errorf("%s is in none of the tables", code)
		}
	}
}

func TestCheckDigits(t *testing.T) {
	for _, cnpj := range []string{"11222333000181", "12ABC34501DE35"} {
		if !validCNPJ(cnpj) {
			t.Errorf("CNPJ %s is refused", cnpj)
		}
	}
	for _, cnpj := range []string{"11222333000182", "11222333000171", "12ABC34501DE53", "00000000000000", "1122233300018", "12ABC34501DEAB"} {
		if validCNPJ(cnpj) {
			t.Errorf("CNPJ %s passes", cnpj)
		}
	}
	for cpf, valid := range map[string]bool{"52998224725": true, "00000000191": true, "52998224752": false, "11111111111": false} {
		if validCPF(cpf) != valid {
			t.Errorf("CPF %s: %t", cpf, !valid)
		}
	}
	if key := "33045572211222333000181000000000001226111234567894"; !validKey(key) {
		t.Errorf("the key of the sample is refused")
	}
}

// xsd is the official schema: its types by name.
type xsd map[string]*etree.Element

func officialSchema(t *testing.T) xsd {
	types := xsd{}
	for _, file := range []string{"tiposComplexos_v1.01.xsd", "tiposSimples_v1.01.xsd", "tiposEventos_v1.01.xsd"} {
		tree := etree.NewDocument()
		if err := tree.ReadFromBytes(reference(t, "xsd-1.01/"+file)); err != nil {
			t.Fatal(err)
		}
		for _, element := range tree.Root().ChildElements() {
			if name := element.SelectAttrValue("name", ""); name != "" {
				types[name] = element
			}
		}
	}
	return types
}

// TestTableIsTheOfficialSchema walks both from their roots: the same elements in
// the same order, as often, and every simple type with the same limits.
func TestTableIsTheOfficialSchema(t *testing.T) {
	types := officialSchema(t)
	compared := map[string]bool{}
	types.compare(t, compared, schema()["DPS"], types["TCDPS"], nil)
	types.compare(t, compared, schema()["pedRegEvento"], types["TCPedRegEvt"], map[string]bool{"e101101": true, "e101103": true})
	for name, kind := range schema() {
		if kind.namespace == fiscalNamespace && !compared[name] {
			t.Errorf("%s is reached from no root", name)
		}
	}
}

func (types xsd) compare(t *testing.T, compared map[string]bool, ours *complexType, theirs *etree.Element, onlyEvents map[string]bool) {
	if compared[ours.name] {
		return
	}
	compared[ours.name] = true
	var official []particle
	kinds := map[string]string{}
	group := theirs.FindElement("./sequence")
	if group == nil {
		group = theirs.FindElement("./choice")
		official = append(official, readChoice(group, kinds, onlyEvents))
	} else {
		for _, item := range group.ChildElements() {
			switch item.Tag {
			case "choice":
				official = append(official, readChoice(item, kinds, onlyEvents))
			case "element":
				p := particle{least: 1, most: 1, alternatives: []declaration{{name: elementName(item)}}}
				p.least, p.most = occurrence(item)
				kinds[elementName(item)] = item.SelectAttrValue("type", "")
				official = append(official, p)
			}
		}
	}
	if a, b := describe(ours.particles), describe(official); a != b {
		t.Errorf("%s:\n ours   %s\n theirs %s", ours.name, a, b)
		return
	}
	for _, p := range ours.particles {
		for _, d := range p.alternatives {
			kind := types[kinds[d.name]]
			switch {
			case d.namespace != fiscalNamespace || kind == nil:
			case d.complex != nil:
				types.compare(t, compared, d.complex, kind, onlyEvents)
			default:
				types.compareSimple(t, d.simple, kind)
			}
		}
	}
}

func elementName(item *etree.Element) string {
	return strings.TrimPrefix(item.SelectAttrValue("name", item.SelectAttrValue("ref", "")), "ds:")
}

func occurrence(item *etree.Element) (least, most int) {
	least, _ = strconv.Atoi(item.SelectAttrValue("minOccurs", "1"))
	most, _ = strconv.Atoi(item.SelectAttrValue("maxOccurs", "1"))
	return least, most
}

func readChoice(choice *etree.Element, kinds map[string]string, onlyEvents map[string]bool) particle {
	p := particle{}
	p.least, p.most = occurrence(choice)
	for _, item := range choice.SelectElements("element") {
		name := elementName(item)
		if strings.HasPrefix(name, "e") && len(name) == 7 && onlyEvents != nil && !onlyEvents[name] {
			continue
		}
		if item.SelectAttrValue("minOccurs", "1") == "0" {
			p.least = 0
		}
		kinds[name] = item.SelectAttrValue("type", "")
		p.alternatives = append(p.alternatives, declaration{name: name})
	}
	return p
}

// describe writes particles; more than once is all the same.
func describe(particles []particle) string {
	var text strings.Builder
	for _, p := range particles {
		for i, alternative := range p.alternatives {
			if i > 0 {
				text.WriteString("|")
			}
			text.WriteString(alternative.name)
		}
		if p.least == 0 {
			text.WriteString("?")
		}
		if p.most > 1 {
			text.WriteString("+")
		}
		text.WriteString(" ")
	}
	return text.String()
}

func (types xsd) compareSimple(t *testing.T, ours *simpleType, theirs *etree.Element) {
	name := theirs.SelectAttrValue("name", "")
	if ours.name != name {
		t.Errorf("%s is used where the official schema has %s", ours.name, name)
		return
	}
	var values []string
	least, most := 0, 0
	for _, facet := range theirs.FindElements("./restriction/*") {
		value := facet.SelectAttrValue("value", "")
		number, _ := strconv.Atoi(value)
		switch facet.Tag {
		case "enumeration":
			values = append(values, value)
		case "minLength":
			least = number
		case "maxLength":
			most = number
		case "length":
			least, most = number, number
		}
	}
	for _, value := range values {
		if ours.violated(value) != "" {
			t.Errorf("%s refuses %q", name, value)
		}
	}
	if ours.enumeration != nil && len(ours.enumeration) != len(values) {
		t.Errorf("%s enumerates %d values, not %d", name, len(ours.enumeration), len(values))
	}
	if values == nil && (ours.least != least || ours.most != most) {
		t.Errorf("%s is of %d to %d characters, not %d to %d", name, ours.least, ours.most, least, most)
	}
}
