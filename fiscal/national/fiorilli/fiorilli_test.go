package fiorilli_test

import (
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
	"emissor/test/simulators/fiorilli"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/shapes"
	"emissor/test/simulators/shared/simulatortest"
)

// town is a city of the family that is simulated, and reached as an authority. Its time moves here alone.
type town struct {
	*fiorilli.Simulator
	cityserver.Bounded
	access fiscal.Access
	passed *atomic.Int64
}

const (
	company      = "11222333000181"
	registration = "998877"
)

func (c town) now() time.Time { return nationaltest.At.Add(time.Duration(c.passed.Load())) }

func newTown(t testing.TB, quirks string, options fiorilli.Options) town {
	t.Helper()
	c := town{passed: new(atomic.Int64)}
	options.Clock, options.Production = c.now, true
	options.Registry = sefin.Registry{PostalCodeOf: func(string, string) bool { return true },
		ISSRate: int64(nfse.MaxRate)}
	simulator, err := fiorilli.Start(options)
	c.Simulator = simulatortest.Started(t, simulator, err)
	row := strings.Join([]string{"3503406", "arealva", "fiorilli", "on", "2026-08-01", "", c.URL(), "",
		"inclusive-sha1", "", quirks, "test"}, "\t")
	table, err := cities.Parse(strings.Join(cities.Columns(), "\t")+"\n"+row+"\n", cityrules.Quirks())
	if err != nil {
		t.Fatal(err)
	}
	c.Bounded, err = cityserver.New("arealva", &table, cityserver.Options{
		Software: "emissor-test", Transport: mtls.Options{ServerRoots: c.Roots()}})
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := c.NewCertificate(sefin.Subject{TaxID: company})
	if err != nil {
		t.Fatal(err)
	}
	c.access = fiscal.Access{Production: true, Credentials: &fiscal.Credentials{ID: "crt_1", Certificate: certificate}}
	return c
}

// declared is a declaration that the city takes.
func declared(number int64) fiscal.Declaration {
	d := nationaltest.Declaration()
	d.Number, d.Note.ID = number, fmt.Sprintf("nfse_%026d", number)
	d.Issuer.Production, d.Issuer.MunicipalityCode = true, "3503406"
	d.Issuer.MunicipalRegistration = new(registration)
	d.Note.Service.MunicipalityCode = "3503406"
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
		MunicipalRegistration: registration}
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

func (c town) numbers(t testing.TB, numbers ...int64) fiscal.Numbers {
	t.Helper()
	return c.Bounded.(fiscal.NumberFinder).FindNumbers(t.Context(), c.access, declared(1).Issuer, numbers)
}

// A note is issued, found by its DPS and refused when its DPS comes again, in every way to say that there is none.
func TestIssues(t *testing.T) {
	t.Parallel()
	for quirks, behaviour := range map[string]fiorilli.Behaviour{
		"not-found=N15,E92": {NotFound: "E92", Alerts: true}, "not-found=empty": {ExistsCode: "N99"},
	} {
		t.Run(quirks, func(t *testing.T) {
			t.Parallel()
			c := newTown(t, quirks, fiorilli.Options{Behaviour: behaviour})
			before := c.Find(t.Context(), c.access, c.requestOf(t, declared(42)))
			if before.Outcome != fiscal.OutcomeNotFound {
				t.Errorf("before: %s %s", before.Outcome, before.Reason)
			}
			key, request := c.issued(t, 42)
			found := c.Find(t.Context(), c.access, request)
			if found.Outcome != fiscal.OutcomeAccepted || found.Match != fiscal.MatchOurs ||
				found.Document.AccessKey != key || key[7] != '1' {
				t.Errorf("found: %s %s %s", found.Outcome, found.Reason, found.Alarm)
			}
			again := c.Send(t.Context(), c.access, request)
			if again.Outcome != fiscal.OutcomeRejected || again.Handling != fiscal.Uncatalogued {
				t.Errorf("again: %s %s %s", again.Outcome, again.Handling, again.Reason)
			}
			numbers := c.numbers(t, 42, 43)
			if !slices.Equal(numbers.Used, []int64{42}) || !slices.Equal(numbers.Free, []int64{43}) {
				t.Errorf("numbers: %+v", numbers)
			}
			if len(c.Ledger()) != 1 {
				t.Errorf("%d notes were issued", len(c.Ledger()))
			}
		})
	}
}

