package store_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// newIssuer makes an organization in the live environment of a database of its
// own, with a certificate to sign by.
func newIssuer(t *testing.T) (n tenancy, certificateID string) {
	t.Helper()
	t.Parallel()
	n = addTenant(t, testkit.NewDatabase(t), true)
	certificate, err := n.Changes().Companies.AddCertificate(t.Context(), companies.Certificate{
		ID: nfse.NewID(nfse.PrefixCertificate), OrganizationID: n.scope.OrganizationID, TaxID: issuerProfile.TaxID,
		Fingerprint: []byte("fingerprint"), NotBefore: nfse.Timestamp{Time: time.Now()},
		NotAfter: nfse.Timestamp{Time: time.Now().Add(time.Hour)},
		Sealed:   []byte("sealed"),
	})
	must(t, err)
	n.ClaimIssuer(t, n.issuer())
	return n, certificate.ID
}

// issuer is the profile with which the tenant issues.
func (n tenancy) issuer() nfse.FiscalProfile {
	profile := issuerProfile
	profile.OrganizationID = n.scope.OrganizationID
	return profile
}

var issuerProfile = nfse.FiscalProfile{Authority: "national", TaxID: "11222333000181", MunicipalityCode: "3304557",
	Simples: nfse.SimplesNone, Series: 1}

var issuing = exchanges.Lease{Token: uuid.New(), For: time.Minute}

// signed begins a note, takes its number and signs its document.
func (n tenancy) signed(t *testing.T, certificateID, reference string) *exchanges.Exchange {
	t.Helper()
	id := n.begin(t, reference)
	e := n.numbered(t, id)
	must(t, n.Store.Exchanges.SaveMessage(t.Context(), e.ID, "", fiscal.Message{
		ID: fmt.Sprint("DOC", e.Number), Layout: "1.01", Digest: "digest-" + id, XML: []byte("<DPS/>"),
		CertificateID: certificateID,
	}))
	return n.exchange(t, id, fiscal.Issue)
}

// numbered takes the number of a note, and gives the lease back.
func (n tenancy) numbered(t *testing.T, noteID string) *exchanges.Exchange {
	t.Helper()
	e := n.leased(t, noteID, issuing)
	must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), noteID, issuing))
	return e
}

// leased takes the number of a note.
func (n tenancy) leased(t *testing.T, noteID string, by exchanges.Lease) *exchanges.Exchange {
	t.Helper()
	e, err := n.Store.Lifecycle.TakeNumber(t.Context(), noteID, n.issuer(), fiscal.Capabilities{AsksFirst: true}, by)
	must(t, err)
	if e == nil {
		t.Fatal("the note took no number")
	}
	return e
}

func (n tenancy) exchange(t *testing.T, noteID string, kind fiscal.Kind) *exchanges.Exchange {
	t.Helper()
	e, err := n.Store.Exchanges.Exchange(t.Context(), noteID, kind)
	must(t, err)
	return e
}

// sending leases a signed exchange and starts to send it.
func (n tenancy) sending(t *testing.T, e *exchanges.Exchange, by exchanges.Lease) (*exchanges.Exchange, int64) {
	t.Helper()
	leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), e.NoteID, e.Kind, by)
	must(t, err)
	if leased == nil {
		t.Fatal("there is no lease")
	}
	call, ok, err := n.Store.Lifecycle.StartSending(t.Context(), leased, by, lifecycle.Sending{})
	must(t, err)
	if !ok {
		t.Fatal("it may not be sent")
	}
	return leased, call
}

