package cityserver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/national/cityserver"
	"emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse/fact"
	"emissor/test/simulators/sefin"
)

// clones are cities whose servers speak as SEFIN does, one of each supplier: Infisc, SimplISS, RLZ and Tiplan.
var clones = []string{"caxias-do-sul", "santana-de-parnaiba", "barretos", "americana"}

// onEachClone runs a test on a city of each supplier, by its row of the table that is built in.
func onEachClone(t *testing.T, test func(t *testing.T, c company), changes ...func(*sefin.City)) {
	t.Helper()
	for _, name := range clones {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newCompany(t, name, changes...))
		})
	}
}

// A clone issues a note, knows its number, finds it, refuses it once more, and cancels it.
func TestClones_IssueAndCancel(t *testing.T) {
	t.Parallel()
	onEachClone(t, func(t *testing.T, c company) {
		issuer := dsfDeclaration(c.played.Municipality).Issuer
		if asked := c.FindNumbers(t.Context(), c.access, issuer, []int64{1}); len(asked.Free) != 1 {
			t.Errorf("its number is not free: %+v", asked)
		}
		request, key := c.issued(t, 1)
		if found := c.Find(t.Context(), c.access, request); found.Match != fiscal.MatchOurs ||
			found.Document.AccessKey != key || !found.Alarm.None() {
			t.Errorf("it is not found: %s %s", found.Outcome, found.Summary())
		}
		if asked := c.FindNumbers(t.Context(), c.access, issuer, []int64{1}); len(asked.Used) != 1 {
			t.Errorf("its number is not used: %+v", asked)
		}
		if again := c.Send(t.Context(), c.access, request); again.Handling != fiscal.AlreadyExists {
			t.Errorf("sent again it is %s %s", again.Outcome, again.Handling)
		}
		cancelled := c.Send(t.Context(), c.access, c.cancelling(t, key))
		if cancelled.Outcome != fiscal.OutcomeAccepted || cancelled.EventXML == nil || !c.simulator.Ledger()[0].Cancelled {
			t.Errorf("the cancellation is %s %s", cancelled.Outcome, cancelled.Summary())
		}
	})
}

// A lost cancellation is asked about as SEFIN is asked; where that path is not known it waits for a person.
func TestClones_LostCancellation(t *testing.T) {
	t.Parallel()
	for _, made := range []bool{true, false} {
		onEachClone(t, func(t *testing.T, c company) {
			_, key := c.issued(t, 1)
			request := c.cancelling(t, key)
			c.fail(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Cancel, After: made, Next: 1})
			if sent := c.Send(t.Context(), c.access, request); sent.Outcome != fiscal.OutcomeUnknown {
				t.Errorf("a lost answer is %s", sent.Outcome)
			}
			want := map[bool]fiscal.Outcome{true: fiscal.OutcomeAccepted, false: fiscal.OutcomeNotFound}[made]
			if c.played.Clone == sefin.CloneTiplan {
				want = fiscal.OutcomeUnknown
			}
			found := c.Find(t.Context(), c.access, request)
			if found.Outcome != want || found.NeedsPerson.None() != (want != fiscal.OutcomeUnknown) {
				t.Errorf("asked it is %s %s, for a person %q", found.Outcome, found.Summary(), found.NeedsPerson)
			}
		})
	}
}

// A lost answer is asked about: the note is found where it was made, and else its number is free.
func TestClones_LostAnswer(t *testing.T) {
	t.Parallel()
	for _, made := range []bool{true, false} {
		onEachClone(t, func(t *testing.T, c company) {
			c.fail(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, After: made, Next: 1})
			request := c.declared(t, 1)
			if sent := c.Send(t.Context(), c.access, request); sent.Outcome != fiscal.OutcomeUnknown {
				t.Errorf("a lost answer is %s", sent.Outcome)
			}
			found, want := c.Find(t.Context(), c.access, request), fiscal.OutcomeNotFound
			if made {
				want = fiscal.OutcomeAccepted
			}
			if found.Outcome != want || made && (found.Match != fiscal.MatchOurs || found.Document.XML == nil) {
				t.Errorf("asked it is %s %s %s", found.Outcome, found.Match, found.Summary())
			}
		})
	}
}

