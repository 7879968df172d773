package issnet

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/soap"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

const (
	sampleKey = "53001081211222333000181000000000005526111234567891"
	sampleDPS = "DPS530010821122233300018100015000000000000008"
)

// sample reads a message of the material about cities; the test is skipped where it is not there.
func sample(t *testing.T, name string) string {
	t.Helper()
	return strings.TrimSpace(string(reference.ReadCities(t, "samples/issnet-"+name+".xml")))
}

func newClient(t testing.TB, quirks map[cities.Quirk]string) *Client {
	t.Helper()
	client, err := New(cities.Row{Name: "brasilia", Quirks: quirks}, mtls.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func came(what operation, status int, body string) soap.Reply {
	return what.with(nil).ReadReply(mtls.Reply{Sent: true, Status: status, Body: []byte(body)})
}

func interpretSent(r soap.Reply, request fiscal.Request) fiscal.Answer {
	return meaning.Sent(r, request)
}

func (c *Client) interpretFound(r soap.Reply, request fiscal.Request) fiscal.Answer {
	return meaning.Found(r, request, c.isNotFound)
}

var (
	issuing    = fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: sampleDPS}}}
	cancelling = fiscal.Request{Kind: fiscal.Cancel, AccessKey: sampleKey, MunicipalRegistration: "0700000000100"}
	bySample   = soap.Provider{TaxID: "11222333000181", Registration: "0700000000100"}
)

// What we ask is, byte for byte, what the samples ask; what we send stands in the envelope as there.
func TestRequests_LikeSamples(t *testing.T) {
	t.Parallel()
	between := func(name, root string) []byte {
		_, rest, _ := strings.Cut(sample(t, name), "<"+root+` xmlns="http://www.sped.fazenda.gov.br/nfse">`)
		inner, _, _ := strings.Cut(rest, "</"+root+">")
		return []byte(inner)
	}
	for name, c := range map[string]struct {
		what    operation
		content []byte
	}{
		"GerarNfse-request": {issue, between("GerarNfse-request", "GerarNfseEnvio")},
		"ConsultarNfseDps-request": {
			findByDPS, dpsQuestion(soap.SentDPS{By: bySample, Series: "15", Number: "8"}),
		},
		"ConsultarNfseServicoPrestado-request": {findIssued, noteQuestion(bySample, soap.NumberIn(sampleKey))},
		"CancelarNfse-request":                 {cancel, between("CancelarNfse-request", "CancelarNfseEnvio")},
	} {
		if got := string(c.what.envelope(c.content)); got != sample(t, name) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, sample(t, name))
		}
	}
	if action := findByDPS.with(nil).Action; action != "http://www.sped.fazenda.gov.br/nfse/ConsultarNfseDps" {
		t.Errorf("the action is %s", action)
	}
}

// escapedOnce is an answer whose document is text of the result.
func escapedOnce(what operation, answer string) string {
	at := strings.Index(answer, "<"+what.answer())
	end := strings.Index(answer, "</"+what.answer()+">") + len("</"+what.answer()+">")
	var text strings.Builder
	_ = xml.EscapeText(&text, []byte(answer[at:end]))
	return answer[:at] + text.String() + answer[end:]
}

// alone is the document of an answer without any envelope.
func alone(what operation, answer string) string {
	at := strings.Index(answer, "<"+what.answer())
	return answer[at : strings.Index(answer, "</"+what.answer()+">")+len("</"+what.answer()+">")]
}

// The samples of answers are read in every form that was seen: literal, escaped, without envelope, with
// the names of 2026-02, with prefixes and without a namespace.
func TestAnswers_OfSamples(t *testing.T) {
	t.Parallel()
	forms := map[string]func(operation, string) string{
		"literal": func(_ operation, a string) string { return a },
		"escaped": escapedOnce,
		"alone":   alone,
		"old names": func(_ operation, a string) string {
			return strings.NewReplacer("<NFSe ", "<Nfse ", "</NFSe>", "</Nfse>", "<evento ", "<Evento ", "</evento>",
				"</Evento>").Replace(a)
		},
		"without namespace": func(_ operation, a string) string {
			return strings.ReplaceAll(a, ` xmlns="http://www.sped.fazenda.gov.br/nfse"`, "")
		},
		"a wrapper less": func(what operation, a string) string {
			return strings.NewReplacer("<"+what.name+"Result>", "", "</"+what.name+"Result>", "").Replace(a)
		},
	}
	for form, as := range forms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, nil)
			found := interpretSent(came(issue, 200, as(issue, sample(t, "GerarNfse-answer"))), issuing)
			isSample(t, "sent", found)
			found = c.interpretFound(came(findByDPS, 200, as(findByDPS, sample(t, "ConsultarNfseDps-answer"))), issuing)
			isSample(t, "found", found)
			done := meaning.EventSent(came(cancel, 200, as(cancel, sample(t, "CancelarNfse-answer"))), cancelling)
			if done.Outcome != fiscal.OutcomeAccepted || done.Match != fiscal.MatchOurs || done.EventXML == nil {
				t.Errorf("cancelled: %s %s", done.Outcome, done.Reason)
			}
			shown := came(findIssued, 200, as(findIssued, sample(t, "ConsultarNfseServicoPrestado-answer-cancelled")))
			if asked := meaning.EventFound(shown, cancelling); asked.Outcome != fiscal.OutcomeAccepted {
				t.Errorf("asked about: %s %s", asked.Outcome, asked.Reason)
			}
			standings := fiscal.Standings{Cancelled: map[string]fiscal.FoundCancellation{}}
			if reason := readStanding(shown, "11222333000181", "55", &standings); !reason.None() ||
				standings.Cancelled["55"].At.IsZero() || standings.Cancelled["55"].Document == nil {
				t.Errorf("standing: %s %v", reason, standings)
			}
		})
	}
}

