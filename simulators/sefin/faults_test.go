package sefin_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/simulators/sefin"
)

// spoiled is a stand-in with a menu, and the issuer's client.
func spoiled(t *testing.T, faults ...sefin.Fault) (*sefin.Authority, *client) {
	t.Helper()
	authority, c := shop(t)
	set(t, authority, faults...)
	return authority, c
}

func set(t *testing.T, authority *sefin.Authority, faults ...sefin.Fault) {
	t.Helper()
	if err := authority.SetFaults(sefin.Faults{Seed: 7, List: faults}); err != nil {
		t.Fatal(err)
	}
}

func TestCutConnections(t *testing.T) {
	for name, test := range map[string]struct {
		fault  sefin.Fault
		issued int
	}{
		"drop before":  {sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, Next: 1}, 0},
		"drop after":   {sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, Next: 1, After: true}, 1},
		"reset before": {sefin.Fault{Kind: sefin.Reset, Next: 1}, 0},
		"reset after":  {sefin.Fault{Kind: sefin.Reset, Next: 1, After: true}, 1},
		"half answer":  {sefin.Fault{Kind: sefin.HalfAnswer, Next: 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			authority, c := spoiled(t, test.fault)
			document := c.dps(1)
			send := map[string]any{"dpsXmlGZipB64": pack(document)}
			if answer, err := c.do("POST", authority.URL()+"/nfse", send); err == nil {
				t.Fatalf("an answer came: %d %s", answer.status, answer.text)
			}
			if n := len(authority.Ledger()); n != test.issued {
				t.Errorf("%d notes were issued, want %d", n, test.issued)
			}
			if left := authority.Faults().List; len(left) != 0 {
				t.Errorf("the fault is not spent: %+v", left)
			}
			again := c.issue(document)
			if want := []string{"", "E0014"}[test.issued]; again.codes() != want {
				t.Errorf("the same again: %d %s, want %q", again.status, again.text, want)
			}
			posts := authority.Posts()
			if len(posts) != 2 || posts[0].ID != posts[1].ID || posts[0].Digest == "" || posts[0].Digest != posts[1].Digest {
				t.Fatalf("posts: %+v", posts)
			}
			if posts[0].Issued != (test.issued == 1) || posts[1].Issued == posts[0].Issued ||
				posts[0].Status != 0 || posts[1].Status != again.status || len(posts[0].Faults) != 1 {
				t.Errorf("posts: %+v", posts)
			}
		})
	}
}

func TestAnswersOfSomethingElse(t *testing.T) {
	for name, test := range map[string]struct {
		fault  sefin.Fault
		check  func(reply) bool
		issued int
	}{
		"500 without a body": {sefin.Fault{Status: 500}, func(r reply) bool { return len(r.text) == 0 }, 0},
		"500 with erros":     {sefin.Fault{Status: 500, Body: "erros", Code: "E1206"}, func(r reply) bool { return r.codes() == "E1206" }, 0},
		"502 HTML":           {sefin.Fault{Status: 502, Body: "html"}, isHTML, 0},
		"200 HTML":           {sefin.Fault{Status: 200, Body: "html"}, isHTML, 0},
		"201 HTML, issued":   {sefin.Fault{Status: 201, Body: "html", After: true}, isHTML, 1},
		"503, issued":        {sefin.Fault{Status: 503, After: true}, func(r reply) bool { return len(r.text) == 0 }, 1},
		"429":                {sefin.Fault{Status: 429}, func(r reply) bool { return r.header.Get("Retry-After") == "" }, 0},
		"429 and when":       {sefin.Fault{Status: 429, RetryAfter: "30"}, func(r reply) bool { return r.header.Get("Retry-After") == "30" }, 0},
		"403 of a proxy":     {sefin.Fault{Status: 403, Body: "html"}, isHTML, 0},
	} {
		t.Run(name, func(t *testing.T) {
			test.fault.Kind = sefin.Status
			authority, c := spoiled(t, test.fault)
			if answer := c.issue(c.dps(1)); answer.status != test.fault.Status || !test.check(answer) {
				t.Errorf("%d %v %s", answer.status, answer.header, answer.text)
			}
			if n := len(authority.Ledger()); n != test.issued {
				t.Errorf("%d notes were issued, want %d", n, test.issued)
			}
		})
	}
}

func isHTML(r reply) bool {
	return strings.HasPrefix(r.header.Get("Content-Type"), "text/html") && strings.HasPrefix(string(r.text), "<html>")
}

