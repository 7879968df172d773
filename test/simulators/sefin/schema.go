package sefin

import (
	"sync"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/grammar"
)

// The namespaces of documents and of their signatures.
const (
	fiscalNamespace    = "http://www.sped.fazenda.gov.br/nfse"
	signatureNamespace = grammar.SignatureNamespace
)

// schema is the table of schema_table.go, read.
var schema = sync.OnceValue(func() *grammar.Schema {
	return grammar.Read(grammar.Definition{
		Table: schemaTable, Namespace: fiscalNamespace, Simple: simpleTypes(),
		Attributes: map[string]map[string]string{
			"DPS":          {"versao": "TVerNFSe"},
			"infDPS":       {"Id": "TSIdDPS"},
			"pedRegEvento": {"versao": "TVerNFSe"},
			"infPedReg":    {"Id": "TSIdPedRegEvt"},
		},
	})
})

// schemaViolation returns what the first thing wrong with a document is; empty when it is
// valid.
func schemaViolation(root *etree.Element, kind string) string {
	for _, first := range schema().Violations(root, kind) {
		return first
	}
	return ""
}
