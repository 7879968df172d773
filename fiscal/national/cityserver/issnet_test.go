package cityserver_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/cityserver"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/long"
	"emissor/test/simulators/issnet"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/simulatortest"
)

// town is a city of ISSNet that is simulated, and reached as an authority. Its time moves here alone.
type town struct {
	*issnet.Simulator
	cityserver.Bounded
	access fiscal.Access
	passed *atomic.Int64
}

func (c town) now() time.Time { return nationaltest.At.Add(time.Duration(c.passed.Load())) }
func (c town) pass(d time.Duration) {
	c.passed.Add(int64(d))
}

const cityRow = "5300108\tbrasilia\tissnet\ton\t2026-06-30\t\t%s\t\tinclusive-sha1\t1-10\t%s\ttest"

// tableOf is a table of one city of ISSNet.
func tableOf(t testing.TB, address, quirks string) *cities.Table {
	t.Helper()
	header, row := strings.Join(cities.Columns(), "\t"), fmt.Sprintf(cityRow, address, quirks)
	table, err := cities.Parse(header+"\n"+row+"\n", cityrules.Quirks())
	if err != nil {
		t.Fatal(err)
	}
	return &table
}

func newTown(t testing.TB, quirks string, behaviour issnet.Behaviour) town {
	t.Helper()
	c := town{passed: new(atomic.Int64)}
	simulator, err := issnet.Start(issnet.Options{Behaviour: behaviour, Options: sefin.Options{
		Options: server.Options{Clock: c.now}, Production: true,
		Registry: sefin.Registry{PostalCodeOf: func(string, string) bool { return true }, ISSRate: int64(nfse.MaxRate)},
	}})
	c.Simulator = simulatortest.Started(t, simulator, err)
	c.Bounded, err = cityserver.New("brasilia", tableOf(t, c.URL(), quirks), cityserver.Options{
		Software: "emissor-test", Transport: mtls.Options{ServerRoots: c.Roots()}})
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := c.NewCertificate(sefin.Subject{TaxID: "11222333000181"})
	if err != nil {
		t.Fatal(err)
	}
	c.access = fiscal.Access{Production: true, Credentials: &fiscal.Credentials{ID: "crt_1", Certificate: certificate}}
	return c
}

// granted are the numbers that Brasília has granted.
func granted() *nfse.NumberRange { return &nfse.NumberRange{First: 1, Last: 999_999_999} }

// declared is a declaration that Brasília takes.
func declared(number int64) fiscal.Declaration {
	d := nationaltest.Declaration()
	d.Number, d.Note.ID = number, fmt.Sprintf("nfse_%026d", number)
	d.Issuer.Production, d.Issuer.MunicipalityCode = true, "5300108"
	d.Issuer.MunicipalRegistration = new("0700000000100")
	d.Note.Service.MunicipalityCode, d.Note.Service.Description = "5300108", "Primeira\nSegunda"
	d.Taxation.Service = &nfse.ServiceTaxation{MunicipalCode: "1009"}
	d.Classification = nationaltest.Classification()
	d.Issuer.GrantedNumbers = granted()
	return d
}

func (c town) requestOf(t testing.TB, d fiscal.Declaration) fiscal.Request {
	t.Helper()
	message, err := c.SignDeclaration(d, c.access.Credentials, c.now())
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{message},
		CorrelationID: fiscal.CorrelationID(d.Note.ID)}
}

func (c town) cancellationOf(t testing.TB, key string) fiscal.Request {
	t.Helper()
	message, err := c.SignCancellation(fiscal.CancellationRequest{AccessKey: key, Issuer: declared(1).Issuer,
		ReasonCode: "1", ReasonText: "emitida com o valor errado"}, c.access.Credentials, c.now())
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Request{Kind: fiscal.Cancel, Messages: []fiscal.Message{message}, AccessKey: key,
		MunicipalRegistration: "0700000000100"}
}

