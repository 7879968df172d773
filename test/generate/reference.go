package generate

import (
	"fmt"
	"strings"
)

// poison are references that once stopped a note, or could.
var poison = []string{
	"Nota nº 1", "café-1", "cafe\u0301-1", "João", "✓ 漢字", "nº 12", "é", "مرحبا", "שלום 7", "👍🏽", "🇧🇷 1",
	strings.Repeat("𝔄", 200), strings.Repeat("o\u0302\u0301", 200), strings.Repeat("\u1112\u1161\u11ab", 200),
	strings.Repeat("a", 200), strings.Repeat("%", 200), "x\u0301\u0302", "b\uffff", "c\ufffd", "İstanbul", "\u212a",
	`"`, `'`, `\`, `\u0000`, `'; DROP TABLE notes; --`, "%", "%2F%00", "100%", "%!s(MISSING)",
	"a/b/../c", "..", ".", "/", "//", "/live/", "~", "nfse_", "?q=1&x=2#y",
	"{{.}}", "<script>alert(1)</script>", "]]>", "=1+1", "a;b,c", "0", "null", "a  b",
}

// Poison are references that every test of references must hold.
func Poison() []string { return append([]string(nil), poison...) }

const maxReference = 200

// Reference is a reference that this Generator has not given before.
func (g *Generator) Reference() string {
	return g.unique(func() string { return g.textOf(ofReferences, 1, maxReference) })
}

// UsualReference is the nth of references as callers in Brazil have them: short, and
// not in ASCII.
func UsualReference(n int) string {
	forms := []string{"Pedido nº %d", "Nota nº %d", "Mensalidade março/%d", "café-%d", "Prestação %d"}
	return fmt.Sprintf(forms[n%len(forms)], n)
}

func (g *Generator) unique(next func() string) string {
	for {
		if text := next(); !g.references[text] {
			g.references[text] = true
			return text
		}
	}
}
