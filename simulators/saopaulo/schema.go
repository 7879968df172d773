package saopaulo

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// The namespaces of messages, of their types and of signatures.
const (
	messageNamespace   = "http://www.prefeitura.sp.gov.br/nfe"
	typesNamespace     = "http://www.prefeitura.sp.gov.br/nfe/tipos"
	signatureNamespace = "http://www.w3.org/2000/09/xmldsig#"
)

// grammar is the schemas: every complex type by its name.
type grammar map[string]*complexType

// complexType is what an element holds, in order. Only roots and signatures are in a
// namespace; what a root holds is in none.
type complexType struct {
	name      string
	namespace string // of the elements inside
	particles []particle
}

// particle is one place in the order of a complex type: an element, or a choice
// of elements.
type particle struct {
	alternatives []declaration
	least, most  int
}

type declaration struct {
	name, namespace string
	complex         *complexType // or
	simple          *simpleType
}

// schema is the table of schema_table.go, read.
var schema = sync.OnceValue(func() grammar { return readGrammar(schemaTable) })

// readGrammar reads lines of a type's name and what it holds, in order:
// name:type, (name:type|name:type), each with ? (may be absent) or {n} (up to n times).
// A line that begins with a space goes on with the type of the line before. A table
// that names an unknown type is a mistake of this package: it panics.
func readGrammar(table string) grammar {
	types := grammar{}
	for line := range strings.Lines(table) {
		if name := typeName(line); name != "" {
			types[name] = &complexType{name: name}
			if strings.HasPrefix(name, "ds.") {
				types[name].namespace = signatureNamespace
			}
		}
	}
	var owner *complexType
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		if name := typeName(line); name != "" {
			owner, words = types[name], words[1:]
		}
		for _, word := range words {
			owner.particles = append(owner.particles, types.particle(owner, word))
		}
	}
	return types
}

// typeName is the name that a line begins with; empty when it has none.
func typeName(line string) string {
	name, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	return name
}

func (g grammar) particle(owner *complexType, word string) particle {
	p := particle{least: 1, most: 1}
	if rest, found := strings.CutSuffix(word, "?"); found {
		word, p.least = rest, 0
	}
	if rest, most, found := strings.Cut(strings.TrimSuffix(word, "}"), "{"); found {
		word = rest
		p.most, _ = strconv.Atoi(most)
	}
	for _, alternative := range strings.Split(strings.Trim(word, "()"), "|") {
		name, kind, _ := strings.Cut(alternative, ":")
		d := declaration{name: name, namespace: owner.namespace, complex: g[kind], simple: simpleTypes()[kind]}
		if d.complex == nil && d.simple == nil {
			panic(fmt.Sprintf("saopaulo: the schema table of %s names the unknown type %q", owner.name, kind))
		}
		if d.complex != nil {
			d.namespace = d.complex.namespace
		}
		p.alternatives = append(p.alternatives, d)
	}
	return p
}
