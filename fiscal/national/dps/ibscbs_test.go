package dps

import (
	"cmp"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// readIBSCBS is the group read back.
type readIBSCBS struct {
	Purpose    string  `xml:"finNFSe"`
	IndFinal   *string `xml:"indFinal"`
	CIndOp     string  `xml:"cIndOp"`
	TpOper     *int    `xml:"tpOper"`
	TpEnteGov  *int    `xml:"tpEnteGov"`
	IndDest    string  `xml:"indDest"`
	Recipient  *string `xml:"dest"`
	References *string `xml:"gRefNFSe"`
	Property   *struct {
		Registration *string `xml:"inscImobFisc"`
		CIB          *string `xml:"cCIB"`
		ZipCode      *string `xml:"end>CEP"`
		Street       string  `xml:"end>xLgr"`
		Number       string  `xml:"end>nro"`
		Complement   *string `xml:"end>xCpl"`
		District     string  `xml:"end>xBairro"`
	} `xml:"imovel"`
	Reimbursements *string `xml:"valores>gReeRepRes"`
	Class          struct {
		CST        string  `xml:"CST"`
		CClassTrib string  `xml:"cClassTrib"`
		CCredPres  *string `xml:"cCredPres"`
		Regular    *struct {
			CST        string `xml:"CSTReg"`
			CClassTrib string `xml:"cClassTribReg"`
		} `xml:"gTribRegular"`
		Deferral *struct {
			State     string `xml:"pDifUF"`
			Municipal string `xml:"pDifMun"`
			Federal   string `xml:"pDifCBS"`
		} `xml:"gDif"`
	} `xml:"valores>trib>gIBSCBS"`
}

// compareIBSCBS holds the group against the classification of the note.
func compareIBSCBS(t *testing.T, read readIBSCBS, c nfse.Classification) {
	t.Helper()
	same := func(element string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %#v, want %#v", element, got, want)
		}
	}
	same("finNFSe", read.Purpose, "0")
	same("indDest", read.IndDest, "0")
	same("dest, gRefNFSe and gReeRepRes are left out", read.Recipient == nil && read.References == nil &&
		read.Reimbursements == nil, true)
	same("indFinal", deref(read.IndFinal), indFinal(c.IndFinal))
	same("cIndOp", read.CIndOp, c.CIndOp)
	same("tpOper", deref(read.TpOper), deref(c.TpOper))
	same("tpEnteGov", deref(read.TpEnteGov), deref(c.TpEnteGov))
	same("CST", read.Class.CST, c.CST)
	same("cClassTrib", read.Class.CClassTrib, c.CClassTrib)
	same("cCredPres", deref(read.Class.CCredPres), deref(c.CCredPres))
	same("gTribRegular is sent", read.Class.Regular != nil, c.RegularTaxation != nil)
	if regular := read.Class.Regular; regular != nil {
		same("CSTReg", regular.CST, c.RegularTaxation.CST)
		same("cClassTribReg", regular.CClassTrib, c.RegularTaxation.CClassTrib)
	}
	same("gDif is sent", read.Class.Deferral != nil, c.Deferral != nil)
	if deferral := read.Class.Deferral; deferral != nil {
		same("pDifUF", cents(t, deferral.State), int64(c.Deferral.State))
		same("pDifMun", cents(t, deferral.Municipal), int64(c.Deferral.Municipal))
		same("pDifCBS", cents(t, deferral.Federal), int64(c.Deferral.Federal))
	}
	same("imovel is sent", read.Property != nil, c.Property != nil)
	if property := read.Property; property != nil {
		same("inscImobFisc", deref(property.Registration), deref(c.Property.Registration))
		same("cCIB", deref(property.CIB), deref(c.Property.CIB))
		same("imovel has an address", property.ZipCode != nil, c.Property.Address != nil)
		if address := c.Property.Address; address != nil {
			same("CEP", *property.ZipCode, address.ZipCode)
			same("xLgr", property.Street, schema.Line(address.Street))
			same("nro", property.Number, schema.Line(address.Number))
			same("xCpl", deref(property.Complement), schema.Line(deref(address.Complement)))
			same("xBairro", property.District, schema.Line(address.District))
		}
	}
}

// indFinal is how the layout says it.
func indFinal(said *bool) string {
	switch {
	case said == nil:
		return ""
	case *said:
		return "1"
	}
	return "0"
}

