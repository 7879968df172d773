package worker_test

import (
	"fmt"
	"net/http"
	"testing"

	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/renegotiation"
	"emissor/test/testkit"
)

// A certificate that the authority's front does not let in holds the notes in words that name it, each after one
// sending; they are tried again with growing pauses, and once it is let in each is issued once.
func TestNational_CertificateNotLetIn(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, 495, 496} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			n := newNational(t, nil, nil)
			n.faults(t, sefin.Fault{Kind: sefin.Status, Status: status, Body: "html"})
			first := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "first"))
			second := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "second"))
			testkit.Eventually(t, "both are held for the certificate", func() bool {
				return n.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing'
					AND held_reason ->> 'code' = 'add_certificate_it_takes'
					AND held_reason #>> '{arguments,why,code}' = 'certificate_shut_out'`) == 2
			})
			if once := n.Count(t, `SELECT count(*) FROM notes n WHERE 1 = (SELECT count(*) FROM fiscal_calls c
				WHERE c.note_id = n.id AND c.what = 'issue' AND c.started_at < (SELECT min(s.at) FROM note_steps s
					WHERE s.note_id = n.id AND s.fact ->> 'code' = 'waits'))`); once != 2 {
				t.Errorf("%d notes were held after one sending", once)
			}
			n.faults(t)
			n.redrive(t)
			for _, id := range []string{first, second} {
				n.Await(t, n.LiveKey, id, nfse.StatusIssued)
			}
			if issued := len(n.authority.Ledger()); issued != 2 {
				t.Errorf("%d were issued", issued)
			}
		})
	}
}

// What ends while SEFIN asks for the certificate, after it has read the head of a request, is a question, never a
// second document; a company whose certificate it refuses there is held in words, and nothing is lost.
func TestNational_RenegotiationFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		behaviour renegotiation.Behaviour
		held      string
	}{
		"cut":                   {renegotiation.Behaviour{Cut: renegotiation.AfterFinished}, ""},
		"a certificate it bars": {renegotiation.Behaviour{Refuse: 44}, "revoked certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNational(t, nil, nil)
			n.authority.SetRenegotiation(c.behaviour)
			id := n.issue(t)
			if c.held != "" {
				n.awaitHeld(t, c.held)
			}
			testkit.Eventually(t, "it was sent, and asked about", func() bool {
				return n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'issue' AND outcome = 'unknown'`) == 1 &&
					n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'find' AND outcome = 'unknown'`) > 0
			})
			n.authority.SetRenegotiation(renegotiation.Behaviour{})
			n.redrive(t)
			n.Await(t, n.LiveKey, id, nfse.StatusIssued)
			if issued := len(n.authority.Ledger()); issued != 1 {
				t.Errorf("%d were issued", issued)
			}
		})
	}
}

// A host that holds less than a message while it does not know the client refuses it unread (413): it is asked about,
// and sent again so that the body waits.
func TestNational_BodyThatIsNotHeld(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.authority.SetRenegotiation(renegotiation.Behaviour{ReadAhead: 1 << 10})
	n.Await(t, n.LiveKey, n.issue(t), nfse.StatusIssued)
	if refused := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'issue' AND status = 413`); refused != 1 ||
		len(n.authority.Ledger()) != 1 {
		t.Errorf("it was refused %d times, and issued %d times", refused, len(n.authority.Ledger()))
	}
}

// Where the setting does not let SEFIN renegotiate nothing is issued, and the note says which setting.
func TestNational_RenegotiationNotAllowed(t *testing.T) {
	t.Parallel()
	n := newNational(t, func(options *national.Options) { options.Transport.MaxTLS = 0x0304 }, nil)
	id := n.issue(t)
	testkit.Eventually(t, "its call says why", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'issue'
			AND reason ->> 'code' = 'tls_renegotiation_asked'`) > 0
	})
	if note := n.Call(t, http.MethodGet, "/v1/nfse/"+id, n.LiveKey, nil); note.Text("status") != "processing" ||
		len(n.authority.Ledger()) != 0 {
		t.Errorf("the note is %s", note.Raw)
	}
}
