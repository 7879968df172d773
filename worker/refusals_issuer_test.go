package worker_test

import (
	"slices"
	"strings"
	"testing"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// A company that was set up under another CNPJ goes on under its own, also once the certificate
// of the other is gone: the number that was refused is spent, and the note has one document.
func TestRefusal_AnotherIssuer(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0082", Next: 1})
	id := n.order(t, "order")
	awaitReason(t, n.System, id, "rule E0082")
	certificate := n.Text(t, `SELECT id FROM certificates`)
	if _, err := n.Changes().Companies.RemoveCertificate(t.Context(), n.Organization.ID, certificate); err != nil {
		t.Fatal(err)
	}
	const own nfse.TaxID = "11444777000161"
	n.certify(t, n.Organization.ID, own)
	profile := n.NewProfile(t, national.Name)
	profile.TaxID = own
	n.SetProfile(t, profile)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	states := n.Text(t, `SELECT string_agg(tax_id || ' ' || number || ' ' || state, ', ' ORDER BY id)
		FROM fiscal_exchanges`)
	if states != string(testkit.Issuer)+" 1 spent, "+string(own)+" 1 accepted" {
		t.Errorf("the numbers are %s", states)
	}
	if left := n.Count(t, `SELECT count(*) FROM refusal_brakes`); left != 0 {
		t.Errorf("%d sibling holds are left", left)
	}
}

// A city that refuses what was corrected for it has the last word with the company: what a person
// then sets is sent as it is set.
func TestRefusal_PersonAfterAnAutoFix(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	profile := n.NewProfile(t, national.Name)
	profile.MunicipalRegistration = new("12345")
	n.SetProfile(t, profile)
	n.authority.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{
		string(testkit.Issuer): {MunicipalRegistration: new("")}, // it has none, no matter what its first refusal says
	}})
	n.faults(t, sefin.Fault{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0116", Next: 1})
	id := n.order(t, "order")
	awaitReason(t, n.System, id, "rule E0120")
	profile.MunicipalRegistration = new("54321")
	n.SetProfile(t, profile)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
}

// One correction may uncover the next refusal: federal taxes that the issuer may not state are left out,
// and the message is signed by the other algorithm where the signature is not verified, under one
// number.
func TestRefusal_OneAfterTheOther(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.withhold(t, consulting)
	for _, code := range []string{"E0676", "E0714"} {
		if err := n.authority.RefuseNext(sefin.Refusal{Issuer: string(testkit.Issuer), Code: code}); err != nil {
			t.Fatal(err)
		}
	}
	id := n.toCompany(t, "order")
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if document := string(n.xml(t, id)); strings.Contains(document, "<tribFed>") ||
		!strings.Contains(document, "<nDPS>1</nDPS>") {
		t.Errorf("the document is\n%s", document)
	}
	var messages [][]byte
	if err := n.SQL.Select(&messages, `SELECT CASE WHEN embedded THEN (SELECT xml FROM note_documents) ELSE xml END
		FROM fiscal_messages ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	var signed []bool
	for _, message := range messages {
		signed = append(signed, strings.Contains(string(n.Unpack(t, message)), `#rsa-sha1"`))
	}
	if !slices.Equal(signed, []bool{false, false, true}) {
		t.Errorf("signed by SHA-1: %v", signed)
	}
}
