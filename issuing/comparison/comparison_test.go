package comparison

import (
	"reflect"
	"testing"

	"emissor/fiscal"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/store/exchanges"
)

func issued(t *testing.T, declaration string) map[string][]string {
	t.Helper()
	_, fields, err := xmlread.Fields([]byte(`<NFSe xmlns="urn:n"><infNFSe Id="NFS1"><nNFSe>7</nNFSe><cStat>102</cStat>` +
		`<emit><CNPJ>11222333000181</CNPJ></emit>` + declaration + `</infNFSe></NFSe>`))
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

// Each member that was rewritten, left out or added is a difference; one that came as it was sent is none. A message
// that is kept by its digest was embedded as it is, and a document that embeds nothing compares nothing.
func TestReport_Declaration(t *testing.T) {
	const sent = `<DPS xmlns="urn:n"><infDPS Id="DPS1"><serie>1</serie><xDescServ>a</xDescServ><cMun>1</cMun>` +
		`</infDPS></DPS>`
	rewritten := issued(t, `<DPS><infDPS Id="DPS1"><serie>1</serie><xDescServ>b</xDescServ><verAplic>x</verAplic>`+
		`</infDPS></DPS>`)
	var r Report
	messages := []fiscal.Message{{XML: []byte("<first/>")}, {XML: []byte(sent)}}
	if err := r.compareDeclaration(messages, rewritten); err != nil {
		t.Fatal(err)
	}
	if expected := []Difference{{"DPS/infDPS/cMun", "1", ""}, {"DPS/infDPS/verAplic", "", "x"},
		{"DPS/infDPS/xDescServ", "a", "b"}}; !reflect.DeepEqual(r.Differences, expected) || r.Declared == 0 {
		t.Errorf("the differences are %+v of %d", r.Differences, r.Declared)
	}
	for name, messages := range map[string][]fiscal.Message{"kept by its digest": {{Digest: "d"}}, "no message": nil} {
		var r Report
		if err := r.compareDeclaration(messages, rewritten); err != nil || len(r.Differences) > 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	r = Report{}
	if err := r.compareDeclaration([]fiscal.Message{{XML: []byte(sent)}}, issued(t, "")); err != nil || r.Declared > 0 ||
		len(r.Differences) > 0 {
		t.Errorf("it embeds none: %+v, %v", r, err)
	}
	if err := r.compareDeclaration([]fiscal.Message{{XML: []byte("<a>")}}, rewritten); err == nil {
		t.Error("what cannot be read is compared")
	}
}

// What a document says of itself is compared with the note's record, and its amounts with the likely ones.
func TestReport_RecordAndAmounts(t *testing.T) {
	key, number, net, iss := "2", "8", int64(100_00), int64(2_00)
	note := nfse.Note{Authority: &nfse.Authorization{AccessKey: &key, Number: &number,
		Totals: &nfse.Totals{NetCents: &net, ISSCents: &iss}}}
	exchange := exchanges.Exchange{Profile: nfse.FiscalProfile{TaxID: "11444777000161"}}
	r := Report{}
	r.compareRecord(exchange, note, issued(t, ""))
	likely := int64(99_99)
	r.compareAmounts(nfse.Totals{NetCents: &likely}, note)
	if expected := []Difference{{"infNFSe/@Id", "NFS2", "NFS1"}, {"infNFSe/nNFSe", "8", "7"},
		{"infNFSe/cStat", "100", "102"}, {"infNFSe/emit", "11444777000161", "11222333000181"},
		{"net", "99.99", "100.00"}}; !reflect.DeepEqual(r.Differences, expected) || r.Amounts != 2 {
		t.Errorf("the differences are %+v of %d", r.Differences, r.Amounts)
	}
}