// issued sends a declaration, of which a note must be made.
func (c town) issued(t testing.TB, number int64) (key string, request fiscal.Request) {
	t.Helper()
	d := declared(number)
	if objection := c.Check(d, c.now()); objection != nil {
		t.Fatalf("it is not sent: %+v", objection)
	}
	request = c.requestOf(t, d)
	answer := c.Send(t.Context(), c.access, request)
	if answer.Outcome != fiscal.OutcomeAccepted || answer.Match != fiscal.MatchOurs || !answer.Alarm.None() {
		t.Fatalf("%s %s %s %v\n%s", answer.Outcome, answer.Reason, answer.Alarm, answer.Rejection, answer.Body)
	}
	return answer.Document.AccessKey, request
}

func (c town) fail(t testing.TB, faults ...sefin.Fault) {
	t.Helper()
	if err := c.SetFaultProfile(sefin.FaultProfile{Faults: faults}); err != nil {
		t.Fatal(err)
	}
}

// A note is issued, found, shown by its number and refused when its DPS comes again, in every form of answers.
func TestISSNet_Issues(t *testing.T) {
	t.Parallel()
	for name, behaviour := range map[string]issnet.Behaviour{
		"literal": {}, "escaped": {Escaped: true}, "older": {OldNames: true, NotFoundInWords: true},
		"escaped and older": {Escaped: true, OldNames: true, ExistsCode: "E777"},
		"the other name":    {Unserved: []string{"ConsultarNfseDps"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newTown(t, "", behaviour)
			d := declared(42)
			if answer := c.Find(t.Context(), c.access, c.requestOf(t, d)); answer.Outcome != fiscal.OutcomeNotFound {
				t.Errorf("before: %s %s", answer.Outcome, answer.Reason)
			}
			key, request := c.issued(t, 42)
			found := c.Find(t.Context(), c.access, request)
			if found.Outcome != fiscal.OutcomeAccepted || found.Match != fiscal.MatchOurs ||
				found.Document.AccessKey != key || key[7] != '1' {
				t.Errorf("found: %s %s %s", found.Outcome, found.Reason, found.Alarm)
			}
			again := c.Send(t.Context(), c.access, request)
			if again.Outcome != fiscal.OutcomeRejected || again.Handling != fiscal.AlreadyExists {
				t.Errorf("again: %s %s %s", again.Outcome, again.Handling, again.Reason)
			}
			xml := string(found.Document.XML)
			if !strings.Contains(xml, "Primeira - Segunda") || !strings.Contains(xml, "<cTribMun>1009</cTribMun>") {
				t.Errorf("the document is %s", xml)
			}
			numbers := c.Bounded.(fiscal.NumberFinder).FindNumbers(t.Context(), c.access, d.Issuer, []int64{42, 43})
			if !slices.Equal(numbers.Used, []int64{42}) || !slices.Equal(numbers.Free, []int64{43}) {
				t.Errorf("numbers: %+v", numbers)
			}
			if len(c.Ledger()) != 1 {
				t.Errorf("%d notes were issued", len(c.Ledger()))
			}
		})
	}
}

// What the city refuses, or has switched off, waits; what is said of the transport is seen.
func TestISSNet_Refuses(t *testing.T) {
	t.Parallel()
	c := newTown(t, "", issnet.Behaviour{})
	for name, one := range map[string]struct {
		behaviour issnet.Behaviour
		code      string
		handling  fiscal.Handling
	}{
		"switched off": {issnet.Behaviour{Off: []string{"GerarNfse"}}, "E999", fiscal.NeedsPerson},
		"not allowed":  {issnet.Behaviour{NotAllowed: []string{"11222333000181"}}, "E138", fiscal.NeedsPerson},
		"another's service": {issnet.Behaviour{Codes: map[string][]string{"11222333000181": {"106"}}},
			"municipal_code_refused", fiscal.NeedsPerson},
		"not granted": {issnet.Behaviour{Granted: map[string][]issnet.Granted{
			"11222333000181": {{Series: 1, First: 1, Last: 9}},
		}}, "no_code", fiscal.Uncatalogued},
	} {
		c.SetBehaviour(one.behaviour)
		answer := c.Send(t.Context(), c.access, c.requestOf(t, declared(42)))
		if answer.Outcome != fiscal.OutcomeRejected || answer.Rejection.Code != one.code ||
			answer.Handling != one.handling {
			t.Errorf("%s: %s %v %s", name, answer.Outcome, answer.Rejection, answer.Handling)
		}
	}
	c.SetBehaviour(issnet.Behaviour{})
	stranger, err := c.NewCertificate(sefin.Subject{TaxID: "11222333000181", Foreign: true})
	if err != nil {
		t.Fatal(err)
	}
	access := fiscal.Access{Production: true, Credentials: &fiscal.Credentials{ID: "crt_2", Certificate: stranger}}
	answer := c.Send(t.Context(), access, c.requestOf(t, declared(42)))
	if answer.Outcome != fiscal.OutcomeNotDelivered || answer.NeedsPerson.None() {
		t.Errorf("a certificate that is not let in: %s %s", answer.Outcome, answer.Reason)
	}
	if len(c.Ledger()) != 0 {
		t.Error("a note was issued")
	}
}