func isSample(t *testing.T, what string, answer fiscal.Answer) {
	t.Helper()
	if answer.Outcome != fiscal.OutcomeAccepted || answer.Document == nil || answer.Document.AccessKey != sampleKey {
		t.Errorf("%s: %s %s", what, answer.Outcome, answer.Reason)
		return
	}
	issued := answer.Document
	if *issued.Authorization.Number != "55" || issued.Authorization.IssuedAt.IsZero() || issued.XML == nil {
		t.Errorf("%s: %+v", what, issued)
	}
	const root = `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01">`
	if !strings.HasPrefix(string(issued.XML), root) {
		t.Errorf("%s: the document is not one by itself: %.100s", what, issued.XML)
	}
}

// The samples of refusals, and of the fault.
func TestRefusals_OfSamples(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"refusal-answer-escaped", "refusal-answer-literal"} {
		answer := interpretSent(came(issue, 200, sample(t, name)), issuing)
		if answer.Outcome != fiscal.OutcomeRejected || answer.Rejection.Code != "E160" {
			t.Errorf("%s: %s %s", name, answer.Outcome, answer.Reason)
		}
	}
	lot := operation{"RecepcionarLoteDpsSincrono", "EnviarLoteDpsSincronoEnvio", ""}
	if answer := interpretSent(came(lot, 200, sample(t, "refusal-lot-answer")), issuing); answer.Rejection == nil ||
		answer.Rejection.Code != "E043" {
		t.Errorf("lot: %s %s", answer.Outcome, answer.Reason)
	}
	r := came(issue, http.StatusInternalServerError, sample(t, "fault"))
	if answer := interpretSent(r, issuing); answer.Outcome != fiscal.OutcomeUnknown || !operationUnknown(r) {
		t.Errorf("fault: %s", answer.Outcome)
	}
}

// A note is kept byte for byte, with the namespace that it had from the answer; where it has prefixes, or takes a
// namespace off, its XML is written again.
func TestDocuments_AsTheyCame(t *testing.T) {
	t.Parallel()
	whole := sample(t, "GerarNfse-answer")
	_, note, _ := strings.Cut(whole, "<NFSe")
	note, _, _ = strings.Cut(note, "</NFSe>")
	for name, c := range map[string]struct {
		answer string
		asIs   bool
	}{
		"literal":   {whole, true},
		"escaped":   {escapedOnce(issue, whole), true},
		"takes off": {strings.Replace(whole, "<nNFSe>", `<nNFSe xmlns="">`, 1), false},
		"prefixed":  {strings.NewReplacer("<nNFSe>", "<n:nNFSe>", "</nNFSe>", "</n:nNFSe>").Replace(whole), false},
	} {
		answer := interpretSent(came(issue, 200, c.answer), issuing)
		isSample(t, name, answer)
		if answer.Document == nil {
			continue
		}
		want := `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"` + note + "</NFSe>"
		if is := string(answer.Document.XML) == want; is != c.asIs {
			t.Errorf("%s: byte for byte is %t:\n%s", name, is, answer.Document.XML)
		}
	}
}

