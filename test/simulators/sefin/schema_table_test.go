package sefin

import (
	"strconv"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"emissor/test/reference"
	"emissor/test/simulators/shared/grammar"
)

// xsd is the official schema: its types by name.
type xsd map[string]*etree.Element

func officialSchema(t *testing.T) xsd {
	t.Helper()
	types := xsd{}
	for _, file := range []string{"tiposComplexos_v1.01.xsd", "tiposSimples_v1.01.xsd", "tiposEventos_v1.01.xsd"} {
		tree := etree.NewDocument()
		if err := tree.ReadFromBytes(reference.ReadNational(t, "xsd-1.01/"+file)); err != nil {
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

// The table and the official schema are walked from their roots: the same elements
// in the same order, as often, and every simple type with the same limits.
func TestSchemaTable_IsTheOfficialSchema(t *testing.T) {
	types := officialSchema(t)
	compared := map[string]bool{}
	types.compare(t, compared, schema().Types["DPS"], types["TCDPS"], nil)
	events := map[string]bool{"e101101": true, "e105102": true, "e101103": true}
	types.compare(t, compared, schema().Types["pedRegEvento"], types["TCPedRegEvt"], events)
	for name, kind := range schema().Types {
		if kind.Namespace == fiscalNamespace && !compared[name] {
			t.Errorf("%s is reached from no root", name)
		}
	}
}

func (types xsd) compare(
	t *testing.T, compared map[string]bool, ours *grammar.Complex, theirs *etree.Element, onlyEvents map[string]bool,
) {
	if compared[ours.Name] {
		return
	}
	compared[ours.Name] = true
	official, kinds := readParticles(theirs, onlyEvents)
	if a, b := describe(ours.Particles), describe(official); a != b {
		t.Errorf("%s:\n ours   %s\n theirs %s", ours.Name, a, b)
		return
	}
	for _, p := range ours.Particles {
		for _, d := range p.Alternatives {
			kind := types[kinds[d.Name]]
			switch {
			case d.Namespace != fiscalNamespace || kind == nil:
			case d.Complex != nil:
				types.compare(t, compared, d.Complex, kind, onlyEvents)
			default:
				types.compareSimple(t, d.Simple.(*simpleType), kind)
			}
		}
	}
}

// readParticles reads an official complex type: its particles, and the types of its
// elements by their names.
func readParticles(
	complex *etree.Element, onlyEvents map[string]bool,
) (official []grammar.Particle, kinds map[string]string) {
	kinds = map[string]string{}
	group := complex.FindElement("./sequence")
	if group == nil {
		group = complex.FindElement("./choice")
		return []grammar.Particle{readChoice(group, kinds, onlyEvents)}, kinds
	}
	for _, item := range group.ChildElements() {
		switch item.Tag {
		case "choice":
			official = append(official, readChoice(item, kinds, onlyEvents))
		case "element":
			p := grammar.Particle{Alternatives: []grammar.Declaration{{Name: elementName(item)}}}
			p.Least, p.Most = occurrence(item)
			kinds[elementName(item)] = item.SelectAttrValue("type", "")
			official = append(official, p)
		}
	}
	return official, kinds
}

func elementName(item *etree.Element) string {
	return strings.TrimPrefix(item.SelectAttrValue("name", item.SelectAttrValue("ref", "")), "ds:")
}

func occurrence(item *etree.Element) (least, most int) {
	least, _ = strconv.Atoi(item.SelectAttrValue("minOccurs", "1"))
	most, _ = strconv.Atoi(item.SelectAttrValue("maxOccurs", "1"))
	return least, most
}

func readChoice(choice *etree.Element, kinds map[string]string, onlyEvents map[string]bool) grammar.Particle {
	p := grammar.Particle{}
	p.Least, p.Most = occurrence(choice)
	for _, item := range choice.SelectElements("element") {
		name := elementName(item)
		if strings.HasPrefix(name, "e") && len(name) == 7 && onlyEvents != nil && !onlyEvents[name] {
			continue
		}
		if item.SelectAttrValue("minOccurs", "1") == "0" {
			p.Least = 0
		}
		kinds[name] = item.SelectAttrValue("type", "")
		p.Alternatives = append(p.Alternatives, grammar.Declaration{Name: name})
	}
	return p
}

// describe writes particles.
func describe(particles []grammar.Particle) string {
	var text strings.Builder
	for _, p := range particles {
		for i, alternative := range p.Alternatives {
			if i > 0 {
				text.WriteString("|")
			}
			text.WriteString(alternative.Name)
		}
		if p.Least == 0 {
			text.WriteString("?")
		}
		if p.Most > 1 {
			text.WriteString("{" + strconv.Itoa(p.Most) + "}")
		}
		text.WriteString(" ")
	}
	return text.String()
}

func (types xsd) compareSimple(t *testing.T, ours *simpleType, theirs *etree.Element) {
	t.Helper()
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
		if ours.Violated(value) != "" {
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