// What the national layout takes and this one does not is held, and so not sent.
func TestISSNet_Holds(t *testing.T) {
	t.Parallel()
	authority, err := cityserver.New("brasilia", tableOf(t, "https://nfse.example/ws", ""), cityserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	foreign := func(d *fiscal.Declaration) {
		d.Details.ForeignTaker = &nfse.ForeignParty{NIF: "1", Name: "X", Country: "US", Street: "A", Number: "1",
			District: "B", ForeignPlace: nfse.ForeignPlace{PostalCode: "1", City: "C", Region: "D"}}
		d.Taxation.Service.Abroad = &nfse.Abroad{Mode: 1, Relationship: 1}
	}
	coded := func(code string) func(*fiscal.Declaration) {
		return func(d *fiscal.Declaration) { d.Taxation.Service.MunicipalCode = code }
	}
	for name, c := range map[string]struct {
		change func(*fiscal.Declaration)
		what   string
		is     fact.Code
	}{
		"works": {func(d *fiscal.Declaration) { d.Details.Work = &nfse.Work{} }, "obra", ""},
		"event": {func(d *fiscal.Declaration) { d.Details.Event = &nfse.CulturalEvent{} }, "atvEvento", ""},
		"property": {func(d *fiscal.Declaration) {
			with := *d.Classification
			with.Property = &nfse.Property{}
			d.Classification = &with
		}, "imovel", ""},
		"no reason": {func(d *fiscal.Declaration) { foreign(d); d.Details.ForeignTaker.NIF = "" }, "cNaoNIF 0", ""},
		"no tie": {func(d *fiscal.Declaration) {
			foreign(d)
			d.Taxation.Service.Abroad.Relationship = 0
		}, "vincPrest 0", ""},
		"no mode": {func(d *fiscal.Declaration) {
			foreign(d)
			d.Taxation.Service.Abroad.Mode = 0
		}, "mdPrestacao 0", ""},
		"zeros":        {coded("0106"), "", "city_code_number"},
		"too large":    {coded("9999999999"), "", "city_code_number"},
		"no code":      {coded(""), "", "city_code_missing"},
		"unclassified": {func(d *fiscal.Declaration) { d.Classification = nil }, "", "classification_required"},
		"no registration": {func(d *fiscal.Declaration) { d.Issuer.MunicipalRegistration = nil }, "",
			"city_registration_missing"},
		"nothing wrong": {func(*fiscal.Declaration) {}, "", ""},
	} {
		d := declared(1)
		c.change(&d)
		objection := authority.Check(d, nationaltest.At)
		want := c.is
		if c.what != "" {
			want = "city_layout_lacks"
		}
		switch {
		case want == "" && objection != nil:
			t.Errorf("%s: %+v", name, objection)
		case want != "" && (objection == nil || !objection.Hold.Is(want) ||
			!strings.Contains(objection.Hold.English(), c.what)):
			t.Errorf("%s: %+v", name, objection)
		}
	}
}

// A cancellation is off until a row says by which event the city takes it. One whose answer was lost is
// asked about by the note, and never sent again; what others cancelled is seen.
func TestISSNet_Cancels(t *testing.T) {
	t.Parallel()
	if off := newTown(t, "", issnet.Behaviour{}); off.Capabilities().Cancels {
		t.Error("cancelling is on")
	}
	c := newTown(t, "cancelling=e101101", issnet.Behaviour{})
	finder, tells := c.Bounded.(fiscal.StandingFinder)
	if !tells || !c.Capabilities().Cancels {
		t.Fatal("it tells of no cancellation, or takes none")
	}
	standing := func(number string) fiscal.Standings {
		return finder.FindStandings(t.Context(), c.access, declared(1).Issuer, []string{number})
	}
	key, _ := c.issued(t, 42)
	request := c.cancellationOf(t, key)
	if found := c.Find(t.Context(), c.access, request); found.Outcome != fiscal.OutcomeNotFound {
		t.Errorf("before: %s %s", found.Outcome, found.Reason)
	}
	if found := standing("1"); !slices.Equal(found.Standing, []string{"1"}) {
		t.Errorf("standing: %+v", found)
	}
	c.fail(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Cancel, After: true})
	if lost := c.Send(t.Context(), c.access, request); lost.Outcome != fiscal.OutcomeUnknown {
		t.Errorf("lost: %s", lost.Outcome)
	}
	c.fail(t)
	found := c.Find(t.Context(), c.access, request)
	if found.Outcome != fiscal.OutcomeAccepted || found.Match != fiscal.MatchOurs || found.EventXML == nil {
		t.Errorf("found: %s %s", found.Outcome, found.Reason)
	}
	if posts := c.posts(sefin.Cancel); posts != 1 {
		t.Errorf("it was sent %d times", posts)
	}
	if again := c.Send(t.Context(), c.access, request); again.Outcome != fiscal.OutcomeAccepted {
		t.Errorf("cancelled already: %s %s %v", again.Outcome, again.Reason, again.Rejection)
	}
	if found := standing("1"); found.Cancelled["1"].At.IsZero() {
		t.Errorf("standing: %+v", found)
	}

	key, _ = c.issued(t, 43)
	if err := c.RegisterEvent(key, "305101"); err != nil {
		t.Fatal(err)
	}
	if found := standing("2"); len(found.Cancelled["2"].Document) == 0 {
		t.Errorf("cancelled by the city: %+v", found)
	}
	if found := standing("3"); len(found.Standing)+len(found.Cancelled) != 0 || found.Reason.None() {
		t.Errorf("of no note: %+v", found)
	}
	c.SetBehaviour(issnet.Behaviour{Off: []string{"CancelarNfse"}})
	refused := c.Send(t.Context(), c.access, c.cancellationOf(t, key))
	if refused.Outcome != fiscal.OutcomeRejected || refused.Rejection.Code != "E999" {
		t.Errorf("switched off: %s %v", refused.Outcome, refused.Rejection)
	}
}

