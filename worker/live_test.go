package worker_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/test/testkit"
	"emissor/worker"
)

// newLive returns a system whose organization issues by a scripted authority: see newSandbox.
func newLive(t testing.TB, authority *testkit.ScriptedAuthority) (s *testkit.System, service string) {
	t.Helper()
	return issuing(t, liveSystems.take(t, authority), authority)
}

// newOwnLive is newLive with a system of the test's own.
func newOwnLive(t testing.TB, authority *testkit.ScriptedAuthority) (s *testkit.System, service string) {
	t.Helper()
	s = testkit.NewSystem(t, testkit.Options{
		Worker: true, Authorities: []worker.Authority{{Authority: authority, Rate: 1000}},
	})
	return issuing(t, s, authority)
}

func issuing(t testing.TB, s *testkit.System, authority *testkit.ScriptedAuthority) (_ *testkit.System,
	service string) {
	t.Helper()
	s.NewProfile(t, authority.Name())
	s.NewCertificate(t)
	return s, s.NewService(t, s.LiveKey)
}

// each makes a script of the first calls.
func each(scripts ...testkit.Script) func(int) testkit.Script {
	return func(n int) testkit.Script {
		if n <= len(scripts) {
			return scripts[n-1]
		}
		return testkit.Answered
	}
}

// No matter how the calls end, exactly one document exists, and the note says which; or none, and the note says why.
func TestLiveNote_ExactlyOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		issuing, finding []testkit.Script
		status           nfse.Status
		sendings         int
		numbers          int
		sameBytes        bool
	}{
		"all goes well":            {nil, nil, nfse.StatusIssued, 1, 1, true},
		"issued, but nobody heard": {scripts(testkit.Unanswered), nil, nfse.StatusIssued, 1, 1, true},
		"lost on the way":          {scripts(testkit.Lost), nil, nfse.StatusIssued, 2, 1, true},
		"lost twice, questions too": {scripts(testkit.Lost, testkit.Lost), scripts(testkit.Lost, testkit.Lost),
			nfse.StatusIssued, 3, 1, true},
		"not delivered": {scripts(testkit.Undelivered, testkit.Undelivered), nil, nfse.StatusIssued,
			3, 1, true},
		"maintenance": {scripts(testkit.Maintenance), nil, nfse.StatusIssued, 2, 1, true},
		"maintenance after doubt": {scripts(testkit.Lost, testkit.Maintenance), nil, nfse.StatusIssued, 3, 1,
			true},
		"the clock is ahead": {scripts(testkit.ClockAhead, testkit.ClockAhead), nil, nfse.StatusIssued, 3,
			1, false},
		"refused":             {scripts(testkit.Refused), nil, nfse.StatusRejected, 1, 1, true},
		"refused after doubt": {scripts(testkit.Lost, testkit.Refused), nil, nfse.StatusRejected, 2, 1, true},
		"refused, but the first one is": {scripts(testkit.Unanswered), scripts(testkit.Lost, testkit.Lost),
			nfse.StatusIssued, 1, 1, true},
		"the number is in use": {scripts(testkit.UsedNumber), nil, nfse.StatusIssued, 2, 2, false},
		"the document is unreadable": {scripts(testkit.Unreadable), scripts(testkit.Unreadable), nfse.StatusIssued,
			1, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			authority := &testkit.ScriptedAuthority{Issuing: each(test.issuing...), Finding: each(test.finding...)}
			s, service := newLive(t, authority)
			id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
			note := s.Await(t, s.LiveKey, id, test.status)

			if sendings, _, _ := authority.Counts(); sendings != test.sendings {
				t.Errorf("it was sent %d times", sendings)
			}
			sent := authority.Sent()
			for _, again := range sent[1:] {
				if same := string(again.XML) == string(sent[0].XML); same != test.sameBytes {
					t.Errorf("what was sent again is the same: %v", same)
				}
			}
			if numbers := s.Count(t, `SELECT last_number FROM fiscal_sequences`); numbers != test.numbers ||
				s.Count(t, `SELECT count(*) FROM fiscal_exchanges`) != numbers {
				t.Errorf("%d numbers were taken, and not all are on record", numbers)
			}
			ours := 0
			for _, digest := range authority.Issued() {
				if digest != "foreign" {
					ours++
				}
			}
			if test.status == nfse.StatusIssued {
				if ours != 1 || note.Text("authority", "access_key") == "" {
					t.Errorf("the authority has issued %d, the note says %s", ours, note.Raw)
				}
				xml := s.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", s.LiveKey, nil).Expect(t, http.StatusOK)
				// The document is stored once: with the note, and not with the exchange that it came by.
				if string(xml.Raw) == "" || string(xml.Raw) != s.Plain(t, `SELECT note_documents.xml
					FROM fiscal_exchanges JOIN note_documents USING (note_id)
					WHERE fiscal_exchanges.xml = '' AND access_key = $1`, note.Text("authority", "access_key")) {
					t.Errorf("the XML is %s", xml.Raw)
				}
			} else if ours != 0 || note.Text("rejection", "code") != "E0310" ||
				note.Text("rejection", "source") != "authority" {
				t.Errorf("the authority has issued %d, the note says %s", ours, note.Raw)
			}
			if open := s.Count(t, `SELECT count(*) FROM fiscal_calls WHERE ended_at IS NULL`); open != 0 {
				t.Errorf("%d calls have no outcome", open)
			}
			if events := s.Count(t, `SELECT count(*) FROM events`); events != 1 {
				t.Errorf("%d events", events)
			}
		})
	}
}

