package dps

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
)

func TestSignDeclaration(t *testing.T) {
	document := signed(t, func(d *fiscal.Declaration) {
		nationaltest.Small(d, 1)
		nationaltest.Withhold(d, 201)
		d.Issuer.MunicipalRegistration, d.Issuer.SendMunicipalRegistration = new("12345678"), true
		d.Note.Service.Description = "Consultoria\r\n& suporte \u2013 <n\u00edvel 2>"
		d.Note.Service.MunicipalTaxCode = new("02919")
	})
	start := `<?xml version="1.0" encoding="UTF-8"?><DPS xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01">` +
		`<infDPS Id="DPS330455721122233300018100001000000000000042"><tpAmb>2</tpAmb>` +
		`<dhEmi>2026-11-21T08:59:00-03:00</dhEmi><verAplic>emissor</verAplic>` +
		`<serie>1</serie><nDPS>42</nDPS><dCompet>2026-11-21</dCompet><tpEmit>1</tpEmit><cLocEmi>3304557</cLocEmi>` +
		`<prest><CNPJ>11222333000181</CNPJ><IM>12345678</IM>` +
		`<regTrib><opSimpNac>3</opSimpNac><regApTribSN>1</regApTribSN><regEspTrib>0</regEspTrib></regTrib></prest>` +
		`<toma><CPF>52998224725</CPF><xNome>Maria da Silva</xNome>` +
		`<end><endNac><cMun>3550308</cMun><CEP>01310100</CEP></endNac>` +
		`<xLgr>Avenida Paulista</xLgr><nro>1000</nro><xCpl>Sala 1</xCpl><xBairro>Bela Vista</xBairro></end></toma>` +
		`<serv><locPrest><cLocPrestacao>3304557</cLocPrestacao></locPrest><cServ><cTribNac>010601</cTribNac>` +
		"<xDescServ>Consultoria\n&amp; suporte - &lt;n\u00edvel 2&gt;</xDescServ>" +
		`<cIntContrib>1</cIntContrib></cServ></serv>` +
		`<valores><vServPrest><vServ>150.00</vServ></vServPrest>` +
		`<trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>2</tpRetISSQN><pAliq>2.01</pAliq></tribMun>` +
		`<totTrib><pTotTribSN>6.00</pTotTribSN></totTrib></trib></valores></infDPS>` +
		`<Signature xmlns="http://www.w3.org/2000/09/xmldsig#">`
	if !strings.HasPrefix(document, start) || !strings.HasSuffix(document, "</Signature></DPS>") {
		t.Errorf("\n%s\nwant\n%s", document, start)
	}
}

// The same declaration at the same moment is the same bytes.
func TestSignDeclaration_IsRepeatable(t *testing.T) {
	once := signed(t, func(*fiscal.Declaration) {})
	if again := signed(t, func(*fiscal.Declaration) {}); again != once {
		t.Error("two messages differ")
	}
	message, err := Signer{}.SignDeclaration(nationaltest.Declaration(), nationaltest.Credentials(t), nationaltest.At)
	if err != nil || message.CertificateID != "crt_test" {
		t.Errorf("%+v %v", message, err)
	}
}

// The moment is in Brasília, regardless of the zone of the host; with each earlier signing it lies further back, but
// never before the day of competence.
func TestSignDeclaration_Dates(t *testing.T) {
	for _, row := range []struct {
		at         string
		signings   int
		competence nfse.Day
		moment     string
	}{
		{"2026-11-21T12:00:00Z", 0, "2026-11-21", "2026-11-21T08:59:00-03:00"},
		{"2026-11-21T12:00:00Z", 1, "2026-11-21", "2026-11-21T08:58:00-03:00"},
		{"2026-11-21T12:00:00Z", 2, "2026-11-21", "2026-11-21T08:56:00-03:00"},
		{"2026-11-21T12:00:00Z", 3, "2026-11-21", "2026-11-21T08:52:00-03:00"},
		{"2026-11-21T12:00:00Z", 4, "2026-11-21", "2026-11-21T08:44:00-03:00"},
		{"2026-11-21T12:00:00Z", 5, "2026-11-21", "2026-11-21T08:44:00-03:00"},
		{"2026-11-21T12:00:00Z", 1000, "2026-11-21", "2026-11-21T08:44:00-03:00"},
		{"2026-12-01T00:00:00Z", 0, "2026-11-30", "2026-11-30T20:59:00-03:00"},
		{"2026-12-01T02:59:59.999Z", 0, "2026-11-30", "2026-11-30T23:58:59-03:00"},
		// Accepted on the last day of a month, and signed on the next.
		{"2026-12-01T03:00:30Z", 0, "2026-11-30", "2026-11-30T23:59:30-03:00"},
		{"2026-12-02T15:00:00Z", 0, "2026-11-30", "2026-12-02T11:59:00-03:00"},
		{"2027-01-02T15:00:00Z", 0, "2026-12-31", "2027-01-02T11:59:00-03:00"},
		// Accepted just after midnight, and signed at once.
		{"2026-12-01T03:00:00Z", 0, "2026-12-01", "2026-12-01T00:00:00-03:00"},
		{"2026-12-01T03:00:30Z", 0, "2026-12-01", "2026-12-01T00:00:00-03:00"},
		{"2026-12-01T03:01:00Z", 0, "2026-12-01", "2026-12-01T00:00:00-03:00"},
		{"2026-12-01T03:01:10Z", 0, "2026-12-01", "2026-12-01T00:00:10-03:00"},
		{"2026-12-01T03:10:00Z", 4, "2026-12-01", "2026-12-01T00:00:00-03:00"},
		{"2026-12-01T15:01:00+12:00", 0, "2026-12-01", "2026-12-01T00:00:00-03:00"},
		{"2028-02-29T23:30:00-03:00", 0, "2028-02-29", "2028-02-29T23:29:00-03:00"},
	} {
		at, err := time.Parse(time.RFC3339, row.at)
		if err != nil {
			t.Fatal(err)
		}
		d := nationaltest.Declaration()
		d.Signings, d.Note.Competence = row.signings, row.competence
		message, err := Signer{}.SignDeclaration(d, nationaltest.Credentials(t), at)
		if err != nil {
			t.Fatal(err)
		}
		xml := string(message.XML)
		if between(t, xml, "dhEmi") != row.moment || between(t, xml, "dCompet") != string(row.competence) {
			t.Errorf("%s after %d: want %s and %s in %s", row.at, row.signings, row.moment, row.competence, xml)
		}
	}
}