// An answer about another DPS, of another issuer, with two notes, or that refuses and names, is never taken.
func TestAnswers_OfOthers(t *testing.T) {
	t.Parallel()
	whole := sample(t, "ConsultarNfseDps-answer")
	_, comp, _ := strings.Cut(whole, "<CompNfse>")
	comp, _, _ = strings.Cut(comp, "</CompNfse>")
	const refusal = "<ListaMensagemRetorno><MensagemRetorno><Codigo>E212</Codigo></MensagemRetorno>" +
		"</ListaMensagemRetorno>"
	for name, body := range map[string]string{
		"another DPS":     strings.ReplaceAll(whole, sampleDPS, sampleDPS[:44]+"9"),
		"another issuer":  strings.ReplaceAll(whole, "11222333000181", "44555666000181"),
		"a wrong key":     strings.ReplaceAll(whole, sampleKey, sampleKey[:49]+"0"),
		"two notes":       strings.Replace(whole, "<CompNfse>", "<CompNfse>"+comp+"</CompNfse><CompNfse>", 1),
		"none in it":      strings.Replace(whole, comp, "", 1),
		"and a refusal":   strings.Replace(whole, "<CompNfse>", refusal+"<CompNfse>", 1),
		"escaped twice":   strings.ReplaceAll(escapedOnce(findByDPS, whole), "&lt;", "&amp;lt;"),
		"a page":          "<html><body>ok</body></html>",
		"nothing":         "",
		"another answer":  strings.ReplaceAll(whole, "ConsultarNfseDpsResposta", "GerarNfseResposta"),
		"in its middle":   whole[:len(whole)/2],
		"a text":          escapedOnce(findByDPS, whole)[:200],
		"two answers":     strings.ReplaceAll(whole, "</ConsultarNfseDpsResult>", "<a/></ConsultarNfseDpsResult>"),
		"no content else": strings.Replace(whole, "<CompNfse>"+comp+"</CompNfse>", "", 1),
	} {
		answer := newClient(t, nil).interpretFound(came(findByDPS, 200, body), issuing)
		if answer.Outcome != fiscal.OutcomeUnknown || answer.Reason.None() {
			t.Errorf("%s: %s %s", name, answer.Outcome, answer.Reason)
		}
	}
}

// A note that proves to be ours counts beside messages, which are a warning, and beside another note.
func TestAnswers_Proved(t *testing.T) {
	t.Parallel()
	whole := strings.Replace(sample(t, "GerarNfse-answer"), "<!-- see README 4.4 -->",
		"<SignedInfo><Reference><DigestValue>b3Vycw==</DigestValue></Reference></SignedInfo>", 1)
	ours := fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: sampleDPS, Digest: "b3Vycw=="}}}
	const message = `<ListaMensagemRetorno><MensagemRetorno><Codigo>E160</Codigo><Mensagem>x</Mensagem>` +
		`</MensagemRetorno></ListaMensagemRetorno>`
	note := whole[strings.Index(whole, "<CompNfse"):strings.Index(whole, "</ListaNfse>")]
	another := strings.ReplaceAll(strings.ReplaceAll(note, sampleDPS, sampleDPS[:44]+"9"), "b3Vycw==", "AAAA")
	for name, c := range map[string]struct {
		body    string
		warning bool
	}{
		"alone":            {whole, false},
		"with a message":   {strings.Replace(whole, "<ListaNfse>", message+"<ListaNfse>", 1), true},
		"after another's":  {strings.Replace(whole, note, another+note, 1), false},
		"before another's": {strings.Replace(whole, note, note+another, 1), false},
	} {
		answer := interpretSent(came(issue, 200, c.body), ours)
		if answer.Match != fiscal.MatchOurs || answer.Document.AccessKey != sampleKey ||
			answer.Reason.Is(fact.SefinContradictsItsDocument) != c.warning {
			t.Errorf("%s: %s %s %s", name, answer.Outcome, answer.Match, answer.Reason)
		}
	}
	only := strings.Replace(whole, note, another, 1)
	otherKey := ""
	for digit := '0'; !schema.ValidAccessKey(otherKey); digit++ {
		otherKey = sampleKey[:48] + "0" + string(digit)
	}
	twice := strings.Replace(whole, note, note+strings.ReplaceAll(note, sampleKey, otherKey), 1)
	for name, body := range map[string]string{"another's alone": only, "two of ours": twice} {
		if answer := interpretSent(came(issue, 200, body), ours); answer.Outcome != fiscal.OutcomeUnknown {
			t.Errorf("%s: %s", name, answer.Outcome)
		}
	}
}

// The city that a declaration names on the test server is the one that the server is on.
func TestIssuer(t *testing.T) {
	t.Parallel()
	row := cities.Row{MunicipalityCode: "5300108", Quirks: map[cities.Quirk]string{rules.TestCity: "5002704"}}
	for production, want := range map[bool]string{true: "5300108", false: "5002704"} {
		profile := nfse.FiscalProfile{MunicipalityCode: "5300108", Production: production}
		if got := rules.Issuer(row, profile).MunicipalityCode; got != want {
			t.Errorf("production %t: %s", production, got)
		}
	}
}

// Any answer is read, or not, without an outcome that it does not prove.
func FuzzReadReply(f *testing.F) {
	f.Add(`<GerarNfseResposta><ListaNfse/></GerarNfseResposta>`)
	f.Add(enveloped("E160", "x"))
	f.Fuzz(func(t *testing.T, body string) {
		answer := interpretSent(came(issue, 200, body), issuing)
		if answer.Outcome == fiscal.OutcomeAccepted && answer.Document.AccessKey == "" ||
			answer.Outcome == fiscal.OutcomeNotFound || answer.Outcome == fiscal.OutcomeNotDelivered {
			t.Errorf("%s", answer.Outcome)
		}
	})
}