func scripts(scripts ...testkit.Script) []testkit.Script { return scripts }

// A number that another system uses is on record, with an alarm.
func TestLiveNote_NumberConflict(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{Issuing: each(testkit.UsedNumber, testkit.UsedNumber)}
	s, service := newLive(t, authority)
	s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(service, "order")), nfse.StatusIssued)
	if states := s.Count(t, `SELECT count(*) FROM fiscal_exchanges
		WHERE (number, state) IN ((1, 'number_conflict'), (2, 'number_conflict'), (3, 'accepted'))`); states != 3 {
		t.Errorf("%d numbers are what they should be", states)
	}
	if alarms := s.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'alarm'`); alarms != 2 {
		t.Errorf("%d alarms", alarms)
	}
}

// A certificate that the authority does not let in is not tried again and again: the
// note waits for another, and may be cancelled, because nothing was read.
func TestLiveNote_CertificateNotLetIn(t *testing.T) {
	t.Parallel()
	const notLetIn = `{"code": "add_certificate_it_takes",
		"arguments": {"why": {"code": "tls_certificate_refused"}}}`
	authority := &testkit.ScriptedAuthority{Issuing: each(testkit.ShutOut, testkit.ShutOut)}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	held := func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing' AND sent_at IS NULL
			AND held_reason @> $1`, notLetIn) == 1
	}
	testkit.Eventually(t, "the note is held", held)
	if issues, finds, _ := authority.Counts(); issues != 1 || finds != 0 {
		t.Errorf("it was sent %d times, and asked about %d times", issues, finds)
	}
	other := s.Issue(t, s.LiveKey, testkit.Issuance(service, "other"))
	testkit.Eventually(t, "the other is held too", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes
			WHERE held_reason @> $1`, notLetIn) == 2
	})
	s.Call(t, http.MethodPost, "/v1/nfse/"+other+"/cancel", s.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.LiveKey, other, nfse.StatusCancelled)
	s.NewCertificate(t)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	if documents := len(authority.Issued()); documents != 1 {
		t.Errorf("%d documents", documents)
	}
}

// What only a person can give is waited for where the operator sees it, and the
// note goes on as soon as it is there.
func TestLiveNote_WaitsForProfileAndCertificate(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{Issuing: each(testkit.BadCert)}
	s := testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: authority, Rate: 1000}}})
	id := s.Issue(t, s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "order"))
	held := func(because string) {
		t.Helper()
		testkit.Eventually(t, "the note is held: "+because, func() bool {
			return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing'
				AND held_reason @> $1`, because) == 1
		})
	}
	held(`{"code": "no_fiscal_profile"}`)
	s.NewProfile(t, authority.Name())
	held(`{"code": "no_usable_certificate", "arguments": {"why": {"code": "certificate_missing"}}}`)
	if taken := s.Count(t, `SELECT count(*) FROM fiscal_exchanges`); taken != 0 {
		t.Errorf("%d numbers were taken without a certificate", taken)
	}
	s.NewCertificate(t)
	held(`{"code": "no_usable_certificate",
		"arguments": {"why": {"code": "certificate_refused", "arguments": {"code": "E1203"}}}}`)
	if history, err := s.Store.Lifecycle.NoteHistory(t.Context(), id); err != nil || history.Waiting == nil {
		t.Errorf("an operator sees %+v, %v", history, err)
	}
	s.NewCertificate(t)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	if n := s.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); n != 0 {
		t.Error("the note is still held")
	}
	if n := s.Count(t, `SELECT last_number FROM fiscal_sequences`); n != 1 {
		t.Errorf("%d numbers were taken", n)
	}
}

