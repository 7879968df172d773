package taxes_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// What a document has to state follows from the rate that was sent; else from the one that it
// states, which is the city's; else from its ISS. The service's rate is in none of it, and where the
// document states no ISS nothing of it is certain.
func TestCompared(t *testing.T) {
	t.Parallel()
	// 1,000.01 at 2.5 % is 25.00025, and 25.50 of it is stated where the document errs.
	sent, ours := nfse.Rate(2_50), nfse.Rate(5_00)
	for name, row := range map[string]struct {
		sent, read       *nfse.Rate // of the declaration, and of the document
		stated           *int64     // the ISS
		iss, net, ofBase int64      // that are expected; IBS of the base, 0: not known
	}{
		"the rate that was sent":        {sent: &sent, stated: new(int64(25_00)), iss: 25_00, net: 975_01, ofBase: 98},
		"rounded up":                    {sent: &sent, stated: new(int64(25_01)), iss: 25_01, net: 975_00, ofBase: 97},
		"not by the rate that was sent": {sent: &sent, stated: new(int64(25_50)), iss: 25_00, net: 975_01, ofBase: 98},
		"the sent rate before the stated": {
			sent: &sent, read: &ours, stated: new(int64(50_00)), iss: 25_00, net: 975_01, ofBase: 98},
		"the city's rate":                    {read: &sent, stated: new(int64(25_00)), iss: 25_00, net: 975_01, ofBase: 98},
		"not by the rate that it states":     {read: &sent, stated: new(int64(25_50)), iss: 25_00, net: 975_01, ofBase: 98},
		"no rate":                            {stated: new(int64(25_50)), iss: 25_50, net: 974_51, ofBase: 97},
		"no ISS, whatever was sent":          {sent: &sent, iss: -1, net: -1},
		"neither a rate nor an ISS is known": {iss: -1, net: -1},
	} {
		d := of(1_000_01, nfse.Withholding{})
		d.Note.Service.ISSRate, d.Note.ISSWithheld = &ours, true
		d.Classification = &nfse.Classification{CST: "000"}
		expected := taxes.Compared(d, row.sent, fiscal.IssuedDocument{ISSRate: row.read,
			Authorization: nfse.Authorization{Totals: &nfse.Totals{ISSCents: row.stated, IBSCents: new(int64(98))}}}, true)
		known := func(cents *int64) int64 {
			if cents == nil {
				return -1
			}
			return *cents
		}
		if known(expected.ISSCents) != row.iss || known(expected.ISSWithheldCents) != row.iss ||
			known(expected.NetCents) != row.net || known(expected.TotalCents) != row.net {
			text, _ := nfse.Marshal(expected)
			t.Errorf("%s: %s", name, text)
		}
		if ibs := known(expected.IBSCents); row.ofBase == 0 && ibs != -1 || row.ofBase != 0 && ibs != 98 {
			t.Errorf("%s: IBS is %d", name, ibs)
		}
	}
}

// From 2027 on IBS and CBS, as they are stated, are charged on top of the net: of a company outside
// Simples Nacional.
func TestCompared_OnTop(t *testing.T) {
	t.Parallel()
	stated := nfse.Totals{ISSCents: new(int64(200_00)), IBSCents: new(int64(9_80)), CBSCents: new(int64(862_40))}
	of2027 := func() fiscal.Declaration {
		d := of(10_000_00, nfse.Withholding{IRRF: 1_50, CSLL: 1_00})
		d.Note.Competence, d.Note.ISSWithheld = "2027-01-01", true
		return d
	}
	compared := func(d fiscal.Declaration, stated nfse.Totals) *int64 {
		document := fiscal.IssuedDocument{Authorization: nfse.Authorization{Totals: &stated}}
		return taxes.Compared(d, nil, document, true).TotalCents
	}
	if total := compared(of2027(), stated); total == nil || *total != 10_422_20 {
		t.Errorf("the total is %v", total)
	}
	small := of2027()
	small.Issuer.Simples, small.Issuer.SimplesRegime = nfse.SimplesME, new(3)
	unstated := stated
	unstated.CBSCents = nil
	if compared(small, stated) != nil || compared(of2027(), unstated) != nil {
		t.Error("a total is expected that nothing settles")
	}
}
