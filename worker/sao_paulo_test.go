package worker_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/fiscal/mtls"
	"emissor/fiscal/saopaulo"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/catalogues"
	"emissor/store/lifecycle"
	"emissor/store/received"
	"emissor/test/long"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/testkit"
	"emissor/worker"
)

// registration is the municipal registration of the company of these tests.
const registration = "31000000"

// inSaoPaulo is a system whose organization issues by the city of São Paulo, played by
// its simulator.
type inSaoPaulo struct {
	*testkit.System
	city    *simulator.Simulator
	service string
}

func newSaoPaulo(t testing.TB, registry simulator.Registry) inSaoPaulo {
	t.Helper()
	return newSaoPauloIn(t, registry, testkit.Options{})
}

// newSaoPauloIn does the same with options of the system.
func newSaoPauloIn(t testing.TB, registry simulator.Registry, system testkit.Options) inSaoPaulo {
	t.Helper()
	city, err := simulator.Start(simulator.Options{Registry: registry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = city.Close() })
	authority, err := saopaulo.New(saopaulo.Options{
		URL: city.URL(), Transport: mtls.Options{ServerRoots: city.Roots()},
		GracePeriod: time.Second, Logger: testkit.Logger(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	system.Worker, system.Authorities = true, []worker.Authority{{Authority: authority, Rate: 1000}}
	n := inSaoPaulo{city: city, System: testkit.NewSystem(t, system)}
	n.setProfile(t, true, 1)
	n.newCertificate(t)
	n.service = n.newService(t)
	n.classify(t, func(*nfse.Classification) {})
	return n
}

// newService is one that the city taxes.
func (n inSaoPaulo) newService(t testing.TB) (id string) {
	t.Helper()
	return n.Call(t, http.MethodPost, "/v1/services", n.LiveKey, testkit.Body{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3550308",
		"default_amount_cents": 15000, "municipal_tax_code": "2919", "municipal_taxation": "T", "iss_rate": 2.9,
	}).Expect(t, http.StatusCreated).Text("id")
}

// classify classifies the service as usual, but for a change.
func (n inSaoPaulo) classify(t testing.TB, change func(*nfse.Classification)) {
	t.Helper()
	classification := usual
	classification.IndFinal = new(false)
	change(&classification)
	if _, err := n.Changes().Catalogues.ClassifyServices(t.Context(),
		nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true},
		[]catalogues.ServiceClassification{{ServiceID: n.service, Classification: classification}}); err != nil {
		t.Fatal(err)
	}
}

// newCertificate adds one of the company's.
func (n inSaoPaulo) newCertificate(t testing.TB) {
	t.Helper()
	pfx, err := n.city.NewPFX(simulator.Subject{TaxID: string(testkit.Issuer)}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := certificate.ReadPFX(pfx, "secret")
	if err != nil {
		t.Fatal(err)
	}
	n.AddCertificate(t, bundle)
}

func (n inSaoPaulo) setProfile(t testing.TB, production bool, series int) nfse.FiscalProfile {
	t.Helper()
	number := registration
	profile := nfse.FiscalProfile{
		OrganizationID: n.Organization.ID, Authority: saopaulo.Name, Production: production, TaxID: testkit.Issuer,
		MunicipalityCode: "3550308", MunicipalRegistration: &number, Simples: nfse.SimplesNone, Series: series,
	}
	n.SetProfile(t, profile)
	return profile
}

func (n inSaoPaulo) faults(t testing.TB, faults ...simulator.Fault) {
	t.Helper()
	if err := n.city.SetFaultProfile(simulator.FaultProfile{Seed: 7, Faults: faults}); err != nil {
		t.Fatal(err)
	}
}

func (n inSaoPaulo) issue(t testing.TB, reference string) (id string) {
	t.Helper()
	return n.Issue(t, n.LiveKey, testkit.Issuance(n.service, reference))
}

func (n inSaoPaulo) awaitHeld(t *testing.T, words string) {
	t.Helper()
	testkit.Eventually(t, "a note waits: "+words, func() bool {
		held, err := n.Store.Lifecycle.HeldNotes(t.Context(), n.Organization.ID, 10)
		return err == nil && len(held) > 0 && strings.Contains(held[0].Reason.English(), words)
	})
}

// The note says what the city's ledger says; its XML is the city's answer to the
// question about it, byte for byte, and stays after a cancellation.
func TestSaoPaulo_IssueAndCancel(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	id := n.issue(t, "order")
	note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	ledger := n.city.Ledger()
	if len(ledger) != 1 {
		t.Fatalf("the city has issued %d", len(ledger))
	}
	entry := ledger[0]
	if note.Text("authority", "number") != fmt.Sprint(entry.Number) ||
		note.Text("authority", "verification_code") != entry.VerificationCode ||
		note.Text("authority", "access_key") != entry.NationalKey || entry.AmountCents != 15000 {
		t.Errorf("the ledger has %+v, the note is %s", entry, note.Raw)
	}
	xml := n.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", n.LiveKey, nil).Expect(t, http.StatusOK).Raw
	if !bytes.Contains(xml, []byte("<RetornoConsulta")) || !bytes.Contains(xml, []byte(entry.VerificationCode)) {
		t.Errorf("the XML is %s", xml)
	}
	n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	if by := n.city.Ledger()[0].CancelledBy; by != simulator.ByRequest {
		t.Errorf("it is cancelled by %q", by)
	}
}

// A service that is exported, and rendered abroad, is issued so: the city states no ISS.
func TestSaoPaulo_Export(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	if err := n.Changes().Catalogues.TaxService(t.Context(), nfse.Scope{OrganizationID: n.Organization.ID,
		Livemode: true},
		n.service, nfse.ServiceTaxation{Abroad: &nfse.Abroad{Export: true, Country: "PT", Mode: 1}}, ""); err != nil {
		t.Fatal(err)
	}
	n.classify(t, func(c *nfse.Classification) { c.CIndOp = "030102" }) // where the service says
	id := n.issue(t, "order")
	note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	if totals := totalsOf(t, note); totals.ISSCents != nil {
		t.Errorf("the totals are %s", note.Raw)
	}
	xml := n.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", n.LiveKey, nil).Expect(t, http.StatusOK).Raw
	for _, part := range []string{"<TributacaoNFe>P<", "<cPaisPrestacao>PT<"} {
		if !bytes.Contains(xml, []byte(part)) {
			t.Errorf("the document is without %s:\n%s", part, xml)
		}
	}
}

// Many notes of one series while answers are lost after the note was made, and what was
// made shows late: each has its note, none of them was cancelled by a second sending,
// and what was sent went one at a time.
func TestSaoPaulo_LostAnswers(t *testing.T) {
	long.Only(t, "loses the answers of São Paulo one by one")
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.faults(t, simulator.Fault{Kind: simulator.Drop, Scope: simulator.Issue, After: true, Probability: 0.15},
		simulator.Fault{Kind: simulator.Drop, Scope: simulator.Issue, Probability: 0.1},
		simulator.Fault{Kind: simulator.Hide, Scope: simulator.Query,
			Delay: simulator.Duration(700 * time.Millisecond)},
		simulator.Fault{Kind: simulator.Latency, Scope: simulator.Issue,
			Delay: simulator.Duration(20 * time.Millisecond)})
	const notes = 24
	began := time.Now()
	var ids []string
	for i := range notes {
		ids = append(ids, n.issue(t, fmt.Sprint("order-", i)))
	}
	numbers := map[string]bool{}
	for _, id := range ids {
		numbers[n.Await(t, n.LiveKey, id, nfse.StatusIssued).Text("authority", "number")] = true
	}
	ledger := n.city.Ledger()
	if len(numbers) != notes || len(ledger) != notes {
		t.Errorf("%d notes have %d numbers, and the city has %d", notes, len(numbers), len(ledger))
	}
	for _, entry := range ledger {
		if entry.Cancelled {
			t.Errorf("the note %d was cancelled by %s", entry.Number, entry.CancelledBy)
		}
	}
	questions := 0
	for _, message := range n.city.Messages() {
		if message.Operation == "ConsultaNFe" {
			questions++
		}
	}
	asked := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'find_numbers'`)
	if most := 4 + int(time.Since(began)/(5*time.Second)); asked < 1 || asked > most {
		t.Errorf("numbers were asked about %d times of at most %d, in %d questions", asked, most, questions)
	}
}

// Numbers that another program used before are left to it.
func TestSaoPaulo_UsedNumbers(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	for _, number := range []string{"1", "2"} {
		n.onSite(t, number)
	}
	id := n.issue(t, "order")
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	ledger := n.city.Ledger()
	if last := ledger[len(ledger)-1]; len(ledger) != 3 || last.RPSNumber != "3" || ledger[0].Cancelled ||
		ledger[1].Cancelled {
		t.Errorf("the ledger has %+v", ledger)
	}
}

// What the city said of a number counts for some seconds, in which a question serves several
// notes. Then it is asked again: a number that another program used meanwhile is left to it.
func TestSaoPaulo_NumberUsedMeanwhile(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.Await(t, n.LiveKey, n.issue(t, "order-1"), nfse.StatusIssued)
	asked := func() int { return n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'find_numbers'`) }
	before := asked()
	n.Exec(t, `UPDATE fiscal_series SET asked_at = clock_timestamp() + interval '1 minute'`)
	n.Await(t, n.LiveKey, n.issue(t, "order-2"), nfse.StatusIssued)
	if again := asked(); again != before {
		t.Errorf("it was asked %d times, and %d before", again, before)
	}
	n.onSite(t, "3")
	n.Exec(t, `UPDATE fiscal_series SET asked_at = clock_timestamp() - interval '6 seconds'`)
	n.Await(t, n.LiveKey, n.issue(t, "order-3"), nfse.StatusIssued)
	ledger := n.city.Ledger()
	if last := ledger[len(ledger)-1]; len(ledger) != 4 || last.RPSNumber != "4" || ledger[2].Cancelled {
		t.Errorf("the ledger has %+v", ledger)
	}
	for _, message := range n.city.Messages() {
		if message.Operation == "EnvioRPS" && message.RPSNumber == "3" {
			t.Errorf("the number of the other program was sent: %+v", message)
		}
	}
}

// A certificate that the city refuses when it is asked about a number waits for a person, and
// another one sends the note. That the question failed is no failure of the city's.
func TestSaoPaulo_CertificateRefusedAtTheQuestion(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"1054", "1100", "1107"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			n := newSaoPaulo(t, simulator.Registry{})
			n.faults(t, simulator.Fault{Kind: simulator.Reject, Scope: simulator.Query, Code: code, Next: 1})
			id := n.issue(t, "order")
			n.awaitHeld(t, "the authority refused ")
			if reason := n.Text(t, `SELECT refused_reason FROM certificates`); reason != code {
				t.Errorf("the certificate is refused for %q", reason)
			}
			if outcome := n.Text(t, `SELECT outcome FROM fiscal_calls`); outcome != string(fiscal.OutcomeRejected) {
				t.Errorf("the question ended %s", outcome)
			}
			n.newCertificate(t)
			n.Await(t, n.LiveKey, id, nfse.StatusIssued)
			if ledger := n.city.Ledger(); len(ledger) != 1 || ledger[0].RPSNumber != "1" {
				t.Errorf("the ledger has %+v", ledger)
			}
		})
	}
}

