package cityserver_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/nfse/fact"
	"emissor/test/reference"
)

// keyOf gives the first 49 characters of a key its check digit.
func keyOf(like string) string { return like[:49] + string(schema.CheckDigit(like[:49])) }

func packed(text string) string {
	var to bytes.Buffer
	w := gzip.NewWriter(&to)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(to.Bytes())
}

// dsfAnswer is the body of an answer with a refusal; without a code where that is empty.
func dsfAnswer(list, code, words string) string {
	item := fmt.Sprintf(`"mensagem":%q`, words)
	if code != "" {
		item = fmt.Sprintf(`"codigo":%q,`, code) + item
	}
	return `{"tipoAmbiente":"2","versaoAplicativo":"1.01","dataHoraProcessamento":` +
		`"2026-10-02T07:33:14.734866817-03:00","` + list + `":[{` + item + `}]}`
}

// decided are what the rules make of answers to a sending, and to a question that is asked long after.
func decided(s scripted, request fiscal.Request, sent, asked fiscal.Answer) (after, then fiscal.Decision) {
	before := fiscal.Exchange{Kind: request.Kind, State: fiscal.Signed, NumberFree: true}
	inDoubt := before.Sending()
	inDoubt.SinceSent = time.Hour
	return before.AfterSending(sent, time.Hour), inDoubt.AfterAsking(asked, s.Capabilities())
}

// Every answer that is known of servers of the family comes to the outcome that is drawn from it: to
// a sending, to a question, or to both, as the table says who was asked.
func TestDSF_OutcomesOfTheTable(t *testing.T) {
	t.Parallel()
	rows := strings.Split(strings.TrimSpace(string(reference.ReadCities(t, "errors-dsf.tsv"))), "\n")
	for _, line := range rows[1:] {
		cells := strings.Split(line, "\t")
		code, status, call, meaning, outcome := cells[0], cells[1], cells[2], cells[3], cells[4]
		t.Run(code+" "+status+" "+call+" "+outcome, func(t *testing.T) {
			t.Parallel()
			for _, list := range []string{"erros", "alertas"} {
				checkRow(t, list, code, status, call, meaning, outcome)
			}
		})
	}
}

func checkRow(t *testing.T, list, code, status, call, meaning, outcome string) {
	t.Helper()
	number, err := strconv.Atoi(strings.TrimSuffix(status, "?"))
	media, body := "application/json", dsfAnswer(list, strings.TrimPrefix(code, "-"), meaning)
	switch {
	case status == "html":
		number, media, body = 200, "text/html", "<html><body>Checking your browser</body></html>"
	case status == "404" && outcome == "hold-settings", status == "302", status == "405":
		media, body = "text/html", "<html><body>"+status+"</body></html>"
	case status == "404" && code == "-":
		body = `{"tipoAmbiente":"2","versaoAplicativo":"1.01","dataHoraProcessamento":"2026-10-02T07:33:14-03:00"}`
	case strings.Contains(meaning, "is cancelled: code missing"):
		body = dsfAnswer(list, "", "Nota fiscal não está ativa. Situação atual Cancelada")
	case err != nil:
		number = 400 // the table does not know it
	}
	s := answering(t, number, media, body)
	request := s.issuing
	if call == "POST eventos" {
		request = s.cancelling
	}
	sent, asked := s.Send(t.Context(), s.access, request), s.Find(t.Context(), s.access, request)
	after, then := decided(s, request, sent, asked)
	saw := fmt.Sprintf("%s: sent %s %s, then %s %s; asked %s, then %s %s", list, sent.Outcome, sent.Handling,
		after.Exchange.State, after.Action, asked.Outcome, then.Exchange.State, then.Action)
	isDoubt := func(d fiscal.Decision) bool { return d.Exchange.State == fiscal.InDoubt }
	byKey, question, either := call == "GET /nfse/{key}", strings.Contains(call, "GET"), call == "any"
	switch outcome {
	case "not-found":
		if byKey { // what was named by DPS and is not there by key is neither
			checkUnderKey(t, number, body)
		} else if asked.Outcome != fiscal.OutcomeNotFound {
			t.Error(saw)
		}
	case "our-bug": // of a question nothing is known; a sending is refused, or in doubt, and held for us
		switch {
		case question && asked.Outcome != fiscal.OutcomeUnknown,
			either && (!isDoubt(after) || asked.Outcome != fiscal.OutcomeUnknown),
			strings.HasPrefix(code, "E12") && sent.Outcome != fiscal.OutcomeRejected:
			t.Error(saw)
		}
	case "hold-certificate":
		refused := sent.Handling == fiscal.CertificateRefused && after.RefuseCertificate ||
			sent.Outcome == fiscal.OutcomeNotDelivered && after.Action == fiscal.Hold
		if question && (asked.Outcome != fiscal.OutcomeUnknown || then.Action != fiscal.Hold) || !question && !refused {
			t.Error(saw)
		}
	case "hold-settings":
		if !isDoubt(after) || after.Alarm.None() || !isDoubt(then) || then.Action != fiscal.Hold {
			t.Error(saw)
		}
	case "ambiguous", "ask":
		if question && asked.Outcome != fiscal.OutcomeUnknown || !question && (!isDoubt(after) || !isDoubt(then)) {
			t.Error(saw)
		}
	case "already-done":
		if sent.Handling != fiscal.AlreadyExists || asked.Outcome != fiscal.OutcomeAccepted ||
			asked.Match != fiscal.MatchOurs || then.Exchange.State != fiscal.Accepted {
			t.Error(saw)
		}
	case "retry-later":
		if sent.Outcome != fiscal.OutcomeRejected || sent.Handling != fiscal.TryLater {
			t.Error(saw)
		}
	case "rejected":
		checkRejected(t, saw, code, number, sent, isDoubt(after))
	default:
		t.Errorf("the outcome %q is not known here", outcome)
	}
}

