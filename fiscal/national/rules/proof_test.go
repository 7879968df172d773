package rules_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/reference"
)

// specimen is a message, and what it was built from.
type specimen struct {
	declaration fiscal.Declaration // for a request to cancel: of the note to be cancelled
	xml         []byte
	elements    map[string][]string // text of every element by its path from the root; parents have none
	id          string              // of the signed part
}

// text returns the text of an element that occurs once; empty when it does not.
func (s specimen) text(path string) string {
	if texts := s.elements[path]; len(texts) == 1 {
		return texts[0]
	}
	return ""
}

func (s specimen) has(path string) bool { return s.elements[path] != nil }

// readSpecimen reads strictly: no prefix, nothing but well-formed XML.
func readSpecimen(declaration fiscal.Declaration, message []byte) (specimen, error) {
	s := specimen{declaration: declaration, xml: message, elements: map[string][]string{}}
	decoder := xml.NewDecoder(bytes.NewReader(message))
	var path []string
	var text strings.Builder
	for {
		token, err := decoder.RawToken()
		if err == io.EOF && len(path) == 0 {
			return s, nil
		}
		if err != nil {
			return s, fmt.Errorf("within %s: %w", strings.Join(path, "/"), err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Space != "" {
				return s, fmt.Errorf("<%s:%s> has a prefix", token.Name.Space, token.Name.Local)
			}
			path = append(path, token.Name.Local)
			text.Reset()
			if s.elements[strings.Join(path, "/")] == nil {
				s.elements[strings.Join(path, "/")] = []string{}
			}
			for _, attribute := range token.Attr {
				if attribute.Name.Local == "Id" {
					s.id = attribute.Value
				}
			}
		case xml.CharData:
			text.Write(token)
		case xml.EndElement:
			at := strings.Join(path, "/")
			if len(path) == 0 || path[len(path)-1] != token.Name.Local {
				return s, fmt.Errorf("</%s> closes %s", token.Name.Local, at)
			}
			s.elements[at] = append(s.elements[at], text.String())
			text.Reset()
			path = path[:len(path)-1]
		}
	}
}

// drawSpecimens builds many random messages of declarations that the check lets
// pass, at many moments, and requests to cancel some of them.
func drawSpecimens(t *testing.T, count int) (declarations, cancellations []specimen) {
	t.Helper()
	credentials := nationaltest.Credentials(t)
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	read := func(declaration fiscal.Declaration, message fiscal.Message, err error) specimen {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		s, err := readSpecimen(declaration, message.XML)
		if err != nil {
			t.Fatalf("%v\n%s", err, message.XML)
		}
		return s
	}
	signer := dps.Signer{IBSCBS: checker.IBSCBS}
	for i := range count {
		declaration, at := drawn.Example(i), nationaltest.At.Add(time.Duration(i)*37*time.Minute)
		nationaltest.OnDay(&declaration, nfse.DayOf(at).Before(daysBack[i%len(daysBack)]))
		message, err := signer.SignDeclaration(declaration, credentials, at)
		declarations = append(declarations, read(declaration, message, err))
		if i%10 == 0 {
			message, err = signer.SignCancellation(fiscal.CancellationRequest{
				AccessKey: strings.Repeat("1", 50), Issuer: declaration.Issuer,
				ReasonCode: []string{"1", "2", "9"}[i%3], ReasonText: "Nota emitida em duplicidade",
			}, credentials, at)
			cancellations = append(cancellations, read(declaration, message, err))
		}
	}
	return declarations, cancellations
}

// daysBack are how long before their signature specimens were accepted: some long
// before, of a day before the group IBSCBS.
var daysBack = []int{0, 0, 0, 0, 0, 0, 0, 1, 31, 400}

// shown are the impossible rules that take more than one element to see.
var shown = map[string]func(specimen) bool{
	"E0004": func(s specimen) bool {
		kind, id := "1", "000"+s.text("DPS/infDPS/prest/CPF")
		if s.has("DPS/infDPS/prest/CNPJ") {
			kind, id = "2", s.text("DPS/infDPS/prest/CNPJ")
		}
		padded := func(path string, width int) string {
			return strings.Repeat("0", width-len(s.text(path))) + s.text(path)
		}
		return s.id == "DPS"+s.text("DPS/infDPS/cLocEmi")+kind+id+
			padded("DPS/infDPS/serie", 5)+padded("DPS/infDPS/nDPS", 15)
	},
	"E0006": func(s specimen) bool { return (s.text("DPS/infDPS/tpAmb") == "1") == s.declaration.Issuer.Production },
	"E0015": func(s specimen) bool {
		return s.text("DPS/infDPS/dCompet") <= strings.SplitN(s.text("DPS/infDPS/dhEmi"), "T", 2)[0]
	},
	"E0322": func(s specimen) bool { return !s.has("DPS/infDPS/IBSCBS") || s.has("DPS/infDPS/serv/cServ/cNBS") },
	"E0850": func(s specimen) bool {
		return !s.has("DPS/infDPS/IBSCBS") || s.text("DPS/infDPS/dCompet") >= "2026-01-01"
	},
	"E0854": func(s specimen) bool {
		return !s.has("DPS/infDPS/IBSCBS") || bytes.Contains(s.xml, []byte(` versao="1.01"`))
	},
	"E0226": never("DPS/infDPS/toma/cNaoNIF", "0"),
	"E0286": never("DPS/infDPS/interm/cNaoNIF", "0"),
	"E0490": never("DPS/infDPS/valores/vDedRed/documentos/docDedRed/fornec/cNaoNIF", "0"),
	"E0333": never("DPS/infDPS/serv/comExt/mdPrestacao", "0"),
	"E0341": never("DPS/infDPS/serv/comExt/mecAFComexP", "00"),
	"E0343": never("DPS/infDPS/serv/comExt/mecAFComexT", "00"),
	"E0345": never("DPS/infDPS/serv/comExt/movTempBens", "0"),
	"E0591": func(s specimen) bool {
		return !s.has("DPS/infDPS/valores/trib/tribMun/cPaisResult") ||
			s.text("DPS/infDPS/valores/trib/tribMun/tribISSQN") == "3" &&
				s.has("DPS/infDPS/serv/locPrest/cLocPrestacao")
	},
	"E0602": noRateIf(func(d fiscal.Declaration) bool { return taxation.ISSOf(d) != taxation.Taxable }),
	"E0612": noRateIf(func(d fiscal.Declaration) bool { return taxation.SetsNoRate(d.ISS()) }),
	"E0600": noRateIf(func(d fiscal.Declaration) bool { return d.Issuer.Simples == nfse.SimplesMEI }),
	"E0604": noRateIf(func(d fiscal.Declaration) bool { return d.Issuer.SpecialRegime != 0 }),
	"E0625": noRateIf(func(d fiscal.Declaration) bool {
		return keptWithinSimples(d) && taxation.DueToActiveCity(d)
	}),
	"E0631": noRateIf(func(d fiscal.Declaration) bool {
		return keptWithinSimples(d) && !taxation.DueToActiveCity(d)
	}),
	"E0675": noFederalIf(func(d fiscal.Declaration) bool { return !d.Issuer.TaxID.IsCNPJ() }),
	"E0676": noFederalIf(func(d fiscal.Declaration) bool { return d.Issuer.Simples == nfse.SimplesMEI }),
	"E0677": func(s specimen) bool {
		return s.cents(federal+"piscofins/vBCPisCofins") <= s.cents("DPS/infDPS/valores/vServPrest/vServ")
	},
	"E0694": computed("pAliqPis", "vPis"),
	"E0696": computed("pAliqCofins", "vCofins"),
	"E0720": func(s specimen) bool {
		return s.text(federal+"piscofins/tpRetPisCofins") != "0" || !s.has(federal+"vRetCSLL")
	},
	"E0724": func(s specimen) bool {
		code := s.text(federal + "piscofins/tpRetPisCofins")
		return code == "" || code == "0" || s.has(federal+"vRetCSLL")
	},
	"E0712": func(s specimen) bool {
		return s.declaration.Issuer.Simples != nfse.SimplesME ||
			s.has("DPS/infDPS/valores/trib/totTrib/pTotTribSN") && !s.has("DPS/infDPS/valores/trib/totTrib/indTotTrib")
	},
	"E0714": verifies,
	"E1980": verifies,
	// Package sefin shows it of what it sends.
	"E1225": nil,
	"E1226": func(s specimen) bool { return len(s.elements) > 0 },                      // it was read
	"E1228": func(s specimen) bool { return !bytes.Contains(s.xml, []byte("xmlns:")) }, // and no element has a prefix
	"E6155": func(s specimen) bool { return !bytes.Contains(s.xml, []byte("xmlns:")) },
	"E1229": isUTF8,
	"E6154": isUTF8,
	"E1242": func(s specimen) bool { return s.has("DPS") != s.has("pedRegEvento") },
	"E1827": func(s specimen) bool {
		return s.id == "PRE"+s.text("pedRegEvento/infPedReg/chNFSe")+"101101"
	},
	"E1845": func(s specimen) bool {
		return (s.text("pedRegEvento/infPedReg/tpAmb") == "1") == s.declaration.Issuer.Production
	},
}

// keptWithinSimples reports whether the issuer pays the ISS within Simples, and nobody withholds it.
func keptWithinSimples(d fiscal.Declaration) bool {
	return taxation.PaysWithinSimples(d.Issuer) && d.ISSWithheldBy() == fiscal.WithheldByNobody
}

// never holds where no element at a path has the text.
func never(path, text string) func(specimen) bool {
	return func(s specimen) bool { return !slices.Contains(s.elements[path], text) }
}

func noRateIf(applies func(fiscal.Declaration) bool) func(specimen) bool {
	return func(s specimen) bool {
		return !applies(s.declaration) || !s.has("DPS/infDPS/valores/trib/tribMun/pAliq")
	}
}

// federal is the group of federal taxes.
const federal = "DPS/infDPS/valores/trib/tribFed/"

func noFederalIf(applies func(fiscal.Declaration) bool) func(specimen) bool {
	return func(s specimen) bool { return !applies(s.declaration) || !s.has(strings.TrimSuffix(federal, "/")) }
}

// computed looks whether an amount of PIS or COFINS is its base multiplied by its rate, to the
// cent.
func computed(rate, amount string) func(specimen) bool {
	return func(s specimen) bool {
		base, percent := s.cents(federal+"piscofins/vBCPisCofins"), s.cents(federal+"piscofins/"+rate)
		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(base), big.NewInt(percent)), big.NewInt(100_00))
		apart := exact.Sub(exact, new(big.Rat).SetInt64(s.cents(federal+"piscofins/"+amount)))
		return apart.Abs(apart).Cmp(big.NewRat(1, 2)) <= 0
	}
}