func (c town) posts(scope sefin.Scope) (count int) {
	for _, post := range c.Posts() {
		if post.Scope == scope {
			count++
		}
	}
	return count
}

// An analysis that was asked for leaves the note standing until the city has decided.
func TestISSNet_Analysis(t *testing.T) {
	t.Parallel()
	c := newTown(t, "cancelling=e101101", issnet.Behaviour{})
	key, _ := c.issued(t, 42)
	message, err := c.SignCancellation(fiscal.CancellationRequest{Analysis: true, AccessKey: key,
		Issuer: declared(1).Issuer, ReasonCode: "1", ReasonText: "emitida com o valor errado"},
		c.access.Credentials, c.now())
	if err != nil {
		t.Fatal(err)
	}
	request := fiscal.Request{Kind: fiscal.Analysis, Messages: []fiscal.Message{message}, AccessKey: key,
		MunicipalRegistration: "0700000000100"}
	if sent := c.Send(t.Context(), c.access, request); sent.Outcome != fiscal.OutcomeAccepted {
		t.Errorf("sent: %s %s", sent.Outcome, sent.Reason)
	}
	if found := c.Find(t.Context(), c.access, request); found.Outcome != fiscal.OutcomeAccepted {
		t.Errorf("found: %s %s", found.Outcome, found.Reason)
	}
	finder := c.Bounded.(fiscal.StandingFinder)
	for _, decided := range []bool{false, true} {
		found := finder.FindStandings(t.Context(), c.access, declared(1).Issuer, []string{"1"})
		if _, cancelled := found.Cancelled["1"]; cancelled != decided || !found.Reason.None() {
			t.Errorf("decided %t: %+v", decided, found)
		}
		if !decided {
			if err := c.RegisterEvent(key, "105104"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The test server is on the data of one city, which declarations of every city name there.
func TestISSNet_TestServer(t *testing.T) {
	t.Parallel()
	row := "3543402\tribeirao-preto\tissnet\ton\t2026-08-03\t\t\t%s\tinclusive-sha1\t1-10\ttest-city=5002704\ttest"
	simulator, err := issnet.Start(issnet.Options{Options: sefin.Options{
		Options: server.Options{Clock: func() time.Time { return nationaltest.At }}}})
	simulator = simulatortest.Started(t, simulator, err)
	table, err := cities.Parse(strings.Join(cities.Columns(), "\t")+"\n"+fmt.Sprintf(row, simulator.URL())+"\n",
		cityrules.Quirks())
	if err != nil {
		t.Fatal(err)
	}
	authority, err := cityserver.New("ribeirao-preto", &table, cityserver.Options{
		Transport: mtls.Options{ServerRoots: simulator.Roots()}})
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := simulator.NewCertificate(sefin.Subject{TaxID: "11222333000181"})
	if err != nil {
		t.Fatal(err)
	}
	access := fiscal.Access{Credentials: &fiscal.Credentials{ID: "crt_1", Certificate: certificate}}
	d := declared(1)
	d.Issuer.Production, d.Issuer.MunicipalityCode = false, "3543402"
	c := town{Simulator: simulator, Bounded: authority, access: access, passed: new(atomic.Int64)}
	answer := c.Send(t.Context(), access, c.requestOf(t, d))
	if answer.Outcome != fiscal.OutcomeAccepted || answer.Document.AccessKey[:7] != "5002704" {
		t.Errorf("%s %s %v", answer.Outcome, answer.Reason, answer.Rejection)
	}
	numbers := c.Bounded.(fiscal.NumberFinder).FindNumbers(t.Context(), access, d.Issuer, []int64{1})
	if !slices.Equal(numbers.Used, []int64{1}) {
		t.Errorf("%+v", numbers)
	}
}

// A grace period is never shorter than a sending may take, regardless of what the row says: a sending whose process
// was killed may still be on its way.
func TestGracePeriod(t *testing.T) {
	t.Parallel()
	for quirks, want := range map[string]time.Duration{
		"": 3*time.Minute + 30*time.Second, "send-timeout=60s": 3 * time.Minute,
		"grace-period=5m": 5 * time.Minute, "grace-period=1s": 3 * time.Minute,
		"send-timeout=20s grace-period=1s": 20 * time.Second, "send-timeout=20s grace-period=40s": 40 * time.Second,
	} {
		if got := newTown(t, quirks, issnet.Behaviour{}).Capabilities().GracePeriod; got != want {
			t.Errorf("%q: %s, want %s", quirks, got, want)
		}
	}
}

// The cities of the family that come with the program are reached as authorities, those that are off too.
func TestISSNet_BuiltIn(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]bool{
		"brasilia": true, "ribeirao-preto": true, "goiania": false, "anapolis": false, "duque-de-caxias": false,
	} {
		authority, err := cityserver.New(name, cities.BuiltIn(), cityserver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := authority.Capabilities()
		if got.Cancels || got.AsksFirst || got.NotFounds != 1 || !got.Queryable || authority.Serves(true) != on ||
			authority.CallTimeout() != time.Minute {
			t.Errorf("%s: %+v, serves %t, %s", name, got, authority.Serves(true), authority.CallTimeout())
		}
	}
}

// What we send is signed as its own document, and stands in the envelope byte for byte: random
// declarations are valid by the national schema, verify by xmlsec1, and are issued.
func TestISSNet_RandomDeclarations(t *testing.T) {
	t.Parallel()
	validator := nationaltest.NewValidator(t, "DPS_v1.01.xsd")
	c := newTown(t, "", issnet.Behaviour{})
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	count, taken := long.Cases(3000, 60), 0
	for seed := range count {
		d := drawn.Example(seed)
		base := declared(int64(seed) + 1)
		d.Issuer.MunicipalityCode, d.Issuer.MunicipalRegistration = "5300108", base.Issuer.MunicipalRegistration
		d.Issuer.TaxID, d.Issuer.Production, d.Issuer.InactiveMunicipalities = base.Issuer.TaxID, true, nil
		d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesNone, nil
		d.Issuer.ApproximateTaxes, d.Number, d.Layout = base.Issuer.ApproximateTaxes, base.Number, ""
		d.Details.Replaces = nil
		if d.Taxation.Service == nil {
			d.Taxation.Service = &nfse.ServiceTaxation{}
		}
		d.Taxation.Service.MunicipalCode = "106"
		d.Issuer.GrantedNumbers = granted()
		if c.Check(d, c.now()) != nil {
			continue
		}
		message, err := c.SignDeclaration(d, nationaltest.Credentials(t), c.now())
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		taken++
		if bytes.Contains(message.XML, []byte("sha256")) || bytes.Count(message.XML, []byte("xmlns")) != 2 {
			t.Fatalf("not signed alone, by SHA-1: %s", message.XML)
		}
		validator.Add(message)
	}
	if taken < count/10 {
		t.Fatalf("only %d of %d are sent", taken, count)
	}
	validator.Validate()
	validator.Verify("infDPS")
}

// exchange executes the actions of an exchange as activities do, by the rules.
type exchange struct {
	fiscal.Exchange
	town        town
	request     fiscal.Request
	declaration fiscal.Declaration
	sentAt      time.Time
	notFoundAt  time.Time
}

// step executes the next action; done is true at an end. A crash forgets an answer.
func (e *exchange) step(t testing.TB, crash bool) (done bool) {
	c := e.town
	e.SinceSent, e.SinceNotFound = c.now().Sub(e.sentAt), c.now().Sub(e.notFoundAt)
	switch next := e.Next(c.Capabilities()); next.Action {
	case fiscal.Sign:
		if e.Kind == fiscal.Issue {
			e.request.Messages = append(e.request.Messages, c.requestOf(t, e.declaration).Message())
		} else {
			e.request.Messages = append(e.request.Messages, c.cancellationOf(t, e.request.AccessKey).Message())
		}
		e.Signings++
		e.State, e.Rejection, e.Handling = fiscal.Signed, nil, ""
	case fiscal.Send:
		before := e.Exchange
		e.Exchange, e.sentAt = before.Sending(), c.now()
		if answer := c.Send(context.Background(), c.access, e.request); !crash {
			e.store(before.AfterSending(answer, time.Hour))
		}
	case fiscal.Ask:
		if answer := c.Find(context.Background(), c.access, e.request); !crash {
			e.store(e.AfterAsking(answer, c.Capabilities()))
		}
	case fiscal.Hold:
		c.pass(time.Hour)
	default:
		return true
	}
	return false
}

func (e *exchange) store(decision fiscal.Decision) {
	if decision.Exchange.NotFounds > e.NotFounds {
		e.notFoundAt = e.town.now()
	}
	e.Exchange = decision.Exchange
	if decision.Action == fiscal.Wait {
		e.town.pass(max(decision.RetryAfter, time.Second))
	}
}

// faultsDrawn are what befalls a call.
var faultsDrawn = []sefin.Fault{
	{Kind: sefin.Latency}, {Kind: sefin.Latency}, {Kind: sefin.Drop}, {Kind: sefin.Drop, After: true},
	{Kind: sefin.Reset, After: true}, {Kind: sefin.Status, Status: 500, After: true}, {Kind: sefin.Status, Status: 500},
	{Kind: sefin.Status, Status: 502, Body: "html"}, {Kind: sefin.Status, Status: 200, Body: "html", After: true},
	{Kind: sefin.HalfAnswer}, {Kind: sefin.UnreadableXML}, {Kind: sefin.MissingXML}, {Kind: sefin.OtherDocument},
	{Kind: sefin.Reject, Code: "E232"}, {Kind: sefin.Reject, Code: "E777"}, {Kind: sefin.Reject, Code: "E999"},
	{Kind: sefin.Hide, Delay: sefin.Duration(30 * time.Second)},
}

// No matter what happens to calls and answers, and when the process is killed: every declaration ends with one note,
// which is the one on record, and every cancellation with one event.
func TestISSNet_ExactlyOnce(t *testing.T) {
	t.Parallel()
	c := newTown(t, "cancelling=e101101 grace-period=60s", issnet.Behaviour{})
	c.issued(t, 1)
	number := int64(1)
	rapid.Check(t, func(r *rapid.T) {
		number++
		c.SetBehaviour(issnet.Behaviour{
			Escaped: rapid.Bool().Draw(r, "escaped"), OldNames: rapid.Bool().Draw(r, "old"),
			NotFoundInWords: rapid.Bool().Draw(r, "in words"),
			ExistsCode:      rapid.SampledFrom([]string{"", "E777", "E0014"}).Draw(r, "exists"),
		})
		e := &exchange{town: c, declaration: declared(number), request: fiscal.Request{Kind: fiscal.Issue},
			Exchange: fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Unsigned, Series: 1, Number: number}}
		e.request.CorrelationID = fiscal.CorrelationID(e.declaration.Note.ID)
		e.run(t, r)
		if e.State != fiscal.Accepted || e.Document == nil {
			r.Fatalf("it ends %s: %v", e.State, e.Rejection)
		}
		issued, found := c.Note(e.request.Message().ID)
		if !found || issued.AccessKey != e.Document.AccessKey || issued.Digest != e.Document.Digest ||
			len(c.Ledger()) != int(number) {
			r.Fatalf("on record is %s, issued was %+v, and %d in all", e.Document.AccessKey, issued, len(c.Ledger()))
		}
		cancelled := &exchange{town: c, Exchange: fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.Unsigned},
			request: fiscal.Request{Kind: fiscal.Cancel, AccessKey: issued.AccessKey,
				MunicipalRegistration: "0700000000100"}}
		cancelled.run(t, r)
		issued, _ = c.Note(issued.AccessKey)
		isDone := cancelled.State == fiscal.Accepted
		// A cancellation that is switched off is refused, and nothing is done.
		isRefused := cancelled.State == fiscal.Rejected && cancelled.Rejection.Code == "E999"
		if isDone != issued.Cancelled || len(issued.Events) > 1 || !isDone && !isRefused {
			r.Fatalf("the cancellation ends %s %v, events %v", cancelled.State, cancelled.Rejection, issued.Events)
		}
	})
}

// run executes an exchange under some faults, and then without any.
func (e *exchange) run(t testing.TB, r *rapid.T) {
	for range rapid.IntRange(0, 8).Draw(r, "steps under faults") {
		e.town.fail(t, rapid.SampledFrom(faultsDrawn).Draw(r, "fault"))
		if e.step(t, rapid.IntRange(0, 5).Draw(r, "crash") == 0) {
			break
		}
	}
	e.town.fail(t)
	for range 40 {
		if e.step(t, false) {
			return
		}
	}
}

// Messages are of version 1.01, whose DPS has the group IBSCBS: of every competence, and of a company in
// Simples Nacional as long as the city takes its notes.
func TestISSNet_AlwaysWithIBSCBS(t *testing.T) {
	t.Parallel()
	c := newTown(t, "", issnet.Behaviour{})
	d := declared(1)
	d.Note.Competence = "2026-09-30"
	if message := string(c.requestOf(t, d).Message().XML); !strings.Contains(message, "<IBSCBS>") {
		t.Error("it has no IBSCBS")
	}
	d.Issuer.Simples, d.Issuer.SimplesRegime = nfse.SimplesME, new(1)
	if !c.StatesIBSCBS(d) {
		t.Error("of a company in Simples Nacional it has no IBSCBS")
	}
	d.Classification = nil
	if o := c.Check(d, nationaltest.At); o == nil || !o.Unclassified || !o.Hold.Is(fact.ClassificationRequired) {
		t.Errorf("unclassified it is %+v", o)
	}
}
