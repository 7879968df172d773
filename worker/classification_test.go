package worker_test

import (
	"strings"
	"testing"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/testkit"
)

// usual is how the service of these tests is classified.
var usual = nfse.Classification{NBS: "115013000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}

// group is how a document shows a classification.
func group(c nfse.Classification) string {
	return "<cIndOp>" + c.CIndOp + "</cIndOp><indDest>0</indDest><valores><trib><gIBSCBS><CST>" + c.CST +
		"</CST><cClassTrib>" + c.CClassTrib + "</cClassTrib></gIBSCBS>"
}

func (n nationally) classify(t *testing.T, c nfse.Classification) {
	t.Helper()
	_, err := n.Changes().Catalogues.ClassifyServices(t.Context(), nfse.Scope{OrganizationID: n.Organization.ID,
		Livemode: true},
		[]catalogues.ServiceClassification{{ServiceID: n.service, Classification: c}})
	if err != nil {
		t.Fatal(err)
	}
}

// refuseCertificate leaves the organization without a certificate, so that notes wait.
func (n nationally) refuseCertificate(t *testing.T) {
	t.Helper()
	newest := n.Text(t, `SELECT max(id) FROM certificates`)
	if err := n.Store.Companies.RefuseCertificate(t.Context(), newest, "E1203"); err != nil {
		t.Fatal(err)
	}
}

// awaitHeld waits until the one note of the organization is held, for a reason with
// these words.
func (n nationally) awaitHeld(t *testing.T, words string) {
	t.Helper()
	testkit.Eventually(t, "the note waits: "+words, func() bool {
		held, err := n.Store.Lifecycle.HeldNotes(t.Context(), n.Organization.ID, 10)
		return err == nil && len(held) == 1 && strings.Contains(held[0].Reason.English(), words)
	})
}

func (n nationally) steps(t *testing.T, id string) string {
	t.Helper()
	history, err := n.Store.Lifecycle.NoteHistory(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for _, step := range history.Steps {
		steps = append(steps, step.Fact.English())
	}
	return strings.Join(steps, "\n")
}

// A note takes the classification that its service has when it is accepted: a later
// one is for later notes.
func TestClassification_IsTakenAtAcceptance(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.classify(t, usual)
	n.refuseCertificate(t)
	first := n.issue(t)
	n.awaitHeld(t, "certificate")
	later := usual
	later.CIndOp = "050201"
	n.classify(t, later)
	n.newCertificate(t)
	n.Await(t, n.LiveKey, first, nfse.StatusIssued)
	if document := string(n.xml(t, first)); !strings.Contains(document, group(usual)) ||
		!strings.Contains(document, "<cNBS>115013000</cNBS>") {
		t.Errorf("the first note has not the classification of its acceptance:\n%s", document)
	}
	second := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "second"))
	n.Await(t, n.LiveKey, second, nfse.StatusIssued)
	if document := string(n.xml(t, second)); !strings.Contains(document, group(later)) {
		t.Errorf("the second note has not the later classification:\n%s", document)
	}
}

// Without a classification a note of an issuer outside Simples is issued as before,
// until the group is required: then it waits, and goes on when one is given.
func TestClassification_IsWaitedFor(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	id := n.issue(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if strings.Contains(string(n.xml(t, id)), "IBSCBS") {
		t.Error("a group of no classification")
	}

	n = newNational(t, func(o *national.Options) { o.IBSCBSRequiredFrom = "2026-01-01" }, nil)
	id = n.issue(t)
	n.awaitHeld(t, n.service+" has no classification: give it one with emissor service classify")
	if n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) != 0 {
		t.Error("it has taken a number")
	}
	n.classify(t, usual)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if document := string(n.xml(t, id)); !strings.Contains(document, group(usual)) {
		t.Errorf("the note has not the classification that was given:\n%s", document)
	}
	taken := "takes the classification that its service was given since: " +
		"cNBS 115013000, cIndOp 100301, cClassTrib 000001"
	if steps := n.steps(t, id); !strings.Contains(steps, taken) || !strings.Contains(steps, "waits no longer") {
		t.Errorf("its history does not say so:\n%s", steps)
	}
}

// What the tables of the day refuse is rejected before a number is taken.
func TestClassification_IsChecked(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	wrong := usual
	wrong.CClassTrib = "000003" // of goods
	n.classify(t, wrong)
	id := n.issue(t)
	note := n.Await(t, n.LiveKey, id, nfse.StatusRejected)
	if note.Text("rejection", "code") != "E0958" || note.Text("rejection", "source") != "service" ||
		!strings.Contains(note.Text("rejection", "action"), "emissor service classify") ||
		n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) != 0 {
		t.Errorf("%s", note.Raw)
	}
}

// A note whose number was taken before the group was required waits at its signature,
// and goes on under its number.
func TestClassification_ComesBetweenNumberAndSignature(t *testing.T) {
	t.Parallel()
	n := newNational(t, func(o *national.Options) { o.IBSCBSRequiredFrom = "2026-01-01" }, nil)
	n.classify(t, usual) // without it the note would not get as far as a number
	n.refuseCertificate(t)
	id := n.issue(t)
	n.awaitHeld(t, "certificate")
	profile, err := n.Store.Companies.FiscalProfile(t.Context(), n.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	takeNumber(t, n.Store, id, profile)
	n.Exec(t, `UPDATE notes SET classification = NULL`)
	n.Exec(t, `DELETE FROM service_classifications`)
	n.newCertificate(t)
	n.awaitHeld(t, "emissor service classify")
	n.classify(t, usual)
	note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if note.Text("authority", "number") != "1" || n.authority.Ledger()[0].Number != "1" {
		t.Errorf("%s", note.Raw)
	}
}
