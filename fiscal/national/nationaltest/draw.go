package national

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/nfse"
)

// credentialsOnce makes a self-signed certificate, valid at any moment that
// documents are drawn for and at the present, in which programs verify it.
var credentialsOnce = sync.OnceValues(func() (*fiscal.Credentials, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "EMPRESA DE TESTE:11222333000181"},
		NotBefore: time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &fiscal.Credentials{ID: "crt_test", Certificate: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}}, nil
})

// testCredentials are the same for every test of the package.
func testCredentials(t testing.TB) *fiscal.Credentials {
	t.Helper()
	credentials, err := credentialsOnce()
	if err != nil {
		t.Fatal(err)
	}
	return credentials
}

// drawDocument draws a document that nothing is wrong with, and that looks for
// trouble: every option and regime, CPF and alphanumeric CNPJ, texts of any
// script and length, extreme amounts.
func drawDocument(t *rapid.T) fiscal.Document {
	home := drawMunicipality(t, "home")
	issuer := drawDocumentNumber(t, "issuer")
	d := fiscal.Document{
		Issuer: nfse.FiscalProfile{
			OrganizationID: "org_1", Authority: Name, Production: rapid.Bool().Draw(t, "production"),
			TaxID: issuer, MunicipalityCode: home,
			Series: rapid.OneOf(rapid.IntRange(1, 49999), rapid.SampledFrom([]int{1, 49999})).Draw(t, "series"),
		},
		Number:                    rapid.OneOf(rapid.Int64Range(1, maxNumber), rapid.SampledFrom([]int64{1, maxNumber})).Draw(t, "number"),
		Renderings:                rapid.IntRange(0, 6).Draw(t, "renderings"),
		Layout:                    rapid.SampledFrom([]string{"", "1.01"}).Draw(t, "layout"),
		ConfirmMunicipalOperation: rapid.Bool().Draw(t, "confirm"),
		Note: nfse.Note{
			ID: "nfse_" + rapid.StringMatching(`[0-9a-hjkmnp-tv-z]{26}`).Draw(t, "id"), Status: nfse.StatusProcessing, Livemode: true,
			Reference:   "order-1",
			AmountCents: rapid.OneOf(rapid.Int64Range(1, nfse.MaxAmountCents), rapid.SampledFrom([]int64{1, 9, 10, 99, 100, 101, nfse.MaxAmountCents})).Draw(t, "amount"),
			Service:     drawService(t, home),
			Customer:    drawCustomer(t, issuer),
		},
	}
	d.Note.Municipality.Code = rapid.OneOf(rapid.Just(home), rapid.Custom(municipality)).Draw(t, "taker's municipality")
	if registration := rapid.StringMatching(`[0-9A-Za-z./-]{0,15}`).Draw(t, "registration"); registration != "" {
		d.Issuer.MunicipalRegistration = &registration
		d.Issuer.SendMunicipalRegistration = rapid.Bool().Draw(t, "send registration")
	}
	drawRegimes(t, &d)
	drawWithholding(t, &d)
	drawRate(t, &d)
	if d.Note.ISSWithheld || *d.Note.Service.NationalTaxCode == "170501" {
		fillAddress(t, &d.Note.Customer.Address)
	}
	return d
}