// Where the row does not say by what the city says that there is none, no number is free: it is asked first, and
// nothing is sent. What it answered is said.
func TestNotFound_UnknownSendsNothing(t *testing.T) {
	t.Parallel()
	for name, behaviour := range map[string]fiorilli.Behaviour{
		"city_answered_codes": {NotFound: "E92"}, "city_unclear": {},
	} {
		c := newTown(t, "", fiorilli.Options{Behaviour: behaviour})
		can := c.Capabilities()
		if !can.AsksFirst || can.NotFounds != 2 || can.Cancels {
			t.Errorf("it promises %+v", can)
		}
		numbers := c.numbers(t, 1)
		if len(numbers.Free) > 0 || !numbers.Reason.Is(fact.Code(name)) {
			t.Errorf("%s: %+v", name, numbers)
		}
		// One in doubt stays so, for as long as it is asked about.
		_, request := c.issued(t, 1)
		other := c.requestOf(t, declared(2))
		if found := c.Find(t.Context(), c.access, other); found.Outcome != fiscal.OutcomeUnknown {
			t.Errorf("%s: what was not issued is %s", name, found.Outcome)
		}
		if found := c.Find(t.Context(), c.access, request); found.Outcome != fiscal.OutcomeAccepted {
			t.Errorf("%s: what was issued is %s", name, found.Outcome)
		}
	}
}

// What the city says no by, and what it fails by: nothing is issued by it.
func TestRefuses(t *testing.T) {
	t.Parallel()
	c := newTown(t, "not-found=empty", fiorilli.Options{})
	send := func(access fiscal.Access, change func(*fiscal.Request)) fiscal.Answer {
		request := c.requestOf(t, declared(42))
		change(&request)
		return c.Send(t.Context(), access, request)
	}
	replaced := func(old, by string) func(*fiscal.Request) {
		return func(r *fiscal.Request) {
			r.Messages[0].XML = []byte(strings.Replace(string(r.Messages[0].XML), old, by, 1))
		}
	}
	for name, one := range map[string]struct {
		change func(*fiscal.Request)
		code   string
	}{
		"signature": {replaced("<vServ>", "<vServ>1"), "E172"},
		"version":   {replaced(`versao="1.01"`, `versao="1.00"`), "N13"},
	} {
		answer := send(c.access, one.change)
		if answer.Outcome != fiscal.OutcomeRejected || answer.Rejection.Code != one.code ||
			answer.Handling != fiscal.NeedsPerson {
			t.Errorf("%s: %s %s %v", name, answer.Outcome, answer.Reason, answer.Rejection)
		}
	}
	unmarked := replaced(` xmlns="http://www.sped.fazenda.gov.br/nfse" versao`, " versao")
	if answer := send(c.access, unmarked); answer.Outcome != fiscal.OutcomeUnknown ||
		!answer.Reason.Is(fact.CityFault) || answer.Status != 500 {
		t.Errorf("a fault, with 500: %s %s %d", answer.Outcome, answer.Reason, answer.Status)
	}
	stranger, err := c.NewCertificate(sefin.Subject{TaxID: company, Foreign: true})
	if err != nil {
		t.Fatal(err)
	}
	access := fiscal.Access{Production: true, Credentials: &fiscal.Credentials{ID: "crt_2", Certificate: stranger}}
	if answer := send(access, func(*fiscal.Request) {}); answer.Outcome != fiscal.OutcomeNotDelivered ||
		answer.NeedsPerson.None() {
		t.Errorf("a certificate that is not let in: %s %s", answer.Outcome, answer.Reason)
	}
	c.SetBehaviour(fiorilli.Behaviour{OfLot: true})
	if answer := send(c.access, replaced("<vServ>", "<vServ>1")); answer.Outcome != fiscal.OutcomeUnknown {
		t.Errorf("a refusal of another DPS: %s %v", answer.Outcome, answer.Rejection)
	}
	if len(c.Ledger()) != 0 {
		t.Error("a note was issued")
	}
}

