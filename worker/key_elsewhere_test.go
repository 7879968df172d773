package worker_test

import (
	"crypto"
	"fmt"
	"strings"
	"testing"

	"emissor/fiscal/certificate"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/fiscal/national"
	"emissor/nfse"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// elsewhere is an organization whose only certificate has its key in a token.
type elsewhere struct {
	nationally
	token certificatetest.Token
	key   crypto.Signer
}

func newElsewhere(t *testing.T, simulated sefin.Options) elsewhere {
	t.Helper()
	program := certificatetest.SigningProgram(t)
	e := elsewhere{nationally: newNationalOf(t, simulated, func(*national.Options, *sefin.Simulator) {},
		testkit.Options{Signer: program})}
	e.refuseCertificate(t)
	pfx, err := e.authority.NewPFX(sefin.Subject{TaxID: string(testkit.Issuer)}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := certificate.ReadPFX(pfx, "secret")
	if err != nil {
		t.Fatal(err)
	}
	e.key = bundle.Key
	e.token = certificatetest.NewToken(t, e.key)
	e.AddCertificate(t, certificatetest.Elsewhere(t, bundle, program, e.token))
	return e
}

// expectOne expects that a note is issued, once, under the first number.
func (e elsewhere) expectOne(t *testing.T, id string) {
	t.Helper()
	e.Await(t, e.LiveKey, id, nfse.StatusIssued)
	ledger := e.authority.Ledger()
	if len(ledger) != 1 || ledger[0].Number != "1" || e.Count(t, `SELECT last_number FROM fiscal_sequences`) != 1 ||
		e.Count(t, `SELECT count(*) FROM fiscal_exchanges`) != 1 {
		t.Errorf("issued are %+v", ledger)
	}
}

// hosts are the ways in which a host asks for the certificate: by renegotiation, as SEFIN was recorded, and in the
// first handshake, in TLS 1.3.
var hosts = map[string]sefin.Options{"renegotiates": {}, "asks at once": {AsDescribed: true}}

// A note is signed, and its connection opened, by a key that no process of ours has.
func TestKeyElsewhere_IssueAndCancel(t *testing.T) {
	t.Parallel()
	for name, simulated := range hosts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newElsewhere(t, simulated)
			id := e.issue(t)
			e.expectOne(t, id)
			e.Call(t, "POST", "/v1/nfse/"+id+"/cancel", e.LiveKey, cancelBody).Expect(t, 202)
			e.Await(t, e.LiveKey, id, nfse.StatusCancelled)
		})
	}
}

// While the program does not sign the note waits, and takes no number; then it is issued.
func TestKeyElsewhere_NotThere(t *testing.T) {
	t.Parallel()
	e := newElsewhere(t, sefin.Options{})
	e.token.Hold(t, e.key, certificatetest.Ends)
	id := e.issue(t)
	e.awaitHeld(t, "the program that signs with the certificate's key did not sign")
	if taken := e.Count(t, `SELECT count(*) FROM fiscal_exchanges`); taken != 0 {
		t.Errorf("%d numbers are taken", taken)
	}
	e.token.Hold(t, e.key, "")
	e.redrive(t)
	e.expectOne(t, id)
}

// Where the program proves the key, but no longer signs the document, the note waits with its number, and nothing was
// sent. Where it signs that, and not for the connection, whatever may have been sent is asked about. Either way one
// document comes of it.
func TestKeyElsewhere_SignsNoMore(t *testing.T) {
	t.Parallel()
	for host, simulated := range hosts {
		for signatures, state := range map[int]string{2: "unsigned", 3: "signed in_doubt"} {
			t.Run(fmt.Sprint(host, ", ", state), func(t *testing.T) {
				t.Parallel()
				e := newElsewhere(t, simulated)
				e.token.Give(t, e.key, signatures)
				id := e.issue(t)
				e.awaitHeld(t, "the token signs no more")
				found := e.Text(t, `SELECT state FROM fiscal_exchanges WHERE number = 1`)
				if posts := len(e.authority.Posts()); !strings.Contains(state, found) || posts != 0 {
					t.Errorf("the exchange is %s, and %d messages have arrived", found, posts)
				}
				e.token.Hold(t, e.key, "")
				e.redrive(t)
				e.expectOne(t, id)
			})
		}
	}
}

// More notes than may be signed at once wait for each other, and each is issued once.
func TestKeyElsewhere_Many(t *testing.T) {
	t.Parallel()
	e := newElsewhere(t, sefin.Options{})
	var ids []string
	for i := range 10 {
		ids = append(ids, e.Issue(t, e.LiveKey, testkit.Issuance(e.service, fmt.Sprint("order-", i))))
	}
	for _, id := range ids {
		e.Await(t, e.LiveKey, id, nfse.StatusIssued)
	}
	if issued := len(e.authority.Ledger()); issued != len(ids) {
		t.Errorf("%d documents are issued", issued)
	}
}

// In São Paulo a message has two signatures, and each question one.
func TestKeyElsewhere_SaoPaulo(t *testing.T) {
	t.Parallel()
	program := certificatetest.SigningProgram(t)
	n := newSaoPauloIn(t, simulator.Registry{}, testkit.Options{Signer: program})
	if err := n.Store.Companies.RefuseCertificate(t.Context(), n.Text(t, `SELECT id FROM certificates`),
		"1057"); err != nil {
		t.Fatal(err)
	}
	pfx, err := n.city.NewPFX(simulator.Subject{TaxID: string(testkit.Issuer)}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := certificate.ReadPFX(pfx, "secret")
	if err != nil {
		t.Fatal(err)
	}
	token := certificatetest.NewToken(t, bundle.Key)
	token.Hold(t, bundle.Key, certificatetest.Ends)
	n.AddCertificate(t, certificatetest.Elsewhere(t, bundle, program, token))
	id := n.issue(t, "order")
	n.awaitHeld(t, "the program that signs with the certificate's key did not sign")
	token.Hold(t, bundle.Key, "")
	if _, err := n.Changes().Lifecycle.RedriveHeldNotes(t.Context(), n.Organization.ID); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if issued := len(n.city.Ledger()); issued != 1 {
		t.Errorf("the city has issued %d", issued)
	}
}
