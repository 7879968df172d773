package saopaulo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// attributes are those the schemas declare, by the element that has them.
var attributes = map[string]map[string]string{
	"Cabecalho":              {"Versao": "tpVersao"},
	"Reference":              {"URI": "anyURI"},
	"CanonicalizationMethod": {"Algorithm": "anyURI"},
	"SignatureMethod":        {"Algorithm": "anyURI"},
	"DigestMethod":           {"Algorithm": "anyURI"},
	"Transform":              {"Algorithm": "anyURI"},
}

// mostViolations is how many errors 1001 an answer has at most.
const mostViolations = 20

// violations returns all that is wrong with a message, in the words of the .NET
// validator that the city runs. Of each element the first thing out of order is said.
func (g grammar) violations(root *etree.Element, kind string) []string {
	if root.Tag != kind || root.NamespaceURI() != messageNamespace || root.Space != "" {
		return []string{fmt.Sprintf("The '%s:%s' element is not declared.", root.NamespaceURI(), root.Tag)}
	}
	v := &validation{}
	v.complex(root, g[kind])
	return v.found[:min(len(v.found), mostViolations)]
}

// validation goes through a message and gathers what is wrong.
type validation struct{ found []string }

func (v *validation) say(format string, values ...any) {
	v.found = append(v.found, fmt.Sprintf(format, values...))
}

func (v *validation) complex(element *etree.Element, kind *complexType) {
	v.attributes(element)
	if strings.TrimSpace(element.Text()) != "" {
		v.say("The element %s cannot contain text. List of possible elements expected: %s.",
			quoted(element), expected(kind.particles))
	}
	place, count := 0, 0
	for _, child := range element.ChildElements() {
		at, found := seek(kind.particles, place, count, child)
		if found == nil {
			v.say("The element %s has invalid child element %s.%s",
				quoted(element), quoted(child), hint(kind.particles, place, count))
			return
		}
		if at != place {
			place, count = at, 0
		}
		count++
		if found.complex != nil {
			v.complex(child, found.complex)
		} else {
			v.simple(child, found.simple)
		}
	}
	for i := place; i < len(kind.particles); i++ {
		if kind.particles[i].least > 0 && (i > place || count == 0) {
			v.say("The element %s has incomplete content.%s", quoted(element), hint(kind.particles, place, count))
			return
		}
	}
}

func (v *validation) simple(element *etree.Element, kind *simpleType) {
	v.attributes(element)
	if children := element.ChildElements(); len(children) > 0 {
		v.say("The element %s cannot contain child element %s because the parent element's content model "+
			"is text only.",
			quoted(element), quoted(children[0]))
		return
	}
	if wrong := kind.violated(element.Text()); wrong != "" {
		v.say("The '%s' element is invalid - The value '%s' is invalid according to its datatype '%s' - %s",
			element.Tag, element.Text(), kind.name, wrong)
	}
}

func (v *validation) attributes(element *etree.Element) {
	declared := attributes[element.Tag]
	var seen []string
	for _, attribute := range element.Attr {
		if attribute.Key == "xmlns" && attribute.Space == "" {
			continue
		}
		kind, known := declared[attribute.Key]
		if !known || attribute.Space != "" {
			v.say("The '%s' attribute is not declared.", attribute.FullKey())
			continue
		}
		seen = append(seen, attribute.Key)
		if wrong := simpleTypes()[kind].violated(attribute.Value); wrong != "" {
			v.say("The '%s' attribute is invalid - The value '%s' is invalid according to its datatype '%s' - %s",
				attribute.Key, attribute.Value, simpleTypes()[kind].name, wrong)
		}
	}
	for name := range declared {
		if !slices.Contains(seen, name) {
			v.say("The required attribute '%s' is missing.", name)
		}
	}
}

// seek finds where, from a place on, a child may stand, passing over what may be
// absent.
func seek(particles []particle, place, count int, child *etree.Element) (int, *declaration) {
	for i := place; i < len(particles); i++ {
		seen := 0
		if i == place {
			seen = count
		}
		if seen < particles[i].most {
			for j, alternative := range particles[i].alternatives {
				if alternative.name == child.Tag && alternative.namespace == child.NamespaceURI() {
					return i, &particles[i].alternatives[j]
				}
			}
		}
		if seen == 0 && particles[i].least > 0 {
			return 0, nil
		}
	}
	return 0, nil
}

// hint lists what may stand at a place: up to the first element that must.
func hint(particles []particle, place, count int) string {
	var possible []particle
	for i := place; i < len(particles); i++ {
		seen := 0
		if i == place {
			seen = count
		}
		if seen < particles[i].most {
			possible = append(possible, particles[i])
		}
		if seen == 0 && particles[i].least > 0 {
			break
		}
	}
	if len(possible) == 0 {
		return ""
	}
	return " List of possible elements expected: " + expected(possible) + "."
}

func expected(particles []particle) string {
	var names []string
	for _, p := range particles {
		for _, alternative := range p.alternatives {
			names = append(names, alternative.name)
		}
	}
	return "'" + strings.Join(names, ", ") + "'"
}

// quoted is how .NET names an element.
func quoted(element *etree.Element) string {
	if namespace := element.NamespaceURI(); namespace != "" {
		return fmt.Sprintf("'%s' in namespace '%s'", element.Tag, namespace)
	}
	return "'" + element.Tag + "'"
}
