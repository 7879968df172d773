// Package grammar checks documents against the schema of an authority, in the words of
// the .NET validator that the authorities run. It is for the simulators, and shares
// nothing with the schemas of the product.
package grammar

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// SignatureNamespace is the namespace of XMLDSig.
const SignatureNamespace = "http://www.w3.org/2000/09/xmldsig#"

// Definition is what a schema is read from.
type Definition struct {
	// Table holds, a line each, the name of a complex type and what it holds, in order:
	// name:Type, (name:Type|name:Type), each with ? (may be absent), + (may repeat) or
	// {n} (up to n times). A line that begins with a space goes on with the type of the
	// line before. Types of XMLDSig begin with ds.
	Table string
	// Namespace is the namespace of the elements inside the types. Where it is empty they are in none, and the validator
	// names elements without their namespaces.
	Namespace string
	// Simple are the simple types by their names in the table. Signatures need anyURI.
	Simple map[string]Simple
	// Attributes are those that an element may and must have, with their simple types.
	// Those of signatures need not be listed.
	Attributes map[string]map[string]string
}

// Simple is a simple type: what a text may be.
type Simple interface {
	// Name is the type's, with its namespace.
	Name() string
	// Violated says in a sentence what a value breaks; empty is nothing.
	Violated(value string) string
}

// Schema is what the documents of an authority may hold.
type Schema struct {
	Types      map[string]*Complex // by their names in the table
	namespace  string
	simple     map[string]Simple
	attributes map[string]map[string]string
}

// Complex is a complex type: the elements that an element holds, in order.
type Complex struct {
	Name      string
	Namespace string // of the elements inside
	Particles []Particle
}

// Particle is one place in the order of a complex type: an element, or a choice of
// elements.
type Particle struct {
	Alternatives []Declaration
	Least, Most  int
}

// Declaration is an element that may stand somewhere.
type Declaration struct {
	Name, Namespace string
	Complex         *Complex // or
	Simple          Simple
}

// signatureAttributes are the attributes of XMLDSig, as far as the authorities' profiles go.
var signatureAttributes = map[string]map[string]string{
	"Reference":              {"URI": "anyURI"},
	"CanonicalizationMethod": {"Algorithm": "anyURI"},
	"SignatureMethod":        {"Algorithm": "anyURI"},
	"DigestMethod":           {"Algorithm": "anyURI"},
	"Transform":              {"Algorithm": "anyURI"},
}

// Read reads a definition. One that names an unknown type is a mistake of who wrote it:
// it panics.
func Read(d Definition) *Schema {
	s := &Schema{
		Types: map[string]*Complex{}, namespace: d.Namespace, simple: d.Simple,
		attributes: maps.Clone(signatureAttributes),
	}
	maps.Copy(s.attributes, d.Attributes)
	for line := range strings.Lines(d.Table) {
		if name := typeName(line); name != "" {
			namespace := d.Namespace
			if strings.HasPrefix(name, "ds.") {
				namespace = SignatureNamespace
			}
			s.Types[name] = &Complex{Name: name, Namespace: namespace}
		}
	}
	var owner *Complex
	for line := range strings.Lines(d.Table) {
		words := strings.Fields(line)
		if name := typeName(line); name != "" {
			owner, words = s.Types[name], words[1:]
		}
		for _, word := range words {
			owner.Particles = append(owner.Particles, s.particle(owner, word))
		}
	}
	return s
}

// typeName is the name that a line begins with; empty when it has none.
func typeName(line string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	return name
}

// repeated is how often an element may stand of which the table says no number.
const repeated = 1000

func (s *Schema) particle(owner *Complex, word string) Particle {
	p := Particle{Least: 1, Most: 1}
	if rest, found := strings.CutSuffix(word, "?"); found {
		word, p.Least = rest, 0
	}
	if rest, found := strings.CutSuffix(word, "+"); found {
		word, p.Most = rest, repeated
	}
	if rest, most, found := strings.Cut(strings.TrimSuffix(word, "}"), "{"); found {
		word = rest
		p.Most, _ = strconv.Atoi(most)
	}
	for _, alternative := range strings.Split(strings.Trim(word, "()"), "|") {
		name, kind, _ := strings.Cut(alternative, ":")
		d := Declaration{Name: name, Namespace: owner.Namespace, Complex: s.Types[kind], Simple: s.simple[kind]}
		if d.Complex == nil && d.Simple == nil {
			panic(fmt.Sprintf("grammar: the schema table of %s names the unknown type %q", owner.Name, kind))
		}
		if d.Complex != nil {
			d.Namespace = d.Complex.Namespace
		}
		p.Alternatives = append(p.Alternatives, d)
	}
	return p
}
