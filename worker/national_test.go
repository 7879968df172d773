package worker_test

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/certificate"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
)

// nationally is a system whose organization issues by the national system, played by
// its simulator.
type nationally struct {
	*testkit.System
	authority *sefin.Simulator
	service   string
}

func newNational(t testing.TB, change func(*national.Options), sender *mail.Sender) nationally {
	t.Helper()
	return newNationalOn(t, func(options *national.Options, _ *sefin.Simulator) {
		if change != nil {
			change(options)
		}
	}, sender)
}

// newNationalOn is newNational for options that depend on the simulator.
func newNationalOn(t testing.TB, change func(*national.Options, *sefin.Simulator), sender *mail.Sender) nationally {
	t.Helper()
	return newNationalIn(t, change, testkit.Options{Mail: sender})
}

// newNationalIn is newNationalOn in a system of other options.
func newNationalIn(t testing.TB, change func(*national.Options, *sefin.Simulator),
	system testkit.Options) nationally {
	t.Helper()
	return newNationalOf(t, sefin.Options{}, change, system)
}

// newNationalOf is newNationalIn with a simulator of other options.
func newNationalOf(t testing.TB, simulated sefin.Options, change func(*national.Options, *sefin.Simulator),
	system testkit.Options) nationally {
	t.Helper()
	authority, err := sefin.Start(simulated)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = authority.Close() })
	signers, err := national.ParseSigners("CN=" + sefin.SignerName)
	if err != nil {
		t.Fatal(err)
	}
	options := national.Options{Software: "emissor-test", Connection: national.Connection{
		DocumentSigners: signers,
		RestrictedURL:   authority.URL(), SignerRoots: authority.SignerRoots(),
		Transport: mtls.Options{ServerRoots: authority.Roots()}, Logger: testkit.Logger(t),
	}}
	change(&options, authority)
	options.GracePeriod = 2 * time.Second
	client, err := national.New(options)
	if err != nil {
		t.Fatal(err)
	}
	system.Worker, system.Authorities = true, []worker.Authority{{Authority: client, Rate: 1000}}
	n := nationally{authority: authority, System: testkit.NewSystem(t, system)}
	n.NewProfile(t, national.Name)
	n.newCertificate(t)
	n.service = n.Call(t, http.MethodPost, "/v1/services", n.LiveKey, testkit.Body{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "01.07.01", "iss_rate": 2,
	}).Expect(t, http.StatusCreated).Text("id")
	return n
}

// newCertificate gives the organization a certificate that the simulator trusts.
func (n nationally) newCertificate(t testing.TB) {
	t.Helper()
	n.certify(t, n.Organization.ID, testkit.Issuer)
}

// certify gives an organization a certificate of an issuer.
func (n nationally) certify(t testing.TB, organizationID string, issuer nfse.TaxID) {
	t.Helper()
	pfx, err := n.authority.NewPFX(sefin.Subject{TaxID: string(issuer),
		NotBefore: nfse.Day("2026-01-01").Begin(), // where a test sets the clocks back
		NotAfter:  time.Now().AddDate(1, 0, 0)}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := certificate.ReadPFX(pfx, "secret")
	if err != nil {
		t.Fatal(err)
	}
	n.AddCertificateOf(t, organizationID, issuer, bundle)
}

func (n nationally) faults(t testing.TB, faults ...sefin.Fault) {
	t.Helper()
	if err := n.authority.SetFaultProfile(sefin.FaultProfile{Faults: faults}); err != nil {
		t.Fatal(err)
	}
}

func (n nationally) issue(t *testing.T) (id string) {
	t.Helper()
	return n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "order"))
}

func (n nationally) xml(t *testing.T, id string) []byte {
	t.Helper()
	return n.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", n.LiveKey, nil).Expect(t, http.StatusOK).Raw
}

