package national

import (
	"encoding/pem"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
)

// How many random documents are rendered.
const (
	drawnDocuments     = 2500
	drawnCancellations = 600
)

var signatureProfiles = []xmldsig.Profile{{}, {SHA1: true}, {Exclusive: true}, {Exclusive: true, SHA1: true}}

// drawMoment draws a moment of this century, often close to a midnight.
func drawMoment(t *rapid.T) time.Time {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 20000).Draw(t, "day"))
	hour := rapid.SampledFrom([]int{0, 2, 3, 4, 12, 23}).Draw(t, "hour")
	return day.Add(time.Duration(hour)*time.Hour + time.Duration(rapid.IntRange(0, 3599).Draw(t, "second"))*time.Second)
}

// TestRenderedDocumentsAreValid renders and signs thousands of random documents
// under every profile, and has the official schema, xmlsec1 and what the
// caller sent judge them.
func TestRenderedDocumentsAreValid(t *testing.T) {
	judge := newJudge(t, "xsd-1.01/DPS_v1.01.xsd")
	credentials := testCredentials(t)
	drawn, moments := rapid.Custom(drawDocument), rapid.Custom(drawMoment)
	kinds := map[string]int{}
	for i := range drawnDocuments {
		document, at := drawn.Example(i), moments.Example(i)
		for _, kind := range kindsOfDocument(document) {
			kinds[kind]++
		}
		options := Options{Software: "emissor-1.0", Signature: signatureProfiles[i%len(signatureProfiles)]}
		rendering, err := renderDPS(options, document, credentials, at)
		if err != nil {
			t.Fatalf("%v\n%+v", err, document)
		}
		compareDPS(t, document, rendering, at)
		compareEnvelope(t, options, rendering)
		if t.Failed() {
			t.Fatalf("document %d: %+v\n%s", i, document, rendering.XML)
		}
		judge.keep(rendering)
	}
	judge.validate()
	judge.verify("infDPS")
	for _, kind := range strings.Split(kindsWanted, ", ") {
		if kinds[kind] < 10 {
			t.Errorf("only %d documents were drawn with: %s", kinds[kind], kind)
		}
	}
}

// kindsWanted keeps the drawing honest: it has all of these.
const kindsWanted = "simples 1, simples 2, simples 3 regime 1, simples 3 regime 2, simples 3 regime 3, " +
	"special 0, special 1, special 2, special 3, special 4, special 5, special 6, special 9, " +
	"CPF issues, letters issue, digits issue, CPF takes, letters take, digits take, production, restricted, registration, " +
	"withheld, kept, rate, withheld within Simples with rate, due at home, due at the place, due at the taker's, no address, complement, " +
	"one cent, the greatest amount, 2000 characters, several lines, replaced characters, metacharacters"

