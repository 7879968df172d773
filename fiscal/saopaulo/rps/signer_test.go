package rps_test

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/rsa"
	"crypto/sha1"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/reference"
)

func schema(t *testing.T, name string) string { return reference.SaoPaulo(t, "v2", name) }

// written is what a test reads of an RPS.
type written struct {
	Assinatura         string
	Registration       string `xml:"ChaveRPS>InscricaoPrestador"`
	Series             string `xml:"ChaveRPS>SerieRPS"`
	Number             string `xml:"ChaveRPS>NumeroRPS"`
	DataEmissao        string
	StatusRPS          string
	TributacaoRPS      string
	ValorDeducoes      string
	CodigoServico      string
	AliquotaServicos   string
	ISSRetido          bool
	CPF                string `xml:"CPFCNPJTomador>CPF"`
	CNPJ               string `xml:"CPFCNPJTomador>CNPJ"`
	NIF                string `xml:"CPFCNPJTomador>NIF"`
	NaoNIF             string `xml:"CPFCNPJTomador>NaoNIF"`
	RazaoSocialTomador string
	Street             string `xml:"EnderecoTomador>Logradouro"`
	AddressNumber      string `xml:"EnderecoTomador>NumeroEndereco"`
	Complement         string `xml:"EnderecoTomador>ComplementoEndereco"`
	District           string `xml:"EnderecoTomador>Bairro"`
	State              string `xml:"EnderecoTomador>UF"`
	ZipCode            string `xml:"EnderecoTomador>CEP"`
	EmailTomador       string
	Discriminacao      string
	MunicipioPrestacao string
	ValorFinalCobrado  string
	NBS                string
	Rendered           string `xml:"cLocPrestacao"`
	RenderedAbroad     string `xml:"cPaisPrestacao"`
	IndFinal           string `xml:"IBSCBS>indFinal"`
	ClassTrib          string `xml:"IBSCBS>valores>trib>gIBSCBS>cClassTrib"`
	Regular            string `xml:"IBSCBS>valores>trib>gIBSCBS>gTribRegular>cClassTribReg"`
}

func readRPS(t *testing.T, message []byte) written {
	t.Helper()
	var read struct{ RPS written }
	if err := xml.Unmarshal(message, &read); err != nil {
		t.Fatal(err)
	}
	return read.RPS
}

// Random declarations are checked by the official schema, by xmlsec1, and by what
// the caller sent.
func TestSignDeclaration_IsValid(t *testing.T) {
	t.Parallel()
	validator := nationaltest.NewValidatorOf(t, schema(t, "PedidoEnvioRPS_v02.xsd"))
	drawn := rapid.Custom(saopaulotest.DrawDeclaration)
	for i := range long.Cases(1500, 150) {
		declaration := drawn.Example(i)
		message, err := rps.Signer{}.SignDeclaration(declaration, nationaltest.Credentials(t), saopaulotest.At)
		if err != nil {
			t.Fatalf("%v\n%+v", err, declaration)
		}
		compare(t, declaration, message)
		if t.Failed() {
			t.Fatalf("declaration %d: %+v\n%s", i, declaration, message.XML)
		}
		validator.Add(message)
	}
	validator.Validate()
	validator.VerifyWhole()
}