// Data that no layout can carry is refused before a number is taken, and waits for no
// certificate.
func TestLiveNote_CheckTakesNoNumber(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{}
	s := testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: authority, Rate: 1000}}})
	s.NewProfile(t, authority.Name())
	service := s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{
		"name": "Consulta", "description": "Consulta médica", "municipality_code": "3550308",
		"default_amount_cents": 15000,
	}).Expect(t, http.StatusCreated).Text("id")
	note := s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(service, "order")), nfse.StatusRejected)
	if note.Text("rejection", "source") != "service" || note.Text("rejection", "field") != "service.national_tax_code" {
		t.Errorf("the rejection is %s", note.Raw)
	}
	if taken := s.Count(t, `SELECT count(*) FROM fiscal_sequences`); taken != 0 {
		t.Error("a number was taken")
	}
}

// A cancellation that comes while nothing has been sent takes effect at once,
// in the middle of a wait that would last; the number is on record as unused.
func TestLiveCancellation_WhileTransmissionWaits(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{Issuing: func(int) testkit.Script { return testkit.Undelivered }}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	testkit.Eventually(t, "it was tried four times: the next pause is long", func() bool {
		sendings, _, _ := authority.Counts()
		return sendings >= 4
	})
	s.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", s.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
	if n := s.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE state = 'unused'`); n != 1 {
		t.Error("the number is not on record as unused")
	}
	if sent := authority.Sent(); len(sent) != 0 {
		t.Errorf("%d were sent", len(sent))
	}
}

// Once something may exist, a cancellation waits for the outcome, and is then
// asked of the authority.
func TestLiveCancellation_WhatMayExist(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{Issuing: each(testkit.Unanswered),
		Finding: each(testkit.Lost, testkit.Lost)}
	s, service := newLive(t, authority)
	authority.Entered = func(int) {
		s.Call(t, http.MethodPost, "/v1/nfse/"+noteID(t, s)+"/cancel", s.LiveKey, cancelBody).Expect(t,
			http.StatusAccepted)
	}
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	note := s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
	if note.At("issued_at") == nil || note.Text("cancellation", "status") != "accepted" {
		t.Errorf("the note is %s", note.Raw)
	}
	if issues, _, cancels := authority.Counts(); issues != 1 || cancels != 1 {
		t.Errorf("%d sendings, %d cancellations", issues, cancels)
	}
}

func noteID(t testing.TB, s *testkit.System) string {
	var id string
	if err := s.SQL.Get(&id, `SELECT id FROM notes`); err != nil {
		t.Error(err)
	}
	return id
}

func TestLiveCancellation_AtTheAuthority(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cancelling []testkit.Script
		status     nfse.Status
		refusal    string
		sendings   int
	}{
		"accepted":                {nil, nfse.StatusCancelled, "", 1},
		"accepted, nobody heard":  {scripts(testkit.Unanswered), nfse.StatusCancelled, "", 1},
		"lost on the way":         {scripts(testkit.Lost), nfse.StatusCancelled, "", 2},
		"not delivered":           {scripts(testkit.Undelivered), nfse.StatusCancelled, "", 2},
		"maintenance":             {scripts(testkit.Maintenance), nfse.StatusCancelled, "", 2},
		"refused":                 {scripts(testkit.Refused), nfse.StatusIssued, "E0822", 1},
		"refused after doubt":     {scripts(testkit.Lost, testkit.Refused), nfse.StatusIssued, "E0822", 2},
		"barred by another event": {scripts(testkit.NeedsConfirmation), nfse.StatusIssued, "E0840", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			authority := &testkit.ScriptedAuthority{Cancelling: each(test.cancelling...)}
			s, service := newLive(t, authority)
			id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
			s.Await(t, s.LiveKey, id, nfse.StatusIssued)
			s.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", s.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
			var note testkit.Answer
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("%s, and what is waited for: %s", note.Raw, s.Text(t, `SELECT coalesce(json_agg(e)::text, '')
						FROM (SELECT e.*, o.next_attempt_at, o.last_error FROM fiscal_exchanges e
							LEFT JOIN outbox o ON o.subject_id = e.note_id) e`))
				}
			})
			testkit.Eventually(t, "the cancellation is settled", func() bool {
				note = s.Call(t, http.MethodGet, "/v1/nfse/"+id, s.LiveKey, nil)
				return note.Text("cancellation", "status") != "pending"
			})
			if note.Text("status") != string(test.status) ||
				note.Text("cancellation", "refusal", "code") != test.refusal {
				t.Errorf("the note is %s", note.Raw)
			}
			if _, _, sendings := authority.Counts(); sendings != test.sendings {
				t.Errorf("it was sent %d times", sendings)
			}
			if test.refusal != "" { // another request may follow
				s.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", s.LiveKey, cancelBody).Expect(t,
					http.StatusAccepted)
				s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
			}
		})
	}
}

// The key's third default reaches the authority.
func TestLiveNote_ConfirmMunicipalOperation(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{}
	s, service := newLive(t, authority)
	s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(service, "no")), nfse.StatusIssued)
	if authority.Confirmed() {
		t.Error("it was confirmed without being asked for")
	}
	if _, err := s.SQL.Exec(`UPDATE api_keys SET confirm_municipal_operation = true`); err != nil {
		t.Fatal(err)
	}
	s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(service, "yes")), nfse.StatusIssued)
	if !authority.Confirmed() {
		t.Error("the authority was not told")
	}
}

// In the test environment no certificate is opened, even where there is one.
func TestNote_TestOpensNoCertificate(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{}
	s, live := newOwnLive(t, authority)
	test := s.NewService(t, s.TestKey)
	id := s.Issue(t, s.TestKey, testkit.Issuance(test, "test"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	s.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", s.TestKey, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	if opened := counter(t, s, "emissor_certificate_opens_total"); opened != 0 {
		t.Errorf("%v certificates were opened in test", opened)
	}
	if issues, finds, cancels := authority.Counts(); issues+finds+cancels != 0 {
		t.Error("the authority heard of a test note")
	}
	s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(live, "live")), nfse.StatusIssued)
	if opened := counter(t, s, "emissor_certificate_opens_total"); opened == 0 {
		t.Error("the counter does not count")
	}
}

// counter is the sum of a counter's series; one that never counted has none.
func counter(t testing.TB, s *testkit.System, name string) (value float64) {
	t.Helper()
	families, err := s.Metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			for _, metric := range family.Metric {
				value += metric.GetCounter().GetValue()
			}
		}
	}
	return value
}

// What an authority cannot do is done otherwise, or waits for a person: nothing
// is sent twice on a guess, and nobody waits for a cancellation that never comes.
func TestLiveNote_AuthorityWithoutCapabilities(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{Without: fiscal.Capabilities{Queryable: true, Cancels: true},
		Issuing: each(testkit.Answered, testkit.Lost)}
	s, service := newLive(t, authority)
	issued := s.Issue(t, s.LiveKey, testkit.Issuance(service, "issued"))
	s.Await(t, s.LiveKey, issued, nfse.StatusIssued)
	s.Call(t, http.MethodPost, "/v1/nfse/"+issued+"/cancel", s.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	var note testkit.Answer
	testkit.Eventually(t, "the cancellation is refused", func() bool {
		note = s.Call(t, http.MethodGet, "/v1/nfse/"+issued, s.LiveKey, nil)
		return note.At("cancellation", "refusal") != nil
	})
	if note.Text("cancellation", "refusal", "code") != "cancellation_not_offered" ||
		note.Text("status") != "issued" || note.Text("cancellation", "status") != "refused" ||
		!strings.Contains(note.Text("cancellation", "refusal", "action"), "in its portal of the NFS-e") {
		t.Errorf("the note is %s", note.Raw)
	}
	if signed := s.Count(t, `SELECT count(*) FROM fiscal_messages m JOIN fiscal_exchanges e ON e.id = m.exchange_id
		WHERE e.kind = 'cancel'`); signed != 0 {
		t.Errorf("%d messages are made of it", signed)
	}
	s.Issue(t, s.LiveKey, testkit.Issuance(service, "lost"))
	testkit.Eventually(t, "the note waits for a person", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE held_reason ->> 'code' = 'outcome_not_askable'`) == 1
	})
	if issues, finds, cancels := authority.Counts(); issues != 2 || finds != 0 || cancels != 0 {
		t.Errorf("%d sendings, %d questions, %d cancellations", issues, finds, cancels)
	}
}

