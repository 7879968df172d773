package worker_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// order issues a live note of the system's service.
func (n nationally) order(t *testing.T, reference string) (id string) {
	t.Helper()
	return n.Issue(t, n.LiveKey, testkit.Issuance(n.service, reference))
}

// expectWaits checks what the API shows of a note that is refused for the company's settings.
func (n nationally) expectWaits(t *testing.T, id string) {
	t.Helper()
	note := n.Call(t, http.MethodGet, "/v1/nfse/"+id, n.LiveKey, nil).Expect(t, http.StatusOK)
	if note.Text("status") != "processing" || note.At("rejection") != nil {
		t.Errorf("it shows as %s", note.Raw)
	}
	if events := n.Count(t, `SELECT count(*) FROM events WHERE note_id = $1`, id); events != 0 {
		t.Errorf("%d events", events)
	}
}

// awaitReason waits until a note is held for a reason with these words.
func awaitReason(t *testing.T, s *testkit.System, id, words string) {
	t.Helper()
	testkit.Eventually(t, "the note waits: "+words, func() bool {
		held, err := s.Store.Lifecycle.HeldNotes(t.Context(), s.Organization.ID, 10)
		return err == nil && slices.ContainsFunc(held, func(one lifecycle.HeldNote) bool {
			return one.ID == id && strings.Contains(one.Reason.English(), words)
		})
	})
}

// A city that wants the municipal registration gets it under the same number, and with every
// note after the first; the history says so.
func TestRefusal_RegistrationIsMended(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	profile := n.NewProfile(t, national.Name)
	profile.MunicipalRegistration = new("12345")
	n.SetProfile(t, profile)
	n.authority.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{
		string(testkit.Issuer): {MunicipalRegistration: new("12345")},
	}})
	first := n.order(t, "first")
	n.Await(t, n.LiveKey, first, nfse.StatusIssued)
	if steps := n.steps(t, first); !strings.Contains(steps, "corrected after the refusal E0116") {
		t.Errorf("its steps are\n%s", steps)
	}
	second := n.order(t, "second")
	n.Await(t, n.LiveKey, second, nfse.StatusIssued)
	if messages := n.Count(t, `SELECT count(*) FROM fiscal_messages`); messages != 3 {
		t.Errorf("%d messages were signed", messages)
	}
	if last := n.Count(t, `SELECT last_number FROM fiscal_sequences`); last != 2 {
		t.Errorf("%d numbers were taken", last)
	}
	profile.OrganizationID = n.Organization.ID
	if said, err := n.Store.Companies.LearnedRegistration(t.Context(), profile); err != nil ||
		!said.Is(fact.RegistrationSent) {
		t.Errorf("of the profile is said %v, %v", said, err)
	}
	// A person's own word ends what was learned.
	profile.SendMunicipalRegistration = true
	n.SetProfile(t, profile)
	if learned := n.Count(t, `SELECT count(*) FROM learned_registrations`); learned != 0 {
		t.Error("what was learned still counts")
	}
}

