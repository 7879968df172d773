package nationaltest

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/test/reference"
)

// GroupSamples are the samples of the groups that a DPS can have, by their names, each as Elements
// lists it. The test is skipped where they are not there.
func GroupSamples(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(reference.National(t, "data", "dps-groups"), "*.xml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no samples: %v", err)
	}
	samples := map[string]string{}
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		samples[strings.TrimSuffix(filepath.Base(file), ".xml")] = Elements(t, document)
	}
	return samples
}

// OfSamples is the declaration that the samples of the groups have in common.
func OfSamples() fiscal.Declaration {
	d := Declaration()
	d.Note.AmountCents = 10000_00
	d.Note.Competence = "2026-11-22"
	d.Note.Service.NationalTaxCode = new("010701")
	d.Note.Customer = nfse.CustomerSnapshot{TaxID: "11444777000161", Name: "Cliente LTDA", Address: nfse.Address{
		Street: new("Rua da Assembleia"), Number: new("10"), District: new("Centro"), ZipCode: new("20040002"),
	}}
	d.Note.Municipality.Code = "3304557"
	d.Issuer.ApproximateTaxes = nfse.ApproximateTaxes{Federal: 13_45, Municipal: 2_90}
	return d
}

// incidental are elements by which a document differs from another of the same content: when and
// by whom it was made, its number, and texts that its reader does not compute with.
var incidental = regexp.MustCompile(`/infDPS/(dhEmi|verAplic|nDPS|serie|serv/cServ/(xDescServ|cIntContrib))$`)

// withoutSample is what is sent with an NBS code (E0318, E0322) and no sample has.
const withoutSample = "IBSCBS"

// Elements lists the elements of a DPS in their order, but its signature and what is incidental:
// the path of each, and its text where it has one. Of the key of an NF-e the text is left out, as
// the check digit of the sample's is wrong.
func Elements(t *testing.T, document []byte) string {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(string(document)))
	var listed, path []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(listed, "\n")
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if slices.Contains([]string{"Signature", withoutSample}, token.Name.Local) {
				if err := decoder.Skip(); err != nil {
					t.Fatal(err)
				}
				continue
			}
			path = append(path, token.Name.Local)
			if at := strings.Join(path, "/"); !incidental.MatchString(at) {
				listed = append(listed, at)
			}
		case xml.CharData:
			text, at := strings.TrimSpace(string(token)), strings.Join(path, "/")
			if text != "" && !incidental.MatchString(at) && !strings.HasSuffix(at, "chNFe") {
				listed[len(listed)-1] += " " + text
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}
