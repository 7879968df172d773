package worker_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/test/testkit"
)

// consulting is what is withheld of it: IRRF and CSRF.
var consulting = nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00}

// withhold has company customers withhold of the tests' service.
func (n nationally) withhold(t *testing.T, set nfse.Withholding) {
	t.Helper()
	err := n.Changes().Catalogues.TaxService(t.Context(), nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true},
		n.service,
		nfse.ServiceTaxation{Withholding: &set}, "")
	if err != nil {
		t.Fatal(err)
	}
}

// toCompany is an issuance of 10,000.00 to a company that withholds ISS too.
func (n nationally) toCompany(t *testing.T, reference string) string {
	t.Helper()
	body := testkit.Issuance(n.service, reference)
	body["amount_cents"], body["iss_withheld"] = 10_000_00, true
	body["customer"].(testkit.Body)["document"] = "33.444.555/0001-81"
	return n.Issue(t, n.LiveKey, body)
}

// A live note of a service with IRRF and CSRF says so to the authority, and its totals follow:
// example A. One that was accepted before a change keeps what was set, with its number and
// without.
func TestWithholding_National(t *testing.T) {
	t.Parallel()
	n := newTimed(t, nil)
	n.in2026(t)
	profile, err := n.Store.Companies.FiscalProfile(t.Context(), n.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	profile.OwnContributions, _ = company.ParseOwnContributions("cumulative")
	if err := n.Changes().Companies.SetFiscalProfile(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	n.withhold(t, consulting)
	id := n.toCompany(t, "order")
	note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	const group = `<tribFed><piscofins><CST>01</CST><vBCPisCofins>10000.00</vBCPisCofins><pAliqPis>0.65</pAliqPis>` +
		`<pAliqCofins>3.00</pAliqCofins><vPis>65.00</vPis><vCofins>300.00</vCofins><tpRetPisCofins>3</tpRetPisCofins>` +
		`</piscofins><vRetIRRF>150.00</vRetIRRF><vRetCSLL>465.00</vRetCSLL></tribFed>`
	for _, part := range []string{group, "<vTotalRet>815.00</vTotalRet>", "<vLiq>9185.00</vLiq>"} {
		if document := string(n.xml(t, id)); !strings.Contains(document, part) {
			t.Errorf("the document is without %s:\n%s", part, document)
		}
	}
	totals := totalsOf(t, note)
	got := []*int64{totals.NetCents, totals.IRRFCents, totals.CSRFCents, totals.INSSCents, totals.ISSWithheldCents}
	want := []*int64{new(int64(9_185_00)), new(int64(150_00)), new(int64(465_00)), nil, new(int64(200_00))}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the totals are %s", note.Raw)
	}

	// Accepted, and held without a number: a change of the settings does not reach it.
	n.refuseCertificate(t)
	waiting := n.toCompany(t, "waiting")
	n.awaitHeld(t, "certificate")
	n.withhold(t, nfse.Withholding{INSS: 11_00})
	n.newCertificate(t)
	n.Await(t, n.LiveKey, waiting, nfse.StatusIssued)
	if document := string(n.xml(t, waiting)); !strings.Contains(document, group) {
		t.Errorf("it has not what was set when it was accepted:\n%s", document)
	}

	// Nor does it where the note has its number.
	n.refuseCertificate(t)
	numbered := n.toCompany(t, "numbered")
	n.awaitHeld(t, "certificate")
	takeNumber(t, n.Store, numbered, profile)
	n.withhold(t, consulting)
	profile.OwnContributions = nil
	if err := n.Changes().Companies.SetFiscalProfile(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	if taken, err := n.Store.Lifecycle.TakeTaxation(t.Context(), numbered); taken != nil || err != nil {
		t.Errorf("with its number it takes %+v, %v", taken, err)
	}
	n.newCertificate(t)
	n.Await(t, n.LiveKey, numbered, nfse.StatusIssued)
	if document := string(n.xml(t, numbered)); !strings.Contains(document, "<vRetCP>1100.00</vRetCP></tribFed>") ||
		!strings.Contains(document, "<vPis>65.00</vPis>") {
		t.Errorf("it has not what it took its number with:\n%s", document)
	}
}

// ISS withheld within Simples waits for the company's rate of the month before, and goes on with
// it.
func TestWithholding_SimplesRate(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	profile, err := n.Store.Companies.FiscalProfile(t.Context(), n.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	profile.Simples, profile.SimplesRegime = nfse.SimplesME, new(1)
	profile.ApproximateTaxes = nfse.ApproximateTaxes{Simples: 6_00}
	profile.SimplesRates = map[nfse.Month]nfse.Rate{"2020-01": 2_00}
	if err := n.Changes().Companies.SetFiscalProfile(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	n.withhold(t, consulting) // of which nothing is withheld within Simples
	id := n.toCompany(t, "order")
	n.awaitHeld(t, "--simples-rate")
	note := n.Call(t, http.MethodGet, "/v1/nfse/"+id, n.LiveKey, nil).Expect(t, http.StatusOK)
	var read nfse.Note
	if err := json.Unmarshal(note.Raw, &read); err != nil {
		t.Fatal(err)
	}
	profile.SimplesRates[read.Competence.MonthBefore()] = 2_01
	if err := n.Changes().Companies.SetFiscalProfile(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if document := string(n.xml(t, id)); !strings.Contains(document, "<pAliq>2.01</pAliq>") ||
		strings.Contains(document, "tribFed") {
		t.Errorf("the document is\n%s", document)
	}
}