// Numbers are taken by many at once, some of them for the same note, without a
// hole and without a number for nothing.
func TestNumber_NoHoles(t *testing.T) {
	n, _ := newIssuer(t)
	const notes, eager = 12, 3
	var ids []string
	for i := range notes {
		if i%2 == 0 {
			ids = append(ids, n.begin(t, fmt.Sprint(i)))
		} else { // one that is queued takes its number as well
			ids = append(ids, n.accept(t, fmt.Sprint(i)))
		}
	}
	cancelled := n.begin(t, "cancelled")
	_, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), cancelled,
		lifecycle.NewCancellation{Key: n.key, RequestID: "req_1", ReasonCode: "1",
			ReasonText: "emitida com o valor errado"})
	must(t, err)
	var all sync.WaitGroup
	for _, id := range append(ids, cancelled) {
		for range eager {
			all.Go(func() {
				_, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, n.issuer(), fiscal.Capabilities{},
					newLease(time.Minute))
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	for what, query := range map[string]string{
		"numbers":            `SELECT count(*) FROM fiscal_exchanges`,
		"different numbers":  `SELECT count(DISTINCT number) FROM fiscal_exchanges`,
		"the last number":    `SELECT last_number FROM fiscal_sequences`,
		"the highest number": `SELECT max(number) FROM fiscal_exchanges`,
		"notes with one":     `SELECT count(DISTINCT note_id) FROM fiscal_exchanges`,
	} {
		if count := n.Count(t, query); count != notes {
			t.Errorf("%s: %d, expected %d", what, count, notes)
		}
	}
}

// Each combination of environment, issuer, municipality and series counts for
// itself.
func TestNumber_SequencesCountApart(t *testing.T) {
	n, _ := newIssuer(t)
	for i, change := range []func(*nfse.FiscalProfile){
		func(*nfse.FiscalProfile) {},
		func(p *nfse.FiscalProfile) { p.Production = true },
		func(p *nfse.FiscalProfile) { p.TaxID = "11444777000161" },
		func(p *nfse.FiscalProfile) { p.MunicipalityCode = "3550308" },
		func(p *nfse.FiscalProfile) { p.Series = 2 },
	} {
		profile := n.issuer()
		change(&profile)
		n.ClaimIssuer(t, profile)
		for _, expected := range []int64{1, 2} {
			id := n.begin(t, fmt.Sprint(i, expected))
			_, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, profile, fiscal.Capabilities{}, issuing)
			must(t, err)
			d := n.exchange(t, id, fiscal.Issue)
			if d.Number != expected || d.Profile.TaxID != profile.TaxID || d.Profile.Series != profile.Series {
				t.Errorf("%+v has the number %d, expected %d", d.Profile, d.Number, expected)
			}
		}
	}
}

// One is the only sender while its lease lasts, and what comes after that does not
// count.
func TestExchange_OneSender(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	leased, call := n.sending(t, d, issuing)
	other := exchanges.Lease{Token: uuid.New(), For: time.Minute}
	if second, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, d.Kind, other); err != nil || second != nil {
		t.Fatalf("a second sender has the lease too, %v", err)
	}
	if _, ok, err := n.Store.Lifecycle.StartSending(t.Context(), leased, other, lifecycle.Sending{}); err != nil || ok {
		t.Fatalf("it is sent without the lease, %v", err)
	}
	_, err := n.SQL.Exec(`UPDATE fiscal_exchanges SET lease_until = now()`)
	must(t, err)
	taken, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, d.Kind, other)
	must(t, err)
	if taken == nil || taken.State != fiscal.InDoubt || !taken.Ambiguous {
		t.Fatalf("after the lease it is %+v", taken)
	}
	refusal := fiscal.Answer{Outcome: fiscal.OutcomeRejected, Rejection: &rejection, Handling: fiscal.Final}
	saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, refusal,
		leased.AfterSending(refusal, time.Hour), lifecycle.DecisionExtras{})
	must(t, err)
	if !saved.Lost || n.exchange(t, d.NoteID, fiscal.Issue).State != fiscal.InDoubt {
		t.Error("an answer that came too late counts")
	}
	if n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE outcome = 'rejected'`) != 1 {
		t.Error("it is not on record either")
	}
	must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), d.NoteID, issuing)) // not his any more
	if second, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, d.Kind, issuing); err != nil ||
		second != nil {
		t.Errorf("the lease was given back by another, %v", err)
	}
}

// From the start of a sending the note is not cancelled on our own; when it
// certainly reached nobody, it is again.
func TestExchange_Fence(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	leased, call := n.sending(t, d, issuing)
	_, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), d.NoteID,
		lifecycle.NewCancellation{Key: n.key, RequestID: "req_1", ReasonCode: "1",
			ReasonText: "emitida com o valor errado"})
	must(t, err)
	settled, err := n.Store.Lifecycle.CancelUnsent(t.Context(), d.NoteID)
	must(t, err)
	if settled.Changed {
		t.Fatal("a note that may exist was cancelled")
	}
	undelivered := fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered}
	saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, undelivered,
		leased.AfterSending(undelivered, time.Hour), lifecycle.DecisionExtras{})
	must(t, err)
	if saved.Lost || !saved.Cancelled {
		t.Fatalf("it is %+v", saved)
	}
	if _, ok, err := n.Store.Lifecycle.StartSending(t.Context(), leased, issuing, lifecycle.Sending{}); err != nil || ok {
		t.Errorf("a note that is to be cancelled is sent, %v", err)
	}
	settled, err = n.Store.Lifecycle.CancelUnsent(t.Context(), d.NoteID)
	must(t, err)
	if !settled.Changed || settled.Note.Status != nfse.StatusCancelled ||
		n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1 AND state = 'unused'`, d.NoteID) != 1 {
		t.Errorf("the note is %s", settled.Note.Status)
	}
}