// The note says what the authority's ledger says, and its XML is the
// authority's, byte for byte; so it stays after a cancellation.
func TestNational_IssueAndCancel(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	id := n.issue(t)
	note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	ledger := n.authority.Ledger()
	if len(ledger) != 1 {
		t.Fatalf("the authority has issued %d", len(ledger))
	}
	entry := ledger[0]
	if note.Text("authority", "access_key") != entry.AccessKey || note.Text("authority", "number") != "1" ||
		note.At("authority", "verification_code") != nil ||
		entry.AmountCents != 15000 || entry.Taker != "52998224725" || entry.Series != "1" || entry.Number != "1" ||
		!strings.HasSuffix(id, entry.CIntContrib) {
		t.Errorf("the ledger has %+v, the note is %s", entry, note.Raw)
	}
	before := n.xml(t, id)
	if !bytes.Equal(before, n.authority.NFSe(entry.AccessKey)) {
		t.Errorf("the XML is not the authority's:\n%s", before)
	}
	eventsOf(t, n.System, n.Organization.ID+"/live/order") // its run has ended
	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if !n.authority.Ledger()[0].Cancelled || !bytes.Equal(before, n.xml(t, id)) {
		t.Error("it is not cancelled at the authority, or its XML has changed")
	}
	if kept := n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE kind = 'cancel' AND state = 'accepted'
		AND xml IS NOT NULL`); kept != 1 {
		t.Error("the authority's event is not kept")
	}
	n.atOnce(t, "next")
}

// A request to cancel that is dated ahead of the authority's clock is dated back, as a
// document is, and not refused.
func TestNational_CancellationAheadOfTheClock(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	id := n.issue(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	n.faults(t, sefin.Fault{Kind: sefin.ClockSkew, Delay: sefin.Duration(-3 * time.Minute)})
	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	var codes []string
	for _, post := range n.authority.Posts() {
		if post.Scope == sefin.Cancel {
			codes = append(codes, strings.Join(post.Codes, ","))
		}
	}
	if !slices.Equal(codes, []string{"E1843", "E1843", ""}) {
		t.Errorf("the authority's answers are %q", codes)
	}
}

// The authority's words reach the caller, with ours beside them.
func TestNational_Rejection(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.authority.SetRegistry(sefin.Registry{UnknownTakers: []string{"52998224725"}})
	note := n.Await(t, n.LiveKey, n.issue(t), nfse.StatusRejected)
	if note.Text("rejection", "source") != "authority" || note.Text("rejection", "code") != "E0207" ||
		note.Text("rejection", "field") != "customer.document" ||
		!strings.Contains(note.Text("rejection", "message"), "CPF") || note.Text("rejection", "explanation") == "" ||
		note.Text("rejection", "action") == "" {
		t.Errorf("the rejection is %s", note.Raw)
	}
	if len(n.authority.Ledger()) != 0 {
		t.Error("it was issued all the same")
	}
}

// A refused cancellation leaves the note issued, and says why.
func TestNational_CancellationRefused(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.authority.SetRegistry(sefin.Registry{CancelUpTo: 100})
	id := n.issue(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	cancel := func(code string) {
		t.Helper()
		n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
		testkit.Eventually(t, "it is refused with "+code, func() bool {
			note := n.Call(t, http.MethodGet, "/v1/nfse/"+id, n.LiveKey, nil)
			return note.Text("status") == "issued" && note.Text("cancellation", "refusal", "code") == code &&
				note.Text("cancellation", "refusal", "action") != ""
		})
	}
	cancel("E0823")
	// The taker has confirmed the note meanwhile: that bars it, and it does not exist.
	n.authority.SetRegistry(sefin.Registry{})
	if err := n.authority.RegisterEvent(n.authority.Ledger()[0].AccessKey, "203202"); err != nil {
		t.Fatal(err)
	}
	cancel("E0840")
}

// What the authority answers oddly ends as it should.
func TestNational_OddAnswers(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sefin.Fault{
		"about another document":     {Kind: sefin.OtherDocument, Scope: sefin.Issue, Next: 1},
		"no document beside the key": {Kind: sefin.MissingXML, Next: 2},
		"an unreadable document":     {Kind: sefin.UnreadableXML, Next: 2},
		"a document cut off":         {Kind: sefin.TruncatedGzip, Next: 2},
		"not base64":                 {Kind: sefin.NotBase64, Next: 2},
		"half an answer":             {Kind: sefin.HalfAnswer, Scope: sefin.Issue, Next: 1},
		"an empty list of errors":    {Kind: sefin.Variant, Variant: sefin.EmptyErro, Next: 1},
		"capital keys":               {Kind: sefin.Variant, Variant: sefin.Capitalised, Next: 1},
		"served by a page of a proxy": {Kind: sefin.Status, Status: 200, Body: "html", After: true,
			Scope: sefin.Issue, Next: 1},
		"not found for a while":         {Kind: sefin.Hide, Delay: sefin.Duration(time.Second)},
		"done, and the connection gone": {Kind: sefin.Reset, After: true, Scope: sefin.Issue, Next: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNational(t, nil, nil)
			n.faults(t, fault)
			id := n.issue(t)
			note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
			ledger := n.authority.Ledger()
			if len(ledger) != 1 || note.Text("authority", "access_key") != ledger[0].AccessKey ||
				!bytes.Equal(n.xml(t, id), n.authority.NFSe(ledger[0].AccessKey)) {
				t.Errorf("the ledger has %+v, the note is %s", ledger, note.Raw)
			}
			posts := 0
			for _, post := range n.authority.Posts() {
				if post.Scope == sefin.Issue {
					posts++
				}
			}
			if posts != 1 {
				t.Errorf("it was sent %d times", posts)
			}
		})
	}
}

// A signature that does not verify alarms; where the operator wants it, such a
// document is not settled before a better one is found.
func TestNational_WrongSignature(t *testing.T) {
	t.Parallel()
	wrong := sefin.Fault{Kind: sefin.WrongSignature}
	t.Run("alarms", func(t *testing.T) {
		t.Parallel()
		n := newNational(t, nil, nil)
		n.faults(t, wrong)
		n.Await(t, n.LiveKey, n.issue(t), nfse.StatusIssued)
		testkit.Eventually(t, "an alarm is counted", func() bool {
			return counter(t, n.System, "emissor_authority_alarms_total") == 1
		})
	})
	t.Run("warns of a signer that is not listed", func(t *testing.T) {
		t.Parallel()
		listed, err := national.ParseSigners("www.nfse.example")
		if err != nil {
			t.Fatal(err)
		}
		n := newNational(t, func(o *national.Options) { o.DocumentSigners, o.EventSigners = listed, nil }, nil)
		n.Await(t, n.LiveKey, n.issue(t), nfse.StatusIssued)
		if n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE reason ->> 'code' = $1`,
			string(fact.SignatureOfNoSigner)) != 1 || counter(t, n.System, "emissor_authority_alarms_total") != 0 {
			t.Error("it is no warning")
		}
	})
	t.Run("blocks", func(t *testing.T) {
		t.Parallel()
		n := newNational(t, func(o *national.Options) { o.RequireSignature = true }, nil)
		n.faults(t, wrong)
		id := n.issue(t)
		n.awaitHeld(t, "signature does not verify")
		note := n.Call(t, http.MethodGet, "/v1/nfse/"+id, n.LiveKey, nil)
		if note.Text("status") != "processing" || n.Count(t,
			`SELECT count(*) FROM fiscal_exchanges WHERE access_key IS NOT NULL`) != 1 {
			t.Errorf("the note is %s", note.Raw)
		}
		n.faults(t)
		n.redrive(t)
		n.Await(t, n.LiveKey, id, nfse.StatusIssued)
		if len(n.authority.Ledger()) != 1 {
			t.Error("it was issued again")
		}
	})
}