// cents reads an element with two decimals; 0 when there is none.
func (s specimen) cents(path string) int64 {
	value, _ := strconv.ParseInt(strings.ReplaceAll(s.text(path), ".", ""), 10, 64)
	return value
}

func verifies(s specimen) bool {
	_, err := xmldsig.Verify(s.xml, nil, nationaltest.At)
	return err == nil
}

var declaredEncoding = regexp.MustCompile(`^<\?xml[^>]* encoding="([^"]*)"`)

func isUTF8(s specimen) bool {
	declared := declaredEncoding.FindSubmatch(s.xml)
	return utf8.Valid(s.xml) && (declared == nil || strings.EqualFold(string(declared[1]), "UTF-8"))
}

// facts are what many messages have in common.
type facts struct {
	of     map[string]int             // messages, by their root
	occurs map[string]int             // in how many of them an element is, by its path
	values map[string]map[string]bool // of an element, the first few
}

func factsOf(specimens []specimen) facts {
	f := facts{of: map[string]int{}, occurs: map[string]int{}, values: map[string]map[string]bool{}}
	for _, s := range specimens {
		for path, texts := range s.elements {
			if !strings.Contains(path, "/") {
				f.of[path]++
			}
			f.occurs[path]++
			if f.values[path] == nil {
				f.values[path] = map[string]bool{}
			}
			for _, text := range texts[:min(len(texts), 20-len(f.values[path]))] {
				f.values[path][text] = true
			}
		}
	}
	return f
}