// A note that is cancelled before anything was sent has nothing left to start, and no other note loses its start.
func TestCancelUnsent_NothingToStart(t *testing.T) {
	n, _ := newIssuer(t)
	id, neighbour := n.accept(t, "a"), n.accept(t, "b")
	request := lifecycle.NewCancellation{Key: n.key, RequestID: "req_1", ReasonCode: "1", ReasonText: "Erro na emissão"}
	_, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), id, request)
	must(t, err)
	_, _, err = n.Changes().Lifecycle.RequestCancellation(t.Context(), neighbour, request)
	must(t, err)
	settled, err := n.Store.Lifecycle.CancelUnsent(t.Context(), id)
	must(t, err)
	if settled.Note.Status != nfse.StatusCancelled {
		t.Fatalf("the note is %s", settled.Note.Status)
	}
	const starts = `SELECT count(*) FROM outbox WHERE subject_id = $1 AND kind = $2`
	if n.Count(t, starts, id, "note") != 0 || n.Count(t, starts, neighbour, "note") != 1 ||
		n.Count(t, starts, id, "cancellation") != 1 || n.Count(t, starts, neighbour, "cancellation") != 1 {
		t.Error("another row was deleted than the start of the cancelled note")
	}
}

// A sending and a cancellation that race: one of them comes first, and the other
// knows.
func TestExchange_SendingRacesCancelling(t *testing.T) {
	n, certificate := newIssuer(t)
	for i := range 20 {
		d := n.signed(t, certificate, fmt.Sprint(i))
		by := exchanges.Lease{Token: uuid.New(), For: time.Minute}
		leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, d.Kind, by)
		must(t, err)
		n.raceCancelling(t, d.NoteID, func() (sent bool) {
			_, sent, _ = n.Store.Lifecycle.StartSending(t.Context(), leased, by, lifecycle.Sending{})
			return sent
		})
	}
}