// redrive wakes up the held notes, as an operator does.
func (n nationally) redrive(t *testing.T) {
	t.Helper()
	if _, err := n.Changes().Lifecycle.RedriveHeldNotes(t.Context(), n.Organization.ID); err != nil {
		t.Fatal(err)
	}
}

// A document that cannot be read, however often it is fetched, holds its note: a
// person sees why, and once it can be read the note goes on. Nothing is sent again.
func TestNational_Bomb(t *testing.T) {
	t.Parallel()
	for _, kind := range []sefin.Kind{sefin.ElementBomb, sefin.NestedBomb} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			n := newNational(t, nil, nil)
			n.faults(t, sefin.Fault{Kind: kind})
			id := n.issue(t)
			n.awaitHeld(t, "larger than 1 MiB")
			if counter(t, n.System, "emissor_authority_alarms_total") < 1 || n.Count(t,
				`SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'alarm'
					AND fact #>> '{arguments,what,arguments,why,code}' = 'document_too_large'`) != 1 {
				t.Error("there is no alarm")
			}
			// Looking again finds the same: it stays held, and that is on record once.
			asked := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'find' AND ended_at IS NOT NULL`)
			n.redrive(t)
			testkit.Eventually(t, "it was looked at again", func() bool {
				return n.Count(t, `SELECT count(*) FROM fiscal_calls
					WHERE what = 'find' AND ended_at IS NOT NULL`) > asked
			})
			if n.Count(t, `SELECT count(*) FROM note_steps WHERE fact ->> 'code' = 'waits'`) != 1 ||
				n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) != 1 {
				t.Error("it is not held any more, or that is on record twice")
			}
			n.faults(t)
			n.redrive(t)
			n.Await(t, n.LiveKey, id, nfse.StatusIssued)
			if len(n.authority.Ledger()) != 1 || n.Count(t,
				`SELECT count(*) FROM fiscal_calls WHERE what = 'issue'`) != 1 ||
				n.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) != 0 {
				t.Errorf("the ledger has %+v", n.authority.Ledger())
			}
		})
	}
}

// A layout that this version does not have is waited for, with the number kept.
func TestNational_LayoutNotBuilt(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	wrong := sefin.WrongLayout()
	n.faults(t, wrong)
	id := n.issue(t)
	n.awaitHeld(t, "nt009")
	if sent := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'issue'`); sent != 1 {
		t.Errorf("it was sent %d times", sent)
	}
	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
}