// No DPS is made of a day that has not begun, or is none.
func TestSignDeclaration_NoSuchDay(t *testing.T) {
	at := time.Date(2026, 12, 1, 2, 59, 59, 0, time.UTC)
	for _, day := range []nfse.Day{"2026-12-01", "2027-01-01", "2026-02-30", ""} {
		d := nationaltest.Declaration()
		d.Note.Competence = day
		if message, err := (Signer{}).SignDeclaration(d, nationaltest.Credentials(t), at); err == nil {
			t.Errorf("%q is signed: %s", day, message.XML)
		}
	}
}

func TestSignDeclaration_Cents(t *testing.T) {
	for cents, want := range map[int64]string{
		1: "0.01", 9: "0.09", 10: "0.10", 99: "0.99", 100: "1.00", 101: "1.01", 123456: "1234.56",
		nfse.MaxAmountCents: "9999999999999.99",
	} {
		document := signed(t, func(d *fiscal.Declaration) { d.Note.AmountCents = cents })
		if got := between(t, document, "vServ"); got != want {
			t.Errorf("%d cents: %s, want %s", cents, got, want)
		}
	}
}

func TestSignDeclaration_RateHasTwoDecimals(t *testing.T) {
	for rate, want := range map[nfse.Rate]string{180: "1.80", 201: "2.01", 250: "2.50", 500: "5.00"} {
		document := signed(t, func(d *fiscal.Declaration) { nationaltest.Small(d, 1); nationaltest.Withhold(d, rate) })
		if got := between(t, document, "pAliq"); got != want {
			t.Errorf("%d: %s, want %s", rate, got, want)
		}
	}
}

func TestSignDeclaration_Environment(t *testing.T) {
	for production, want := range map[bool]string{true: "1", false: "2"} {
		document := signed(t, func(d *fiscal.Declaration) { d.Issuer.Production = production })
		if got := between(t, document, "tpAmb"); got != want {
			t.Errorf("production %v: tpAmb %s", production, got)
		}
	}
}

// What the document does not need of the taker is not sent.
func TestSignDeclaration_Privacy(t *testing.T) {
	document := signed(t, func(d *fiscal.Declaration) { d.Note.Customer.Email = new("maria@example.com") })
	if strings.Contains(document, "maria@") || strings.Contains(document, "fone") {
		t.Error("phone or e-mail of the taker were sent")
	}
}