// A refusal says that nothing exists. Where the document is found after all the note is issued, and its
// cancellation is one for the authority, even if the answer was stored before the note could be settled.
func TestExchange_FoundAfterItsRefusal(t *testing.T) {
	for name, settles := range map[string]bool{"settled at once": true, "settled later": false} {
		t.Run(name, func(t *testing.T) {
			n, certificate := newIssuer(t)
			id := n.begin(t, "a")
			n.refuse(t, certificate, id, "E0160", fiscal.ScopeCompany)
			lease := newLease(time.Minute)
			e, err := n.Store.Lifecycle.LeaseExchange(t.Context(), id, fiscal.Issue, lease)
			must(t, err)
			call, err := n.Store.Lifecycle.StartAsking(t.Context(), e, fiscal.Ask)
			must(t, err)
			_, _, err = n.Changes().Lifecycle.RequestCancellation(t.Context(), id, lifecycle.NewCancellation{Key: n.key,
				RequestID: "req_1", ReasonCode: "1", ReasonText: "emitida com o valor errado"})
			must(t, err)
			key := "the key"
			found := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
				Document: &fiscal.IssuedDocument{AccessKey: key, XML: []byte("<NFSe/>"),
					Authorization: nfse.Authorization{AccessKey: &key}}}
			if !settles {
				n.Exec(t, `ALTER TABLE notes ADD CONSTRAINT poison CHECK (status <> 'issued')`)
			}
			_, err = n.Store.Lifecycle.SaveDecision(t.Context(), e, lease, call, found,
				e.AfterAsking(found, fiscal.Capabilities{}), lifecycle.DecisionExtras{})
			must(t, err)
			n.Exec(t, `ALTER TABLE notes DROP CONSTRAINT IF EXISTS poison`)
			if state, err := n.Store.Lifecycle.NoteState(t.Context(), id); err != nil || !state.CancellationPending ||
				!settles && !state.Sent {
				t.Errorf("the note is %+v, %v", state, err)
			}
			if cancelled, err := n.Store.Lifecycle.CancelUnsent(t.Context(), id); err != nil || cancelled.Changed {
				t.Fatalf("what exists is cancelled here, %v", err)
			}
			_, err = n.Store.Lifecycle.SettleEnded(t.Context(), n.exchange(t, id, fiscal.Issue), 0)
			must(t, err)
			if n.Count(t, `SELECT count(*) FROM notes WHERE id = $1 AND status = 'issued'
				AND cancellation_status = 'pending'`, id) != 1 {
				t.Error("the note is not issued, with a cancellation to be done")
			}
		})
	}
}

// raceCancelling cancels a note while it is sent: just one of both happens.
func (n tenancy) raceCancelling(t *testing.T, noteID string, send func() (sent bool)) {
	t.Helper()
	var sent bool
	var cancelled lifecycle.Settled
	var both sync.WaitGroup
	both.Go(func() { sent = send() })
	both.Go(func() {
		if _, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), noteID, lifecycle.NewCancellation{
			Key: n.key, RequestID: "req_1", ReasonCode: "1", ReasonText: "emitida com o valor errado"}); err != nil {
			t.Error(err)
		}
		cancelled, _ = n.Store.Lifecycle.CancelUnsent(t.Context(), noteID)
	})
	both.Wait()
	if sent == cancelled.Changed {
		t.Errorf("sent: %v, cancelled without the authority: %v", sent, cancelled.Changed)
	}
}

func TestNote_HeldOnceForEachReason(t *testing.T) {
	n, _ := newIssuer(t)
	id := n.begin(t, "a")
	for _, step := range []struct {
		reason fact.Fact
		fresh  bool
	}{
		{fact.SeriesUsedUp.With("series", 1), true}, {fact.SeriesUsedUp.With("series", 1), false},
		{fact.SeriesUsedUp.With("series", 2), true}, {fact.SeriesOfAnotherSystem.With("series", 2), true},
	} {
		fresh, err := n.Store.Lifecycle.HoldNote(t.Context(), id, step.reason)
		must(t, err)
		if fresh != step.fresh {
			t.Errorf("held for %q, fresh: %v", step.reason, fresh)
		}
	}
	gauges, err := n.Store.Operate.Gauges(t.Context())
	must(t, err)
	if gauges.HeldNotes != 1 {
		t.Errorf("%d notes are held", gauges.HeldNotes)
	}
	must(t, n.Store.Lifecycle.ReleaseNote(t.Context(), id))
	must(t, n.Store.Lifecycle.ReleaseNote(t.Context(), id))
	if held := n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); held != 0 {
		t.Error("it is still held")
	}
	if steps := n.Count(t, `SELECT count(*) FROM note_steps`); steps != 4 {
		t.Errorf("%d steps are on record", steps)
	}
}

