package national

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
)

func TestDPSWord(t *testing.T) {
	document := rendered(t, func(d *fiscal.Document) {
		small(d, 1)
		withheld(d, 201)
		d.Issuer.MunicipalRegistration, d.Issuer.SendMunicipalRegistration = pointer("12345678"), true
		d.Note.Service.Description = "Consultoria\r\n& suporte \u2013 <n\u00edvel 2>"
		d.Note.Service.MunicipalTaxCode = pointer("02919")
	})
	start := `<?xml version="1.0" encoding="UTF-8"?><DPS xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01">` +
		`<infDPS Id="DPS330455721122233300018100001000000000000042"><tpAmb>2</tpAmb><dhEmi>2026-11-21T08:59:00-03:00</dhEmi><verAplic>emissor</verAplic>` +
		`<serie>1</serie><nDPS>42</nDPS><dCompet>2026-11-21</dCompet><tpEmit>1</tpEmit><cLocEmi>3304557</cLocEmi>` +
		`<prest><CNPJ>11222333000181</CNPJ><IM>12345678</IM><regTrib><opSimpNac>3</opSimpNac><regApTribSN>1</regApTribSN><regEspTrib>0</regEspTrib></regTrib></prest>` +
		`<toma><CPF>52998224725</CPF><xNome>Maria da Silva</xNome><end><endNac><cMun>3550308</cMun><CEP>01310100</CEP></endNac>` +
		`<xLgr>Avenida Paulista</xLgr><nro>1000</nro><xCpl>Sala 1</xCpl><xBairro>Bela Vista</xBairro></end></toma>` +
		`<serv><locPrest><cLocPrestacao>3304557</cLocPrestacao></locPrest><cServ><cTribNac>010601</cTribNac>` +
		"<xDescServ>Consultoria\n&amp; suporte - &lt;n\u00edvel 2&gt;</xDescServ><cIntContrib>1</cIntContrib></cServ></serv>" +
		`<valores><vServPrest><vServ>150.00</vServ></vServPrest><trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>2</tpRetISSQN><pAliq>2.01</pAliq></tribMun>` +
		`<totTrib><pTotTribSN>6.00</pTotTribSN></totTrib></trib></valores></infDPS><Signature xmlns="http://www.w3.org/2000/09/xmldsig#">`
	if !strings.HasPrefix(document, start) || !strings.HasSuffix(document, "</Signature></DPS>") {
		t.Errorf("\n%s\nwant\n%s", document, start)
	}
}

// TestRenderingIsRepeatable: the same document at the same moment is the same
// bytes.
func TestRenderingIsRepeatable(t *testing.T) {
	once := rendered(t, func(*fiscal.Document) {})
	if again := rendered(t, func(*fiscal.Document) {}); again != once {
		t.Error("two renderings differ")
	}
}

// TestDates: date and time are of one moment in Brasília, whatever the zone of
// the host; after each rendering that was refused, further back.
func TestDates(t *testing.T) {
	for _, row := range []struct {
		at               string
		renderings       int
		moment, competed string
	}{
		{"2026-11-21T12:00:00Z", 0, "2026-11-21T08:59:00-03:00", "2026-11-21"},
		{"2026-11-21T12:00:00Z", 1, "2026-11-21T08:58:00-03:00", "2026-11-21"},
		{"2026-11-21T12:00:00Z", 2, "2026-11-21T08:56:00-03:00", "2026-11-21"},
		{"2026-11-21T12:00:00Z", 3, "2026-11-21T08:52:00-03:00", "2026-11-21"},
		{"2026-11-21T12:00:00Z", 4, "2026-11-21T08:44:00-03:00", "2026-11-21"},
		{"2026-11-21T12:00:00Z", 5, "2026-11-21T08:44:00-03:00", "2026-11-21"},
		{"2026-11-21T12:00:00Z", 1000, "2026-11-21T08:44:00-03:00", "2026-11-21"},
		{"2026-12-01T00:00:00Z", 0, "2026-11-30T20:59:00-03:00", "2026-11-30"},
		{"2026-12-01T02:59:59.999Z", 0, "2026-11-30T23:58:59-03:00", "2026-11-30"},
		{"2026-12-01T03:00:30Z", 0, "2026-11-30T23:59:30-03:00", "2026-11-30"},
		{"2026-12-01T03:01:00Z", 0, "2026-12-01T00:00:00-03:00", "2026-12-01"},
		{"2026-12-01T15:01:00+12:00", 0, "2026-12-01T00:00:00-03:00", "2026-12-01"},
		{"2028-02-29T23:30:00-03:00", 0, "2028-02-29T23:29:00-03:00", "2028-02-29"},
	} {
		at, err := time.Parse(time.RFC3339, row.at)
		if err != nil {
			t.Fatal(err)
		}
		d := numbered()
		d.Renderings = row.renderings
		rendering, err := renderDPS(Options{}, d, testCredentials(t), at)
		if err != nil {
			t.Fatal(err)
		}
		if moment, competed := between(t, string(rendering.XML), "dhEmi"), between(t, string(rendering.XML), "dCompet"); moment != row.moment || competed != row.competed {
			t.Errorf("%s after %d: %s and %s, want %s and %s", row.at, row.renderings, moment, competed, row.moment, row.competed)
		}
	}
}

func TestCents(t *testing.T) {
	for cents, want := range map[int64]string{
		1: "0.01", 9: "0.09", 10: "0.10", 99: "0.99", 100: "1.00", 101: "1.01", 123456: "1234.56", nfse.MaxAmountCents: "9999999999999.99",
	} {
		if got := between(t, rendered(t, func(d *fiscal.Document) { d.Note.AmountCents = cents }), "vServ"); got != want {
			t.Errorf("%d cents: %s, want %s", cents, got, want)
		}
	}
}