// What a rule of the nation refuses is refused by what the catalogue says of its code.
func TestClones_Refuse(t *testing.T) {
	t.Parallel()
	onEachClone(t, func(t *testing.T, c company) {
		c.fail(t, sefin.Fault{Kind: sefin.Reject, Code: "E0427", Scope: sefin.Issue})
		sent := c.Send(t.Context(), c.access, c.declared(t, 1))
		decided := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.AfterSending(sent, time.Hour)
		if sent.Outcome != fiscal.OutcomeRejected || sent.Rejection.Code != "E0427" || sent.Rejection.Explanation == "" ||
			decided.Exchange.State == fiscal.InDoubt {
			t.Errorf("it is %s %+v, and the exchange %s", sent.Outcome, sent.Rejection, decided.Exchange.State)
		}
	})
}

// Words that are no JSON are a question, never a refusal; and no word that there is nothing: nothing is sent before
// the server has said that of itself, and what was sent waits for a person.
func TestClones_InWords(t *testing.T) {
	t.Parallel()
	onEachClone(t, func(t *testing.T, c company) {
		numbers := c.FindNumbers(t.Context(), c.access, dsfDeclaration(c.played.Municipality).Issuer, []int64{1})
		if len(numbers.Free)+len(numbers.Used) > 0 || numbers.Reason.None() {
			t.Errorf("of a number it is known %+v", numbers)
		}
		c.fail(t, sefin.Fault{Kind: sefin.Reject, Code: "E0427", Scope: sefin.Issue})
		request := c.declared(t, 1)
		sent := c.Send(t.Context(), c.access, request)
		decided := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.AfterSending(sent, time.Hour)
		if sent.Status != http.StatusBadRequest || decided.Exchange.State != fiscal.InDoubt || !decided.Exchange.Ambiguous {
			t.Errorf("it is %s %s, and the exchange %s", sent.Outcome, sent.Handling, decided.Exchange.State)
		}
		inDoubt := decided.Exchange
		inDoubt.SinceSent = time.Hour
		asked := inDoubt.AfterAsking(c.Find(t.Context(), c.access, request), c.Capabilities())
		if asked.Exchange.State != fiscal.InDoubt || asked.Action != fiscal.Hold ||
			!asked.Reason.Is(fact.CityServerMoved) || asked.RetryAfter != 30*time.Second {
			t.Errorf("asked, it is %s %s, again after %s: %s", asked.Exchange.State, asked.Action, asked.RetryAfter,
				asked.Reason)
		}
	}, func(city *sefin.City) { city.InWords = true })
}

// The rows of clones are off, so that their notes are held and nothing is sent; one whose server wants a token of each
// company has no address, so that it can only be off.
func TestClones_AreOff(t *testing.T) {
	t.Parallel()
	for _, row := range cities.BuiltIn().Rows() {
		if row.Family != rules.SEFIN {
			continue
		}
		d := dsfDeclaration(row.MunicipalityCode)
		d.Note.Competence = row.From
		city, err := cityserver.New(row.Name, cities.BuiltIn(), cityserver.Options{})
		if err != nil {
			t.Fatal(err)
		}
		objection := city.Check(d, nationaltest.At)
		if row.On() || objection == nil || !objection.Hold.Is(fact.CityOff) || city.Serves(true) || city.Serves(false) {
			t.Errorf("%s is on, or its notes are not held: %+v", row.Name, objection)
		}
		why := row.Off
		if why == "nobody has reported a note of this city" {
			why = "not available in this city yet"
		}
		if held := rules.Holds([]cities.Row{row}, d); !strings.Contains(held.English(), why) ||
			held.Portuguese() == held.English() {
			t.Errorf("%s: it is said %q and %q", row.Name, held.English(), held.Portuguese())
		}
		if wantsToken := row.Off != "nobody has reported a note of this city"; wantsToken !=
			(row.Production == "" && row.Test == "") {
			t.Errorf("%s has the addresses %q and %q, and is off: %s", row.Name, row.Production, row.Test, row.Off)
		}
		if capabilities := city.Capabilities(); capabilities.Cancels || !capabilities.AsksFirst ||
			capabilities.NotFounds != 2 {
			t.Errorf("%s: %+v", row.Name, capabilities)
		}
	}
}