// onSite converts an RPS by hand, as another program would have.
func (n inSaoPaulo) onSite(t *testing.T, number string) {
	t.Helper()
	if _, err := n.city.IssueOnSite(simulator.SiteNote{Registration: registration, Series: "1", RPSNumber: number,
		Issuer: string(testkit.Issuer), AmountCents: 100, ServiceCode: "2919"}); err != nil {
		t.Fatal(err)
	}
}

// A refusal in a code that nobody knows ends nothing: the city is asked, and the same bytes
// are sent again.
func TestSaoPaulo_UncataloguedCode(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.faults(t, simulator.Fault{Kind: simulator.Reject, Scope: simulator.Issue, Code: "9999", Next: 1})
	n.Await(t, n.LiveKey, n.issue(t, "order"), nfse.StatusIssued)
	var sent []simulator.Message
	for _, message := range n.city.Messages() {
		if message.Operation == "EnvioRPS" {
			sent = append(sent, message)
		}
	}
	if len(sent) != 2 || sent[0].Digest != sent[1].Digest || len(n.city.Ledger()) != 1 {
		t.Errorf("%d messages were sent, and the city has %d notes", len(sent), len(n.city.Ledger()))
	}
}

// When the city shows what it made later than was waited for, a second sending cancels
// the first: both numbers are on record, the note is issued under the second, and
// nothing more is sent under the series before a person has looked.
func TestSaoPaulo_ReplacedByAResend(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.faults(t, simulator.Fault{Kind: simulator.Drop, Scope: simulator.Issue, After: true, Next: 1},
		simulator.Fault{Kind: simulator.Hide, Scope: simulator.Query, Delay: simulator.Duration(time.Hour)})
	first := n.issue(t, "first")
	testkit.Eventually(t, "it is sent a second time", func() bool { return len(n.city.Ledger()) == 2 })
	n.faults(t)
	note := n.Await(t, n.LiveKey, first, nfse.StatusIssued)
	ledger := n.city.Ledger()
	if len(ledger) != 2 || ledger[0].CancelledBy != simulator.ByResend || note.Text("authority", "number") != "2" {
		t.Fatalf("the ledger has %+v, the note is %s", ledger, note.Raw)
	}
	history, err := n.Store.Lifecycle.NoteHistory(t.Context(), first)
	if err != nil || !slices.ContainsFunc(history.Steps, func(step lifecycle.Step) bool {
		return step.Fact.Is(fact.Alarm) && strings.Contains(step.Fact.English(), "the city cancelled the note 1")
	}) {
		t.Errorf("the history is %+v, %v", history, err)
	}
	second := n.issue(t, "second")
	n.awaitHeld(t, "the series is held: the city cancelled the note 1")
	if taken := n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1`, second); taken != 0 {
		t.Error("a note of a held series took a number")
	}
	if err := n.Changes().Numbers.ReleaseSeries(t.Context(), n.Organization.ID, n.profile(t).SeriesKey()); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, second, nfse.StatusIssued)
}

func (n inSaoPaulo) profile(t *testing.T) nfse.FiscalProfile {
	t.Helper()
	profile, err := n.Store.Companies.FiscalProfile(t.Context(), n.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	return profile
}

const copied = `UPDATE fiscal_series SET checked_in = 'the database before'`

// Where the database may be a copy, a number that is used may be ours, of the time that
// was lost: the series is held until a person has looked, whichever note goes first. A
// series of which nothing is used goes on by itself.
func TestSaoPaulo_AfterARestore(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.Await(t, n.LiveKey, n.issue(t, "before"), nfse.StatusIssued)
	n.Exec(t, copied)
	n.Await(t, n.LiveKey, n.issue(t, "after"), nfse.StatusIssued)

	n.Exec(t, copied)
	n.onSite(t, "4") // the next one is free, and one behind it is not
	first, second := n.issue(t, "lost-1"), n.issue(t, "lost-2")
	n.awaitHeld(t, "our records may be a copy of before")
	if sent := len(n.city.Ledger()); sent != 3 {
		t.Errorf("the city has %d notes", sent)
	}
	if err := n.Changes().Numbers.ReleaseSeries(t.Context(), n.Organization.ID, n.profile(t).SeriesKey()); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, first, nfse.StatusIssued)
	n.Await(t, n.LiveKey, second, nfse.StatusIssued)
	var numbers []string
	for _, entry := range n.city.Ledger() {
		numbers = append(numbers, entry.RPSNumber)
		if entry.Cancelled {
			t.Errorf("the note of the RPS %s was cancelled", entry.RPSNumber)
		}
	}
	if slices.Sort(numbers); !slices.Equal(numbers, []string{"1", "2", "3", "4", "5"}) {
		t.Errorf("the ledger has the numbers %q", numbers)
	}
}

// The last numbers of a series are used like others: what is asked about names no number
// that an RPS cannot have, neither before a sending nor after a restore.
func TestSaoPaulo_LastNumbers(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	const greatest = 999_999_999_999
	if err := n.Changes().Lifecycle.SetNextNumber(t.Context(), n.profile(t), greatest-1); err != nil {
		t.Fatal(err)
	}
	n.Await(t, n.LiveKey, n.issue(t, "last but one"), nfse.StatusIssued)
	n.Exec(t, copied)
	n.Await(t, n.LiveKey, n.issue(t, "last"), nfse.StatusIssued)
	var numbers []string
	for _, entry := range n.city.Ledger() {
		numbers = append(numbers, entry.RPSNumber)
	}
	if slices.Sort(numbers); !slices.Equal(numbers, []string{"999999999998", "999999999999"}) {
		t.Errorf("the ledger has the numbers %q", numbers)
	}
	n.issue(t, "none left")
	n.awaitHeld(t, "has no number left")
}

// A note that was cancelled on the city's site is found by asking about it, a day after
// it was issued and as long as it may be cancelled there.
func TestSaoPaulo_CancelledOnTheSite(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	stands, gone := n.issue(t, "stands"), n.issue(t, "gone")
	n.Await(t, n.LiveKey, stands, nfse.StatusIssued)
	number := n.Await(t, n.LiveKey, gone, nfse.StatusIssued).Text("authority", "number")
	cancelled, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.city.CancelOnSite(registration, cancelled); err != nil {
		t.Fatal(err)
	}
	runMaintenance(t, n.System) // their day has not come
	const due = `SELECT count(*) FROM fiscal_exchanges WHERE poll_standing_at > now() + interval '23 hours'`
	if waiting := n.Count(t, due); waiting != 2 {
		t.Errorf("%d of 2 are to be asked about tomorrow", waiting)
	}
	n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now()`)
	runMaintenance(t, n.System)
	note := n.Await(t, n.LiveKey, gone, nfse.StatusCancelled)
	if note.Text("cancellation", "origin") != "authority" {
		t.Errorf("the note is %s", note.Raw)
	}
	testkit.Eventually(t, "the other is asked about tomorrow again, this one never", func() bool {
		return n.Count(t, due) == 1 &&
			n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE poll_standing_at IS NOT NULL`) == 1
	})
	n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now(), issued_at = now() - interval '181 days'
		WHERE poll_standing_at IS NOT NULL`)
	runMaintenance(t, n.System)
	testkit.Eventually(t, "nobody asks half a year later", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE poll_standing_at IS NOT NULL`) == 0
	})
	events, err := n.Store.Received.ExternalEvents(t.Context(), received.ExternalEventFilter{
		OrganizationID: n.Organization.ID, Limit: 10})
	if err != nil || len(events) != 1 || events[0].TaxID != testkit.Issuer || !events[0].Production {
		t.Errorf("listed are %+v, %v", events, err)
	}
}

// A note with what the city's tables refuse, or its layout would drop, waits before a number is taken and says why.
// Once its service is classified again, it is issued, in the city where the indicator has the service rendered: the
// taker's.
func TestSaoPaulo_Misclassified(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	for i, c := range []struct {
		change func(*nfse.Classification)
		words  string
	}{
		{func(c *nfse.Classification) { c.CIndOp = "030103" }, "cindop 030103 is not in Annex VII"},
		{func(c *nfse.Classification) {
			c.CST, c.CClassTrib = "515", "515001"
			c.Deferral = &nfse.Deferral{State: 100_00, Municipal: 100_00, Federal: 100_00}
		}, "the city's layout has no deferral"},
		{func(c *nfse.Classification) { c.CIndOp = "020101" }, "the address of the property must be given"},
	} {
		n.classify(t, c.change)
		id := n.issue(t, fmt.Sprint("order-", i))
		n.awaitHeld(t, c.words)
		if taken := n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1`, id); taken != 0 {
			t.Errorf("%s: it took a number", c.words)
		}
		n.classify(t, func(*nfse.Classification) {})
		n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	}
	body := testkit.Issuance(n.service, "elsewhere")
	body["customer"].(testkit.Body)["address"].(testkit.Body)["zip_code"] = "20040-020" // Rio de Janeiro
	id := n.Issue(t, n.LiveKey, body)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
	sent := n.Plain(t, `SELECT m.xml FROM fiscal_messages m
		JOIN fiscal_exchanges e ON e.id = m.exchange_id WHERE e.note_id = $1`, id)
	if !strings.Contains(sent, "<cLocPrestacao>3304557<") || strings.Contains(sent, "<MunicipioPrestacao>") {
		t.Errorf("sent was %s", sent)
	}
}