// A document that cannot be compared with ours is nobody else's either: no other
// number is taken on a guess.
func TestLiveNote_DocumentUnclear(t *testing.T) {
	t.Parallel()
	var readable atomic.Bool
	authority := &testkit.ScriptedAuthority{Issuing: each(testkit.Unsigned), Finding: func(int) testkit.Script {
		if readable.Load() {
			return testkit.Answered
		}
		return testkit.Unsigned
	}}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	testkit.Eventually(t, "it was asked twice", func() bool { _, finds, _ := authority.Counts(); return finds >= 2 })
	if n := s.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'alarm'`); n != 1 {
		t.Errorf("%d alarms", n)
	}
	readable.Store(true)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	if issues, _, _ := authority.Counts(); issues != 1 || len(authority.Issued()) != 1 {
		t.Errorf("%d sendings, %d documents", issues, len(authority.Issued()))
	}
}

// A series that another system uses is not walked through to its end.
func TestLiveNote_SeriesOfAnotherSystem(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{Issuing: func(n int) testkit.Script {
		if n <= 3 {
			return testkit.UsedNumber
		}
		return testkit.Answered
	}}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes
			WHERE held_reason @> '{"code": "series_of_another_system", "arguments": {"series": 1}}'`) == 1
	})
	profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	profile.Series = 2
	s.SetProfile(t, profile)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	if n := s.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE state = 'accepted' AND series = 2
		AND number = 1`); n != 1 {
		t.Error("it was not issued in the other series")
	}
}

// A certificate that does not open here holds the note where the operator sees
// it; the note still hears of a cancellation.
func TestLiveNote_CertificateDoesNotOpen(t *testing.T) {
	t.Parallel()
	s, service := newLive(t, &testkit.ScriptedAuthority{})
	s.Exec(t, `UPDATE certificates SET sealed = 'something else'`)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE held_reason ->> 'code' = 'certificate_does_not_open'`) == 1
	})
	cancel(t, s, s.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
}

