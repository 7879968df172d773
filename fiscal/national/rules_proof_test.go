package national

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
)

// specimen is a rendering, and what it was rendered from.
type specimen struct {
	document fiscal.Document // for a request to cancel: of the note to be cancelled
	xml      []byte
	elements map[string][]string // text of every element by its path from the root; parents have none
	id       string              // of the signed part
}

// text is that of an element that occurs at most once; empty when it does not.
func (s specimen) text(path string) string {
	if texts := s.elements[path]; len(texts) == 1 {
		return texts[0]
	}
	return ""
}

func (s specimen) has(path string) bool { return s.elements[path] != nil }

// readSpecimen reads strictly: no prefix, nothing but well-formed XML.
func readSpecimen(document fiscal.Document, rendering []byte) (specimen, error) {
	s := specimen{document: document, xml: rendering, elements: map[string][]string{}}
	decoder := xml.NewDecoder(bytes.NewReader(rendering))
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

// drawSpecimens renders many random documents that the check lets pass, at many
// moments, and requests to cancel some of them.
func drawSpecimens(t *testing.T, count int) (documents, cancellations []specimen) {
	t.Helper()
	credentials := testCredentials(t)
	drawn := rapid.Custom(drawDocument)
	read := func(document fiscal.Document, rendering fiscal.Rendering, err error) specimen {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		s, err := readSpecimen(document, rendering.XML)
		if err != nil {
			t.Fatalf("%v\n%s", err, rendering.XML)
		}
		return s
	}
	for i := range count {
		document, at := drawn.Example(i), checkedAt.Add(time.Duration(i)*37*time.Minute)
		rendering, err := renderDPS(Options{}, document, credentials, at)
		documents = append(documents, read(document, rendering, err))
		if i%10 == 0 {
			cancellation := fiscal.Cancellation{
				AccessKey: strings.Repeat("1", 50), Issuer: document.Issuer, ReasonCode: []string{"1", "2", "9"}[i%3], ReasonText: "Nota emitida em duplicidade",
			}
			rendering, err = renderCancellation(Options{}, cancellation, credentials, at)
			cancellations = append(cancellations, read(document, rendering, err))
		}
	}
	return documents, cancellations
}

// shown are the impossible rules that take more than one element to see.
var shown = map[string]func(specimen) bool{
	"E0004": func(s specimen) bool {
		kind, document := "1", "000"+s.text("DPS/infDPS/prest/CPF")
		if s.has("DPS/infDPS/prest/CNPJ") {
			kind, document = "2", s.text("DPS/infDPS/prest/CNPJ")
		}
		padded := func(path string, width int) string {
			return strings.Repeat("0", width-len(s.text(path))) + s.text(path)
		}
		return s.id == "DPS"+s.text("DPS/infDPS/cLocEmi")+kind+document+padded("DPS/infDPS/serie", 5)+padded("DPS/infDPS/nDPS", 15)
	},
	"E0006": func(s specimen) bool { return (s.text("DPS/infDPS/tpAmb") == "1") == s.document.Issuer.Production },
	"E0015": func(s specimen) bool {
		return s.text("DPS/infDPS/dCompet") == strings.SplitN(s.text("DPS/infDPS/dhEmi"), "T", 2)[0]
	},
	"E0600": noRateIf(func(d fiscal.Document) bool { return d.Issuer.Simples == nfse.SimplesMEI }),
	"E0604": noRateIf(func(d fiscal.Document) bool { return d.Issuer.SpecialRegime != 0 }),
	"E0625": noRateIf(func(d fiscal.Document) bool {
		return paysWithinSimples(d.Issuer) && !d.Note.ISSWithheld && cityIsActive(d)
	}),
	"E0631": noRateIf(func(d fiscal.Document) bool {
		return paysWithinSimples(d.Issuer) && !d.Note.ISSWithheld && !cityIsActive(d)
	}),
	"E0712": func(s specimen) bool {
		return s.document.Issuer.Simples != nfse.SimplesME ||
			s.has("DPS/infDPS/valores/trib/totTrib/pTotTribSN") && !s.has("DPS/infDPS/valores/trib/totTrib/indTotTrib")
	},
	"E0714": verifies,
	"E1980": verifies,
	"E1225": func(s specimen) bool {
		body, err := pack("document", s.xml)
		var sent map[string]string
		if err != nil || json.Unmarshal(body, &sent) != nil {
			return false
		}
		back, err := unpack(sent["document"])
		return err == nil && bytes.Equal(back, s.xml)
	},
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
		return (s.text("pedRegEvento/infPedReg/tpAmb") == "1") == s.document.Issuer.Production
	},
}

