package fact

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"strings"
	"testing"

	"emissor/internal/tsv"
)

var update = flag.Bool("update", false, "write codes.go from the tables")

// capitals are the words of codes that are abbreviations in Go's names.
var capitals = strings.Fields(`ADN CA CBS CIB CNPJ CPF CSRF CST DPS IBS ID INSS ISS JSON MEI NBS NFSe PFX RPS RSA STARTTLS TLS URL
	VII XML XOAUTH2`)

// nameOf is the name of a code in Go.
func nameOf(code string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(code, "_") {
		written := strings.ToUpper(word[:1]) + word[1:]
		for _, capital := range capitals {
			if strings.EqualFold(capital, word) {
				written = capital
			}
		}
		name.WriteString(written)
	}
	return name.String()
}

// codes.go has the codes of the tables; with -update it is written.
func TestCodes_AreThoseOfTheTables(t *testing.T) {
	var source bytes.Buffer
	source.WriteString("// Code generated from the tables by go test ./nfse/fact -run TestCodes -update; DO NOT EDIT.\n\npackage fact\n")
	for _, file := range codeTables() {
		fmt.Fprintf(&source, "\n// Codes of %s.\nconst (\n", file)
		for _, row := range tsv.Must(tables, file) {
			fmt.Fprintf(&source, "\t// %s\n\t%s Code = %q\n", row[2], nameOf(row[0]), row[0])
		}
		source.WriteString(")\n")
	}
	written, err := format.Source(source.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("codes.go", written, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, written) {
		t.Error("codes.go is not what the tables say: go test ./nfse/fact -run TestCodes -update")
	}
}
