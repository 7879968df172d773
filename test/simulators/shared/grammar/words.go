package grammar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// hint lists what may stand at a place.
func (s *Schema) hint(particles []Particle, place, count int) string {
	var possible []Particle
	for i := range openPlaces(particles, place, count) {
		possible = append(possible, particles[i])
	}
	if len(possible) == 0 {
		return ""
	}
	return " List of possible elements expected: " + s.expected(possible) + "."
}

// expected lists the elements of particles.
func (s *Schema) expected(particles []Particle) string {
	var all []Declaration
	for _, p := range particles {
		all = append(all, p.Alternatives...)
	}
	if s.namespace == "" {
		return namesOf(all)
	}
	var groups []string
	for len(all) > 0 {
		namespace := all[0].Namespace
		end := slices.IndexFunc(all, func(d Declaration) bool { return d.Namespace != namespace })
		if end < 0 {
			end = len(all)
		}
		groups = append(groups, inNamespace(namesOf(all[:end]), namespace))
		all = all[end:]
	}
	return strings.Join(groups, " as well as ")
}

func namesOf(declarations []Declaration) string {
	names := make([]string, len(declarations))
	for i, d := range declarations {
		names[i] = d.Name
	}
	return "'" + strings.Join(names, ", ") + "'"
}

func inNamespace(quoted, namespace string) string {
	return fmt.Sprintf("%s in namespace '%s'", quoted, namespace)
}

// named is how an element is named in a sentence.
func (s *Schema) named(element *etree.Element) string {
	quoted, namespace := "'"+element.Tag+"'", element.NamespaceURI()
	if s.namespace == "" && namespace == "" {
		return quoted
	}
	return inNamespace(quoted, namespace)
}

// fullName is how an element is named whose value is wrong.
func (s *Schema) fullName(element *etree.Element) string {
	if s.namespace == "" {
		return element.Tag
	}
	return element.NamespaceURI() + ":" + element.Tag
}