// contradiction says how the messages contradict a proof; empty when they do
// not.
func (f facts) contradiction(proof rulecatalogue.Proof) string {
	root, _, _ := strings.Cut(proof.Path, "/")
	switch {
	case proof.Always:
		if f.occurs[proof.Path] != f.of[root] {
			return "is not always sent"
		}
	case proof.Only == "":
		if f.occurs[proof.Path] > 0 {
			return "was sent"
		}
	case f.occurs[proof.Path] == 0:
		return "is never sent"
	default:
		for value := range f.values[proof.Path] {
			if value != proof.Only {
				return "was sent as " + value
			}
		}
	}
	return ""
}

// The table of rules is tied to what is built.
func TestCatalogue_ImpossibleRulesAreImpossible(t *testing.T) {
	t.Parallel()
	declarations, cancellations := drawSpecimens(t, long.Cases(800, 250))
	both := slices.Concat(declarations, cancellations)
	facts := factsOf(both)
	t.Run("ProofsNameElements", func(t *testing.T) { checkProofPaths(t, facts) })
	known := map[string]bool{}
	for _, rule := range rules.Catalogue.All() {
		known[rule.Code] = true
		predicate, isShown := shown[rule.Code]
		coverage := rule.Coverage
		switch {
		case coverage.Kind != rulecatalogue.Impossible && (isShown || coverage.Proofs != nil):
			t.Errorf("%s has a proof, but is said to be %s", rule.Code, coverage.Kind)
		case coverage.Kind == rulecatalogue.Impossible && isShown == (coverage.Proofs != nil):
			t.Errorf("%s is said to be impossible and needs one kind of proof", rule.Code)
		}
		for _, proof := range coverage.Proofs {
			if contradiction := facts.contradiction(proof); contradiction != "" {
				t.Errorf("%s: %s %s", rule.Code, proof.Path, contradiction)
			}
		}
		if predicate == nil {
			continue
		}
		concerned := declarations
		switch rule.About {
		case rules.AboutCancellation:
			concerned = cancellations
		case rules.AboutTransport:
			concerned = both
		}
		for _, s := range concerned {
			if !predicate(s) {
				t.Errorf("%s is broken by\n%s", rule.Code, s.xml)
				break
			}
		}
	}
	for code := range shown {
		if !known[code] {
			t.Errorf("a proof of %s proves nothing", code)
		}
	}
}