func TestGauges_Ambiguous(t *testing.T) {
	n, certificate := newIssuer(t)
	n.sending(t, n.signed(t, certificate, "a"), issuing)
	_, err := n.SQL.Exec(`UPDATE fiscal_exchanges SET ambiguous_since = now() - interval '1 hour'`)
	must(t, err)
	gauges, err := n.Store.Operate.Gauges(t.Context())
	must(t, err)
	if gauges.AmbiguousExchanges != 1 || gauges.AmbiguousSeconds < 3600 || gauges.AmbiguousSeconds > 3660 {
		t.Errorf("%d are unknown, for %v s", gauges.AmbiguousExchanges, gauges.AmbiguousSeconds)
	}
}

// A series of another program is gone on with, and never back.
func TestNumber_SetNext(t *testing.T) {
	n, _ := newIssuer(t)
	must(t, n.Changes().Lifecycle.SetNextNumber(t.Context(), n.issuer(), 1))
	must(t, n.Changes().Lifecycle.SetNextNumber(t.Context(), n.issuer(), 500))
	id := n.begin(t, "a")
	_, err := n.Store.Lifecycle.TakeNumber(t.Context(), id, n.issuer(), fiscal.Capabilities{}, newLease(time.Minute))
	must(t, err)
	if d := n.exchange(t, id, fiscal.Issue); d.Number != 500 {
		t.Errorf("the number is %d", d.Number)
	}
	if err := n.Changes().Lifecycle.SetNextNumber(t.Context(), n.issuer(), 500); !nfse.IsCode(err,
		nfse.CodeInvalidRequest) {
		t.Errorf("it goes back to a number taken: %v", err)
	}
	must(t, n.Changes().Lifecycle.SetNextNumber(t.Context(), n.issuer(), 501))
}

// Of several who saw the same next number one sets it, also of a series that is new.
func TestNumber_ReplaceNextAtOnce(t *testing.T) {
	n, _ := newIssuer(t)
	for _, seen := range []int64{1, 100} {
		answers := make(chan error)
		for range 4 {
			go func() { answers <- n.Changes().Lifecycle.ReplaceNextNumber(t.Context(), n.issuer(), seen, seen+99) }()
		}
		set := 0
		for range 4 {
			if err := <-answers; err == nil {
				set++
			} else if !errors.Is(err, postgres.ErrChanged) {
				t.Error(err)
			}
		}
		if set != 1 {
			t.Errorf("%d of 4 set the number that followed %d", set, seen)
		}
	}
	next, err := n.Store.Lifecycle.NextNumber(t.Context(), n.issuer())
	if must(t, err); next != 199 {
		t.Errorf("the next number is %d", next)
	}
	err = n.Changes().Lifecycle.ReplaceNextNumber(t.Context(), n.issuer(), 199, 100)
	if !nfse.IsCode(err, nfse.CodeInvalidRequest) {
		t.Errorf("it goes back to a number that was passed: %v", err)
	}
}

