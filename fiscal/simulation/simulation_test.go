package simulation_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal/simulation"
	"emissor/nfse"
)

var at = nfse.Timestamp{Time: time.Date(2026, 11, 21, 12, 30, 5, 7_000_000, time.UTC)}

func note() nfse.Note {
	return nfse.Note{
		ID: nfse.NewID(nfse.PrefixNote), Reference: "pedido-1", AmountCents: 15000, Competence: "2026-10-31",
		ISSWithheld: true,
		Customer:    nfse.CustomerSnapshot{TaxID: "52998224725", Name: "Maria da Silva"},
		Service: nfse.ServiceSnapshot{Description: "Consulta médica", MunicipalityCode: "3550308",
			NationalTaxCode: new("040101")},
		Municipality: nfse.NoteMunicipality{Code: "3304557"},
	}
}

func issue(t rapid.TB, note nfse.Note, at nfse.Timestamp) (nfse.Authorization, []byte) {
	t.Helper()
	authority, document, err := simulation.Issue(note, at)
	if err != nil {
		t.Fatal(err)
	}
	return authority, document
}

func TestSimulation_Numbers(t *testing.T) {
	for range 1000 {
		authority, _ := issue(t, note(), at)
		if number := *authority.Number; !regexp.MustCompile(`^9[0-9]{12}$`).MatchString(number) {
			t.Fatalf("the number is %q", number)
		}
		// Municipality 0000000, ambience, a CNPJ of zeros, the number, year and month: no authority gives such a key.
		key := *authority.AccessKey
		if !regexp.MustCompile(`^0{7}220{14}`+*authority.Number+`2611[0-9]{9}0$`).MatchString(key) || len(key) != 50 {
			t.Fatalf("the access key is %q, %d characters", key, len(key))
		}
		if code := *authority.VerificationCode; !regexp.MustCompile(`^SIM[0-9]{6}$`).MatchString(code) {
			t.Fatalf("the verification code is %q", code)
		}
		if authority.IssuedAt != at {
			t.Fatalf("issued at %v", authority.IssuedAt)
		}
	}
}

func TestSimulation_RepeatedStep(t *testing.T) {
	first := note()
	authority, document := issue(t, first, at)
	again, same := issue(t, first, at)
	if *again.Number != *authority.Number || *again.AccessKey != *authority.AccessKey || !bytes.Equal(same, document) {
		t.Error("the same step gives another document")
	}
	later, _ := issue(t, first, nfse.Timestamp{Time: at.Add(time.Hour)})
	if *later.Number != *authority.Number || *later.VerificationCode != *authority.VerificationCode {
		t.Error("a later step gives other numbers")
	}
	other, _ := issue(t, note(), at)
	if *other.Number == *authority.Number || *other.AccessKey == *authority.AccessKey {
		t.Error("two notes have the same numbers")
	}
}

func TestSimulation_MonthInUTC(t *testing.T) {
	newYearsEve := nfse.Timestamp{Time: time.Date(2026, 12, 31, 22, 0, 0, 0, time.FixedZone("BRT", -3*60*60))}
	authority, _ := issue(t, note(), newYearsEve)
	if month := (*authority.AccessKey)[36:40]; month != "2701" {
		t.Errorf("the key's month is %s", month)
	}
}

// parsed is the document as its reader sees it.
type parsed struct {
	XMLName         xml.Name `xml:"SimulatedNFSe"`
	Notice          string   `xml:"notice"`
	ID              string   `xml:"id"`
	Reference       string   `xml:"reference"`
	Number          string   `xml:"number"`
	AccessKey       string   `xml:"accessKey"`
	IssuedAt        string   `xml:"issuedAt"`
	AmountCents     int64    `xml:"amountCents"`
	Competence      string   `xml:"competence"`
	ISSWithheld     bool     `xml:"issWithheld"`
	Municipality    string   `xml:"takerMunicipality"`
	Document        string   `xml:"taker>document"`
	Name            string   `xml:"taker>name"`
	Description     string   `xml:"service>description"`
	NationalTaxCode string   `xml:"service>nationalTaxCode"`
}

