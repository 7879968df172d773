package saopaulo

import (
	"strings"
	"testing"

	"emissor/test/reference"
)

// official are the lines of a published table, each by the names of its columns.
func official(t *testing.T, path string) (lines []map[string]string) {
	t.Helper()
	var names []string
	for line := range strings.Lines(string(reference.ReadNational(t, path))) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if names == nil {
			names = fields
			continue
		}
		row := map[string]string{}
		for i, name := range names {
			row[name] = fields[i]
		}
		lines = append(lines, row)
	}
	return lines
}

// What is known of the tax classifications is what is published.
func TestTaxClasses_AreThePublishedOnes(t *testing.T) {
	published := official(t, "data/cclasstrib.tsv")
	for _, row := range published {
		want := taxClass{
			Period:     Period{From: row["dIniVig"], To: row["dFimVig"]},
			ofServices: row["indNFSe"] == "1", suspends: row["ind_gTribRegular"] == "1",
		}
		if known := taxClasses()[row["CST"]][row["cClassTrib"]]; known != want {
			t.Errorf("cClassTrib %s is %+v, published as %+v", row["cClassTrib"], known, want)
		}
	}
	known := 0
	for _, codes := range taxClasses() {
		known += len(codes)
	}
	if known != len(published) || known != 173 {
		t.Errorf("%d codes are known, and %d published", known, len(published))
	}
	for _, row := range official(t, "data/cst-ibscbs.tsv") {
		if taxClasses()[row["CST"]] == nil {
			t.Errorf("the CST %s is not known", row["CST"])
		}
	}
}

// What is known of the indicators of operations is what Annex VII, v1.02.00, has for
// NFS-e, and where each takes place what it says of that.
func TestSupplies_AreThePublishedOnes(t *testing.T) {
	said := map[supplyPlace]func(place string) bool{
		atProvider:  func(place string) bool { return strings.HasPrefix(place, "estabelecimento do fornecedor") },
		atRecipient: func(place string) bool { return strings.HasPrefix(place, "local do domicílio principal do") },
		atProperty:  func(place string) bool { return strings.HasPrefix(place, "localidade do imóvel") },
		atEvent:     func(place string) bool { return strings.HasPrefix(place, "local do evento") },
	}
	// Of these it is a home that an RPS does not tell: that of the head office.
	const headOffice = "010106"
	published := 0
	for _, row := range official(t, "data/indop.tsv") {
		code, place := row["cIndOp"], strings.ToLower(row["place_of_supply"])
		listed := row["in_annexVII_v1.02.00"] == "1" && row["indNFSe_VII_v1.02.00"] == "S"
		if known := supplies()[code] != ""; known != listed {
			t.Errorf("cIndOp %s is known: %t, published: %t", code, known, listed)
		}
		if !listed {
			continue
		}
		published++
		for kind, says := range said {
			if is := supplies()[code] == kind; is != says(place) && code != headOffice {
				t.Errorf("cIndOp %s is %s, published as %q", code, supplies()[code], place)
			}
		}
	}
	if published != 24 || len(supplies()) != published {
		t.Errorf("%d codes are known, and %d published", len(supplies()), published)
	}
}
