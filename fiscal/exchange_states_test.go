package fiscal_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// What callers of the package ask of an exchange, by its state.
func TestExchange_States(t *testing.T) {
	for state, expected := range map[fiscal.State]struct{ sent, ended, nothing bool }{
		fiscal.Unsigned:       {nothing: true},
		fiscal.Signed:         {nothing: true},
		fiscal.InDoubt:        {sent: true},
		fiscal.Accepted:       {sent: true, ended: true},
		fiscal.Rejected:       {sent: true, ended: true},
		fiscal.NumberConflict: {sent: true, nothing: true},
		fiscal.UsedUp:         {sent: true, nothing: true},
	} {
		e := fiscal.Exchange{Kind: fiscal.Issue, State: state}
		if e.Sent() != expected.sent || e.Ended() != expected.ended || e.NothingExists() != expected.nothing {
			t.Errorf("%s: sent %t, ended %t, nothing exists %t", state, e.Sent(), e.Ended(), e.NothingExists())
		}
	}
}

func TestDecision_GoesOn(t *testing.T) {
	for action, goesOn := range map[fiscal.Action]bool{
		fiscal.Sign: true, fiscal.Send: true, fiscal.Ask: true, fiscal.AskNumber: true,
		fiscal.Wait: false, fiscal.Hold: false, fiscal.NextNumber: false, fiscal.Settle: false,
	} {
		if (fiscal.Decision{Action: action}).GoesOn() != goesOn {
			t.Errorf("%s: it goes on at once: %t", action, !goesOn)
		}
	}
}

// A refusal that an event may explain is looked up among the events, once a question about the document would count.
func TestExchange_AsksBar(t *testing.T) {
	doubt := fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.InDoubt, Handling: fiscal.NeedsConfirmation,
		SinceSent: gracePeriod}
	if !doubt.AsksBlockingEvent(national) {
		t.Error("the events are not read")
	}
	early, signed, plain := doubt, doubt, doubt
	early.SinceSent--
	signed.State = fiscal.Signed
	plain.Handling = fiscal.Final
	for why, e := range map[string]fiscal.Exchange{"early": early, "not in doubt": signed, "another refusal": plain} {
		if e.AsksBlockingEvent(national) {
			t.Errorf("%s: the events are read", why)
		}
	}
}

// A refusal that says "it exists already" of what cannot be found is about a number only where a number was sent.
func TestExchange_ExistsButNotFound(t *testing.T) {
	for kind, alarm := range map[fiscal.Kind]fact.Fact{
		fiscal.Issue: numbered(fact.NumberInUseNotFound), fiscal.Cancel: {},
	} {
		e := fiscal.Exchange{Kind: kind, State: fiscal.InDoubt, Handling: fiscal.AlreadyExists, Series: 4, Number: 17}
		again := asked(e, notFound, gracePeriod)
		expect(t, again, fiscal.Signed, fiscal.Send)
		if again.Alarm.English() != alarm.English() {
			t.Errorf("%s: the alarm is %q", kind, again.Alarm.English())
		}
	}
}

// Where refusals spend a number, what a person corrected goes on under another one.
func TestExchange_MendedSpends(t *testing.T) {
	autoFixed := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Unsigned, Handling: fiscal.AutoFixed,
		Rejection: rejection("E0310", fiscal.Final).Rejection}
	expect(t, autoFixed.Next(fiscal.Capabilities{RefusalUsesUpNumber: true}), fiscal.UsedUp, fiscal.NextNumber)
	expect(t, autoFixed.Next(fiscal.Capabilities{}), fiscal.Unsigned, fiscal.Sign)
	fresh := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Unsigned}
	expect(t, fresh.Next(fiscal.Capabilities{RefusalUsesUpNumber: true}), fiscal.Unsigned, fiscal.Sign)
}

// A rule that refused a company's documents in doubt refused them for certain once the question found nothing.
func TestExchange_RefusedForCertain(t *testing.T) {
	doubt := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.InDoubt, Ambiguous: true,
		Handling: fiscal.NeedsPerson, Rejection: rejection("E0310", fiscal.NeedsPerson).Rejection}
	refused := asked(doubt, notFound, gracePeriod)
	if !refused.Exchange.Refused() || !refused.Exchange.NothingExists() {
		t.Errorf("it is %s: refused %t, nothing exists %t", refused.Exchange.State, refused.Exchange.Refused(),
			refused.Exchange.NothingExists())
	}
}

func TestKind_CallName(t *testing.T) {
	for _, call := range []struct {
		kind   fiscal.Kind
		action fiscal.Action
		name   string
	}{
		{fiscal.Issue, fiscal.Send, "issue"}, {fiscal.Cancel, fiscal.Send, "cancel"},
		{fiscal.Issue, fiscal.Ask, "find"}, {fiscal.Cancel, fiscal.Ask, "find_cancellation"},
		{fiscal.Analysis, fiscal.Ask, "find_analysis"}, {fiscal.Issue, fiscal.AskNumber, "find_numbers"},
		{fiscal.Cancel, fiscal.AskBlockingEvent, "find_bar"},
	} {
		if name := call.kind.CallName(call.action); name != call.name {
			t.Errorf("%s of %s is called %s, not %s", call.action, call.kind, name, call.name)
		}
	}
}