func compare(t *testing.T, d fiscal.Declaration, message fiscal.Message) {
	t.Helper()
	read, note := readRPS(t, message.XML), d.Note
	expect := func(what, got, want string) {
		if got != want {
			t.Errorf("%s is %q, not %q", what, got, want)
		}
	}
	short := func(what, got string, most int, empty bool) {
		if n := utf8.RuneCountInString(got); n > most || n == 0 && !empty || strings.TrimSpace(got) != got {
			t.Errorf("%s is %q", what, got)
		}
	}
	expect("the taker", read.CPF+read.CNPJ+read.NIF+read.NaoNIF, takerID(d))
	expect("the value", read.ValorFinalCobrado, fmt.Sprintf("%d.%02d", note.AmountCents/100, note.AmountCents%100))
	expect("the number", read.Number, fmt.Sprint(d.Number))
	expect("the registration", read.Registration, strings.TrimLeft(*d.Issuer.MunicipalRegistration, "0"))
	letter := cmp.Or(d.Issuer.TaxationInside, "T")
	if *note.Service.MunicipalTaxation == "F" {
		letter = cmp.Or(d.Issuer.TaxationOutside, "F")
	}
	exported := d.Abroad().Export
	if exported {
		letter = "P"
	}
	expect("the taxation", read.TributacaoRPS, letter)
	suspended := bytes.Contains(message.XML, []byte("<ExigibilidadeSuspensa>1<"))
	expect("the suspension", fmt.Sprint(suspended), fmt.Sprint(letter == "X" || letter == "V"))
	expect("the date", read.DataEmissao, string(note.Competence))
	expect("the e-mail", read.EmailTomador, "")
	expect("the NBS", read.NBS, d.Classification.NBS)
	expect("cClassTrib", read.ClassTrib, d.Classification.CClassTrib)
	expect("the withholding", fmt.Sprint(read.ISSRetido), fmt.Sprint(note.ISSWithheld))
	place := ""
	if *note.Service.MunicipalTaxation == "F" && !exported {
		place = note.Service.MunicipalityCode
	}
	expect("the place", read.MunicipioPrestacao, place)
	rendered := note.Service.MunicipalityCode
	switch cIndOp := d.Classification.CIndOp; {
	case d.Abroad().Country != "":
		rendered = d.Abroad().Country
	case slices.Contains(saopaulotest.AtSupplier, cIndOp):
		rendered = d.Issuer.MunicipalityCode
	case slices.Contains(saopaulotest.AtTaker, cIndOp):
		rendered = note.Municipality.Code
		if d.Details.ForeignTaker != nil {
			rendered = d.Details.ForeignTaker.Country
		}
	}
	expect("where it is rendered", read.Rendered+read.RenderedAbroad, rendered)
	short("the name", read.RazaoSocialTomador, 75, false)
	short("the description", read.Discriminacao, 2000, false)
	short("the street", read.Street, 50, true)
	short("the number of the address", read.AddressNumber, 10, true)
	short("the complement", read.Complement, 30, true)
	short("the district", read.District, 30, true)
	if bytes.Contains(message.XML, []byte("<CEP>0")) {
		t.Error("a zip code begins with a zero")
	}
	if strings.ContainsAny(read.Discriminacao, "\r\n") || bytes.Contains(message.XML, []byte("></")) &&
		!bytes.Contains(message.XML, []byte("></CanonicalizationMethod>")) {
		t.Errorf("line breaks or empty elements: %s", message.XML)
	}
	verifyString(t, read, d)
	sent, err := rps.Read(message.XML)
	if err != nil || sent.Key.MessageID() != message.ID || sent.Sender != d.Issuer.TaxID ||
		string(sent.Taker)+sent.ForeignTaker != takerID(d) || sent.AmountCents != note.AmountCents ||
		sent.Description != read.Discriminacao || sent.Date != read.DataEmissao ||
		sent.ServiceCode != read.CodigoServico {
		t.Errorf("%+v, %v", sent, err)
	}
}

// verifyString writes the signed string for itself, from the elements.
func verifyString(t *testing.T, read written, d fiscal.Declaration) {
	t.Helper()
	kind := map[bool]string{true: "2", false: "1"}[d.Note.Customer.TaxID.IsCNPJ()]
	if d.Details.ForeignTaker != nil {
		kind = "4"
	}
	pad := func(text string, width int) string { return strings.Repeat("0", width-len(text)) + text }
	text := pad(read.Registration, 12) + read.Series + strings.Repeat(" ", 5-len(read.Series)) + pad(read.Number, 12) +
		strings.ReplaceAll(read.DataEmissao, "-", "") + read.TributacaoRPS + read.StatusRPS +
		map[bool]string{true: "S", false: "N"}[read.ISSRetido] +
		pad(strings.ReplaceAll(read.ValorFinalCobrado, ".", ""), 15) +
		pad(strings.ReplaceAll(read.ValorDeducoes, ".", ""), 15) + pad(read.CodigoServico, 5) +
		kind + pad(read.CPF+read.CNPJ, 14)
	length := 90
	if intermediary := d.Details.Intermediary; intermediary != nil {
		text += "2" + string(intermediary.TaxID) + map[bool]string{true: "S", false: "N"}[intermediary.WithholdsISS]
		length = 106
	}
	verifyText(t, text+read.NIF+read.NaoNIF, read.Assinatura, length+len(read.NIF+read.NaoNIF))
}

// takerID is by what the taker of a declaration is known.
func takerID(d fiscal.Declaration) string {
	if foreign := d.Details.ForeignTaker; foreign != nil {
		return cmp.Or(foreign.NIF, fmt.Sprint(foreign.NoNIF))
	}
	return string(d.Note.Customer.TaxID)
}

func verifyText(t *testing.T, text, signature string, length int) {
	t.Helper()
	value, err := base64.StdEncoding.DecodeString(signature)
	if err != nil {
		t.Fatal(err)
	}
	key := nationaltest.Credentials(t).Certificate.Leaf.PublicKey.(*rsa.PublicKey)
	digest := sha1.Sum([]byte(text))
	if err := rsa.VerifyPKCS1v15(key, crypto.SHA1, digest[:], value); err != nil || len(text) != length {
		t.Errorf("%q (%d characters): %v", text, len(text), err)
	}
}

