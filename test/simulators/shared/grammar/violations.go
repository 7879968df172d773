package grammar

import (
	"fmt"
	"iter"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/xmltree"
)

// Violations returns all that is wrong with an element that should be of a complex
// type, in the order in which the validator meets it. Behind a child that may not
// stand where it does nothing more of its parent is checked.
func (s *Schema) Violations(element *etree.Element, kind string) []string {
	v := &validation{schema: s}
	v.complex(element, s.Types[kind])
	return v.found
}

// validation goes through a document and gathers what is wrong.
type validation struct {
	schema *Schema
	found  []string
}

func (v *validation) say(format string, values ...any) {
	v.found = append(v.found, fmt.Sprintf(format, values...))
}

func (v *validation) complex(element *etree.Element, kind *Complex) {
	v.attributes(element)
	if strings.TrimSpace(xmltree.Content(element)) != "" {
		v.say("The element %s cannot contain text. List of possible elements expected: %s.",
			v.schema.named(element), v.schema.expected(kind.Particles))
	}
	place, count := 0, 0
	for _, child := range element.ChildElements() {
		at, found := seek(kind.Particles, place, count, child)
		if found == nil {
			v.say("The element %s has invalid child element %s.%s",
				v.schema.named(element), v.schema.named(child), v.schema.hint(kind.Particles, place, count))
			return
		}
		if at != place {
			place, count = at, 0
		}
		count++
		if found.Complex != nil {
			v.complex(child, found.Complex)
		} else {
			v.simple(child, found.Simple)
		}
	}
	for i := place; i < len(kind.Particles); i++ {
		if kind.Particles[i].Least > 0 && (i > place || count == 0) {
			v.say("The element %s has incomplete content.%s",
				v.schema.named(element), v.schema.hint(kind.Particles, place, count))
			return
		}
	}
}

func (v *validation) simple(element *etree.Element, kind Simple) {
	v.attributes(element)
	if children := element.ChildElements(); len(children) > 0 {
		v.say("The element %s cannot contain child element '%s' because the parent element's content model "+
			"is text only.", v.schema.named(element), children[0].Tag)
		return
	}
	v.value("element", v.schema.fullName(element), xmltree.Content(element), kind)
}

func (v *validation) attributes(element *etree.Element) {
	declared := v.schema.attributes[element.Tag]
	seen := map[string]bool{}
	for _, attribute := range element.Attr {
		if attribute.Key == "xmlns" && attribute.Space == "" {
			continue
		}
		kind, known := declared[attribute.Key]
		if !known || attribute.Space != "" {
			v.say("The '%s' attribute is not declared.", attribute.FullKey())
			continue
		}
		seen[attribute.Key] = true
		v.value("attribute", attribute.Key, attribute.Value, v.schema.simple[kind])
	}
	for name := range declared {
		if !seen[name] {
			v.say("The required attribute '%s' is missing.", name)
		}
	}
}

// value checks the value of an element or an attribute.
func (v *validation) value(what, name, value string, kind Simple) {
	if wrong := kind.Violated(value); wrong != "" {
		v.say("The '%s' %s is invalid - The value '%s' is invalid according to its datatype '%s' - %s",
			name, what, value, kind.Name(), wrong)
	}
}

// seek finds where, from a place on, a child may stand.
func seek(particles []Particle, place, count int, child *etree.Element) (int, *Declaration) {
	namespace := child.NamespaceURI()
	for i := range openPlaces(particles, place, count) {
		for j, alternative := range particles[i].Alternatives {
			if alternative.Name == child.Tag && alternative.Namespace == namespace {
				return i, &particles[i].Alternatives[j]
			}
		}
	}
	return 0, nil
}

// openPlaces are those, from a place on that was taken count times, at which an element
// may stand: up to the first at which one must.
func openPlaces(particles []Particle, place, count int) iter.Seq[int] {
	return func(yield func(int) bool) {
		taken := count
		for i := place; i < len(particles); i++ {
			if taken < particles[i].Most && !yield(i) {
				return
			}
			if taken == 0 && particles[i].Least > 0 {
				return
			}
			taken = 0
		}
	}
}