// An error names the element at fault, and never tells a tax id.
func TestSignDeclaration_RefusesWhatCannotBe(t *testing.T) {
	type declaration = fiscal.Declaration
	for want, change := range map[string]func(d *fiscal.Declaration){
		"number":         func(d *declaration) { d.Number = 0 },
		"series":         func(d *declaration) { d.Issuer.Series = 70000 },
		"municipality":   func(d *declaration) { d.Issuer.MunicipalityCode = "" },
		"issuer":         func(d *declaration) { d.Issuer.TaxID = "11222333000182" },
		"prest":          func(d *declaration) { d.Issuer.Simples = nfse.SimplesME },
		"registration":   func(d *declaration) { d.Issuer.SendMunicipalRegistration = true },
		"toma: the tax":  func(d *declaration) { d.Note.Customer.TaxID = "5299822472" },
		"xNome":          func(d *declaration) { d.Note.Customer.Name = strings.Repeat("a", 301) },
		"xNome: not":     func(d *declaration) { d.Note.Customer.Name = "\u2603" },
		"cMun":           func(d *declaration) { d.Note.Municipality.Code = "" },
		"CEP":            func(d *declaration) { d.Note.Customer.Address.ZipCode = new("01310-100") },
		"xLgr":           func(d *declaration) { d.Note.Customer.Address.Street = new(strings.Repeat("a", 250)) },
		"nro":            func(d *declaration) { d.Note.Customer.Address.Number = new("") },
		"xBairro":        func(d *declaration) { d.Note.Customer.Address.District = new("\n") },
		"xCpl":           func(d *declaration) { d.Note.Customer.Address.Complement = new(strings.Repeat("a", 157)) },
		"withheld":       func(d *declaration) { d.Note.ISSWithheld, d.Note.Customer.Address.District = true, nil },
		"cLocPrestacao":  func(d *declaration) { d.Note.Service.MunicipalityCode = "1" },
		"cTribNac":       func(d *declaration) { d.Note.Service.NationalTaxCode = nil },
		"cTribNac: not":  func(d *declaration) { d.Note.Service.NationalTaxCode = new("02919") },
		"xDescServ":      func(d *declaration) { d.Note.Service.Description = strings.Repeat("a", 2001) },
		"xDescServ: not": func(d *declaration) { d.Note.Service.Description = "" },
		"cIntContrib":    func(d *declaration) { d.Note.ID = "" },
		"vServ":          func(d *declaration) { d.Note.AmountCents = 0 },
		"vServ: out":     func(d *declaration) { d.Note.AmountCents = nfse.MaxAmountCents + 1 },
		"pAliq":          nationaltest.Inactive,
		"pAliq: out":     func(d *declaration) { nationaltest.Inactive(d); nationaltest.Withhold(d, 501) },
	} {
		d := nationaltest.Declaration()
		change(&d)
		message, err := Signer{}.SignDeclaration(d, nationaltest.Credentials(t), nationaltest.At)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", want, err, message.XML)
			continue
		}
		for _, secret := range []nfse.TaxID{d.Issuer.TaxID, d.Note.Customer.TaxID} {
			if secret != "" && strings.Contains(err.Error(), string(secret)) {
				t.Errorf("%s: the error tells a tax id: %v", want, err)
			}
		}
	}
	signer := Signer{Software: strings.Repeat("x", 21)}
	_, err := signer.SignDeclaration(nationaltest.Declaration(), nationaltest.Credentials(t), nationaltest.At)
	if err == nil || !strings.Contains(err.Error(), "verAplic") {
		t.Error(err)
	}
	for _, at := range []time.Time{{}, time.Date(2100, 1, 2, 0, 0, 0, 0, time.UTC)} {
		_, err := Signer{}.SignDeclaration(nationaltest.Declaration(), nationaltest.Credentials(t), at)
		if err == nil {
			t.Errorf("signed at %s", at)
		}
	}
	keyless := &fiscal.Credentials{Certificate: tls.Certificate{}}
	if _, err := (Signer{}).SignDeclaration(nationaltest.Declaration(), keyless, nationaltest.At); err == nil {
		t.Error("signed without a key")
	}
}

// Half an address would not be valid.
func TestSignDeclaration_LeavesOutAnAddressThatIsNotWhole(t *testing.T) {
	document := signed(t, func(d *fiscal.Declaration) { d.Note.Customer.Address.Number = nil })
	if strings.Contains(document, "<end>") {
		t.Error("half an address was sent")
	}
}

// The table of approximate taxes.
func TestSignDeclaration_ApproximateTaxes(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*fiscal.Declaration)
		want   string
	}{
		"outside Simples": {func(*fiscal.Declaration) {}, "<pTotTrib><pTotTribFed>13.45</pTotTribFed>" +
			"<pTotTribEst>0.00</pTotTribEst><pTotTribMun>5.00</pTotTribMun></pTotTrib>"},
		"MEI":             {nationaltest.Micro, "<indTotTrib>0</indTotTrib>"},
		"ME":              {func(d *fiscal.Declaration) { nationaltest.Small(d, 1) }, "<pTotTribSN>6.00</pTotTribSN>"},
		"ME, ISS outside": {func(d *fiscal.Declaration) { nationaltest.Small(d, 3) }, "<pTotTribSN>6.00</pTotTribSN>"},
		"nothing said": {func(d *fiscal.Declaration) { d.Issuer.ApproximateTaxes = nfse.ApproximateTaxes{} },
			"<pTotTrib><pTotTribFed>0.00</pTotTribFed>" +
				"<pTotTribEst>0.00</pTotTribEst><pTotTribMun>0.00</pTotTribMun></pTotTrib>"},
	} {
		if got := between(t, signed(t, row.change), "totTrib"); got != row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
	}
}

// signed is the plain declaration, changed, as it is sent.
func signed(t *testing.T, change func(*fiscal.Declaration)) string {
	t.Helper()
	d := nationaltest.Declaration()
	change(&d)
	message, err := Signer{}.SignDeclaration(d, nationaltest.Credentials(t), nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	return string(message.XML)
}

// between returns what an element holds.
func between(t *testing.T, document, element string) string {
	t.Helper()
	_, after, found := strings.Cut(document, "<"+element+">")
	content, _, ended := strings.Cut(after, "</"+element+">")
	if !found || !ended {
		t.Fatalf("no %s in %s", element, document)
	}
	return content
}