// drawRegimes draws how the issuer is taxed.
func drawRegimes(t *rapid.T, d *fiscal.Document) {
	percent := rapid.OneOf(rapid.IntRange(0, 100_00), rapid.SampledFrom([]int{0, 1, 9_99, 100_00}))
	d.Issuer.Simples = rapid.SampledFrom([]nfse.SimplesOption{nfse.SimplesNone, nfse.SimplesMEI, nfse.SimplesME}).Draw(t, "simples")
	switch d.Issuer.Simples {
	case nfse.SimplesME:
		d.Issuer.SimplesRegime = pointer(rapid.IntRange(1, 3).Draw(t, "regime"))
		d.Issuer.ApproximateTaxes.Simples = nfse.Percent(min(percent.Draw(t, "taxes of Simples"), 99_99))
	case nfse.SimplesNone:
		d.Issuer.ApproximateTaxes.Federal = nfse.Percent(percent.Draw(t, "federal taxes"))
		d.Issuer.ApproximateTaxes.State = nfse.Percent(percent.Draw(t, "state taxes"))
		d.Issuer.ApproximateTaxes.Municipal = nfse.Percent(percent.Draw(t, "municipal taxes"))
	}
	special := rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 4, 5, 6, 9}).Draw(t, "special regime")
	mayHaveSpecial := d.Issuer.Simples == nfse.SimplesNone || d.Issuer.Simples == nfse.SimplesME && *d.Issuer.SimplesRegime != 1
	if mayHaveSpecial && (special == 5 || incidence(*d) == d.Issuer.MunicipalityCode) {
		d.Issuer.SpecialRegime = special
	}
	cities := []string{d.Issuer.MunicipalityCode, d.Note.Service.MunicipalityCode, d.Note.Municipality.Code, "3550308"}
	d.Issuer.InactiveMunicipalities = rapid.SliceOfNDistinct(rapid.SampledFrom(cities), 0, 1, rapid.ID[string]).Draw(t, "inactive")
}

func drawWithholding(t *rapid.T, d *fiscal.Document) {
	may := d.Issuer.Simples != nfse.SimplesMEI && d.Issuer.SpecialRegime == 0 && *d.Note.Service.NationalTaxCode != "220101"
	d.Note.ISSWithheld = may && rapid.Bool().Draw(t, "withheld")
}

func drawRate(t *rapid.T, d *fiscal.Document) {
	least := nfse.Rate(1)
	if paysWithinSimples(d.Issuer) && d.Note.ISSWithheld {
		least = leastSimplesRate
	}
	if needsAliquot(*d) || rapid.Bool().Draw(t, "has rate") {
		d.Note.Service.ISSRate = pointer(nfse.Rate(rapid.IntRange(int(least), int(nfse.MaxRate)).Draw(t, "rate")))
	}
}

// codesToDraw are the national codes that a document can carry.
var codesToDraw = func() (codes []string) {
	for code := range nationalCodeList {
		if !needsWorks(code) && !needsEvent(code) && code != "990101" {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	// Those that the law treats in a way of their own come often, and one that
	// is newer than the list.
	return append(codes, slices.Repeat([]string{"170501", "171001", "110201", "220101", "990301"}, 10)...)
}()

func drawService(t *rapid.T, home string) nfse.ServiceSnapshot {
	code := rapid.SampledFrom(codesToDraw).Draw(t, "national code")
	place := rapid.OneOf(rapid.Just(home), rapid.Custom(municipality)).Draw(t, "place")
	if code != "200101" && rapid.IntRange(0, 19).Draw(t, "at sea") == 0 {
		place = waters
	}
	return nfse.ServiceSnapshot{
		ID: "srv_1", Name: "Servi\u00e7o", MunicipalityCode: place, NationalTaxCode: &code,
		MunicipalTaxCode:  rapid.Ptr(rapid.StringMatching(`[0-9]{4,5}`), true).Draw(t, "municipal code"),
		MunicipalTaxation: rapid.Ptr(rapid.SampledFrom([]string{"T", "F"}), true).Draw(t, "municipal taxation"),
		Description:       drawText(t, "description", 2000, safeDescription),
	}
}

func drawCustomer(t *rapid.T, issuer nfse.TaxID) nfse.CustomerSnapshot {
	customer := nfse.CustomerSnapshot{Name: drawText(t, "name", 300, safeText)}
	customer.TaxID = rapid.Custom(documentNumber).Filter(func(d nfse.TaxID) bool { return !sameParty(d, issuer) }).Draw(t, "taker")
	customer.Email = rapid.Ptr(rapid.Just("maria@example.com"), true).Draw(t, "email")
	if rapid.IntRange(0, 3).Draw(t, "whole address") > 0 {
		fillAddress(t, &customer.Address)
	} else {
		customer.Address.Street = pointer(drawText(t, "street", 200, safeText))
	}
	return customer
}

// fillAddress fills what is missing of an address.
func fillAddress(t *rapid.T, address *nfse.Address) {
	fill := func(field **string, draw func() string) {
		if *field == nil {
			*field = pointer(draw())
		}
	}
	fill(&address.Street, func() string { return drawText(t, "street", 200, safeText) })
	fill(&address.Number, func() string { return drawText(t, "number", 60, safeText) })
	fill(&address.District, func() string { return drawText(t, "district", 60, safeText) })
	fill(&address.ZipCode, func() string { return rapid.StringMatching(`[0-9]{8}`).Draw(t, "zip code") })
	if address.Complement == nil && rapid.Bool().Draw(t, "has complement") {
		address.Complement = pointer(drawText(t, "complement", 156, safeText))
	}
	if address.StreetType == nil && rapid.Bool().Draw(t, "has street type") {
		address.StreetType = pointer(drawText(t, "street type", 54, safeText))
	}
}

func drawMunicipality(t *rapid.T, label string) string {
	return rapid.Custom(municipality).Draw(t, label)
}

func municipality(t *rapid.T) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"3550308", "3304557", "3205309", "1200401", "5300108"}), rapid.StringMatching(`[1-5][0-9]{6}`),
	).Draw(t, "municipality")
}

