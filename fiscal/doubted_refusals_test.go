package fiscal_test

import (
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// made is a document of ours that is read.
var made = fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
	Document: &fiscal.IssuedDocument{AccessKey: "key", XML: []byte("<NFSe/>")}}

// falsely is a refusal that may be false.
func falsely(code string, handling fiscal.Handling) fiscal.Answer {
	refusal := rejection(code, handling)
	refusal.DoubtFor = 24 * time.Hour
	return refusal
}

// A refusal that may be false is asked about at once and once the grace period is over; then nothing exists, and the
// same is sent again after a pause, for as long as it is doubted. After that it counts as any. It is stored as an
// older version understands it: what is in doubt as a code of no catalogue, and what nothing exists of as signed.
func TestExchange_Doubted(t *testing.T) {
	company := fiscal.Repair{Scope: fiscal.ScopeCompany}
	for name, before := range map[string]fiscal.Exchange{
		"certainly refused": {Kind: fiscal.Issue, State: fiscal.Signed},
		"after doubt":       {Kind: fiscal.Issue, State: fiscal.Signed, Ambiguous: true},
	} {
		for _, handling := range []fiscal.Handling{fiscal.NeedsPerson, fiscal.Final} {
			t.Run(name+" "+string(handling), func(t *testing.T) {
				refusal := falsely("E0160", handling)
				doubted := before.AfterSending(refusal, time.Hour)
				expect(t, doubted, fiscal.InDoubt, fiscal.Ask)
				if e := doubted.Exchange; e.Handling != fiscal.Uncatalogued || !e.Ambiguous || e.NothingExists() ||
					e.DoubtedCode != "E0160" || e.DoubtLeft != 24*time.Hour {
					t.Errorf("it is stored as %+v", e)
				}
				early := asked(doubted.Exchange, notFound, time.Second).Repaired(company, nil, true)
				expect(t, early, fiscal.InDoubt, fiscal.Wait)
				if early.SiblingHold != fiscal.ScopeCompany {
					t.Error("nobody waits behind it")
				}
				expect(t, asked(doubted.Exchange, made, gracePeriod), fiscal.Accepted, fiscal.Settle)

				pause := asked(doubted.Exchange, notFound, gracePeriod).Repaired(company, nil, true)
				expect(t, pause, fiscal.Signed, fiscal.Wait)
				if e := pause.Exchange; !pause.Reason.Equal(fact.RefusalDoubted.With("code", "E0160")) || e.Handling != "" ||
					!e.NothingExists() || !e.Correctable() || pause.SiblingHold != fiscal.ScopeCompany {
					t.Errorf("it pauses as %+v", pause)
				}
				expect(t, pause.Exchange.Next(national), fiscal.Signed, fiscal.Send)

				older := func(e fiscal.Exchange) fiscal.Exchange { // as a version reads it that knows of no doubt
					e.DoubtedCode, e.DoubtLeft = "", 0
					return e
				}
				expect(t, asked(older(doubted.Exchange), notFound, gracePeriod), fiscal.Signed, fiscal.Send)
				expect(t, older(pause.Exchange).Next(national), fiscal.Signed, fiscal.Send)
				refused := older(pause.Exchange).AfterSending(rejection("E0160", handling), time.Hour)
				if ended := handling == fiscal.Final; ended != (refused.Exchange.State == fiscal.Rejected) ||
					ended == refused.Exchange.Refused() {
					t.Errorf("an older version goes on to %+v", refused)
				}

				late := pause.Exchange
				late.DoubtLeft = 0
				counts := late.AfterSending(refusal, time.Hour)
				if counts.Exchange.State == fiscal.InDoubt || counts.Exchange.Handling != handling || counts.HoldsSiblings() {
					t.Errorf("after a day it is %+v", counts)
				}
			})
		}
	}
	certain := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.
		AfterSending(rejection("E0160", fiscal.NeedsPerson), time.Hour)
	held := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed, Handling: fiscal.NeedsPerson,
		Rejection: certain.Exchange.Rejection}
	if !certain.Exchange.Refused() || !held.AfterSending(falsely("E0160", fiscal.NeedsPerson), time.Hour).
		Exchange.Refused() {
		t.Error("what is not doubted, or was held for it before, does not count at once")
	}
}

// The time left of a doubt belongs to its code: a doubt of another code has its own. A doubt ends by what the
// authority refuses for certain, and not by what says nothing of its registers.
func TestExchange_DoubtGoesOn(t *testing.T) {
	hours := func(e fiscal.Exchange) time.Duration { return e.DoubtLeft / time.Hour }
	e := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed, DoubtedCode: "E0160", DoubtLeft: 5 * time.Hour}
	for name, row := range map[string]struct {
		answer fiscal.Answer
		code   string
		left   time.Duration
	}{
		"the same":        {falsely("E0160", fiscal.NeedsPerson), "E0160", 5},
		"another":         {falsely("E0190", fiscal.Final), "E0190", 24},
		"unanswered":      {unknown, "E0160", 5},
		"not delivered":   {fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered}, "E0160", 5},
		"later":           {rejection("E1217", fiscal.TryLater), "E0160", 5},
		"of no catalogue": {rejection("E999", fiscal.Uncatalogued), "E0160", 5},
		"for certain":     {rejection("E0025", fiscal.NeedsPerson), "", 0},
		"accepted":        {made, "", 0},
		"doubted no more": {rejection("E0160", fiscal.NeedsPerson), "", 0},
	} {
		after := e.AfterSending(row.answer, time.Hour)
		if after.Exchange.DoubtedCode != row.code || hours(after.Exchange) != row.left || after.HoldsSiblings() !=
			(row.code != "" && after.Exchange.DoubtLeft > 0) {
			t.Errorf("%s: %+v", name, after)
		}
	}
}

// Once the time is over nobody waits behind a note whose questions are not answered, and a person is asked.
func TestExchange_DoubtOverUnanswered(t *testing.T) {
	e := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.
		AfterSending(falsely("E0160", fiscal.NeedsPerson), time.Hour).Exchange
	if waits := asked(e, unknown, time.Hour); waits.Action != fiscal.Wait || !waits.HoldsSiblings() {
		t.Errorf("while it is doubted it is %+v", waits)
	}
	e.DoubtLeft = 0
	held := asked(e, unknown, time.Hour)
	expect(t, held, fiscal.InDoubt, fiscal.Hold)
	if held.HoldsSiblings() || !held.Alarm.None() || !held.Reason.Is(fact.RefusedByRule) {
		t.Errorf("after that it is %+v", held)
	}
	expect(t, asked(e, notFound, gracePeriod), fiscal.Signed, fiscal.Send)
}
