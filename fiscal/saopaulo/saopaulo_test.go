package saopaulo_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/nationaltest"
	"emissor/fiscal/saopaulo"
	"emissor/fiscal/saopaulo/saopaulotest"
	"emissor/nfse/fact"
)

var background = context.Background()

func authority(t testing.TB, c *city) *saopaulo.Authority {
	t.Helper()
	made, err := saopaulo.New(saopaulo.Options{
		URL: c.url, Transport: mtls.Options{ServerRoots: c.roots.TLSClientConfig.RootCAs}})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// exchange executes the actions of an exchange as activities do, by the rules and
// with a clock that moves only here.
type exchange struct {
	fiscal.Exchange
	authority *saopaulo.Authority
	city      *city
	access    fiscal.Access
	request   fiscal.Request
	cancels   string // number of the note to be cancelled

	declaration fiscal.Declaration
	sentAt      time.Duration
	notFoundAt  time.Duration
	heldSeries  string
	alarm       string
}

// step executes the next action; done is true at an end. A crash forgets an answer.
func (e *exchange) step(t interface{ Fatal(...any) }, fault string, crash bool) (done bool) {
	e.SinceSent, e.SinceNotFound = e.city.now-e.sentAt, e.city.now-e.notFoundAt
	next := e.Next(e.authority.Capabilities())
	e.city.fault = fault
	switch next.Action {
	case fiscal.Sign:
		message, err := e.sign()
		if err != nil {
			t.Fatal(err)
		}
		e.request.Messages = append(e.request.Messages, message)
		e.Signings++
		e.State, e.Rejection, e.Handling = fiscal.Signed, nil, ""
	case fiscal.Send:
		before := e.Exchange
		e.Exchange, e.sentAt = before.Sending(), e.city.now
		if answer := e.authority.Send(background, e.access, e.request); !crash {
			e.store(before.AfterSending(answer, time.Hour))
		}
	case fiscal.Ask:
		if answer := e.authority.Find(background, e.access, e.request); !crash {
			e.store(e.AfterAsking(answer, e.authority.Capabilities()))
		}
	case fiscal.AskNumber:
		numbers := e.authority.FindNumbers(background, e.access, e.declaration.Issuer, []int64{e.Number})
		if !crash {
			e.store(e.AfterAskingNumber(numbers))
		}
	case fiscal.Hold:
		e.city.now += time.Hour
	default:
		return true
	}
	return false
}

func (e *exchange) sign() (fiscal.Message, error) {
	if e.Kind == fiscal.Issue {
		return e.authority.SignDeclaration(e.declaration, e.access.Credentials, saopaulotest.At)
	}
	return e.authority.SignCancellation(fiscal.CancellationRequest{
		Number: e.cancels, Issuer: e.declaration.Issuer, Signings: e.Signings,
	}, e.access.Credentials, saopaulotest.At)
}

func (e *exchange) store(decision fiscal.Decision) {
	if decision.Exchange.NotFounds > e.NotFounds {
		e.notFoundAt = e.city.now
	}
	e.Exchange = decision.Exchange
	if !decision.HoldSeries.None() {
		e.heldSeries = decision.HoldSeries.English()
	}
	if !decision.Alarm.None() {
		e.alarm = decision.Alarm.English()
	}
	if decision.Action == fiscal.Wait {
		e.city.now += max(decision.RetryAfter, time.Second)
	}
}

func newExchange(t testing.TB, c *city, kind fiscal.Kind, declaration fiscal.Declaration) *exchange {
	return &exchange{
		Exchange: fiscal.Exchange{Kind: kind, State: fiscal.Unsigned, Series: 1, Number: declaration.Number},
		city:     c, authority: authority(t, c), declaration: declaration,
		access:  fiscal.Access{Production: true, Credentials: nationaltest.Credentials(t)},
		request: fiscal.Request{Kind: kind},
	}
}

func (e *exchange) run(t interface{ Fatal(...any) }) {
	for range 50 {
		if e.step(t, "", false) {
			return
		}
	}
	t.Fatal("it does not end: ", e.State)
}

// No matter what is lost on the way, and how late the city shows what it made: in the end there is one note, no note
// was cancelled by sending an RPS again, and its document is the city's answer byte for byte.
func TestAuthority_ExactlyOne(t *testing.T) {
	c := newCity(t)
	credentialed := authority(t, c)
	rapid.Check(t, func(r *rapid.T) {
		c.notes, c.now, c.behind = nil, 0, time.Duration(rapid.IntRange(0, 59).Draw(r, "behind"))*time.Second
		e := newExchange(t, c, fiscal.Issue, saopaulotest.Declaration())
		e.authority = credentialed
		for step := 0; ; step++ {
			var fault string
			crash := false
			if step < 12 {
				fault = rapid.SampledFrom([]string{"", "", "lost", "unanswered", "shut"}).Draw(r, "fault")
				crash = rapid.IntRange(0, 5).Draw(r, "crash") == 0
			}
			if e.step(r, fault, crash) {
				break
			}
			if step > 60 {
				r.Fatal("it does not end")
			}
			c.now += time.Duration(rapid.IntRange(0, 30).Draw(r, "pass")) * time.Second
		}
		if e.State != fiscal.Accepted || len(c.notes) != 1 || c.notes[0].cancelled || e.heldSeries != "" {
			r.Fatalf("%s: %d notes, %q %+v", e.State, len(c.notes), e.heldSeries, e.Rejection)
		}
		if document := e.Document; *document.Authorization.Number != "1" || !strings.HasPrefix(string(document.XML),
			"<RetornoConsulta ") || !strings.Contains(string(document.XML), c.notes[0].document()) {
			r.Fatalf("%+v\n%s", document, document.XML)
		}
	})
}

// A number that another program used is found by asking; sent all the same, its note
// is destroyed, which holds the series and tells of both.
func TestAuthority_NumberOfAnotherProgram(t *testing.T) {
	c := newCity(t)
	theirs := saopaulotest.Declaration()
	theirs.Note.Customer.TaxID, theirs.Note.AmountCents = "11444777000161", 99
	other := newExchange(t, c, fiscal.Issue, theirs)
	other.run(t)

	numbers := other.authority.FindNumbers(background, other.access, theirs.Issuer, []int64{42})
	if len(numbers.Used) != 1 || !numbers.Reason.None() {
		t.Errorf("%+v", numbers)
	}
	if free := other.authority.FindNumbers(background, other.access, theirs.Issuer, []int64{41, 43,
		44}); len(free.Free) != 3 {
		t.Errorf("%+v", free)
	}
	asked := newExchange(t, c, fiscal.Issue, saopaulotest.Declaration())
	asked.run(t)
	if asked.State != fiscal.NumberConflict || len(c.notes) != 1 || c.notes[0].cancelled {
		t.Errorf("%s %q", asked.State, asked.alarm)
	}

	ours := newExchange(t, c, fiscal.Issue, saopaulotest.Declaration())
	ours.NumberFree = true // it was, when it was asked about
	ours.run(t)
	if ours.State != fiscal.Accepted || *ours.Document.Authorization.Number != "2" ||
		!strings.Contains(ours.heldSeries, "the note 1,") || !strings.Contains(ours.alarm, "the note 2 ") {
		t.Errorf("%s %q %q", ours.State, ours.heldSeries, ours.alarm)
	}

	// In doubt it is found, and not taken for ours.
	doubt := newExchange(t, c, fiscal.Issue, theirs)
	doubt.declaration.Note.Customer.TaxID = "99888777000100"
	doubt.declaration.Note.AmountCents, doubt.declaration.Note.Service.Description = 5, "Outro serviço"
	doubt.NumberFree = true
	doubt.step(t, "", false)
	doubt.step(t, "lost", false)
	for range 10 {
		if doubt.State == fiscal.NumberConflict {
			break
		}
		doubt.step(t, "", false)
	}
	if doubt.State != fiscal.NumberConflict || c.notes[1].cancelled {
		t.Errorf("%s %+v", doubt.State, doubt.alarm)
	}
}

func TestAuthority_Cancels(t *testing.T) {
	for name, c := range map[string]struct {
		wrong  int // answers of 1305
		faults []string
		state  fiscal.State
	}{
		"at once":         {0, nil, fiscal.Accepted},
		"in other width":  {1, nil, fiscal.Accepted},
		"in neither":      {2, nil, fiscal.Rejected},
		"answer lost":     {0, []string{"", "unanswered"}, fiscal.Accepted},
		"message lost":    {0, []string{"", "lost"}, fiscal.Accepted},
		"turned away":     {0, []string{"", "shut"}, fiscal.Accepted},
		"question unread": {0, []string{"", "unanswered", "lost"}, fiscal.Accepted},
	} {
		t.Run(name, func(t *testing.T) {
			city := newCity(t)
			newExchange(t, city, fiscal.Issue, saopaulotest.Declaration()).run(t)
			city.wrong = c.wrong
			e := newExchange(t, city, fiscal.Cancel, saopaulotest.Declaration())
			e.cancels = "1"
			for _, fault := range c.faults {
				e.step(t, fault, false)
			}
			e.run(t)
			if e.State != c.state || city.notes[0].cancelled != (c.state == fiscal.Accepted) {
				t.Errorf("%s %+v", e.State, e.Rejection)
			}
		})
	}
}

// A note that was cancelled on the city's site is found by asking; of one that the city
// does not show nothing is known.
func TestAuthority_FindStandings(t *testing.T) {
	c := newCity(t)
	e := newExchange(t, c, fiscal.Issue, saopaulotest.Declaration())
	e.run(t)
	ask := func(numbers ...string) fiscal.Standings {
		return e.authority.FindStandings(background, e.access, e.declaration.Issuer, numbers)
	}
	if found := ask("1", "7"); !slices.Equal(found.Standing, []string{"1"}) || len(found.Cancelled) != 0 ||
		found.Reason.None() {
		t.Errorf("a note that stands: %+v", found)
	}
	c.notes[0].cancelled = true
	if found := ask("1"); len(found.Standing) != 0 || len(found.Cancelled) != 1 || !found.Reason.None() ||
		!bytes.Contains(found.Cancelled["1"].Document, []byte("<StatusNFe>C</StatusNFe>")) {
		t.Errorf("a note that was cancelled: %+v", found)
	}
	if found := ask("x"); found.Reason.None() || len(found.Standing)+len(found.Cancelled) != 0 {
		t.Errorf("a number that is none: %+v", found)
	}
}

func TestAuthority_Capabilities(t *testing.T) {
	for configured, want := range map[time.Duration]time.Duration{0: time.Minute, time.Second: time.Second} {
		made, err := saopaulo.New(saopaulo.Options{URL: "https://nfews.example/lotenfe.asmx", GracePeriod: configured})
		if err != nil {
			t.Fatal(err)
		}
		expected := fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: want, NotFounds: 2,
			AsksFirst: true, GreatestNumber: 999_999_999_999, ExactHolder: true, RefusalUsesUpNumber: true}
		if made.Capabilities() != expected || made.Name() != "sao-paulo" || !made.Serves(true) || !made.Serves(false) {
			t.Errorf("%+v", made.Capabilities())
		}
	}
	nowhere, err := saopaulo.New(saopaulo.Options{})
	if err != nil || nowhere.Serves(true) {
		t.Error("it serves without an address")
	}
	restricted := saopaulotest.Declaration()
	restricted.Issuer.Production = false
	if objection := nowhere.Check(restricted, saopaulotest.At); objection == nil ||
		!objection.Hold.Is(fact.CityHasNoTestSystem) {
		t.Errorf("%+v", objection)
	}
}