// A cancellation that is refused by words or a code that nobody knows is asked about in vain: it is held, with an
// alarm, while a failure of theirs is only asked about again.
func TestDSF_CancellationUnexplained(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		code   string
		want   fiscal.Action
	}{
		"in words": {400, "", fiscal.Hold}, "by a code": {400, "L7777", fiscal.Hold},
		"by their failure": {400, "L9999", fiscal.Wait}, "by a fault": {500, "", fiscal.Wait},
	} {
		s := answering(t, c.status, "application/json", dsfAnswer("erros", c.code, "Operação não permitida"))
		sent, asked := s.Send(t.Context(), s.access, s.cancelling), s.Find(t.Context(), s.access, s.cancelling)
		_, then := decided(s, s.cancelling, sent, asked)
		if then.Action != c.want || then.Exchange.State != fiscal.InDoubt || then.Alarm.None() == (c.want == fiscal.Hold) {
			t.Errorf("%s: %s %s, alarm %s", name, then.Action, then.Exchange.State, then.Alarm)
		}
	}
}

// checkRejected checks a refusal: at once where the status says so, after a question where it says
// success, and where it has no code.
func checkRejected(t *testing.T, saw, code string, status int, sent fiscal.Answer, inDoubt bool) {
	t.Helper()
	asksFirst := status < 300 || code == "-" || code == "L999" // the last is of an older service, and of no catalogue
	if sent.Outcome != fiscal.OutcomeRejected || inDoubt != asksFirst || sent.Rejection == nil ||
		code != "-" && sent.Rejection.Code != code {
		t.Errorf("%s %+v", saw, sent.Rejection)
	}
	if strings.HasPrefix(code, "L00") && sent.Handling != fiscal.NeedsPerson {
		t.Error(saw)
	}
}