// The group is the same as the sample's, which the authority's schema takes.
func TestSignDeclaration_IBSCBS(t *testing.T) {
	document := signed(t, func(d *fiscal.Declaration) {
		d.Classification = nationaltest.Classification()
		d.Classification.IndFinal = new(false)
	})
	for _, part := range []string{
		`</xDescServ><cNBS>115013000</cNBS><cIntContrib>`,
		`</valores><IBSCBS><finNFSe>0</finNFSe><indFinal>0</indFinal><cIndOp>100301</cIndOp><indDest>0</indDest>` +
			`<valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores>` +
			`</IBSCBS></infDPS>`,
	} {
		if !strings.Contains(document, part) {
			t.Errorf("\n%s\nlacks\n%s", document, part)
		}
	}
}

// Issuers of Simples send the group from the day on which it is required.
func TestSignDeclaration_IBSCBSOfSimples(t *testing.T) {
	for name, row := range map[string]struct {
		change       func(*fiscal.Declaration)
		requiredFrom nfse.Day
		competence   nfse.Day // empty: 2026-11-21
		sent         bool
	}{
		"outside Simples, classified":     {change: func(*fiscal.Declaration) {}, sent: true},
		"outside Simples, not classified": {change: func(d *fiscal.Declaration) { d.Classification = nil }},
		"MEI before it is required":       {change: nationaltest.Micro, requiredFrom: "2026-11-22"},
		"MEI on the day":                  {change: nationaltest.Micro, requiredFrom: "2026-11-21", sent: true},
		"MEI where it is never required":  {change: nationaltest.Micro},
		"ME before it is required":        {change: small, requiredFrom: "2026-11-22"},
		"ME on the day":                   {change: small, requiredFrom: "2026-11-21", sent: true},
		"outside Simples, before the day too": {
			change: func(*fiscal.Declaration) {}, requiredFrom: "2027-01-01", sent: true,
		},
		"ME signed on the day, of the day before": {
			change: small, requiredFrom: "2026-11-21", competence: "2026-11-20",
		},
		"outside Simples, of the first day": {
			change: func(*fiscal.Declaration) {}, competence: "2026-01-01", sent: true,
		},
		"outside Simples, of the day before the first": { // E0850
			change: func(*fiscal.Declaration) {}, competence: "2025-12-31",
		},
	} {
		t.Run(name, func(t *testing.T) {
			declaration := nationaltest.Declaration()
			declaration.Classification = nationaltest.Classification()
			row.change(&declaration)
			declaration.Note.Competence = cmp.Or(row.competence, declaration.Note.Competence)
			signer := Signer{IBSCBS: taxation.IBSCBS{RequiredFrom: row.requiredFrom}}
			message, err := signer.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
			if err != nil {
				t.Fatal(err)
			}
			if sent := strings.Contains(string(message.XML), "<IBSCBS>"); sent != row.sent {
				t.Errorf("the group is sent: %v, want %v", sent, row.sent)
			}
		})
	}
}

func small(d *fiscal.Declaration) { nationaltest.Small(d, 1) }

// What no element can carry is no message.
func TestSignDeclaration_IBSCBSWithoutValue(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*nfse.Classification)
		want   string
	}{
		"NBS with dots":         {func(c *nfse.Classification) { c.NBS = "1.1501.30.00" }, "cNBS"},
		"a short cIndOp":        {func(c *nfse.Classification) { c.CIndOp = "10301" }, "cIndOp"},
		"a CST of two digits":   {func(c *nfse.Classification) { c.CST = "00" }, "CST"},
		"an empty cClassTrib":   {func(c *nfse.Classification) { c.CClassTrib = "" }, "cClassTrib"},
		"an empty property":     {func(c *nfse.Classification) { c.Property = &nfse.Property{} }, "imovel"},
		"a short CIB":           {func(c *nfse.Classification) { c.Property = &nfse.Property{CIB: new("123")} }, "CIB"},
		"an unprintable street": {func(c *nfse.Classification) { c.Property = property("\u6f22") }, "xLgr"},
	} {
		t.Run(name, func(t *testing.T) {
			declaration := nationaltest.Declaration()
			declaration.Classification = nationaltest.Classification()
			row.change(declaration.Classification)
			_, err := Signer{}.SignDeclaration(declaration, nationaltest.Credentials(t), nationaltest.At)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %s", err, row.want)
			}
		})
	}
}

func property(street string) *nfse.Property {
	return &nfse.Property{Address: &nfse.PropertyAddress{
		ZipCode: "20040020", Street: street, Number: "1", District: "Centro",
	}}
}