func drawDocumentNumber(t *rapid.T, label string) nfse.TaxID {
	return rapid.Custom(documentNumber).Draw(t, label)
}

// documentNumber draws a CPF, or a CNPJ with or without letters.
func documentNumber(t *rapid.T) nfse.TaxID {
	body := rapid.OneOf(
		rapid.StringMatching(`[0-9]{9}`), rapid.StringMatching(`[0-9]{8}000[1-9]`), rapid.StringMatching(`[0-9A-Z]{12}`),
	).Filter(func(s string) bool { return strings.Count(s, s[:1]) < len(s) }).Draw(t, "document")
	heaviest := 9
	if len(body) == 9 {
		heaviest = 12 // never reached: the weights of a CPF do not begin again
	}
	for range 2 {
		body += documentDigit(body, heaviest)
	}
	return nfse.TaxID(body)
}

// documentDigit is the next check digit of a CPF or CNPJ.
func documentDigit(body string, heaviest int) string {
	sum, weight := 0, 2
	for _, c := range slices.Backward([]byte(body)) {
		sum += int(c-'0') * weight
		if weight++; weight > heaviest {
			weight = 2
		}
	}
	return string("00987654321"[sum%11])
}

// fragments are what texts are made of.
var fragments = []string{
	"Servi\u00e7os de consultoria", "a", " ", "  ", "\t", "A\u00e7a\u0303o", "e\u0301", "q\u0303", // marks that compose and one that does not
	"&", "<", ">", `"`, "'", "&amp;", "]]>", "<!--", "?>", "</xNome>", "%s", "\\",
	"\u2018x\u2019", "\u201cx\u201d", "\u2013", "\u2014", "\u2026", "\u00a0", "\u00ad", "\u200b", "\ufeff", "\u202e", "\u2028", "\u0085", "\u009f", "\x00", "\x7f",
	"\U0001F600", "\U0001F468\u200d\U0001F469\u200d\U0001F467", "\U0001F1E7\U0001F1F7", "\u2764\ufe0f", "\u6f22\u5b57", "\u05e9", "\u0151", "\u1ebf", "\u0142", "\ufb01", "\u2122", "\u20ac",
	"\u00ff", "\u00df", "\u00a1", "\ufffd", "\xff", "\r\n", "\n", "\r", "x\u0301\u0302\u0303\u0304",
}

// drawText draws a text that fits after it was made safe, now and then exactly.
func drawText(t *rapid.T, label string, most int, safe func(string) string) string {
	length := func(text string) int { return utf8.RuneCountInString(safe(text)) }
	text := rapid.StringMatching(`[A-Za-z0-9\x{e0}-\x{f6}]`).Draw(t, label) + strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 12).Draw(t, label), "")
	full := rapid.IntRange(0, 9).Draw(t, label+" is as long as it may be") == 0
	if full {
		text = strings.Repeat(text, most/length(text)+1)
	}
	for length(text) > most {
		runes := []rune(text)
		text = string(runes[:len(runes)-max(1, length(text)-most)/3-1])
	}
	if full {
		text = strings.Repeat("z", most-length(text)) + text
	}
	return text
}
