package saopaulo_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/saopaulo"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse"
)

// The city's rate counts, and not the service's. Of the ISS either cent beside the exact amount is
// right, of IBS and CBS a cent more or less; what is not stated, or is not certain, is not compared.
func TestAuthority_CompareTotals(t *testing.T) {
	t.Parallel()
	city, err := saopaulo.New(saopaulo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// 1,501.00 at 2.9 % is 43.529 of ISS; IBS 1.457 and CBS 13.117 of what is left.
	right := nfse.Totals{ServiceCents: new(int64(1501_00)), TotalCents: new(int64(1501_00)),
		ISSCents: new(int64(43_53)), IBSCents: new(int64(1_46)), CBSCents: new(int64(13_12))}
	withheld := right
	withheld.TotalCents, withheld.ISSWithheldCents = nil, right.ISSCents
	for name, row := range map[string]struct {
		declared func(*fiscal.Declaration)
		stated   func(*nfse.Totals)
		differs  string
	}{
		"as expected":         {},
		"elsewhere on top":    {declared: func(d *fiscal.Declaration) { d.Note.Competence = "2027-01-01" }},
		"nothing stated":      {stated: func(s *nfse.Totals) { *s = nfse.Totals{} }},
		"the ISS cut off":     {stated: func(s *nfse.Totals) { s.ISSCents = new(int64(43_52)) }},
		"another ISS":         {stated: func(s *nfse.Totals) { s.ISSCents = new(int64(43_54)) }, differs: "iss"},
		"a cent of CBS":       {stated: func(s *nfse.Totals) { s.CBSCents = new(int64(13_13)) }},
		"more of CBS":         {stated: func(s *nfse.Totals) { s.CBSCents = new(int64(13_14)) }, differs: "cbs"},
		"the city's own rate": {declared: func(d *fiscal.Declaration) { d.Note.Service.ISSRate = new(nfse.Rate(5_00)) }},
		"another charge":      {stated: func(s *nfse.Totals) { s.TotalCents = new(int64(1501_01)) }, differs: "total"},
		"IRRF of nobody":      {stated: func(s *nfse.Totals) { s.IRRFCents = new(int64(1)) }, differs: "irrf"},
		"ISS withheld": {declared: func(d *fiscal.Declaration) { d.Note.ISSWithheld = true },
			stated: func(s *nfse.Totals) { *s = withheld }},
		"ISS of another city": {declared: func(d *fiscal.Declaration) { d.Note.Service.MunicipalTaxation = new("F") },
			stated: func(s *nfse.Totals) { s.ISSCents = new(int64(1)) }},
		"ISS exempt": {declared: func(d *fiscal.Declaration) { d.Issuer.TaxationInside = "A" },
			stated: func(s *nfse.Totals) { s.ISSCents = new(int64(1)) }},
		"own contributions": {declared: func(d *fiscal.Declaration) {
			d.Issuer.OwnContributions = &nfse.OwnContributions{CST: "01", PIS: 65, COFINS: 3_00}
		}, stated: func(s *nfse.Totals) { s.CBSCents = new(int64(12_00)) }},
	} {
		declared, stated := saopaulotest.Declaration(), right
		declared.Note.AmountCents = 1501_00
		if row.declared != nil {
			row.declared(&declared)
		}
		if row.stated != nil {
			row.stated(&stated)
		}
		alarm := city.CompareTotals(declared, fiscal.IssuedDocument{
			Authorization: nfse.Authorization{Totals: &stated}, ISSRate: new(nfse.Rate(2_90))})
		if alarm.None() != (row.differs == "") || !alarm.None() && alarm.Arguments["member"] != row.differs {
			t.Errorf("%s: %s", name, alarm)
		}
	}
}