// The city has no test system: a note under a restricted profile waits before it takes
// a number, and says why.
func TestSaoPaulo_Restricted(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.setProfile(t, false, 1)
	id := n.issue(t, "order")
	n.awaitHeld(t, "has no test system")
	if n.Count(t, `SELECT count(*) FROM fiscal_exchanges`) != 0 || len(n.city.Messages()) != 0 {
		t.Error("it took a number, or something was sent")
	}
	n.setProfile(t, true, 1)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
}

// theSeries are the columns and values of the row of the series that notes are sent under.
const theSeries = `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration, `

// What misses nothing any more does not wait for a person while it waits for its turn.
func TestSaoPaulo_WaitsForItsTurnAlone(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	n.Worker.Stop()
	id := n.issue(t, "order")
	takeNumber(t, n.Store, id, n.profile(t))
	if fresh, err := n.Store.Lifecycle.HoldNote(t.Context(), id, fact.NoFiscalProfile.Fact()); err != nil || !fresh {
		t.Fatal(fresh, err)
	}
	n.Exec(t, theSeries+`turn_token, turn_until) SELECT authority, production, tax_id, municipality_code, series, $1,
		gen_random_uuid(), now() + interval '1 hour' FROM fiscal_exchanges`, strings.TrimLeft(registration, "0"))
	n.StartWorker(t)
	testkit.Eventually(t, "it waits for no person", func() bool {
		return n.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing' AND held_reason IS NULL`) == 1
	})
	if len(n.city.Messages()) != 0 {
		t.Error("something was sent out of turn")
	}
	n.Exec(t, `UPDATE fiscal_series SET turn_until = now()`)
	n.Await(t, n.LiveKey, id, nfse.StatusIssued)
}

// Whose a series is not, to that it is not told that it is held, and why.
func TestSaoPaulo_HeldSeriesOfAnother(t *testing.T) {
	t.Parallel()
	n := newSaoPaulo(t, simulator.Registry{})
	profile := n.profile(t)
	n.Exec(t, theSeries+`held_reason, held_at) VALUES ($1, true, $2, $3, 1, $4, $5, now())`, profile.Authority,
		string(profile.TaxID), profile.MunicipalityCode, strings.TrimLeft(registration, "0"),
		fact.InWords("of the first alone"))
	n.Exec(t, `DELETE FROM tax_id_claims`)
	id := n.issue(t, "order")
	testkit.Eventually(t, "the note is held", func() bool {
		return n.Count(t, `SELECT count(*) FROM notes WHERE id = $1 AND held_reason IS NOT NULL`, id) == 1
	})
	if why := n.Text(t, `SELECT held_reason ->> 'code' FROM notes WHERE id = $1`, id); why != "tax_id_not_shown" {
		t.Errorf("it says %s", why)
	}
}