// checkProofPaths keeps a mistyped path from proving anything: every element is
// declared in the schema, and what never occurs would be a child of something
// that does.
func checkProofPaths(t *testing.T, facts facts) {
	declared := map[string]bool{"Signature": true}
	for _, name := range []string{
		"tiposComplexos_v1.01.xsd", "tiposEventos_v1.01.xsd", "DPS_v1.01.xsd", "pedRegEvento_v1.01.xsd",
	} {
		schema, err := os.ReadFile(reference.National(t, "xsd-1.01", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`<xs:element[^>]* name="(\w+)"`).FindAllSubmatch(schema, -1) {
			declared[string(match[1])] = true
		}
	}
	absent := map[string]bool{}
	for _, rule := range rules.Catalogue.All() {
		for _, proof := range rule.Coverage.Proofs {
			if !proof.Always && proof.Only == "" {
				absent[proof.Path] = true
			}
		}
	}
	for _, rule := range rules.Catalogue.All() {
		for _, proof := range rule.Coverage.Proofs {
			for element := range strings.SplitSeq(proof.Path, "/") {
				if !declared[element] {
					t.Errorf("%s: the schema has no element %s", rule.Code, element)
				}
			}
			parent := proof.Path[:strings.LastIndex(proof.Path, "/")]
			if facts.occurs[parent] == 0 && !absent[parent] {
				t.Errorf("%s: %s is no place that a message has", rule.Code, parent)
			}
		}
	}
}
