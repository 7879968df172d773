package rules

import (
	"bytes"
	"fmt"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/rulecatalogue/cataloguetest"
)

// docs/rules-saopaulo.md is what the catalogue says; with -update it is written.
func TestDocs(t *testing.T) { cataloguetest.Document(t, "rules-saopaulo.md", rulesDocument()) }

var handlingWords = map[rulecatalogue.HandlingKind]string{
	rulecatalogue.Impossible: "impossible by construction", rulecatalogue.Checked: "checked before sending",
	rulecatalogue.Left: "left to the city",
}

func rulesDocument() []byte {
	var out bytes.Buffer
	out.WriteString(`# The rules of the city of São Paulo, and what Emissor does about each

Generated from the catalogue in fiscal/saopaulo/rules (catalogue.tsv) by
` + "`go test ./fiscal/saopaulo/rules -run TestDocs -update`" + `, and verified by the same test without the flag.
The codes are those of the manual of the web service 3.3.5 (2026-01-09) and four later ones. The words are ours.

- *Impossible by construction*: no message that Emissor writes can break it. Tests hold random messages against
  the city's schemas.
- *Checked before sending*: a note that would break it is refused, or held, before it takes a number. A
  test breaks each one.
- *Left to the city*: only its registers, tables or clock can tell.

What follows from a code where it is not simply the end of the note: *asks* whether a note exists before anything
else, *asks, then refused* likewise, *later* sends the same again, *certificate* holds the note for another one,
*signs again* makes another message.

`)
	var parts []string
	count := map[string]map[rulecatalogue.HandlingKind]int{}
	for _, rule := range Catalogue.All() {
		if count[rule.About] == nil {
			parts = append(parts, rule.About)
			count[rule.About] = map[rulecatalogue.HandlingKind]int{}
		}
		count[rule.About][rule.Handling.Kind]++
	}
	out.WriteString("| | impossible | checked | left |\n|---|---:|---:|---:|\n")
	for _, part := range parts {
		fmt.Fprintf(&out, "| %s | %d | %d | %d |\n", part, count[part][rulecatalogue.Impossible],
			count[part][rulecatalogue.Checked], count[part][rulecatalogue.Left])
	}
	for _, part := range parts {
		fmt.Fprintf(&out, "\n## %s\n\n| code | field | meaning | follows | what Emissor does | why |\n"+
			"|---|---|---|---|---|---|\n", part)
		for _, rule := range Catalogue.All() {
			if rule.About == part {
				fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s |\n", rule.Code, cataloguetest.Quoted(rule.Field),
					rule.Explanation, dispositionWords[rule.Disposition], handlingWords[rule.Handling.Kind],
					rule.Handling.Why)
			}
		}
	}
	return out.Bytes()
}

var dispositionWords = map[fiscal.Disposition]string{
	fiscal.Final: "", fiscal.TryLater: "later", fiscal.SignAgain: "signs again", fiscal.AlreadyExists: "asks",
	fiscal.NeedsConfirmation: "asks, then refused", fiscal.CertificateRefused: "certificate",
}