func TestRejections(t *testing.T) {
	authority, c := spoiled(t, sefin.Fault{Kind: sefin.Reject, Code: "E1217", Scope: sefin.Issue, Next: 2},
		sefin.Fault{Kind: sefin.Reject, Code: "E8888", Complement: "why", Scope: sefin.Cancel, Next: 1})
	for range 2 {
		if answer := c.issue(c.dps(1)); answer.status != http.StatusBadRequest || answer.codes() != "E1217" {
			t.Errorf("%d %s", answer.status, answer.text)
		}
	}
	key := c.issued(c.dps(1))
	if answer := c.cancel(key, c.request(key, "101101")); answer.codes() != "E8888" || answer.body["erro"] == nil {
		t.Errorf("%d %s", answer.status, answer.text)
	}
	if answer := c.cancel(key, c.request(key, "101101")); answer.status != http.StatusCreated {
		t.Errorf("%d %s", answer.status, answer.text)
	}
	set(t, authority, sefin.WrongLayout())
	if answer := c.issue(c.dps(2)); answer.codes() != "E1235" || !strings.Contains(answer.complement(), "finNFSe") {
		t.Errorf("%d %s", answer.status, answer.text)
	}
}

func TestSpoiledDocuments(t *testing.T) {
	authority, c := shop(t)
	number := 0
	// with issues a note and cancels it with a fault, and returns both answers.
	with := func(kind sefin.Kind) (issued, cancelled, asked reply) {
		number++
		set(t, authority, sefin.Fault{Kind: kind})
		issued = c.issue(c.dps(number))
		ledger := authority.Ledger()
		key := ledger[len(ledger)-1].AccessKey
		if issued.status != http.StatusCreated || issued.body["chaveAcesso"] != key && kind != sefin.OtherDocument {
			t.Fatalf("%s: %d %s", kind, issued.status, issued.text)
		}
		cancelled = c.cancel(key, c.request(key, "101101"))
		asked = c.get("/nfse/" + key + "/eventos/101101/1")
		if cancelled.status != http.StatusCreated || asked.status != http.StatusOK {
			t.Fatalf("%s: %d %s", kind, cancelled.status, cancelled.text)
		}
		return issued, cancelled, asked
	}
	packed := func(issued, cancelled, asked reply) []any {
		event := asked.body["eventos"].([]any)[0].(map[string]any)
		once, _ := event["arquivoXml"].(string)
		inner, err := base64.StdEncoding.DecodeString(once)
		if err != nil {
			t.Fatal(err)
		}
		return []any{issued.body["nfseXmlGZipB64"], cancelled.body["eventoXmlGZipB64"], string(inner)}
	}

	for _, text := range packed(with(sefin.TruncatedGzip)) {
		compressed, err := base64.StdEncoding.DecodeString(text.(string))
		if err != nil || len(compressed) < 20 || string(compressed[:2]) != "\x1f\x8b" {
			t.Errorf("truncated gzip: %v", text)
		}
	}
	for _, text := range packed(with(sefin.NotBase64)) {
		if _, err := base64.StdEncoding.DecodeString(text.(string)); err == nil {
			t.Errorf("not base64: %v", text)
		}
	}
	for _, text := range packed(with(sefin.UnreadableXML)) {
		if document := unpack(t, text); strings.HasSuffix(document, ">") {
			t.Errorf("unreadable XML: %s", document)
		}
	}
	if issued, _, asked := with(sefin.MissingXML); issued.body["nfseXmlGZipB64"] != nil || strings.Contains(string(asked.text), "arquivoXml") {
		t.Errorf("missing XML: %s %s", issued.text, asked.text)
	}
	documents := packed(with(sefin.WrongSignature))
	for i, element := range []string{"infNFSe", "infEvento", "infEvento"} {
		if verify(t, authority, unpack(t, documents[i]), element) == nil {
			t.Errorf("the signature of document %d verifies", i)
		}
	}

	issued, cancelled, asked := with(sefin.OtherDocument)
	key := authority.Ledger()[number-1].AccessKey
	for i, text := range packed(issued, cancelled, asked) {
		document := unpack(t, text)
		if strings.Contains(document, key) {
			t.Errorf("document %d is about the same note", i)
		}
		if err := verify(t, authority, document, []string{"infNFSe", "infEvento", "infEvento"}[i]); err != nil {
			t.Errorf("the signature of document %d does not verify: %v", i, err)
		}
		if err := validate(t, []string{"NFSe_v1.01.xsd", "evento_v1.01.xsd", "evento_v1.01.xsd"}[i], document); err != nil {
			t.Errorf("document %d is not valid: %v", i, err)
		}
	}
	other := issued.body["chaveAcesso"].(string)
	if other == key || checkDigit(other[:49]) != other[49:] || issued.body["idDps"] == authority.Ledger()[number-1].DPSID {
		t.Errorf("another document: %s", issued.text)
	}
	if n := len(authority.Ledger()); n != number {
		t.Errorf("the ledger holds %d notes, not %d", n, number)
	}
}

