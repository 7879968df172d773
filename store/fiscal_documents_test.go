package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/internal/testkit"
	"emissor/nfse"
	"emissor/store"
)

// newIssuer makes an organization in the live environment of a database of its
// own, with a certificate to sign by.
func newIssuer(t *testing.T) (n tenancy, certificateID string) {
	t.Helper()
	t.Parallel()
	n = addTenant(t, testkit.NewDatabase(t), true)
	certificate, err := n.Store.AddCertificate(t.Context(), store.Certificate{
		ID: nfse.NewID(nfse.PrefixCertificate), OrganizationID: n.scope.OrganizationID, TaxID: issuerProfile.TaxID,
		Fingerprint: []byte("fingerprint"), NotBefore: nfse.Timestamp{Time: time.Now()}, NotAfter: nfse.Timestamp{Time: time.Now().Add(time.Hour)},
		Sealed: []byte("sealed"),
	})
	must(t, err)
	return n, certificate.ID
}

var issuerProfile = nfse.FiscalProfile{Authority: "national", TaxID: "11222333000181", MunicipalityCode: "3304557", Simples: nfse.SimplesNone, Series: 1}

var issuing = store.Lease{Token: uuid.New(), For: time.Minute}

// signed begins a note, takes its number and signs its document.
func (n tenancy) signed(t *testing.T, certificateID, reference string) store.FiscalDocument {
	t.Helper()
	id := n.begin(t, reference)
	_, err := n.Store.TakeNumber(t.Context(), id, issuerProfile)
	must(t, err)
	live, err := n.Store.LiveNote(t.Context(), id)
	must(t, err)
	must(t, n.Store.SaveRendering(t.Context(), live.Document.ID, store.Rendering{
		DocumentID: fmt.Sprint("DOC", live.Document.Number), Layout: "1.01", Digest: "digest-" + id, XML: []byte("<DPS/>"), CertificateID: certificateID,
	}))
	return n.document(t, id)
}

func (n tenancy) document(t *testing.T, noteID string) store.FiscalDocument {
	t.Helper()
	live, err := n.Store.LiveNote(t.Context(), noteID)
	must(t, err)
	return *live.Document
}

// sending leases a signed document and starts to send it.
func (n tenancy) sending(t *testing.T, d store.FiscalDocument, by store.Lease) (store.FiscalDocument, int64) {
	t.Helper()
	leased, ok, err := n.Store.LeaseDocument(t.Context(), d.NoteID, by)
	must(t, err)
	if !ok {
		t.Fatal("there is no lease")
	}
	call, ok, err := n.Store.StartSending(t.Context(), leased, by)
	must(t, err)
	if !ok {
		t.Fatal("it may not be sent")
	}
	return leased, call
}