// A request to cancel is the same exchange: leased, sent, in doubt, kept as the
// answer decides; another request of the same note has one of its own.
func TestExchange_Cancellation(t *testing.T) {
	n, certificate := newIssuer(t)
	e := n.signed(t, certificate, "a")
	leased, call := n.sending(t, e, issuing)
	key, number := "key", "7"
	issued := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs, Document: &fiscal.IssuedDocument{
		AccessKey: key, XML: []byte("<NFSe/>"), Authorization: nfse.Authorization{
			Number: &number, AccessKey: &key, IssuedAt: nfse.Timestamp{Time: time.Now()}},
	}}
	_, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, issued,
		leased.AfterSending(issued, time.Hour), lifecycle.DecisionExtras{})
	must(t, err)
	kept := n.exchange(t, e.NoteID, fiscal.Issue)
	if kept.State != fiscal.Accepted || string(kept.Document.XML) != "<NFSe/>" ||
		*kept.Document.Authorization.Number != number {
		t.Fatalf("%+v", kept)
	}
	if opened, err := n.Store.Exchanges.OpenCancellation(t.Context(), e.NoteID, fiscal.Cancel); err != nil || opened {
		t.Errorf("a cancellation that nobody asked for is opened, %v", err)
	}
	if n.exchange(t, e.NoteID, fiscal.Cancel) != nil {
		t.Fatal("a cancellation that nobody asked for is open")
	}

	for _, request := range []string{"req_1", "req_2"} {
		_, _, err := n.Changes().Lifecycle.RequestCancellation(t.Context(), e.NoteID, lifecycle.NewCancellation{
			Key: n.key, RequestID: request, ReasonCode: "1", ReasonText: "emitida com o valor errado"})
		must(t, err)
		for _, first := range []bool{true, false} {
			if opened, err := n.Store.Exchanges.OpenCancellation(t.Context(), e.NoteID, fiscal.Cancel); err != nil ||
				opened != first {
				t.Errorf("it is opened %v, %v", opened, err)
			}
		}
		open := n.exchange(t, e.NoteID, fiscal.Cancel)
		if open.State != fiscal.Unsigned || open.RequestID != request || open.Profile.TaxID != issuerProfile.TaxID {
			t.Fatalf("%+v", open)
		}
		must(t, n.Store.Exchanges.SaveMessage(t.Context(), open.ID, "", fiscal.Message{
			ID: "PRE", Layout: "1.01", Digest: request, XML: []byte("<pedRegEvento/>"), CertificateID: certificate}))
		must(t, n.Store.Exchanges.SaveMessage(t.Context(), open.ID, "",
			fiscal.Message{ID: "late", CertificateID: certificate})) // signed already
		if messages, err := n.Store.Exchanges.Messages(t.Context(), open.ID); err != nil || len(messages) != 1 ||
			messages[0].Digest != request {
			t.Fatalf("%+v, %v", messages, err)
		}
		leased, call := n.sending(t, open, issuing)
		answer := fiscal.Answer{Outcome: fiscal.OutcomeRejected, Rejection: &rejection, Handling: fiscal.Final}
		if request == "req_2" {
			answer = fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
				EventXML: []byte("<evento/>")}
		}
		saved, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, answer,
			leased.AfterSending(answer, time.Hour), lifecycle.DecisionExtras{})
		must(t, err)
		ended := n.exchange(t, e.NoteID, fiscal.Cancel)
		if saved.Lost || saved.Settled == nil || !ended.Ended() {
			t.Fatalf("%+v, %+v", saved, ended)
		}
		if note := saved.Settled.Note; request == "req_1" {
			if note.Status != nfse.StatusIssued || note.Cancellation.Refusal.Code != rejection.Code {
				t.Errorf("%+v", note)
			}
		} else if note.Status != nfse.StatusCancelled {
			t.Errorf("the note is %s", note.Status)
		} else if string(ended.EventXML) != "<evento/>" {
			t.Errorf("the event is lost: %+v", ended)
		}
	}
	if document, err := n.Store.Notes.NoteDocument(t.Context(), e.NoteID); err != nil ||
		string(document.XML) != "<NFSe/>" ||
		len(document.Events) != 1 || string(document.Events[0]) != "<evento/>" {
		t.Errorf("the note is printed from %+v, %v", document, err)
	}
	if calls := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'cancel'
		AND outcome IS NOT NULL`); calls != 2 {
		t.Errorf("%d calls are on record", calls)
	}
}

// What counts as not found is kept, and forgotten with the next sending.
func TestExchange_NotFounds(t *testing.T) {
	n, certificate := newIssuer(t)
	destructive := fiscal.Capabilities{Queryable: true, GracePeriod: time.Minute, NotFounds: 2}
	e := n.signed(t, certificate, "a")
	leased, call := n.sending(t, e, issuing)
	unknown, notFound := fiscal.Answer{Outcome: fiscal.OutcomeUnknown}, fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
	_, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, unknown,
		leased.AfterSending(unknown, time.Hour), lifecycle.DecisionExtras{})
	must(t, err)
	for _, expected := range []struct {
		notFounds int
		state     fiscal.State
	}{{1, fiscal.InDoubt}, {2, fiscal.Signed}} {
		n.Exec(t, `UPDATE fiscal_exchanges SET last_sent_at = last_sent_at - interval '61 s',
			not_found_at = not_found_at - interval '61 s'`)
		asked, err := n.Store.Lifecycle.LeaseExchange(t.Context(), e.NoteID, e.Kind, issuing)
		must(t, err)
		call, err := n.Store.Lifecycle.StartAsking(t.Context(), asked, fiscal.Ask)
		must(t, err)
		_, err = n.Store.Lifecycle.SaveDecision(t.Context(), asked, issuing, call, notFound,
			asked.AfterAsking(notFound, destructive), lifecycle.DecisionExtras{})
		must(t, err)
		kept := n.exchange(t, e.NoteID, fiscal.Issue)
		if kept.NotFounds != expected.notFounds || kept.State != expected.state || kept.SinceNotFound > time.Minute {
			t.Errorf("%+v", kept)
		}
	}
	n.sending(t, n.exchange(t, e.NoteID, fiscal.Issue), issuing)
	if again := n.exchange(t, e.NoteID, fiscal.Issue); again.NotFounds != 0 || again.SinceNotFound != 0 {
		t.Errorf("%+v", again)
	}
}

// The time for which the authority has answered by codes of no catalogue is reset by any other answer to a sending,
// and not by a question.
func TestSaveDecision_Uncatalogued(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	answered := func(answer fiscal.Answer) {
		t.Helper()
		leased, call := n.sending(t, d, issuing)
		_, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, answer,
			leased.AfterSending(answer, time.Hour), lifecycle.DecisionExtras{})
		must(t, err)
	}
	notFound := func() {
		t.Helper()
		leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), d.NoteID, d.Kind, issuing)
		must(t, err)
		call, err := n.Store.Lifecycle.StartAsking(t.Context(), leased, fiscal.Ask)
		must(t, err)
		answer := fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
		decision := leased.AfterAsking(answer, fiscal.Capabilities{Queryable: true, NotFounds: 1})
		_, err = n.Store.Lifecycle.SaveDecision(t.Context(), leased, issuing, call, answer, decision,
			lifecycle.DecisionExtras{})
		must(t, err)
		must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), d.NoteID, issuing))
	}
	since := func() bool { return n.exchange(t, d.NoteID, fiscal.Issue).SinceUncatalogued > 0 }
	unexplained := fiscal.Answer{Outcome: fiscal.OutcomeRejected, Handling: fiscal.Uncatalogued,
		Rejection: &nfse.Rejection{Code: "E999", Message: "Erro não catalogado"}}

	answered(unexplained)
	notFound()
	if !since() {
		t.Error("a question forgets it")
	}
	answered(fiscal.Answer{Outcome: fiscal.OutcomeUnknown})
	if since() {
		t.Error("an outage counts")
	}
	notFound()
	answered(unexplained)
	if !since() {
		t.Error("it does not begin anew")
	}
}

// The last number of a series is one note's, and only a note without a number hears that
// none is left.
func TestTakeNumber_NoneLeft(t *testing.T) {
	n, _ := newIssuer(t)
	must(t, n.Changes().Lifecycle.SetNextNumber(t.Context(), n.issuer(), 7))
	last, without := n.begin(t, "a"), n.begin(t, "b")
	upToSeven := fiscal.Capabilities{GreatestNumber: 7}
	if taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), last, n.issuer(), upToSeven, issuing); err != nil ||
		taken == nil {
		t.Fatalf("the last number is taken: %v, %v", taken, err)
	}
	if taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), last, n.issuer(), upToSeven, issuing); err != nil ||
		taken != nil {
		t.Errorf("another run of the note: %v, %v", taken, err)
	}
	taken, err := n.Store.Lifecycle.TakeNumber(t.Context(), without, n.issuer(), upToSeven, issuing)
	if !errors.Is(err, lifecycle.ErrNoNumberLeft) || taken != nil {
		t.Errorf("another note: %v, %v", taken, err)
	}
	if n := n.Count(t, `SELECT last_number FROM fiscal_sequences`); n != 7 {
		t.Errorf("the last number is %d", n)
	}
}