func TestVariants(t *testing.T) {
	authority, c := shop(t)
	wrong := c.dps(1, change{"fiscal@example.com", "fiscal"}, change{"20040020", "01310100"})
	vary := func(form, document string) reply {
		t.Helper()
		set(t, authority, sefin.Fault{Kind: sefin.Variant, Variant: form})
		return c.issue(document)
	}
	if answer := vary(sefin.ErroObject, wrong); answer.body["erros"] != nil || answer.codes() != "E0240" {
		t.Errorf("erro as an object: %s", answer.text)
	}
	if answer := vary(sefin.ErroArray, wrong); answer.body["erros"] != nil || len(answer.body["erro"].([]any)) != 2 {
		t.Errorf("erro as an array: %s", answer.text)
	}
	if answer := vary(sefin.ErroString, wrong); fmt.Sprintf("%T", answer.body["erro"]) != "string" || len(answer.body) != 1 {
		t.Errorf("erro as a string: %s", answer.text)
	}
	if answer := vary(sefin.TopList, wrong); !strings.HasPrefix(string(answer.text), `[{"codigo":"E0240"`) {
		t.Errorf("a list: %s", answer.text)
	}
	if answer := vary(sefin.Capitalised, wrong); answer.body["Erros"].([]any)[0].(map[string]any)["Codigo"] != "E0240" {
		t.Errorf("capitals: %s", answer.text)
	}
	if answer := vary(sefin.SwappedID, wrong); answer.body["idDps"] == nil || answer.body["idDPS"] != nil {
		t.Errorf("idDps where idDPS is usual: %s", answer.text)
	}
	if answer := vary(sefin.EmptyErro, c.dps(2)); answer.status != 201 || len(answer.body["erro"].([]any)) != 0 || answer.body["chaveAcesso"] == nil {
		t.Errorf("an empty erro: %s", answer.text)
	}
	if answer := vary(sefin.SwappedID, c.dps(3)); answer.body["idDPS"] == nil || answer.body["idDps"] != nil {
		t.Errorf("idDPS where idDps is usual: %s", answer.text)
	}
	if answer := vary(sefin.Capitalised, c.dps(4)); answer.body["ChaveAcesso"] == nil {
		t.Errorf("capitals of success: %s", answer.text)
	}
	set(t, authority, sefin.Fault{Kind: sefin.Reject, Code: "E1217"}, sefin.Fault{Kind: sefin.Variant, Variant: sefin.ErroArray})
	if answer := c.issue(c.dps(5)); answer.body["erro"].([]any)[0].(map[string]any)["codigo"] != "E1217" {
		t.Errorf("a variant of a fault: %s", answer.text)
	}
}

func TestFaultsThatLast(t *testing.T) {
	clock := &clock{}
	authority := start(t, sefin.Options{Clock: clock.now})
	c := newClient(t, authority, sefin.Subject{Document: issuer})
	set(t, authority, sefin.Fault{Kind: sefin.ClockSkew, Delay: sefin.Duration(-2 * time.Hour)})
	if answer := c.issue(c.dps(1)); answer.codes() != "E0008" {
		t.Errorf("a slow clock: %s", answer.text)
	}
	set(t, authority, sefin.Fault{Kind: sefin.Hide, Scope: sefin.Query, Delay: sefin.Duration(time.Minute)})
	id := c.issue(c.dps(1)).body["idDps"].(string)
	if answer := c.get("/dps/" + id); answer.status != http.StatusNotFound {
		t.Errorf("at once: %d", answer.status)
	}
	clock.advance(time.Minute)
	if answer := c.get("/dps/" + id); answer.status != http.StatusOK {
		t.Errorf("a minute later: %d", answer.status)
	}
	if answer := c.get("/dps/" + id[:44] + "2"); answer.status != http.StatusNotFound {
		t.Errorf("another: %d", answer.status)
	}
	if answer := c.get("/dps/1"); answer.status != http.StatusBadRequest {
		t.Errorf("no id: %d", answer.status)
	}
	if answer := c.get("/nfse/1"); answer.status != http.StatusBadRequest {
		t.Errorf("no key: %d", answer.status)
	}
}

