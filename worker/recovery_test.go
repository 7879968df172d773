package worker_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"emissor/nfse"
	"emissor/store/operate"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// What an authority issued after the moment to which the database was restored is found by its numbers: a note that is
// on record ends by its own document, and one that is not is listed. Nothing is issued twice, and no number before
// that is known.
func TestRecovery_National(t *testing.T) {
	t.Parallel()
	before := newNational(t, nil, nil)
	first := before.Await(t, before.LiveKey, before.issue(t), nfse.StatusIssued)
	before.Worker.Stop()
	var open []string
	for _, reference := range []string{"open-1", "open-2"} {
		open = append(open, before.Issue(t, before.LiveKey, testkit.Issuance(before.service, reference)))
	}
	dump := before.Dump(t)
	before.Worker = before.StartWorker(t)
	for _, id := range open {
		before.Await(t, before.LiveKey, id, nfse.StatusIssued)
	}
	lost := before.Await(t, before.LiveKey, before.Issue(t, before.LiveKey,
		testkit.Issuance(before.service, "lost")), nfse.StatusIssued)
	before.Worker.Stop()
	ledger := before.authority.Ledger()

	n := nationally{authority: before.authority, service: before.service, System: testkit.NewSystem(t, testkit.Options{
		Worker: true, Restored: before.Restore(t, dump), Authorities: before.Authorities})}
	n.Await(t, n.LiveKey, first.Text("id"), nfse.StatusIssued)
	after := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "after"))
	for _, id := range open {
		note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
		at := slices.IndexFunc(ledger, func(e sefin.Entry) bool { return e.CIntContrib == id[len(id)-20:] })
		if at < 0 || note.Text("authority", "access_key") != ledger[at].AccessKey {
			t.Errorf("the note is %s, the ledger has %+v", note.Raw, ledger)
		}
	}
	testkit.Eventually(t, "the note after it waits for a person", func() bool {
		held, err := n.Store.Lifecycle.HeldNotes(t.Context(), n.Organization.ID, 10)
		return err == nil && len(held) == 1 && held[0].ID == after
	})
	documents, err := n.Store.Operate.RecoveredDocuments(t.Context(), n.Organization.ID)
	if err != nil || len(documents) != 3 {
		t.Fatalf("there are %+v, %v", documents, err)
	}
	for i, document := range documents {
		expected := operate.RecoveredTakenOver
		if document.AccessKey == lost.Text("authority", "access_key") {
			expected = operate.RecoveredMissing
			if document.NoteID != nil || document.Taker == "" || *document.AmountCents != 15000 ||
				*document.Competence != nfse.Day(lost.Text("competence")) {
				t.Errorf("the missing one is %+v", document)
			}
		} else if document.NoteID == nil || !slices.Contains(open, *document.NoteID) {
			t.Errorf("that is taken over is %+v", document)
		}
		if document.State != expected || document.Number != int64(i+2) {
			t.Errorf("it is %+v, expected %s", document, expected)
		}
	}
	if issued := len(n.authority.Ledger()) - len(ledger); issued != 0 {
		t.Errorf("%d were issued meanwhile", issued)
	}
	missing := documents[slices.IndexFunc(documents, func(d operate.RecoveredDocument) bool {
		return d.State == operate.RecoveredMissing
	})]
	if err := n.Changes().Operate.LeaveDocument(t.Context(), n.Organization.ID, missing.SeriesKey,
		missing.Number); err != nil {
		t.Fatal(err)
	}
	note := n.Await(t, n.LiveKey, after, nfse.StatusIssued)
	if last := n.authority.Ledger(); len(last) != len(ledger)+1 || note.Text("authority", "access_key") !=
		last[len(last)-1].AccessKey || last[len(last)-1].Number != fmt.Sprint(len(ledger)+1) {
		t.Errorf("the note is %s, the ledger ends with %+v", note.Raw, last[len(last)-1])
	}
	n.Call(t, http.MethodGet, "/v1/nfse/"+open[0]+"/xml", n.LiveKey, nil).Expect(t, http.StatusOK)
}

// Where documents do not name their notes a person says whose each is; the city is asked about it, and what is another's
// stays that.
func TestRecovery_SaoPaulo(t *testing.T) {
	t.Parallel()
	before := newSaoPaulo(t, simulator.Registry{})
	before.Await(t, before.LiveKey, before.issue(t, "first"), nfse.StatusIssued)
	before.Worker.Stop()
	issue := func(n *testkit.System, reference string, cents int) string {
		body := testkit.Issuance(before.service, reference)
		body["amount_cents"] = cents
		return n.Issue(t, n.LiveKey, body)
	}
	one, other := issue(before.System, "open-1", 11100), issue(before.System, "open-2", 22200)
	dump := before.Dump(t)
	before.Worker = before.StartWorker(t)
	before.Await(t, before.LiveKey, one, nfse.StatusIssued)
	before.Await(t, before.LiveKey, other, nfse.StatusIssued)
	before.Await(t, before.LiveKey, issue(before.System, "lost", 33300), nfse.StatusIssued)
	before.Worker.Stop()
	ledger := before.city.Ledger()

	n := inSaoPaulo{city: before.city, service: before.service, System: testkit.NewSystem(t, testkit.Options{
		Worker: true, Restored: before.Restore(t, dump), Authorities: before.Authorities})}
	after := issue(n.System, "after", 44400)
	testkit.Eventually(t, "the notes wait for a person", func() bool {
		held, err := n.Store.Lifecycle.HeldNotes(t.Context(), n.Organization.ID, 10)
		return err == nil && len(held) == 3
	})
	documents, err := n.Store.Operate.RecoveredDocuments(t.Context(), n.Organization.ID)
	if err != nil || len(documents) != 3 {
		t.Fatalf("there are %+v, %v", documents, err)
	}
	numberOf := map[int64]int64{} // RPS by amount
	for _, entry := range ledger {
		number, err := strconv.ParseInt(entry.RPSNumber, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		numberOf[entry.AmountCents] = number
	}
	for _, document := range documents {
		if document.State != operate.RecoveredMissing || document.AuthorityNumber == "" {
			t.Errorf("it is %+v", document)
		}
	}
	series, changes := documents[0].SeriesKey, n.Changes()
	if err := changes.Operate.TakeOverDocument(t.Context(), n.Organization.ID, series, numberOf[11100], one); err != nil {
		t.Fatal(err)
	}
	if err := changes.Operate.TakeOverDocument(t.Context(), n.Organization.ID, series, numberOf[22200],
		other); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, one, nfse.StatusIssued)
	n.Await(t, n.LiveKey, other, nfse.StatusIssued)
	if issued := len(n.city.Ledger()) - len(ledger); issued != 0 {
		t.Errorf("%d were issued meanwhile", issued)
	}
	if err := changes.Operate.LeaveDocument(t.Context(), n.Organization.ID, series, numberOf[33300]); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, after, nfse.StatusIssued)
	amounts := map[int64]int{}
	for _, entry := range n.city.Ledger() {
		if amounts[entry.AmountCents]++; entry.Cancelled {
			t.Errorf("the city cancelled %+v", entry)
		}
	}
	if amounts[11100] != 1 || amounts[22200] != 1 || amounts[33300] != 1 || amounts[44400] != 1 {
		t.Errorf("the city has %v", amounts)
	}
}