func kindsOfDocument(d fiscal.Document) []string {
	note, issuer := d.Note, d.Issuer
	description := safeDescription(note.Service.Description)
	kinds := []string{fmt.Sprintf("simples %d", issuer.Simples), fmt.Sprintf("special %d", issuer.SpecialRegime)}
	if issuer.SimplesRegime != nil {
		kinds[0] += fmt.Sprintf(" regime %d", *issuer.SimplesRegime)
	}
	for kind, is := range map[string]bool{
		"CPF issues":                        !issuer.TaxID.IsCNPJ(),
		"letters issue":                     issuer.TaxID.IsCNPJ() && strings.ContainsAny(string(issuer.TaxID), letters),
		"digits issue":                      issuer.TaxID.IsCNPJ() && !strings.ContainsAny(string(issuer.TaxID), letters),
		"CPF takes":                         !note.Customer.TaxID.IsCNPJ(),
		"letters take":                      note.Customer.TaxID.IsCNPJ() && strings.ContainsAny(string(note.Customer.TaxID), letters),
		"digits take":                       note.Customer.TaxID.IsCNPJ() && !strings.ContainsAny(string(note.Customer.TaxID), letters),
		"production":                        issuer.Production,
		"restricted":                        !issuer.Production,
		"registration":                      issuer.SendMunicipalRegistration,
		"withheld":                          note.ISSWithheld,
		"kept":                              !note.ISSWithheld,
		"rate":                              decideAliquot(d).send,
		"withheld within Simples with rate": paysWithinSimples(issuer) && decideAliquot(d).send,
		"due at home":                       incidence(d) == issuer.MunicipalityCode,
		"due at the place":                  incidence(d) == note.Service.MunicipalityCode && incidence(d) != issuer.MunicipalityCode,
		"due at the taker's":                incidence(d) == note.Municipality.Code && incidence(d) != issuer.MunicipalityCode,
		"no address":                        missingAddressField(note.Customer.Address) != "",
		"complement":                        note.Customer.Address.Complement != nil,
		"one cent":                          note.AmountCents == 1,
		"the greatest amount":               note.AmountCents == nfse.MaxAmountCents,
		"2000 characters":                   utf8.RuneCountInString(description) == 2000,
		"several lines":                     strings.Contains(description, "\n"),
		"replaced characters":               strings.Contains(description, "?"),
		"metacharacters":                    strings.ContainsAny(description, "<>&"),
	} {
		if is {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// TestRenderedCancellationsAreValid does the same for requests to cancel.
func TestRenderedCancellationsAreValid(t *testing.T) {
	judge := newJudge(t, "xsd-1.01/pedRegEvento_v1.01.xsd")
	credentials := testCredentials(t)
	drawn, moments := rapid.Custom(drawCancellation), rapid.Custom(drawMoment)
	for i := range drawnCancellations {
		cancellation, at := drawn.Example(i), moments.Example(i)
		options := Options{Signature: signatureProfiles[i%len(signatureProfiles)]}
		rendering, err := renderCancellation(options, cancellation, credentials, at)
		if err != nil {
			t.Fatalf("%v\n%+v", err, cancellation)
		}
		compareCancellation(t, cancellation, rendering, at)
		compareEnvelope(t, options, rendering)
		if t.Failed() {
			t.Fatalf("cancellation %d: %+v\n%s", i, cancellation, rendering.XML)
		}
		if !schemaDefect(cancellation.AccessKey) {
			judge.keep(rendering)
		}
	}
	judge.validate()
	judge.verify("infPedReg")
}

// schemaDefect reports whether the official schema refuses a right key: see
// accessKeyForm.
func schemaDefect(accessKey string) bool { return accessKey[20] > '9' }

func drawCancellation(t *rapid.T) fiscal.Cancellation {
	issuer := drawDocumentNumber(t, "issuer")
	registration, err := registrationOf(issuer)
	if err != nil {
		t.Fatal(err)
	}
	key := drawMunicipality(t, "municipality") + "2" + registration + rapid.StringMatching(`[0-9]{26}`).Draw(t, "rest of the key")
	return fiscal.Cancellation{
		AccessKey:  key + string(checkDigit(key)),
		Issuer:     nfse.FiscalProfile{TaxID: issuer, Production: rapid.Bool().Draw(t, "production")},
		ReasonCode: rapid.SampledFrom([]string{"1", "2", "9"}).Draw(t, "reason"),
		ReasonText: rapid.OneOf(
			rapid.Custom(func(t *rapid.T) string { return drawText(t, "reason text", 400, safeText) }), rapid.String(),
		).Draw(t, "text"),
	}
}

// readDPS is a DPS read back, by names alone: the schema judges the rest.
type readDPS struct {
	XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse DPS"`
	Version string   `xml:"versao,attr"`
	Inf     struct {
		ID           string     `xml:"Id,attr"`
		Environment  string     `xml:"tpAmb"`
		Moment       string     `xml:"dhEmi"`
		Series       int        `xml:"serie"`
		Number       int64      `xml:"nDPS"`
		Competence   string     `xml:"dCompet"`
		Municipality string     `xml:"cLocEmi"`
		Issuer       readParty  `xml:"prest"`
		Taker        readParty  `xml:"toma"`
		Place        string     `xml:"serv>locPrest>cLocPrestacao"`
		National     string     `xml:"serv>cServ>cTribNac"`
		Municipal    *string    `xml:"serv>cServ>cTribMun"`
		Description  string     `xml:"serv>cServ>xDescServ"`
		Internal     string     `xml:"serv>cServ>cIntContrib"`
		Amount       string     `xml:"valores>vServPrest>vServ"`
		Withholding  string     `xml:"valores>trib>tribMun>tpRetISSQN"`
		Rate         *string    `xml:"valores>trib>tribMun>pAliq"`
		Totals       readTotals `xml:"valores>trib>totTrib"`
	} `xml:"infDPS"`
	Signature readSignature `xml:"http://www.w3.org/2000/09/xmldsig# Signature"`
}

type readParty struct {
	CNPJ         string  `xml:"CNPJ"`
	CPF          string  `xml:"CPF"`
	Registration *string `xml:"IM"`
	Name         *string `xml:"xNome"`
	Address      *struct {
		Municipality string  `xml:"endNac>cMun"`
		ZipCode      string  `xml:"endNac>CEP"`
		Street       string  `xml:"xLgr"`
		Number       string  `xml:"nro"`
		Complement   *string `xml:"xCpl"`
		District     string  `xml:"xBairro"`
	} `xml:"end"`
	Phone   *string `xml:"fone"`
	Email   *string `xml:"email"`
	Simples int     `xml:"regTrib>opSimpNac"`
	Regime  *int    `xml:"regTrib>regApTribSN"`
	Special int     `xml:"regTrib>regEspTrib"`
}

type readTotals struct {
	Federal   string `xml:"pTotTrib>pTotTribFed"`
	State     string `xml:"pTotTrib>pTotTribEst"`
	Municipal string `xml:"pTotTrib>pTotTribMun"`
	None      string `xml:"indTotTrib"`
	Simples   string `xml:"pTotTribSN"`
}

type readSignature struct {
	Digest string `xml:"SignedInfo>Reference>DigestValue"`
}

// compareDPS holds a rendering against what was asked for.
func compareDPS(t *testing.T, document fiscal.Document, rendering fiscal.Rendering, at time.Time) {
	t.Helper()
	var read readDPS
	if err := xml.Unmarshal(rendering.XML, &read); err != nil {
		t.Fatalf("%v\n%s", err, rendering.XML)
	}
	note, issuer, inf := document.Note, document.Issuer, read.Inf
	same := func(element string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %#v, want %#v", element, got, want)
		}
	}
	same("versao", read.Version, "1.01")
	same("Id", inf.ID, rendering.ID)
	same("length of the Id", len(inf.ID), 45)
	same("DigestValue", read.Signature.Digest, rendering.Digest)
	same("layout", rendering.Layout, "1.01")
	same("tpAmb is 1", inf.Environment == "1", issuer.Production)
	same("serie", inf.Series, issuer.Series)
	same("nDPS", inf.Number, document.Number)
	same("cLocEmi", inf.Municipality, issuer.MunicipalityCode)
	moment, err := time.Parse(time.RFC3339, inf.Moment)
	if early := at.Sub(moment); err != nil || early < time.Minute || early > 16*time.Minute || !strings.HasSuffix(inf.Moment, "-03:00") {
		t.Errorf("dhEmi %s at %s: %v", inf.Moment, at, err)
	}
	same("dCompet", inf.Competence, inf.Moment[:10])

	same("prest", inf.Issuer.CNPJ+inf.Issuer.CPF, string(issuer.TaxID))
	same("prest is a company", inf.Issuer.CNPJ != "", issuer.TaxID.IsCNPJ())
	same("prest has no name, address, phone or e-mail", inf.Issuer.Name == nil && inf.Issuer.Address == nil && inf.Issuer.Phone == nil && inf.Issuer.Email == nil, true)
	same("prest has IM", inf.Issuer.Registration != nil, issuer.SendMunicipalRegistration)
	same("opSimpNac", inf.Issuer.Simples, int(issuer.Simples))
	same("regApTribSN", fmt.Sprint(deref(inf.Issuer.Regime)), fmt.Sprint(deref(issuer.SimplesRegime)))
	same("regEspTrib", inf.Issuer.Special, issuer.SpecialRegime)

	same("toma", inf.Taker.CNPJ+inf.Taker.CPF, string(note.Customer.TaxID))
	same("toma is a company", inf.Taker.CNPJ != "", note.Customer.TaxID.IsCNPJ())
	same("xNome", *inf.Taker.Name, safeText(note.Customer.Name))
	same("toma has no phone, e-mail or IM", inf.Taker.Phone == nil && inf.Taker.Email == nil && inf.Taker.Registration == nil, true)
	same("toma has an address", inf.Taker.Address != nil, missingAddressField(note.Customer.Address) == "")
	if sent, address := inf.Taker.Address, note.Customer.Address; sent != nil {
		same("cMun", sent.Municipality, note.Municipality.Code)
		same("CEP", sent.ZipCode, *address.ZipCode)
		same("xLgr", sent.Street, streetLine(address))
		same("nro", sent.Number, safeText(*address.Number))
		same("xBairro", sent.District, safeText(*address.District))
		same("xCpl", deref(sent.Complement), safeText(deref(address.Complement)))
	}
	same("cLocPrestacao", inf.Place, note.Service.MunicipalityCode)
	same("cTribNac", inf.National, *note.Service.NationalTaxCode)
	same("cTribMun is left out", inf.Municipal == nil, true)
	same("xDescServ", inf.Description, safeDescription(note.Service.Description))
	same("cIntContrib", inf.Internal, note.ID[len(note.ID)-20:])

	same("vServ", cents(t, inf.Amount), note.AmountCents)
	same("tpRetISSQN is 2", inf.Withholding == "2", note.ISSWithheld)
	if inf.Rate != nil {
		same("pAliq", cents(t, *inf.Rate), int64(*note.Service.ISSRate))
	}
	taxes, percent := issuer.ApproximateTaxes, func(p nfse.Percent) string { return fmt.Sprintf("%d.%02d", p/100, p%100) }
	same("totTrib", inf.Totals, map[nfse.SimplesOption]readTotals{
		nfse.SimplesNone: {Federal: percent(taxes.Federal), State: percent(taxes.State), Municipal: percent(taxes.Municipal)},
		nfse.SimplesMEI:  {None: "0"},
		nfse.SimplesME:   {Simples: percent(taxes.Simples)},
	}[issuer.Simples])
}

func compareCancellation(t *testing.T, cancellation fiscal.Cancellation, rendering fiscal.Rendering, at time.Time) {
	t.Helper()
	var read struct {
		XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse pedRegEvento"`
		Inf     struct {
			ID         string `xml:"Id,attr"`
			Moment     string `xml:"dhEvento"`
			CNPJ       string `xml:"CNPJAutor"`
			CPF        string `xml:"CPFAutor"`
			AccessKey  string `xml:"chNFSe"`
			ReasonCode string `xml:"e101101>cMotivo"`
			ReasonText string `xml:"e101101>xMotivo"`
		} `xml:"infPedReg"`
		Signature readSignature `xml:"http://www.w3.org/2000/09/xmldsig# Signature"`
	}
	if err := xml.Unmarshal(rendering.XML, &read); err != nil {
		t.Fatalf("%v\n%s", err, rendering.XML)
	}
	inf, author := read.Inf, cancellation.Issuer.TaxID
	if inf.ID != rendering.ID || inf.ID != "PRE"+cancellation.AccessKey+"101101" || inf.AccessKey != cancellation.AccessKey {
		t.Errorf("Id %s, rendering %s, key %s", inf.ID, rendering.ID, inf.AccessKey)
	}
	if (author.IsCNPJ() && inf.CNPJ != string(author)) || (!author.IsCNPJ() && inf.CPF != string(author)) || inf.CNPJ+inf.CPF != string(author) {
		t.Errorf("author %q %q, want %s", inf.CNPJ, inf.CPF, author)
	}
	if moment, err := time.Parse(time.RFC3339, inf.Moment); err != nil || at.Sub(moment) != time.Minute {
		t.Errorf("dhEvento %s at %s: %v", inf.Moment, at, err)
	}
	if said := safeText(cancellation.ReasonText); inf.ReasonCode != cancellation.ReasonCode || !strings.Contains(inf.ReasonText, said[:min(len(said), 200)]) && utf8.RuneCountInString(said) <= 255 {
		t.Errorf("reason %s %q", inf.ReasonCode, inf.ReasonText)
	}
	if read.Signature.Digest != rendering.Digest {
		t.Errorf("digest %s in the document, %s beside it", read.Signature.Digest, rendering.Digest)
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// compareEnvelope holds what every document of ours has in common: UTF-8, no
// prefix, no empty-element tag, and a signature of the profile asked for.
func compareEnvelope(t *testing.T, options Options, rendering fiscal.Rendering) {
	t.Helper()
	text, declared := strings.CutPrefix(string(rendering.XML), `<?xml version="1.0" encoding="UTF-8"?>`)
	if !declared || !utf8.ValidString(text) || strings.ContainsRune(text, '\r') {
		t.Error("not UTF-8 as declared, or with carriage returns")
	}
	for _, tag := range tag.FindAllString(text, -1) {
		name := strings.Fields(strings.Trim(tag, "</>"))[0]
		if strings.Contains(name, ":") || strings.Contains(tag, "xmlns:") || strings.HasSuffix(tag, "/>") {
			t.Errorf("tag %s", tag)
		}
	}
	if strings.Contains(text, "exc-c14n") != options.Signature.Exclusive || strings.Contains(text, "rsa-sha1") != options.Signature.SHA1 {
		t.Errorf("not signed as %s", options.Signature)
	}
	if signature, err := xmldsig.Verify(rendering.XML, nil, checkedAt); err != nil || signature.Digest != rendering.Digest || signature.ID != rendering.ID {
		t.Errorf("our own verification: %v, %+v", err, signature.ID)
	}
}

// cents reads two decimals as hundredths, without a float.
func cents(t *testing.T, decimal string) int64 {
	t.Helper()
	whole, decimals, found := strings.Cut(decimal, ".")
	value, err := strconv.ParseInt(whole+decimals, 10, 64)
	if err != nil || !found || len(decimals) != 2 {
		t.Errorf("%q has not two decimals", decimal)
	}
	return value
}

func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// judge has xmllint and xmlsec1 look at files.
type judge struct {
	t         *testing.T
	directory string
	schema    string
	trusted   string
	files     []string
}

func newJudge(t *testing.T, schema string) *judge {
	t.Helper()
	paper(t, schema)
	for program, pack := range map[string]string{"xmllint": "libxml2-utils", "xmlsec1": "xmlsec1"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is missing: install Debian's package %s", program, pack)
		}
	}
	j := &judge{t: t, directory: t.TempDir(), schema: filepath.Join(papers, schema)}
	j.trusted = filepath.Join(j.directory, "trusted.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: testCredentials(t).Certificate.Certificate[0]})
	if err := os.WriteFile(j.trusted, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	return j
}

func (j *judge) keep(rendering fiscal.Rendering) {
	j.t.Helper()
	file := filepath.Join(j.directory, fmt.Sprintf("%05d.xml", len(j.files)))
	if err := os.WriteFile(file, rendering.XML, 0o600); err != nil {
		j.t.Fatal(err)
	}
	j.files = append(j.files, file)
}

// validate has xmllint hold every file against the schema.
func (j *judge) validate() {
	j.t.Helper()
	j.run(j.files, 250, func(files []string) error {
		out, err := exec.Command("xmllint", append([]string{"--nonet", "--noout", "--schema", j.schema}, files...)...).CombinedOutput()
		if valid := strings.Count(string(out), " validates\n"); err != nil || valid != len(files) {
			return fmt.Errorf("xmllint: %d of %d are valid, %v\n%s", valid, len(files), err, complaints(out, "validates"))
		}
		return nil
	})
}

// verify has xmlsec1 verify the signature of every file, with our certificate
// as the only root.
func (j *judge) verify(element string) {
	j.t.Helper()
	j.run(j.files, 250, func(files []string) error {
		arguments := []string{"--verify", "--id-attr:Id", element, "--enabled-reference-uris", "same-doc", "--trusted-pem", j.trusted}
		out, err := exec.Command("xmlsec1", append(arguments, files...)...).CombinedOutput()
		lines := "\n" + string(out)
		verified, references := strings.Count(lines, "\nOK\n"), strings.Count(lines, "\nSignedInfo References (ok/all): 1/1\n")
		if err != nil || verified != len(files) || references != len(files) {
			return fmt.Errorf("xmlsec1: %d of %d verify, %v\n%s", min(verified, references), len(files), err, complaints(out, "OK", "1/1", "0/0"))
		}
		return nil
	})
}

// run splits files into batches and judges two at a time.
func (j *judge) run(files []string, size int, judge func(files []string) error) {
	j.t.Helper()
	batches := make(chan []string)
	var workers sync.WaitGroup
	var mu sync.Mutex
	var failures []error
	for range 2 {
		workers.Go(func() {
			for batch := range batches {
				if err := judge(batch); err != nil {
					mu.Lock()
					failures = append(failures, err)
					mu.Unlock()
				}
			}
		})
	}
	for batch := range slices.Chunk(files, size) {
		batches <- batch
	}
	close(batches)
	workers.Wait()
	if err := errors.Join(failures[:min(3, len(failures))]...); err != nil {
		j.t.Fatalf("%d batches failed: %v", len(failures), err)
	}
}

// complaints are the first lines of a program that do not end in one of its
// words for good.
func complaints(out []byte, good ...string) string {
	var bad []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if len(bad) < 10 && !slices.ContainsFunc(good, func(word string) bool { return strings.HasSuffix(line, word) }) {
			bad = append(bad, line)
		}
	}
	return strings.Join(bad, "\n")
}
