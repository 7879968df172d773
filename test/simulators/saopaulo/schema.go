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
	if root.Tag != kind || root.NamespaceURI() != messageNamespace || root.Space != "" {
		return []string{fmt.Sprintf("The '%s:%s' element is not declared.", root.NamespaceURI(), root.Tag)}
	}
	found := schema().Violations(root, kind)
	return found[:min(len(found), mostViolations)]
}