// A company whose regime is wrong waits with one note, the others behind it without a number; a
// company beside it issues. Once the profile is right all of them go on, under their references
// and in one series.
func TestRefusal_HoldsItsSiblings(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.authority.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{
		string(testkit.Issuer): {Simples: "3"},
	}})
	first := n.order(t, "first")
	awaitReason(t, n.System, first, "rule E0160 (opSimpNac)")
	behind := n.order(t, "behind")
	awaitReason(t, n.System, behind, "the note first of the same company")
	n.expectWaits(t, first)
	n.expectWaits(t, behind)
	if numbers := n.Count(t, `SELECT last_number FROM fiscal_sequences`); numbers != 1 {
		t.Errorf("%d numbers were taken", numbers)
	}

	waiting, err := n.Store.Operate.Gauges(t.Context())
	if err != nil || waiting.HeldNotes != 2 || waiting.RefusedSeconds <= 0 {
		t.Errorf("the gauges are %+v, %v", waiting, err)
	}

	const neighbour nfse.TaxID = "11444777000161"
	other, live, _ := n.NewOrganization(t, "Vizinha")
	n.SetProfile(t, nfse.FiscalProfile{OrganizationID: other.ID, Authority: national.Name, TaxID: neighbour,
		MunicipalityCode: rio, Simples: nfse.SimplesNone, Series: 1})
	n.certify(t, other.ID, neighbour)
	service := n.NewService(t, live)
	n.Await(t, live, n.Issue(t, live, testkit.Issuance(service, "first")), nfse.StatusIssued)

	profile := n.NewProfile(t, national.Name)
	profile.Simples, profile.SimplesRegime = nfse.SimplesME, new(1)
	profile.ApproximateTaxes = nfse.ApproximateTaxes{Simples: 600}
	n.SetProfile(t, profile)
	n.Await(t, n.LiveKey, first, nfse.StatusIssued)
	n.Await(t, n.LiveKey, behind, nfse.StatusIssued)
	if over, err := n.Store.Operate.Gauges(t.Context()); err != nil || over.HeldNotes != 0 || over.RefusedSeconds != 0 {
		t.Errorf("the gauges are %+v, %v", over, err)
	}
	if left := n.Count(t, `SELECT count(*) FROM refusal_brakes`) +
		n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); left != 0 {
		t.Errorf("%d holds are left, of notes and of their siblings", left)
	}
	if numbers := n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE tax_id = $1`, testkit.Issuer); numbers != 2 {
		t.Errorf("%d numbers were taken", numbers)
	}
}

// What a person corrects of the service reaches the note that is refused for it, under the same
// number; and so does another certificate.
func TestRefusal_TakesTheServiceAsItIs(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0312", Next: 1})
	id := n.order(t, "order")
	awaitReason(t, n.System, id, "rule E0312 (cTribNac)")
	n.expectWaits(t, id)
	n.Call(t, http.MethodPatch, "/v1/services/"+n.service, n.LiveKey,
		testkit.Body{"national_tax_code": "01.06.01"}).Expect(t, http.StatusOK)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	xml := n.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", n.LiveKey, nil).Expect(t, http.StatusOK).Raw
	if !strings.Contains(string(xml), "<cTribNac>010601</cTribNac>") ||
		!strings.Contains(string(xml), "<nDPS>1</nDPS>") {
		t.Errorf("the document is %s", xml)
	}
	if steps := n.steps(t, id); !strings.Contains(steps, "takes the present settings after the refusal E0312") {
		t.Errorf("its steps are\n%s", steps)
	}
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0119", Next: 1})
	signed := n.order(t, "signed")
	awaitReason(t, n.System, signed, "rule E0119")
	n.newCertificate(t)
	n.Await(t, n.LiveKey, signed, nfse.StatusIssued)
	if signers := n.Count(t, `SELECT count(DISTINCT m.certificate_id) FROM fiscal_messages m
		JOIN fiscal_exchanges e ON e.id = m.exchange_id WHERE e.note_id = $1 AND e.number = 2`, signed); signers != 2 {
		t.Errorf("%d certificates have signed it", signers)
	}
}

// A change that leads to another wait is not the last: the note takes the next one as well, under
// the same number.
func TestRefusal_SettingsChangedTwice(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.authority.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{
		string(testkit.Issuer): {Simples: "3"},
	}})
	id := n.toCompany(t, "order")
	n.awaitHeld(t, "rule E0160 (opSimpNac)")
	profile := n.NewProfile(t, national.Name)
	profile.Simples, profile.SimplesRegime = nfse.SimplesME, new(1)
	profile.ApproximateTaxes = nfse.ApproximateTaxes{Simples: 6_00}
	profile.SimplesRates = map[nfse.Month]nfse.Rate{"2020-01": 2_00}
	n.SetProfile(t, profile)
	n.awaitHeld(t, "--simples-rate")
	profile.SimplesRates = nil // the service's stands for it
	n.SetProfile(t, profile)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if numbers := n.Count(t, `SELECT last_number FROM fiscal_sequences`); numbers != 1 {
		t.Errorf("%d numbers were taken", numbers)
	}
}

// A refused note that is cancelled ends as cancelled, and nothing more is sent; what waits behind
// it goes on.
func TestRefusal_Cancelled(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0119", Next: 1})
	id := n.order(t, "order")
	awaitReason(t, n.System, id, "rule E0119")
	behind := n.order(t, "behind")
	awaitReason(t, n.System, behind, "rule E0119")
	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey,
		testkit.Body{"reason_code": "1", "reason_text": "erro na emissão da nota"}).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	n.Await(t, n.LiveKey, behind, nfse.StatusIssued)
	if calls := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE note_id = $1`, id); calls != 1 {
		t.Errorf("%d calls were made about it", calls)
	}
}

// A company that wants it so has its refused notes rejected.
func TestRefusal_RejectedWhereTheCompanyWantsIt(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	profile := n.NewProfile(t, national.Name)
	profile.RejectRefused = true
	n.SetProfile(t, profile)
	n.authority.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{
		string(testkit.Issuer): {Simples: "3"},
	}})
	note := n.Await(t, n.LiveKey, n.order(t, "order"), nfse.StatusRejected)
	if note.Text("rejection", "code") != "E0160" {
		t.Errorf("%s", note.Raw)
	}
}

// A zip code that the authority does not know costs the address, not the note.
func TestRefusal_AddressIsLeftOut(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0240", Next: 1})
	id := n.order(t, "order")
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	xml := n.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", n.LiveKey, nil).Expect(t, http.StatusOK).Raw
	if _, taker, _ := strings.Cut(string(xml), "<toma>"); strings.Contains(
		strings.Split(taker, "</toma>")[0], "<end>") {
		t.Errorf("the document has the address: %s", xml)
	}
}

// A correction without a person changes what it names, and nothing else: what was set after the note was
// accepted does not reach it.
func TestRefusal_MendKeepsTheRest(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.refuseCertificate(t)
	id := n.order(t, "order")
	n.awaitHeld(t, "certificate")
	takeNumber(t, n.Store, id, n.NewProfile(t, national.Name))
	n.Call(t, http.MethodPatch, "/v1/services/"+n.service, n.LiveKey,
		testkit.Body{"national_tax_code": "01.06.01"}).Expect(t, http.StatusOK)
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0240", Next: 1})
	n.newCertificate(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if xml := string(n.xml(t, id)); strings.Contains(xml, "<cTribNac>010601</cTribNac>") {
		t.Errorf("the document is %s", xml)
	}
}

// In São Paulo a number that was refused is spent: the note goes on under the next one, once a
// person says so.
func TestSaoPaulo_RefusedForTheCompany(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.faults(t, simulator.Fault{Kind: simulator.Reject, Scope: simulator.Issue, Code: "367", Next: 1})
	id := n.issue(t, "order")
	awaitReason(t, n.System, id, "rule 367 (CodigoServico)")
	if err := n.Changes().Lifecycle.RedriveNote(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	states := n.Text(t, `SELECT string_agg(number || ' ' || state, ', ' ORDER BY number) FROM fiscal_exchanges`)
	if states != "1 spent, 2 accepted" {
		t.Errorf("the numbers are %s", states)
	}
}
