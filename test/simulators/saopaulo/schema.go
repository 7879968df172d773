package saopaulo

import (
	"fmt"
	"sync"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/grammar"
)

// The namespaces of messages and of their types.
const (
	messageNamespace = "http://www.prefeitura.sp.gov.br/nfe"
	typesNamespace   = "http://www.prefeitura.sp.gov.br/nfe/tipos"
)

// schema is the table of schema_table.go, read. Only roots and signatures are in a
// namespace; what a root holds is in none.
var schema = sync.OnceValue(func() *grammar.Schema {
	return grammar.Read(grammar.Definition{
		Table: schemaTable, Simple: simpleTypes(),
		Attributes: map[string]map[string]string{"Cabecalho": {"Versao": "tpVersao"}},
	})
})

// mostViolations is how many errors 1001 an answer has at most.
const mostViolations = 20

// schemaViolations returns what is wrong with a message.
func schemaViolations(root *etree.Element, kind string) []string {
	if root.Tag != kind || root.NamespaceURI() != messageNamespace {
		return []string{fmt.Sprintf("The '%s:%s' element is not declared.", root.NamespaceURI(), root.Tag)}
	}
	found := schema().Violations(withoutPrefixes(root), kind)
	return found[:min(len(found), mostViolations)]
}

// withoutPrefixes is a copy of an element in which each one declares its namespace as the default one, which is all
// that the grammar reads: a prefix says nothing else, and clients in use write the root with one.
func withoutPrefixes(element *etree.Element) *etree.Element {
	plain := etree.NewElement(element.Tag)
	plain.CreateAttr("xmlns", element.NamespaceURI())
	for _, attribute := range element.Attr {
		if attribute.Space != "xmlns" && attribute.FullKey() != "xmlns" {
			plain.CreateAttr(attribute.FullKey(), attribute.Value)
		}
	}
	for _, token := range element.Child {
		switch t := token.(type) {
		case *etree.Element:
			plain.AddChild(withoutPrefixes(t))
		case *etree.CharData:
			plain.CreateText(t.Data)
		}
	}
	return plain
}