// A cancellation is off until a row says by which event the city takes it. One whose answer was lost, or does not say
// in known words that it is done, is asked about by the note; where that does not show its event it is held, and never
// sent again.
func TestCancels(t *testing.T) {
	t.Parallel()
	c := newTown(t, "not-found=empty cancelling=e101101", fiorilli.Options{})
	if !c.Capabilities().Cancels {
		t.Fatal("cancelling is off")
	}
	key, _ := c.issued(t, 1)
	done := c.Send(t.Context(), c.access, c.cancellationOf(t, key))
	if done.Outcome != fiscal.OutcomeAccepted || done.Match != fiscal.MatchOurs || done.EventXML != nil {
		t.Errorf("sent: %s %s %v\n%s", done.Outcome, done.Reason, done.Rejection, done.Body)
	}
	if again := c.Send(t.Context(), c.access, c.cancellationOf(t, key)); again.Outcome != fiscal.OutcomeAccepted {
		t.Errorf("cancelled already: %s %s %v", again.Outcome, again.Reason, again.Rejection)
	}
	key, _ = c.issued(t, 2)
	request := c.cancellationOf(t, key)
	c.SetBehaviour(fiorilli.Behaviour{Status: "Solicitação recebida"})
	if sent := c.Send(t.Context(), c.access, request); sent.Outcome != fiscal.OutcomeUnknown {
		t.Errorf("in other words: %s %s", sent.Outcome, sent.Reason)
	}
	held := c.Find(t.Context(), c.access, request)
	if held.Outcome != fiscal.OutcomeUnknown || held.NeedsPerson.None() {
		t.Errorf("asked about, it is %s %s", held.Outcome, held.Reason)
	}
	c.SetBehaviour(fiorilli.Behaviour{ShowsEvent: true})
	shown := c.Find(t.Context(), c.access, request)
	if shown.Outcome != fiscal.OutcomeAccepted || shown.EventXML == nil {
		t.Errorf("shown, it is %s %s", shown.Outcome, shown.Reason)
	}
	request.MunicipalRegistration = ""
	if sent := c.Send(t.Context(), c.access, request); sent.Outcome != fiscal.OutcomeNotDelivered {
		t.Errorf("without a registration: %s", sent.Outcome)
	}
	cancels := 0
	for _, post := range c.Posts() {
		if post.Scope == sefin.Cancel {
			cancels++
		}
	}
	if cancels != 3 {
		t.Errorf("cancellations were sent %d times", cancels)
	}
}

// The cities that come with the program are reached as authorities, and are off.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	count := 0
	for _, row := range cities.BuiltIn().Rows() {
		if row.Family != "fiorilli" {
			continue
		}
		count++
		city, err := cityserver.New(row.Name, cities.BuiltIn(), cityserver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if row.On() || city.Serves(true) || city.Capabilities().Cancels {
			t.Errorf("%s is on, or cancels", row.Name)
		}
	}
	if count == 0 {
		t.Error("the table has none of the family")
	}
}

// An answer that comes whole is read as what it says, in any form.
func TestAnyShape(t *testing.T) {
	t.Parallel()
	c := newTown(t, "not-found=empty cancelling=e101101", fiorilli.Options{Options: sefin.Options{
		Options: server.Options{Shapes: shapes.Any(1, shapes.Rates{})}}})
	for number := range int64(long.Cases(200, 25)) {
		before := c.Find(t.Context(), c.access, c.requestOf(t, declared(number+1)))
		if before.Outcome != fiscal.OutcomeNotFound {
			t.Fatalf("before it is sent, it is %s %s\n%s", before.Outcome, before.Summary(), before.Body)
		}
		key, request := c.issued(t, number+1)
		if found := c.Find(t.Context(), c.access, request); found.Match != fiscal.MatchOurs || !found.Alarm.None() {
			t.Fatalf("asked about, it is %s %s\n%s", found.Outcome, found.Summary(), found.Body)
		}
		if done := c.Send(t.Context(), c.access, c.cancellationOf(t, key)); done.Outcome != fiscal.OutcomeAccepted {
			t.Fatalf("cancelled, it is %s %s\n%s", done.Outcome, done.Summary(), done.Body)
		}
	}
}

// exchange executes the actions of an exchange as activities do, by the rules.
type exchange struct {
	fiscal.Exchange
	town        town
	request     fiscal.Request
	declaration fiscal.Declaration
	sentAt      time.Time
	notFoundAt  time.Time
	held        bool // it waits for a person
}

// step executes the next action; done is true at an end. A crash forgets an answer.
func (e *exchange) step(t testing.TB, crash bool) (done bool) {
	c := e.town
	e.SinceSent, e.SinceNotFound = c.now().Sub(e.sentAt), c.now().Sub(e.notFoundAt)
	switch next := e.Next(c.Capabilities()); next.Action {
	case fiscal.AskNumber:
		if numbers := c.numbers(t, e.Number); !crash {
			e.store(e.AfterAskingNumber(numbers))
		}
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
		c.passed.Add(int64(time.Hour))
	default:
		return true
	}
	return false
}

func (e *exchange) store(decision fiscal.Decision) {
	if decision.Exchange.NotFounds > e.NotFounds {
		e.notFoundAt = e.town.now()
	}
	e.Exchange, e.held = decision.Exchange, decision.Action == fiscal.Hold
	if decision.Action == fiscal.Wait || e.held {
		e.town.passed.Add(int64(max(decision.RetryAfter, time.Second)))
	}
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
		if e.step(t, false) || e.held && e.Kind == fiscal.Cancel {
			return
		}
	}
}