func TestSignDeclaration_CutsAndEscapes(t *testing.T) {
	d := saopaulotest.Declaration()
	d.Note.Service.Description = "a & b\r\n\r\n<c> \u2014 " + strings.Repeat("\u00e9", 3000)
	d.Note.Customer.Name = strings.Repeat("x", 74) + " y" + strings.Repeat("z", 300)
	d.Note.Customer.Address.Street = new(strings.Repeat("s", 80))
	message, err := rps.Signer{}.SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At)
	if err != nil {
		t.Fatal(err)
	}
	read := readRPS(t, message.XML)
	if !strings.HasPrefix(read.Discriminacao, "a & b||<c> - \u00e9") ||
		utf8.RuneCountInString(read.Discriminacao) != 2000 ||
		read.RazaoSocialTomador != strings.Repeat("x", 74) || read.Street != "Rua "+strings.Repeat("s", 46) {
		t.Errorf("%+v", read)
	}
	if read.ZipCode != "1001000" || read.State != "SP" || read.AliquotaServicos != "0.029" {
		t.Errorf("%+v", read)
	}
}

// The city refuses a message with the sign of an ordinal, and one whose description is
// empty: neither costs a note.
func TestSignDeclaration_OrdinalsAndBars(t *testing.T) {
	for given, want := range map[string]string{"Nota nº 1, 2ª via": "Nota no 1, 2a via", "|||": "|||"} {
		d := saopaulotest.Declaration()
		d.Note.Service.Description, d.Note.Customer.Name, d.Note.Customer.Address.Street = given, given, &given
		message, err := rps.Signer{}.SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At)
		if err != nil {
			t.Fatal(err)
		}
		if read := readRPS(t, message.XML); read.Discriminacao != want || read.RazaoSocialTomador != want ||
			read.Street != "Rua "+want {
			t.Errorf("%q is written %+v", given, read)
		}
	}
}

// The day is the day of competence, whenever the RPS is signed.
func TestSignDeclaration_Date(t *testing.T) {
	for _, day := range []nfse.Day{"2026-11-30", "2026-12-01", "2026-12-31"} {
		d := saopaulotest.Declaration()
		d.Note.Competence = day
		signedAt := time.Date(2027, 1, 2, 3, 0, 30, 0, time.UTC)
		message, err := rps.Signer{}.SignDeclaration(d, nationaltest.Credentials(t), signedAt)
		if err != nil || readRPS(t, message.XML).DataEmissao != string(day) {
			t.Errorf("%s: %v, %s", day, err, message.XML)
		}
	}
}

func TestSignDeclaration_Refused(t *testing.T) {
	for name, change := range map[string]func(*fiscal.Declaration){
		"restricted":        func(d *fiscal.Declaration) { d.Issuer.Production = false },
		"no registration":   func(d *fiscal.Declaration) { d.Issuer.MunicipalRegistration = nil },
		"no classification": func(d *fiscal.Declaration) { d.Classification = nil },
		"no number":         func(d *fiscal.Declaration) { d.Number = 0 },
		"number too great":  func(d *fiscal.Declaration) { d.Number = 1_000_000_000_000 },
		"no code":           func(d *fiscal.Declaration) { d.Note.Service.MunicipalTaxCode = nil },
		"nothing to print":  func(d *fiscal.Declaration) { d.Note.Service.Description = "\u6f22" },
		"no day":            func(d *fiscal.Declaration) { d.Note.Competence = "" },
	} {
		d := saopaulotest.Declaration()
		change(&d)
		if message, err := (rps.Signer{}).SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At); err == nil {
			t.Errorf("%s: %s", name, message.XML)
		}
	}
	if _, err := (rps.Signer{}).SignDeclaration(saopaulotest.Declaration(), &fiscal.Credentials{},
		saopaulotest.At); err == nil {
		t.Error("signed without a certificate")
	}
}

// The test of an issuer that is not in production yet is a lot of one.
func TestSignTest_IsValid(t *testing.T) {
	validator := nationaltest.NewValidatorOf(t, schema(t, "PedidoEnvioLoteRPS_v02.xsd"))
	drawn := rapid.Custom(saopaulotest.DrawDeclaration)
	for i := range 20 {
		declaration := drawn.Example(i)
		declaration.Issuer.Production = false
		message, err := rps.Signer{}.SignTest(declaration, nationaltest.Credentials(t), saopaulotest.At)
		if err != nil {
			t.Fatal(err)
		}
		verifyString(t, readRPS(t, message.XML), declaration)
		validator.Add(message)
	}
	validator.Validate()
	validator.VerifyWhole()
}