// Latency is waited for: a client that gives up before gets nothing, and nothing
// is issued.
func TestLatency(t *testing.T) {
	authority, c := spoiled(t, sefin.Fault{Kind: sefin.Latency, Delay: sefin.Duration(time.Hour), Jitter: sefin.Duration(time.Second), Next: 1})
	c.http.Timeout = 50 * time.Millisecond
	if _, err := c.do("POST", authority.URL()+"/nfse", map[string]any{"dpsXmlGZipB64": pack(c.dps(1))}); err == nil {
		t.Error("an answer came within an hour")
	}
	c.http.Timeout = 0
	c.issued(c.dps(2))
	if n := len(authority.Ledger()); n != 1 {
		t.Errorf("%d notes were issued", n)
	}
}

func TestScopesAndChances(t *testing.T) {
	outcomes := func() string {
		_, c := spoiled(t, sefin.Fault{Kind: sefin.Status, Status: 503, Scope: sefin.Issue, Probability: 0.5},
			sefin.Fault{Kind: sefin.Status, Status: 500, Scope: sefin.Query, Every: 3})
		var text strings.Builder
		for range 20 {
			fmt.Fprint(&text, c.issue("").status, " ")
		}
		for range 6 {
			fmt.Fprint(&text, c.get("/nfse/1").status, " ")
		}
		return text.String()
	}
	first := outcomes()
	if again := outcomes(); again != first {
		t.Errorf("the same seed chose\n%s, then\n%s", first, again)
	}
	chosen, asked := strings.Count(first, "503"), first[len(first)-len("400 400 500 400 400 500 "):]
	if chosen < 3 || chosen > 17 || asked != "400 400 500 400 400 500 " {
		t.Errorf("chosen: %s", first)
	}
}

func TestMenusThatAreWrong(t *testing.T) {
	authority, _ := shop(t)
	for _, fault := range []sefin.Fault{
		{}, {Kind: "flood"}, {Kind: sefin.Drop, Scope: "all"}, {Kind: sefin.Status}, {Kind: sefin.Status, Status: 99},
		{Kind: sefin.Status, Status: 500, Body: "xml"}, {Kind: sefin.Reject}, {Kind: sefin.Variant, Variant: "x"},
		{Kind: sefin.Drop, Probability: 1.5}, {Kind: sefin.Drop, Next: -1},
	} {
		if err := authority.SetFaults(sefin.Faults{List: []sefin.Fault{fault}}); err == nil {
			t.Errorf("%+v was accepted", fault)
		}
	}
	if _, err := sefin.ParseFaults([]byte(`{"faults":[{"kind":"drop","probabilty":1}]}`)); err == nil {
		t.Error("a misspelt field was accepted")
	}
	read, err := sefin.ParseFaults([]byte(`{"seed":3,"faults":[{"kind":"latency","delay":"1m30s"}]}`))
	if err != nil || read.Seed != 3 || read.List[0].Delay != sefin.Duration(90*time.Second) {
		t.Errorf("%+v %v", read, err)
	}
}

// Of documents with one number, sent together, exactly one is issued.
func TestOneNumberIssuesOnce(t *testing.T) {
	authority, c := shop(t)
	const numbers, senders = 10, 8
	var wait sync.WaitGroup
	codes := make(chan string, numbers*senders)
	for number := 1; number <= numbers; number++ {
		document := c.dps(number, change{"nota42", fmt.Sprint("nota", number)})
		other := c.dps(number, change{"1500.00", "1600.00"})
		for sender := range senders {
			wait.Go(func() {
				send := document
				if sender%2 == 1 {
					send = other
				}
				answer, err := c.do("POST", authority.URL()+"/nfse", map[string]any{"dpsXmlGZipB64": pack(send)})
				if err != nil {
					t.Error(err)
				}
				codes <- answer.codes()
			})
		}
	}
	wait.Wait()
	close(codes)
	count := map[string]int{}
	for code := range codes {
		count[code]++
	}
	if count[""] != numbers || count["E0014"] != numbers*(senders-1) {
		t.Errorf("outcomes: %v", count)
	}
	seen := map[string]bool{}
	for _, entry := range authority.Ledger() {
		seen[entry.DPSID] = true
	}
	if len(authority.Ledger()) != numbers || len(seen) != numbers {
		t.Errorf("the ledger holds %d notes of %d documents", len(authority.Ledger()), len(seen))
	}
	if n := len(authority.Posts()); n != numbers*senders {
		t.Errorf("%d posts are on record", n)
	}
}

// The series is a number: 1 and 00001 are one.
func TestSeriesIsANumber(t *testing.T) {
	_, c := shop(t)
	c.issued(c.dps(1))
	if answer := c.issue(c.dps(1, change{"<serie>1<", "<serie>00001<"})); answer.codes() != "E0014" {
		t.Errorf("%d %s", answer.status, answer.text)
	}
}