// faultsDrawn are what befalls a call.
var faultsDrawn = []sefin.Fault{
	{Kind: sefin.Latency}, {Kind: sefin.Latency}, {Kind: sefin.Drop}, {Kind: sefin.Drop, After: true},
	{Kind: sefin.Reset, After: true}, {Kind: sefin.Status, Status: 500, After: true}, {Kind: sefin.Status, Status: 500},
	{Kind: sefin.Status, Status: 502, Body: "html"}, {Kind: sefin.Status, Status: 200, Body: "html", After: true},
	{Kind: sefin.HalfAnswer}, {Kind: sefin.UnreadableXML}, {Kind: sefin.MissingXML}, {Kind: sefin.OtherDocument},
	{Kind: sefin.Reject, Code: "E9999"}, {Kind: sefin.Reject, Code: "N77"},
	{Kind: sefin.Hide, Delay: sefin.Duration(30 * time.Second)},
}

// No matter what happens to calls and answers, and when the process is killed: every declaration ends with one note,
// which is the one on record; a cancellation ends with one event, or waits for a person and was sent once.
func TestExactlyOnce(t *testing.T) {
	t.Parallel()
	c := newTown(t, "not-found=E92 cancelling=e101101 grace-period=60s send-timeout=60s", fiorilli.Options{})
	number := int64(1)
	c.issued(t, number)
	rapid.Check(t, func(r *rapid.T) {
		number++
		c.SetBehaviour(fiorilli.Behaviour{NotFound: "E92", Alerts: rapid.Bool().Draw(r, "alerts"),
			ShowsEvent: rapid.Bool().Draw(r, "shows event"),
			ExistsCode: rapid.SampledFrom([]string{"", "N99", "E0014"}).Draw(r, "exists")})
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
				MunicipalRegistration: registration}}
		cancelled.run(t, r)
		issued, _ = c.Note(issued.AccessKey)
		waits := cancelled.State == fiscal.InDoubt && cancelled.held
		if (cancelled.State == fiscal.Accepted) != issued.Cancelled && !waits || len(issued.Events) > 1 ||
			cancelled.State == fiscal.Signed {
			r.Fatalf("the cancellation ends %s %v, events %v", cancelled.State, cancelled.Rejection, issued.Events)
		}
	})
}

// A city may want a user and a password: they go with each call, and come back in nothing that is kept. Without them, or
// with wrong ones, nothing is made and nothing is known.
func TestLogin(t *testing.T) {
	t.Parallel()
	const password = "s3nha <da> \"Câmara\" & 'cia'"
	c := newTown(t, "not-found=empty", fiorilli.Options{Behaviour: fiorilli.Behaviour{Password: password}})
	request := c.requestOf(t, declared(1))
	for name, login := range map[string]*fiscal.Login{"none": nil, "wrong": {User: company, Password: "senha errada"}} {
		c.access.Login = login
		for what, answer := range map[string]fiscal.Answer{
			"sent": c.Send(t.Context(), c.access, request), "asked": c.Find(t.Context(), c.access, request),
		} {
			if answer.Outcome != fiscal.OutcomeUnknown || !answer.Reason.Is(fact.CityFault) ||
				!strings.Contains(string(answer.Body), "Acesso negado") ||
				strings.Contains(fmt.Sprintf("%+v %s", answer, answer.Body), "senha errada") {
				t.Errorf("%s, %s: %s %s\n%s", name, what, answer.Outcome, answer.Reason, answer.Body)
			}
		}
	}
	if len(c.Ledger()) != 0 {
		t.Fatal("a note was issued")
	}
	c.access.Login = &fiscal.Login{User: company, Password: password}
	c.issued(t, 1)
	if found := c.Find(t.Context(), c.access, request); found.Outcome != fiscal.OutcomeAccepted {
		t.Errorf("found: %s %s", found.Outcome, found.Reason)
	}
	if numbers := c.numbers(t, 1, 2); !slices.Equal(numbers.Free, []int64{2}) {
		t.Errorf("numbers: %+v", numbers)
	}
	if said := fmt.Sprintf("%v %+v %#v", c.access, c.access, *c.access.Login); strings.Contains(said, "s3nha") {
		t.Errorf("it is printed: %s", said)
	}
	c.SetBehaviour(fiorilli.Behaviour{}) // one that wants none
	if answer := c.Send(t.Context(), c.access, c.requestOf(t, declared(2))); answer.Outcome != fiscal.OutcomeUnknown ||
		strings.Contains(string(answer.Body), "s3nha") {
		t.Errorf("not wanted: %s %s", answer.Outcome, answer.Body)
	}
}