func TestSimulation_XMLSaysWhatTheNoteSays(t *testing.T) {
	issued := note()
	authority, document := issue(t, issued, at)
	var got parsed
	if err := xml.Unmarshal(document, &got); err != nil {
		t.Fatal(err)
	}
	got.XMLName, got.Notice = xml.Name{}, ""
	expected := parsed{
		ID: issued.ID, Reference: "pedido-1", Number: *authority.Number, AccessKey: *authority.AccessKey,
		IssuedAt:    "2026-11-21T12:30:05.007Z",
		AmountCents: 15000, Competence: "2026-10-31",
		ISSWithheld: true, Municipality: "3304557", Document: "52998224725", Name: "Maria da Silva",
		Description: "Consulta médica", NationalTaxCode: "040101",
	}
	if got != expected {
		t.Errorf("the document says %+v, expected %+v", got, expected)
	}
}

func TestSimulation_XMLIsNoNFSe(t *testing.T) {
	_, document := issue(t, note(), at)
	text := string(document)
	if !strings.HasPrefix(text, `<?xml version="1.0" encoding="UTF-8"?>`) {
		t.Errorf("no declaration: %s", text)
	}
	for _, notice := range []string{"SIMULAÇÃO - SEM VALOR FISCAL",
		"Simulation of the test environment: no fiscal document exists."} {
		if !strings.Contains(text, notice) {
			t.Errorf("the document does not say %q", notice)
		}
	}
	names, spaces := elements(t, document)
	for _, national := range []string{"NFSe", "infNFSe", "DPS", "infDPS", "nNFSe", "Signature", "toma", "emit"} {
		if names[national] {
			t.Errorf("the document has the national element %s", national)
		}
	}
	if len(spaces) != 1 || !spaces[""] {
		t.Errorf("the document has the namespaces %v", spaces)
	}
	for _, part := range []string{"sped.fazenda", "xmlns", "xmldsig", "Signature"} {
		if strings.Contains(text, part) {
			t.Errorf("the document holds %q", part)
		}
	}
}

func TestSimulation_HostileText(t *testing.T) {
	plain, _ := elements(t, second(issue(t, note(), at)))
	rapid.Check(t, func(t *rapid.T) {
		hostile := rapid.OneOf(
			rapid.SampledFrom([]string{
				`</name></taker><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>`, `]]><!--`, `<?xml?>`,
				`&#0;&lt;&amp;`,
				`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;`, "a\r\nb\tc", `"'`, "  ", "\u2028\ufffe",
			}),
			rapid.String(),
		).Draw(t, "text")
		hostileNote := note()
		hostileNote.Reference, hostileNote.Customer.Name, hostileNote.Service.Description = hostile, hostile, hostile
		hostileNote.Customer.TaxID = nfse.TaxID(hostile)
		_, document := issue(t, hostileNote, at)

		var got parsed
		if err := xml.Unmarshal(document, &got); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		expected := visible(hostile)
		if got.Name != expected || got.Description != expected || got.Reference != expected ||
			got.Document != expected {
			t.Fatalf("%q is read as %q", hostile, got.Name)
		}
		if names, _ := elements(t, document); len(names) != len(plain) {
			t.Fatalf("%q makes other elements: %v", hostile, names)
		}
	})
}

// visible is what XML can hold of a text: other characters are replaced.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD ||
			r >= 0x10000 {
			return r
		}
		return utf8.RuneError
	}, s)
}

func elements(t rapid.TB, document []byte) (names, spaces map[string]bool) {
	t.Helper()
	names, spaces = map[string]bool{}, map[string]bool{}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return names, spaces
		}
		if err != nil {
			t.Fatalf("the document is not well-formed: %v\n%s", err, document)
		}
		if element, ok := token.(xml.StartElement); ok {
			names[element.Name.Local], spaces[element.Name.Space] = true, true
		}
	}
}

func second[A, B any](_ A, b B) B { return b }