func TestSignCancellation_IsValid(t *testing.T) {
	validator := nationaltest.NewValidatorOf(t, schema(t, "PedidoCancelamentoNFe_v02.xsd"))
	for _, c := range []struct {
		signings     int
		registration string
		length       int
	}{
		{0, "31000000", 20}, {1, "31000000", 24}, {2, "31000000", 20}, {0, "123456789012", 24},
		{0, "0031000000", 20}, {1, "0031000000", 24},
		{0, "1234567890", 24}, {1, "1234567890", 24}, {2, "123456789", 24},
	} {
		issuer := saopaulotest.Issuer()
		issuer.MunicipalRegistration = &c.registration
		request := fiscal.CancellationRequest{AccessKey: "key", Number: "9", Issuer: issuer, Signings: c.signings}
		message, err := rps.Signer{}.SignCancellation(request, nationaltest.Credentials(t),
			saopaulotest.At)
		if err != nil {
			t.Fatal(err)
		}
		registration := strings.TrimLeft(c.registration, "0")
		text := strings.Repeat("0", c.length-12-len(registration)) + registration + "000000000009"
		_, signature, _ := strings.Cut(string(message.XML), "<AssinaturaCancelamento>")
		signature, _, _ = strings.Cut(signature, "<")
		verifyText(t, text, signature, c.length)
		sender, note, err := rps.ReadCancellation(message.XML)
		if err != nil || sender != issuer.TaxID || note != (rps.NoteKey{Registration: registration, Number: 9}) ||
			note.MessageID() != message.ID {
			t.Errorf("%s %+v %v", sender, note, err)
		}
		validator.Add(message)
	}
	validator.Validate()
	validator.VerifyWhole()
	for _, number := range []string{"", "0", "x", "1000000000000"} {
		request := fiscal.CancellationRequest{AccessKey: "key", Number: number, Issuer: saopaulotest.Issuer()}
		if _, err := (rps.Signer{}).SignCancellation(request, nationaltest.Credentials(t),
			saopaulotest.At); err == nil {
			t.Errorf("%q was signed", number)
		}
	}
}

func TestSignQuestion_IsValid(t *testing.T) {
	validator := nationaltest.NewValidatorOf(t, schema(t, "PedidoConsultaNFe_v02.xsd"))
	credentials, sender := nationaltest.Credentials(t), nfse.TaxID("11222333000181")
	var keys []rps.Key
	for number := range int64(rps.MaxKeys) {
		keys = append(keys, rps.Key{Registration: "31000000", Series: "1", Number: number + 1})
		question, err := rps.Signer{}.SignQuestion(sender, keys, credentials)
		if err != nil {
			t.Fatal(err)
		}
		validator.Add(fiscal.Message{XML: question})
	}
	for _, wrong := range [][]rps.Key{nil, append(keys, keys[0])} {
		if _, err := (rps.Signer{}).SignQuestion(sender, wrong, credentials); err == nil {
			t.Errorf("%d keys were signed", len(wrong))
		}
	}
	note, err := rps.Signer{}.SignNoteQuestion("52998224725", []rps.NoteKey{{Registration: "1", Number: 7}},
		credentials)
	if err != nil {
		t.Fatal(err)
	}
	validator.Add(fiscal.Message{XML: note})
	validator.Validate()
	validator.VerifyWhole()
}

func TestSignRegistrationQuestion_IsValid(t *testing.T) {
	validator := nationaltest.NewValidatorOf(t, schema(t, "PedidoConsultaCNPJ_v02.xsd"))
	question, err := rps.Signer{}.SignRegistrationQuestion("11222333000181", "12ABC34501DE35",
		nationaltest.Credentials(t))
	if err != nil {
		t.Fatal(err)
	}
	validator.Add(fiscal.Message{XML: question})
	validator.Validate()
	validator.VerifyWhole()
}

// What is withheld of federal taxes is each in its own element.
func TestSignDeclaration_FederalTaxes(t *testing.T) {
	d := saopaulotest.Declaration()
	d.Taxation.Service = &nfse.ServiceTaxation{Withholding: &nfse.Withholding{
		IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00, INSS: 11_00,
	}}
	message, err := rps.Signer{}.SignDeclaration(d, nationaltest.Credentials(t), saopaulotest.At)
	if err != nil {
		t.Fatal(err)
	}
	want := "<ValorPIS>9.75</ValorPIS><ValorCOFINS>45.00</ValorCOFINS><ValorINSS>165.00</ValorINSS>" +
		"<ValorIR>22.50</ValorIR><ValorCSLL>15.00</ValorCSLL>"
	if !strings.Contains(string(message.XML), want) {
		t.Errorf("%s has not %s", message.XML, want)
	}
}