// checkUnderKey asks about a DPS whose key is named, under which there is nothing.
func checkUnderKey(t *testing.T, status int, body string) {
	t.Helper()
	var s scripted
	s = newScripted(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(r.URL.Path, "/nfse/dps/") {
			_, _ = w.Write([]byte(`{"tipoAmbiente":"2","chaveAcesso":"NFS` + s.key + `"}`))
			return
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
	if found := s.Find(t.Context(), s.access, s.issuing); found.Outcome != fiscal.OutcomeUnknown || found.Document != nil {
		t.Errorf("a key without a note is %s %+v", found.Outcome, found.Document)
	}
}

// The answers that were written down are read, with the documents that they leave out.
func TestDSF_Samples(t *testing.T) {
	t.Parallel()
	sample := func(name string) string { return string(reference.ReadCities(t, "samples/dsf-"+name+".json")) }
	for name, one := range map[string]struct {
		status, keyStatus int
		body, byKey       string
		kind              fiscal.Kind
		sent, asked       fiscal.Outcome
		code              string
	}{
		"POST-nfse-201": {status: 201, kind: fiscal.Issue, sent: fiscal.OutcomeAccepted,
			asked: fiscal.OutcomeAccepted},
		"GET-nfse-dps-200": {status: 200, byKey: "GET-nfse-key-200", keyStatus: 200, kind: fiscal.Issue,
			sent: fiscal.OutcomeAccepted, asked: fiscal.OutcomeAccepted},
		"GET-nfse-dps-404": {status: 404, kind: fiscal.Issue, sent: fiscal.OutcomeUnknown,
			asked: fiscal.OutcomeNotFound},
		"GET-nfse-key-400": {status: 400, kind: fiscal.Issue, sent: fiscal.OutcomeRejected,
			asked: fiscal.OutcomeUnknown, code: "E0044"},
		"POST-nfse-400-teresina": {status: 400, kind: fiscal.Issue, sent: fiscal.OutcomeRejected,
			asked: fiscal.OutcomeUnknown, code: "L0017"},
		"POST-nfse-L9999": {status: 500, kind: fiscal.Issue, sent: fiscal.OutcomeRejected,
			asked: fiscal.OutcomeUnknown, code: "L9999"},
		"POST-nfse-campinas-alertas": {status: 200, kind: fiscal.Issue, sent: fiscal.OutcomeRejected,
			asked: fiscal.OutcomeUnknown, code: "L0005"},
		"POST-eventos-201": {status: 201, kind: fiscal.Cancel, sent: fiscal.OutcomeAccepted,
			asked: fiscal.OutcomeAccepted},
		"POST-eventos-400-cancelled": {status: 400, kind: fiscal.Cancel, sent: fiscal.OutcomeRejected,
			asked: fiscal.OutcomeAccepted, code: "note_cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer, byKey := sample(name), ""
			if one.byKey != "" {
				byKey = sample(one.byKey)
			}
			var s scripted
			s = newScripted(t, func(w http.ResponseWriter, r *http.Request) {
				body, status := answer, one.status
				if byKey != "" && r.Method == http.MethodGet && !strings.Contains(r.URL.Path, "/dps/") {
					body, status = byKey, one.keyStatus
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				_, _ = w.Write([]byte(fitted(body, s)))
			})
			request := s.issuing
			if one.kind == fiscal.Cancel {
				request = s.cancelling
			}
			sent, asked := s.Send(t.Context(), s.access, request), s.Find(t.Context(), s.access, request)
			if sent.Outcome != one.sent || asked.Outcome != one.asked {
				t.Errorf("sent it is %s %s, asked %s %s", sent.Outcome, sent.Summary(), asked.Outcome, asked.Summary())
			}
			if one.code != "" && (sent.Rejection == nil || sent.Rejection.Code != one.code) {
				t.Errorf("it is refused by %+v", sent.Rejection)
			}
			if sent.Document != nil && sent.Document.AccessKey != s.key {
				t.Errorf("its key is %s", sent.Document.AccessKey)
			}
		})
	}
}

// A cancellation that is asked about by sending it again waits as long, and for the same person, as one that is sent:
// a city that does not take the certificate gets no ten in twelve seconds.
func TestDSF_CancellationNotLetIn(t *testing.T) {
	t.Parallel()
	s := answering(t, http.StatusUnauthorized, "application/json", `{"tipoAmbiente":"2","alertas":[]}`)
	sent, asked := s.Send(t.Context(), s.access, s.cancelling), s.Find(t.Context(), s.access, s.cancelling)
	if sent.Outcome != fiscal.OutcomeNotDelivered || asked.Outcome != fiscal.OutcomeUnknown {
		t.Errorf("sent it is %s, asked %s", sent.Outcome, asked.Outcome)
	}
	for _, answer := range []fiscal.Answer{sent, asked} {
		if answer.NeedsPerson.None() || answer.RetryAfter < 30*time.Second {
			t.Errorf("%s: a person %q, after %s", answer.Outcome, answer.NeedsPerson, answer.RetryAfter)
		}
	}
	numbers := s.FindNumbers(t.Context(), s.access, dsfDeclaration("2211001").Issuer, []int64{1})
	if !numbers.Reason.Is(fact.AddCertificateItTakes) || numbers.RetryAfter < 30*time.Second {
		t.Errorf("of a number: %s, after %s", numbers.Reason, numbers.RetryAfter)
	}
}

// fitted puts the key and the documents of a test in the place of a sample's.
func fitted(body string, s scripted) string {
	id := s.issuing.Message().ID
	note := `<NFSe xmlns="` + schema.Namespace + `" versao="1.01"><infNFSe Id="NFS` + s.key + `"><nNFSe>12</nNFSe>` +
		`<dhProc>2026-10-02T07:33:14-03:00</dhProc>` +
		strings.TrimPrefix(string(s.issuing.Message().XML), `<?xml version="1.0" encoding="UTF-8"?>`) +
		`</infNFSe></NFSe>`
	request := strings.TrimPrefix(string(s.cancelling.Message().XML), `<?xml version="1.0" encoding="UTF-8"?>`)
	event := `<evento xmlns="` + schema.Namespace + `" versao="1.01"><infEvento Id="EVT` + s.key + `101101001">` +
		`<nSeqEvento>001</nSeqEvento><dhProc>2026-10-02T07:33:14-03:00</dhProc>` + request + `</infEvento></evento>`
	for _, one := range [][2]string{
		{"NFS22110011211222333000181000000000290126101234567890", "NFS" + s.key},
		{`"tipoAmbiente": "1"`, `"tipoAmbiente": "2"`},
		{`"nfseXmlGZipB64": "H4sI…"`, `"nfseXmlGZipB64": "` + packed(note) + `"`},
		{`"eventoXmlGZipB64": "H4sI…"`, `"eventoXmlGZipB64": "` + packed(event) + `"`},
	} {
		body = strings.ReplaceAll(body, one[0], one[1])
	}
	return dpsIDs.ReplaceAllString(body, id)
}

var dpsIDs = regexp.MustCompile(`DPS[0-9]{42}`)

// The page of a gateway in front of a server says nothing of what was done, regardless of its status.
func TestDSF_PagesAreNoAnswers(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 202, 400, 403, 404, 405, 429, 500, 502, 503} {
		for _, body := range []string{"<html><body>one moment</body></html>", ""} {
			s := answering(t, status, "text/html", body)
			sent, asked := s.Send(t.Context(), s.access, s.issuing), s.Find(t.Context(), s.access, s.issuing)
			after, then := decided(s, s.issuing, sent, asked)
			if after.Exchange.State != fiscal.InDoubt || then.Exchange.State != fiscal.InDoubt ||
				asked.Outcome != fiscal.OutcomeUnknown {
				t.Errorf("%d %q: sent %s, then %s; asked %s", status, body, sent.Outcome, after.Exchange.State, asked.Outcome)
			}
			numbers := s.FindNumbers(t.Context(), s.access, dsfDeclaration("2211001").Issuer, []int64{1})
			if len(numbers.Free)+len(numbers.Used) > 0 || numbers.Reason.None() {
				t.Errorf("%d: of a number it is known %+v", status, numbers)
			}
		}
	}
}

// What is asked for is the city's: addresses and headers.
func TestDSF_Calls(t *testing.T) {
	t.Parallel()
	var s scripted
	var calls []string
	s = newScripted(t, func(w http.ResponseWriter, r *http.Request) {
		calls = append(calls, r.Method+" "+r.URL.Path)
		if r.UserAgent() != "emissor-test" ||
			r.Method == http.MethodPost && r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("{}"))
	})
	s.Send(t.Context(), s.access, s.issuing)
	s.Find(t.Context(), s.access, s.issuing)
	s.Send(t.Context(), s.access, s.cancelling)
	s.Find(t.Context(), s.access, s.cancelling)
	want := []string{"POST /notafiscal-ws/nfse", "GET /notafiscal-ws/nfse/dps/" + s.issuing.Message().ID,
		"POST /notafiscal-ws/nfse/" + s.key + "/eventos", "POST /notafiscal-ws/nfse/" + s.key + "/eventos"}
	if !slices.Equal(calls, want) {
		t.Errorf("it called %q", calls)
	}
	capabilities := s.Capabilities()
	if !capabilities.AsksFirst || capabilities.NotFounds != 2 || capabilities.GracePeriod < 3*time.Minute ||
		s.Rate() != 1 {
		t.Errorf("%+v", capabilities)
	}
	// What became of a cancellation is asked by sending it again, which cancels: so that is asked of
	// nothing but a cancellation of ours, and never of notes in general.
	_, tells := s.Bounded.(fiscal.StandingFinder)
	_, finds := s.Bounded.(fiscal.EventFinder)
	if tells || finds {
		t.Error("it is asked what others did, which it can be only by what cancels")
	}
}