func noRateIf(applies func(fiscal.Document) bool) func(specimen) bool {
	return func(s specimen) bool {
		return !applies(s.document) || !s.has("DPS/infDPS/valores/trib/tribMun/pAliq")
	}
}

func cityIsActive(d fiscal.Document) bool {
	return !slices.Contains(d.Issuer.InactiveMunicipalities, incidence(d))
}

func verifies(s specimen) bool {
	_, err := xmldsig.Verify(s.xml, nil, checkedAt)
	return err == nil
}

var declaredEncoding = regexp.MustCompile(`^<\?xml[^>]* encoding="([^"]*)"`)

func isUTF8(s specimen) bool {
	declared := declaredEncoding.FindSubmatch(s.xml)
	return utf8.Valid(s.xml) && (declared == nil || strings.EqualFold(string(declared[1]), "UTF-8"))
}

// facts are what many renderings have in common.
type facts struct {
	of     map[string]int             // renderings, by their root
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

// contradiction says how the renderings contradict a proof; empty when they do
// not.
func (f facts) contradiction(p proof) string {
	root, _, _ := strings.Cut(p.path, "/")
	switch {
	case p.always:
		if f.occurs[p.path] != f.of[root] {
			return "is not always sent"
		}
	case p.values == nil:
		if f.occurs[p.path] > 0 {
			return "was sent"
		}
	case f.occurs[p.path] == 0:
		return "is never sent"
	default:
		for value := range f.values[p.path] {
			if !slices.Contains(p.values, value) {
				return "was sent as " + value
			}
		}
	}
	return ""
}

// TestImpossibleRulesAreImpossible ties the table of rules to what is rendered.
func TestImpossibleRulesAreImpossible(t *testing.T) {
	documents, cancellations := drawSpecimens(t, 800)
	all := slices.Concat(documents, cancellations)
	facts := factsOf(all)
	t.Run("proofs name elements", func(t *testing.T) { checkProofPaths(t, facts) })
	for _, r := range catalogue {
		predicate, isShown := shown[r.code]
		switch {
		case r.how.kind != impossible && (isShown || r.how.proofs != nil):
			t.Errorf("%s has a proof, but is said to be %s", r.code, r.how.kind)
		case r.how.kind == impossible && isShown == (r.how.proofs != nil):
			t.Errorf("%s is said to be impossible and needs one kind of proof", r.code)
		}
		for _, p := range r.how.proofs {
			if contradiction := facts.contradiction(p); contradiction != "" {
				t.Errorf("%s: %s %s", r.code, p.path, contradiction)
			}
		}
		if !isShown {
			continue
		}
		in := func(rules []rule) bool {
			return slices.ContainsFunc(rules, func(other rule) bool { return other.code == r.code })
		}
		concerned := documents
		switch {
		case in(rulesOfCancellation):
			concerned = cancellations
		case in(rulesOfTransport):
			concerned = all
		}
		for _, s := range concerned {
			if !predicate(s) {
				t.Errorf("%s is broken by\n%s", r.code, s.xml)
				break
			}
		}
	}
	for code := range shown {
		if _, known := ruleByCode[code]; !known {
			t.Errorf("a proof of %s proves nothing", code)
		}
	}
}

// checkProofPaths keeps a mistyped path from proving anything: every element is
// declared in the schema, and what never occurs would be a child of something
// that does.
func checkProofPaths(t *testing.T, facts facts) {
	declared := map[string]bool{"Signature": true}
	for _, schema := range []string{"tiposComplexos_v1.01.xsd", "tiposEventos_v1.01.xsd", "DPS_v1.01.xsd", "pedRegEvento_v1.01.xsd"} {
		for _, match := range regexp.MustCompile(`<xs:element[^>]* name="(\w+)"`).FindAllStringSubmatch(paper(t, "xsd-1.01/"+schema), -1) {
			declared[match[1]] = true
		}
	}
	absent := map[string]bool{}
	for _, r := range catalogue {
		for _, p := range r.how.proofs {
			if !p.always && p.values == nil {
				absent[p.path] = true
			}
		}
	}
	for _, r := range catalogue {
		for _, p := range r.how.proofs {
			for element := range strings.SplitSeq(p.path, "/") {
				if !declared[element] {
					t.Errorf("%s: the schema has no element %s", r.code, element)
				}
			}
			parent := p.path[:strings.LastIndex(p.path, "/")]
			if facts.occurs[parent] == 0 && !absent[parent] {
				t.Errorf("%s: %s is no place that a document has", r.code, parent)
			}
		}
	}
}