// Numbers are taken by many at once, some of them for the same note, without a
// hole and without a number for nothing.
func TestNumbersHaveNoHoles(t *testing.T) {
	n, _ := newIssuer(t)
	const notes, eager = 12, 3
	var ids []string
	for i := range notes {
		ids = append(ids, n.begin(t, fmt.Sprint(i)))
	}
	cancelled := n.begin(t, "cancelled")
	_, _, err := n.Store.RequestCancellation(t.Context(), cancelled, store.NewCancellation{Key: n.key, RequestID: "req_1", ReasonCode: "1", ReasonText: "emitida com o valor errado"})
	must(t, err)
	var all sync.WaitGroup
	for _, id := range append(ids, cancelled, n.accept(t, "queued")) {
		for range eager {
			all.Go(func() {
				if _, err := n.Store.TakeNumber(t.Context(), id, issuerProfile); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	for what, query := range map[string]string{
		"numbers":            `SELECT count(*) FROM fiscal_documents`,
		"different numbers":  `SELECT count(DISTINCT number) FROM fiscal_documents`,
		"the last number":    `SELECT last_number FROM fiscal_sequences`,
		"the highest number": `SELECT max(number) FROM fiscal_documents`,
		"notes with one":     `SELECT count(DISTINCT note_id) FROM fiscal_documents`,
	} {
		if count := n.Count(t, query); count != notes {
			t.Errorf("%s: %d, expected %d", what, count, notes)
		}
	}
}

// Each combination of environment, issuer, municipality and series counts for
// itself.
func TestSequencesCountApart(t *testing.T) {
	n, _ := newIssuer(t)
	for i, change := range []func(*nfse.FiscalProfile){
		func(*nfse.FiscalProfile) {},
		func(p *nfse.FiscalProfile) { p.Production = true },
		func(p *nfse.FiscalProfile) { p.TaxID = "11444777000161" },
		func(p *nfse.FiscalProfile) { p.MunicipalityCode = "3550308" },
		func(p *nfse.FiscalProfile) { p.Series = 2 },
	} {
		profile := issuerProfile
		change(&profile)
		for _, expected := range []int64{1, 2} {
			id := n.begin(t, fmt.Sprint(i, expected))
			_, err := n.Store.TakeNumber(t.Context(), id, profile)
			must(t, err)
			d := n.document(t, id)
			if d.Number != expected || d.Profile.TaxID != profile.TaxID || d.Profile.Series != profile.Series {
				t.Errorf("%+v has the number %d, expected %d", d.Profile, d.Number, expected)
			}
		}
	}
}

// One is the only sender while its lease lasts, and what comes after that is not
// believed.
func TestADocumentHasOneSender(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	leased, call := n.sending(t, d, issuing)
	other := store.Lease{Token: uuid.New(), For: time.Minute}
	if _, ok, err := n.Store.LeaseDocument(t.Context(), d.NoteID, other); err != nil || ok {
		t.Fatalf("a second sender has the lease too, %v", err)
	}
	if _, ok, err := n.Store.StartSending(t.Context(), leased, other); err != nil || ok {
		t.Fatalf("it is sent without the lease, %v", err)
	}
	_, err := n.SQL.Exec(`UPDATE fiscal_documents SET lease_until = now()`)
	must(t, err)
	taken, ok, err := n.Store.LeaseDocument(t.Context(), d.NoteID, other)
	must(t, err)
	if !ok || taken.State != store.DocumentAsking || !taken.Doubtful {
		t.Fatalf("after the lease it is %+v", taken)
	}
	refusal := rejection
	saved, _, err := n.Store.SaveProgress(t.Context(), leased, issuing, store.Call{ID: call, Outcome: "rejected"},
		store.DocumentProgress{State: store.DocumentRejected, Refusal: &refusal})
	must(t, err)
	if saved || n.document(t, d.NoteID).State != store.DocumentAsking {
		t.Error("an answer that came too late was believed")
	}
	if n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE outcome = 'rejected'`) != 1 {
		t.Error("it is not on record either")
	}
	must(t, n.Store.ReleaseDocument(t.Context(), d.NoteID, issuing)) // not his any more
	if _, ok, err := n.Store.LeaseDocument(t.Context(), d.NoteID, issuing); err != nil || ok {
		t.Errorf("the lease was given back by another, %v", err)
	}
}

// From the start of a sending the note is not cancelled on our own; when it
// certainly reached nobody, it is again.
func TestTheFenceOfASending(t *testing.T) {
	n, certificate := newIssuer(t)
	d := n.signed(t, certificate, "a")
	leased, call := n.sending(t, d, issuing)
	_, _, err := n.Store.RequestCancellation(t.Context(), d.NoteID, store.NewCancellation{Key: n.key, RequestID: "req_1", ReasonCode: "1", ReasonText: "emitida com o valor errado"})
	must(t, err)
	settled, err := n.Store.CancelUnsent(t.Context(), d.NoteID)
	must(t, err)
	if settled.Fresh {
		t.Fatal("a note that may exist was cancelled")
	}
	saved, cancelled, err := n.Store.SaveProgress(t.Context(), leased, issuing, store.Call{ID: call, Outcome: "not_delivered"},
		store.DocumentProgress{State: store.DocumentReady, NothingExists: true})
	must(t, err)
	if !saved || !cancelled {
		t.Fatalf("saved %v, to be cancelled %v", saved, cancelled)
	}
	if _, ok, err := n.Store.StartSending(t.Context(), leased, issuing); err != nil || ok {
		t.Errorf("a note that is to be cancelled is sent, %v", err)
	}
	settled, err = n.Store.CancelUnsent(t.Context(), d.NoteID)
	must(t, err)
	if !settled.Fresh || settled.Note.Status != nfse.StatusCancelled || n.document(t, d.NoteID).State != "unused" {
		t.Errorf("the note is %s", settled.Note.Status)
	}
}

// A sending and a cancellation that race: one of them comes first, and the other
// knows.
func TestSendingRacesCancelling(t *testing.T) {
	n, certificate := newIssuer(t)
	for i := range 20 {
		d := n.signed(t, certificate, fmt.Sprint(i))
		by := store.Lease{Token: uuid.New(), For: time.Minute}
		leased, _, err := n.Store.LeaseDocument(t.Context(), d.NoteID, by)
		must(t, err)
		var sent bool
		var cancelled store.Settled
		var both sync.WaitGroup
		both.Go(func() { _, sent, _ = n.Store.StartSending(t.Context(), leased, by) })
		both.Go(func() {
			if _, _, err := n.Store.RequestCancellation(t.Context(), d.NoteID, store.NewCancellation{
				Key: n.key, RequestID: fmt.Sprint("req_", i), ReasonCode: "1", ReasonText: "emitida com o valor errado"}); err != nil {
				t.Error(err)
			}
			cancelled, _ = n.Store.CancelUnsent(t.Context(), d.NoteID)
		})
		both.Wait()
		if sent == cancelled.Fresh {
			t.Errorf("sent: %v, cancelled without the authority: %v", sent, cancelled.Fresh)
		}
	}
}

func TestANoteIsHeldOnceForEachReason(t *testing.T) {
	n, _ := newIssuer(t)
	id := n.begin(t, "a")
	for _, step := range []struct {
		reason string
		fresh  bool
	}{{"no profile", true}, {"no profile", false}, {"no certificate", true}} {
		fresh, err := n.Store.HoldNote(t.Context(), id, step.reason)
		must(t, err)
		if fresh != step.fresh {
			t.Errorf("held for %q, fresh: %v", step.reason, fresh)
		}
	}
	figures, err := n.Store.Figures(t.Context())
	must(t, err)
	if figures.HeldNotes != 1 {
		t.Errorf("%d notes are held", figures.HeldNotes)
	}
	must(t, n.Store.ReleaseNote(t.Context(), id))
	must(t, n.Store.ReleaseNote(t.Context(), id))
	if held := n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); held != 0 {
		t.Error("it is still held")
	}
	if steps := n.Count(t, `SELECT count(*) FROM note_steps`); steps != 3 {
		t.Errorf("%d steps are on record", steps)
	}
}

func TestTheFiguresShowWhatIsUnknown(t *testing.T) {
	n, certificate := newIssuer(t)
	n.sending(t, n.signed(t, certificate, "a"), issuing)
	_, err := n.SQL.Exec(`UPDATE fiscal_documents SET doubtful_since = now() - interval '1 hour'`)
	must(t, err)
	figures, err := n.Store.Figures(t.Context())
	must(t, err)
	if figures.UnknownDocuments != 1 || figures.UnknownSeconds < 3600 || figures.UnknownSeconds > 3660 {
		t.Errorf("%d are unknown, for %v s", figures.UnknownDocuments, figures.UnknownSeconds)
	}
}

// A series of another program is gone on with, and never back.
func TestASeriesGoesOnFromANumber(t *testing.T) {
	n, _ := newIssuer(t)
	must(t, n.Store.SetNextNumber(t.Context(), issuerProfile, 1))
	must(t, n.Store.SetNextNumber(t.Context(), issuerProfile, 500))
	id := n.begin(t, "a")
	_, err := n.Store.TakeNumber(t.Context(), id, issuerProfile)
	must(t, err)
	if d := n.document(t, id); d.Number != 500 {
		t.Errorf("the number is %d", d.Number)
	}
	if err := n.Store.SetNextNumber(t.Context(), issuerProfile, 500); !nfse.IsCode(err, nfse.CodeInvalidRequest) {
		t.Errorf("it goes back to a number taken: %v", err)
	}
	must(t, n.Store.SetNextNumber(t.Context(), issuerProfile, 501))
}