// What has an end at the authority is settled with nothing but the database.
func TestLiveNote_SettledWithoutCertificate(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	eventsOf(t, s, s.Organization.ID+"/live/order") // the run has ended
	s.Exec(t, `DELETE FROM events`)
	s.Exec(t, `DELETE FROM note_documents`)
	s.Exec(t, `UPDATE notes SET status = 'processing', issued_at = NULL`)
	s.Exec(t, `UPDATE certificates SET removed_at = now()`)
	if err := s.Changes().Lifecycle.RedriveNote(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	if issues, finds, _ := authority.Counts(); issues != 1 || finds != 0 {
		t.Errorf("%d sendings, %d questions", issues, finds)
	}
}

// A new certificate is tried at once by what waits for its next attempt, too.
func TestLiveNote_NewCertificateWakesUp(t *testing.T) {
	t.Parallel()
	var open atomic.Bool
	authority := &testkit.ScriptedAuthority{Issuing: func(int) testkit.Script {
		if open.Load() {
			return testkit.Answered
		}
		return testkit.Undelivered
	}}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	testkit.Eventually(t, "the next pause is long",
		func() bool { issues, _, _ := authority.Counts(); return issues >= 5 })
	open.Store(true)
	s.NewCertificate(t)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
}

// A worker with other settings is what some notes wait for: it looks at them
// when it starts.
func TestWorker_StartWakesUpHeldNotes(t *testing.T) {
	t.Parallel()
	s, service := newOwnLive(t, &testkit.ScriptedAuthority{})
	profile, err := s.Store.Companies.FiscalProfile(t.Context(), s.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	profile.Production = true
	s.SetProfile(t, profile)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes
			WHERE held_reason @> '{"code": "environment_not_served", "arguments": {"environment": "production"}}'`) == 1
	})
	s.Worker.Stop()
	s.Authorities = []worker.Authority{{Authority: &testkit.ScriptedAuthority{Production: true}, Rate: 1000}}
	s.StartWorker(t)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
}

// A clock that is wrong delays notes, and rejects none.
func TestLiveNote_WrongClock(t *testing.T) {
	t.Parallel()
	var right atomic.Bool
	authority := &testkit.ScriptedAuthority{Issuing: func(int) testkit.Script {
		if right.Load() {
			return testkit.Answered
		}
		return testkit.ClockAhead
	}}
	s, service := newLive(t, authority)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes
			WHERE held_reason @> '{"code": "form_refused", "arguments": {"code": "E0008"}}'`) == 1
	})
	if issues, _, _ := authority.Counts(); issues != 6 {
		t.Errorf("it was sent %d times", issues)
	}
	right.Store(true)
	s.Exec(t, `UPDATE fiscal_exchanges SET last_sent_at = now() - interval '1 hour'`) // as at the next look
	if resumed, err := s.Changes().Lifecycle.RedriveHeldNotes(t.Context(), s.Organization.ID); err != nil ||
		resumed != 1 {
		t.Fatalf("%d are resumed, %v", resumed, err)
	}
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	if n := s.Count(t, `SELECT last_number FROM fiscal_sequences`); n != 1 {
		t.Errorf("%d numbers were taken", n)
	}
}

// Where the newest certificate does not open here, an older one that does is used.
func TestLiveNote_OlderCertificate(t *testing.T) {
	t.Parallel()
	s, service := newLive(t, &testkit.ScriptedAuthority{})
	newest := s.NewCertificate(t)
	if _, err := s.SQL.Exec(`UPDATE certificates SET sealed = 'something else' WHERE id = $1`, newest); err != nil {
		t.Fatal(err)
	}
	s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(service, "order")), nfse.StatusIssued)
}