// Everything that follows an authorization, by the key's defaults.
func TestNational_AfterAuthorization(t *testing.T) {
	t.Parallel()
	box := testkit.NewMailbox(t)
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: box.Port, From: "notas@emissor.example",
		TLS: mail.NoTLS})
	if err != nil {
		t.Fatal(err)
	}
	n := newNational(t, nil, sender)
	if _, err := n.SQL.Exec(`UPDATE api_keys SET email_customer = true, register_ledger = true`); err != nil {
		t.Fatal(err)
	}
	n.Call(t, http.MethodPost, "/v1/customers", n.LiveKey, testkit.Body{
		"document": "529.982.247-25", "name": "Maria da Silva", "email": "maria@example.com",
	}).Expect(t, http.StatusCreated)
	box.Refuse(451, "later")
	id := n.issue(t)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued) // regardless of the mail server's answer
	testkit.Eventually(t, "the failure is on record", func() bool {
		return n.Count(t, `SELECT count(*) FROM emails WHERE status = 'pending' AND attempts > 0
			AND last_problem IS NOT NULL`) == 1
	})
	entries, err := n.Store.Books.Ledger(t.Context(), n.Organization.ID, time.Time{}, 10)
	if err != nil || len(entries) != 1 || entries[0].NoteID != id || entries[0].AmountCents != 15000 {
		t.Errorf("the ledger has %+v, %v", entries, err)
	}
	box.Refuse(0, "")
	if err := n.Changes().Mails.RetryEmail(t.Context(), n.Text(t, `SELECT id FROM emails`)); err != nil {
		t.Fatal(err)
	}
	testkit.Eventually(t, "the e-mail arrives", func() bool { return len(box.Received()) == 1 })
	if message := box.Received()[0]; !strings.Contains(message, "maria@example.com") ||
		!strings.Contains(message, `filename="NFS-e 1 - Clinica Exemplo.xml"`) {
		t.Errorf("the message is\n%s", message)
	}
	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if n.Count(t, `SELECT sum(amount_cents) FROM ledger_entries`) != 0 ||
		n.Count(t, `SELECT count(*) FROM ledger_entries`) != 2 {
		t.Error("the entry is not reversed")
	}
}
