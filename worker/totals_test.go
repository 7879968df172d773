package worker_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// totalsOf are the totals of an issued note as the API shows them; nil is null.
func totalsOf(t *testing.T, note testkit.Answer) *nfse.Totals {
	t.Helper()
	var read nfse.Note
	if err := json.Unmarshal(note.Raw, &read); err != nil || read.Authority == nil {
		t.Fatalf("%s: %v", note.Raw, err)
	}
	return read.Authority.Totals
}

// The totals of the authority's document are in the API, in the webhook, in the ledger and,
// where they differ from the price, in the e-mail; they stay after a cancellation.
func TestTotals_National(t *testing.T) {
	t.Parallel()
	box, receiver := testkit.NewMailbox(t), testkit.NewReceiver(t, nil)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	n := newTimed(t, sender)
	n.in2026(t)
	n.classify(t, usual)
	n.NewEndpoint(t, receiver.URL, true)
	n.Exec(t, `UPDATE api_keys SET email_customer = true, register_ledger = true`)
	n.Call(t, http.MethodPost, "/v1/customers", n.LiveKey, testkit.Body{
		"document": "529.982.247-25", "name": "Maria da Silva", "email": "maria@example.com",
	}).Expect(t, http.StatusCreated)
	body := testkit.Issuance(n.service, "order")
	body["amount_cents"], body["iss_withheld"] = 1000000, true
	id := n.Issue(t, n.LiveKey, body)
	note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	cents := func(amount int64) *int64 { return &amount }
	want := &nfse.Totals{ServiceCents: cents(1000000), NetCents: cents(980000), TotalCents: cents(980000),
		ISSCents: cents(20000), ISSWithheldCents: cents(20000), IBSCents: cents(980), CBSCents: cents(8820)}
	if totals := totalsOf(t, note); !reflect.DeepEqual(totals, want) {
		t.Fatalf("the note is %s\nand its document %s", note.Raw, n.xml(t, id))
	}
	if !strings.Contains(string(note.Raw), `"irrf_cents":null,"csrf_cents":null,"inss_cents":null`) {
		t.Errorf("what is not stated is not null: %s", note.Raw)
	}

	testkit.Eventually(t, "the webhook arrives", func() bool { return len(receiver.Calls()) == 1 })
	var event struct {
		Data struct{ Object nfse.Note }
	}
	if err := json.Unmarshal(receiver.Calls()[0].Body, &event); err != nil ||
		!reflect.DeepEqual(event.Data.Object.Authority.Totals, want) {
		t.Errorf("the webhook is %s, %v", receiver.Calls()[0].Body, err)
	}
	entries, err := n.Store.Books.Ledger(t.Context(), n.Organization.ID, time.Time{}, 10)
	if err != nil || len(entries) != 1 || entries[0].AmountCents != 1000000 ||
		!reflect.DeepEqual(entries[0].Totals, want) {
		t.Errorf("the ledger has %+v, %v", entries, err)
	}
	testkit.Eventually(t, "the e-mail arrives", func() bool { return len(box.Received()) == 1 })
	for _, words := range []string{"R$ 10.000,00", "a pagar, conforme a nota: R$ 9.800,00.", "to pay, as the invoice " +
		"states: BRL 9,800.00."} {
		if message := box.Received()[0]; !strings.Contains(message, words) {
			t.Errorf("the e-mail is without %s:\n%s", words, message)
		}
	}
	if n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'alarm'`) != 0 {
		t.Error("what can be read alarms")
	}

	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	if totals := totalsOf(t, n.Await(t, n.LiveKey, id, nfse.StatusCancelled)); !reflect.DeepEqual(totals, want) {
		t.Errorf("cancelled it has %+v", totals)
	}
	// A note of the test environment has none, and nor has one that was issued before they were kept.
	tested := n.Issue(t, n.TestKey, testkit.Issuance(n.NewService(t, n.TestKey), "order"))
	if totals := totalsOf(t, n.Await(t, n.TestKey, tested, nfse.StatusIssued)); totals != nil {
		t.Errorf("a simulated note has %+v", totals)
	}
	n.Exec(t, `UPDATE notes SET authority_totals = NULL`)
	if totals := totalsOf(t, n.Await(t, n.LiveKey, id, nfse.StatusCancelled)); totals != nil {
		t.Errorf("an old note has %+v", totals)
	}
}

// A document with other totals than were expected is issued, with an alarm that names each; one
// whose amounts cannot be read is, too. That the city has another rate of the ISS than the service
// alarms nobody.
func TestTotals_NationalAlarms(t *testing.T) {
	t.Parallel()
	n := newTimed(t, nil)
	n.withhold(t, consulting)
	n.in2026(t, sefin.Fault{Kind: sefin.WrongTotals, Scope: sefin.Issue})
	wrong := n.toCompany(t, "wrong")
	n.Await(t, n.LiveKey, wrong, nfse.StatusIssued)
	const differs = "ALARM: the authority's document states 9185.01 as the net amount, and 9185.00 was expected; " +
		"the authority's document states 9185.01 as the amount charged to the customer, and 9185.00 was expected"
	if steps := n.steps(t, wrong); !strings.Contains(steps, differs) {
		t.Errorf("its steps are\n%s", steps)
	}
	n.in2026(t, sefin.Fault{Kind: sefin.OddTotals, Scope: sefin.Issue})
	odd := n.toCompany(t, "odd")
	if totals := totalsOf(t, n.Await(t, n.LiveKey, odd, nfse.StatusIssued)); totals.NetCents != nil ||
		*totals.IRRFCents != 150_00 {
		t.Errorf("its totals are %+v", totals)
	}
	if steps := n.steps(t, odd); !strings.Contains(steps, "ALARM: amounts of the authority's document cannot be read "+
		"and are not shown: vLiq") || strings.Contains(steps, "expected") {
		t.Errorf("its steps are\n%s", steps)
	}
	n.in2026(t)
	n.Call(t, http.MethodPatch, "/v1/services/"+n.service, n.LiveKey, testkit.Body{"iss_rate": 4.5}).
		Expect(t, http.StatusOK)
	right := n.toCompany(t, "right")
	n.Await(t, n.LiveKey, right, nfse.StatusIssued)
	if steps := n.steps(t, right); strings.Contains(steps, "ALARM") {
		t.Errorf("what was expected alarms:\n%s", steps)
	}
	if alarms := counter(t, n.System, "emissor_authority_alarms_total"); alarms != 2 {
		t.Errorf("%v alarms", alarms)
	}
}

// A city's note states its ISS, and what is left to pay only where nothing is withheld.
func TestTotals_SaoPaulo(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	cents := func(amount int64) *int64 { return &amount }
	want := nfse.Totals{ServiceCents: cents(15000), TotalCents: cents(15000), ISSCents: cents(435),
		IBSCents: cents(15), CBSCents: cents(131)}
	note := n.Await(t, n.LiveKey, n.issue(t, "order"), nfse.StatusIssued)
	if totals := totalsOf(t, note); !reflect.DeepEqual(*totals, want) {
		t.Errorf("the note is %s", note.Raw)
	}
	withheld := testkit.Issuance(n.service, "withheld")
	withheld["iss_withheld"] = true
	withheld["customer"].(testkit.Body)["document"] = "99888777000100"
	want.TotalCents, want.ISSWithheldCents = nil, want.ISSCents
	note = n.Await(t, n.LiveKey, n.Issue(t, n.LiveKey, withheld), nfse.StatusIssued)
	if totals := totalsOf(t, note); !reflect.DeepEqual(*totals, want) {
		t.Errorf("withheld, the note is %s", note.Raw)
	}
	if alarms := counter(t, n.System, "emissor_authority_alarms_total"); alarms != 0 {
		t.Errorf("%v alarms", alarms)
	}
	for kind, alarm := range map[simulator.Kind]string{
		simulator.WrongTotals: "document states 4.36 as the ISS, and 4.35 was expected",
		simulator.OddTotals:   "amounts of the authority's document cannot be read and are not shown: ValorISS",
	} {
		n.faults(t, simulator.Fault{Kind: kind, Scope: simulator.Query})
		id := n.issue(t, string(kind))
		n.Await(t, n.LiveKey, id, nfse.StatusIssued)
		history, err := n.Store.Lifecycle.NoteHistory(t.Context(), id)
		if err != nil || !slices.ContainsFunc(history.Steps, func(step lifecycle.Step) bool {
			return step.Fact.Is(fact.Alarm) && strings.Contains(step.Fact.English(), alarm)
		}) {
			t.Errorf("%s: %+v, %v", kind, history.Steps, err)
		}
	}
}