func TestRatesAreSentWithTwoDecimals(t *testing.T) {
	for rate, want := range map[nfse.Rate]string{180: "1.80", 201: "2.01", 250: "2.50", 500: "5.00"} {
		if got := between(t, rendered(t, func(d *fiscal.Document) { small(d, 1); withheld(d, rate) }), "pAliq"); got != want {
			t.Errorf("%d: %s, want %s", rate, got, want)
		}
	}
}

func TestProductionIsSaid(t *testing.T) {
	for production, want := range map[bool]string{true: "1", false: "2"} {
		if got := between(t, rendered(t, func(d *fiscal.Document) { d.Issuer.Production = production }), "tpAmb"); got != want {
			t.Errorf("production %v: tpAmb %s", production, got)
		}
	}
}

// TestPrivacy: what the document does not need of the taker is not sent.
func TestPrivacy(t *testing.T) {
	document := rendered(t, func(d *fiscal.Document) { d.Note.Customer.Email = pointer("maria@example.com") })
	if strings.Contains(document, "maria@") || strings.Contains(document, "fone") {
		t.Error("phone or e-mail of the taker were sent")
	}
}

// TestImpossibleInputIsNotRendered names the element at fault, and never tells
// a document number.
func TestImpossibleInputIsNotRendered(t *testing.T) {
	for want, change := range map[string]func(d *fiscal.Document){
		"number":         func(d *fiscal.Document) { d.Number = 0 },
		"series":         func(d *fiscal.Document) { d.Issuer.Series = 70000 },
		"municipality":   func(d *fiscal.Document) { d.Issuer.MunicipalityCode = "" },
		"issuer":         func(d *fiscal.Document) { d.Issuer.TaxID = "11222333000182" },
		"prest":          func(d *fiscal.Document) { d.Issuer.Simples = nfse.SimplesME },
		"registration":   func(d *fiscal.Document) { d.Issuer.SendMunicipalRegistration = true },
		"toma: the doc":  func(d *fiscal.Document) { d.Note.Customer.TaxID = "5299822472" },
		"xNome":          func(d *fiscal.Document) { d.Note.Customer.Name = strings.Repeat("a", 301) },
		"xNome: not":     func(d *fiscal.Document) { d.Note.Customer.Name = "\u2603" },
		"cMun":           func(d *fiscal.Document) { d.Note.Municipality.Code = "" },
		"CEP":            func(d *fiscal.Document) { d.Note.Customer.Address.ZipCode = pointer("01310-100") },
		"xLgr":           func(d *fiscal.Document) { d.Note.Customer.Address.Street = pointer(strings.Repeat("a", 250)) },
		"nro":            func(d *fiscal.Document) { d.Note.Customer.Address.Number = pointer("") },
		"xBairro":        func(d *fiscal.Document) { d.Note.Customer.Address.District = pointer("\n") },
		"xCpl":           func(d *fiscal.Document) { d.Note.Customer.Address.Complement = pointer(strings.Repeat("a", 157)) },
		"withheld":       func(d *fiscal.Document) { d.Note.ISSWithheld, d.Note.Customer.Address.District = true, nil },
		"cLocPrestacao":  func(d *fiscal.Document) { d.Note.Service.MunicipalityCode = "1" },
		"cTribNac":       func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = nil },
		"cTribNac: not":  func(d *fiscal.Document) { d.Note.Service.NationalTaxCode = pointer("02919") },
		"xDescServ":      func(d *fiscal.Document) { d.Note.Service.Description = strings.Repeat("a", 2001) },
		"xDescServ: not": func(d *fiscal.Document) { d.Note.Service.Description = "" },
		"cIntContrib":    func(d *fiscal.Document) { d.Note.ID = "" },
		"vServ":          func(d *fiscal.Document) { d.Note.AmountCents = 0 },
		"vServ: out":     func(d *fiscal.Document) { d.Note.AmountCents = nfse.MaxAmountCents + 1 },
		"pAliq":          inactive,
		"pAliq: out":     func(d *fiscal.Document) { inactive(d); withheld(d, 501) },
	} {
		d := numbered()
		change(&d)
		rendering, err := renderDPS(Options{}, d, testCredentials(t), checkedAt)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\n%s", want, err, rendering.XML)
			continue
		}
		for _, secret := range []nfse.TaxID{d.Issuer.TaxID, d.Note.Customer.TaxID} {
			if secret != "" && strings.Contains(err.Error(), string(secret)) {
				t.Errorf("%s: the error tells a document: %v", want, err)
			}
		}
	}
	for name, options := range map[string]Options{"verAplic": {Software: strings.Repeat("x", 21)}} {
		if _, err := renderDPS(options, numbered(), testCredentials(t), checkedAt); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, at := range []time.Time{{}, time.Date(2100, 1, 2, 0, 0, 0, 0, time.UTC)} {
		if _, err := renderDPS(Options{}, numbered(), testCredentials(t), at); err == nil {
			t.Errorf("rendered at %s", at)
		}
	}
	if _, err := renderDPS(Options{}, numbered(), &fiscal.Credentials{Certificate: tls.Certificate{}}, checkedAt); err == nil {
		t.Error("rendered without a key")
	}
}

// TestAddressThatIsNotWholeIsLeftOut: half of one would not be valid.
func TestAddressThatIsNotWholeIsLeftOut(t *testing.T) {
	document := rendered(t, func(d *fiscal.Document) { d.Note.Customer.Address.Number = nil })
	if strings.Contains(document, "<end>") {
		t.Error("half an address was sent")
	}
}
