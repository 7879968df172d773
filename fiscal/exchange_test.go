package fiscal_test

import (
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

var (
	notFound = fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
	unknown  = fiscal.Answer{Outcome: fiscal.OutcomeUnknown}
	exists   = fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs, EventXML: []byte("<evento/>")}
)

// numbered is a fact about the number 17 of series 4.
func numbered(code fact.Code) fact.Fact { return code.With("number", 17, "series", 4) }

// asked is what a question makes of an exchange, so long after the last sending.
func asked(e fiscal.Exchange, answer fiscal.Answer, since time.Duration) fiscal.Decision {
	e.SinceSent = since
	return e.AfterAsking(answer, national)
}

func expect(t *testing.T, decision fiscal.Decision, state fiscal.State, action fiscal.Action) {
	t.Helper()
	if decision.Exchange.State != state || decision.Action != action {
		t.Errorf("it is %s and to %s, not %s and to %s: %+v", decision.Exchange.State, decision.Action, state, action,
			decision)
	}
}

func TestExchange_RejectionInDoubt(t *testing.T) {
	signed := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}
	refusal := rejection("E0310", fiscal.Final)
	expect(t, signed.AfterSending(refusal, time.Hour), fiscal.Rejected, fiscal.Settle)

	doubt := signed.AfterSending(unknown, time.Hour)
	expect(t, doubt, fiscal.InDoubt, fiscal.Wait)
	again := asked(doubt.Exchange, notFound, gracePeriod)
	expect(t, again, fiscal.Signed, fiscal.Send)
	if again.Exchange.NothingExists() {
		t.Error("after doubt it counts as one of which nothing exists")
	}
	rejected := again.Exchange.AfterSending(refusal, time.Hour)
	expect(t, rejected, fiscal.InDoubt, fiscal.Wait)
	early := asked(rejected.Exchange, notFound, gracePeriod-20*time.Second)
	expect(t, early, fiscal.InDoubt, fiscal.Wait)
	if early.RetryAfter != 21*time.Second {
		t.Errorf("it asks again after %s", early.RetryAfter)
	}
	expect(t, asked(rejected.Exchange, notFound, gracePeriod), fiscal.Rejected, fiscal.Settle)
}

func TestExchange_NotFound(t *testing.T) {
	doubt := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.InDoubt, Ambiguous: true}

	t.Run("AfterAKeyWasNamed", func(t *testing.T) {
		unread := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Document: &fiscal.IssuedDocument{AccessKey: "key"}}
		named := fiscal.Exchange{State: fiscal.Signed}.AfterSending(unread, time.Hour)
		expect(t, named, fiscal.InDoubt, fiscal.Ask) // for the document
		if named.Exchange.AccessKey != "key" {
			t.Fatalf("%+v", named)
		}
		expect(t, asked(named.Exchange, notFound, time.Hour), fiscal.InDoubt, fiscal.Wait)
	})
	t.Run("TwiceWhereASecondSendingDestroys", func(t *testing.T) {
		doubt.SinceSent = gracePeriod
		first := doubt.AfterAsking(notFound, destructive)
		expect(t, first, fiscal.InDoubt, fiscal.Wait)
		if first.RetryAfter < gracePeriod || first.Exchange.NotFounds != 1 {
			t.Errorf("%+v", first)
		}
		early := first.Exchange
		early.SinceSent, early.SinceNotFound = 90*time.Second, 30*time.Second
		expect(t, early.AfterAsking(notFound, destructive), fiscal.InDoubt, fiscal.Wait)
		second := first.Exchange
		second.SinceSent, second.SinceNotFound = 2*gracePeriod, gracePeriod
		expect(t, second.AfterAsking(notFound, destructive), fiscal.Signed, fiscal.Send)
	})
	t.Run("WhereANumberIsSaidToBeInUse", func(t *testing.T) {
		collision := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed, Series: 4, Number: 17}.
			AfterSending(rejection("E0014", fiscal.AlreadyExists), time.Hour)
		expect(t, collision, fiscal.InDoubt, fiscal.Ask)
		after := asked(collision.Exchange, notFound, gracePeriod)
		expect(t, after, fiscal.Signed, fiscal.Send)
		if after.Exchange.NothingExists() || !after.Alarm.Equal(numbered(fact.NumberInUseNotFound)) {
			t.Errorf("%+v", after)
		}
	})
	t.Run("WhereNothingCanBeAsked", func(t *testing.T) {
		expect(t, doubt.Next(fiscal.Capabilities{}), fiscal.InDoubt, fiscal.Hold)
	})
}

func TestExchange_Found(t *testing.T) {
	doubt := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.InDoubt, Ambiguous: true, Series: 4, Number: 17}
	found := func(match fiscal.Match, blocked bool) fiscal.Answer {
		answer := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: match,
			Document: &fiscal.IssuedDocument{AccessKey: "key", XML: []byte("<NFSe/>")}}
		if blocked {
			answer.NeedsPerson = fact.SignatureOfNoSigner.Fact()
		}
		return answer
	}
	t.Run("Ours", func(t *testing.T) {
		expect(t, asked(doubt, found(fiscal.MatchOurs, false), 0), fiscal.Accepted, fiscal.Settle)
	})
	t.Run("Blocked", func(t *testing.T) {
		blocked := asked(doubt, found(fiscal.MatchOurs, true), time.Hour)
		expect(t, blocked, fiscal.InDoubt, fiscal.Hold)
		if blocked.Exchange.AccessKey != "key" {
			t.Errorf("%+v", blocked)
		}
		expect(t, asked(blocked.Exchange, found(fiscal.MatchOurs, false), time.Hour), fiscal.Accepted, fiscal.Settle)
		expect(t, asked(doubt, found(fiscal.MatchForeign, true), time.Hour), fiscal.InDoubt, fiscal.Hold)
		// The answer to a sending is asked about first.
		sent := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.
			AfterSending(found(fiscal.MatchOurs, true), time.Hour)
		expect(t, sent, fiscal.InDoubt, fiscal.Wait)
	})
	t.Run("Unreadable", func(t *testing.T) {
		unreadable := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Unreadable: true,
			Reason:   fact.DocumentDamaged.Fact(),
			Document: &fiscal.IssuedDocument{AccessKey: "key"}}
		expect(t, asked(doubt, unreadable, time.Hour), fiscal.InDoubt, fiscal.Wait)
		held := asked(doubt, unreadable, 61*time.Minute)
		expect(t, held, fiscal.InDoubt, fiscal.Hold)
		if !held.Reason.Equal(fact.DocumentUnreadable.With("why", fact.DocumentDamaged.Fact())) ||
			!held.Alarm.Equal(held.Reason) {
			t.Errorf("%+v", held)
		}
		// The doubt has not ended: what is done next is a question.
		expect(t, held.Exchange.Next(national), fiscal.InDoubt, fiscal.Ask)
		expect(t, asked(held.Exchange, notFound, 2*time.Hour), fiscal.InDoubt, fiscal.Wait)
		expect(t, asked(held.Exchange, found(fiscal.MatchOurs, false), 2*time.Hour), fiscal.Accepted, fiscal.Settle)
	})
	t.Run("CancellationNotVerified", func(t *testing.T) {
		unverified := exists
		unverified.NeedsPerson = fact.SignatureOfNoSigner.Fact()
		cancel := fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.InDoubt, Ambiguous: true}
		expect(t, asked(cancel, unverified, 0), fiscal.InDoubt, fiscal.Hold)
		expect(t, asked(cancel, exists, 0), fiscal.Accepted, fiscal.Settle)
	})
	t.Run("Foreign", func(t *testing.T) {
		foreign := asked(doubt, found(fiscal.MatchForeign, false), time.Hour)
		expect(t, foreign, fiscal.NumberConflict, fiscal.NextNumber)
		if !foreign.Exchange.NothingExists() || !foreign.Alarm.Equal(numbered(fact.NumberOfAnothersDocument)) {
			t.Errorf("%+v", foreign)
		}
	})
	t.Run("Unclear", func(t *testing.T) {
		unclear := asked(doubt, found(fiscal.MatchUnclear, false), time.Hour)
		expect(t, unclear, fiscal.InDoubt, fiscal.Wait)
		if !unclear.Alarm.Equal(numbered(fact.DocumentNotSentFromHere)) {
			t.Error("nobody is told of a document that cannot be compared")
		}
	})
}

func TestExchange_Cancellation(t *testing.T) {
	signed := fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.Signed}
	for handling, expected := range map[fiscal.Handling]struct{ answered, notFound, found fiscal.State }{
		fiscal.Final:              {fiscal.Rejected, "", ""},
		fiscal.TryLater:           {fiscal.Signed, "", ""},
		fiscal.CertificateRefused: {fiscal.Unsigned, "", ""},
		fiscal.SignAgain:          {fiscal.Unsigned, "", ""}, // dated further back
		fiscal.NeedsPerson:        {fiscal.Rejected, "", ""}, // nothing of it can be corrected
		fiscal.AlreadyExists:      {fiscal.InDoubt, fiscal.Signed, fiscal.Accepted},
		fiscal.NeedsConfirmation:  {fiscal.InDoubt, fiscal.Rejected, fiscal.Accepted},
	} {
		t.Run(string(handling), func(t *testing.T) {
			after := signed.AfterSending(rejection("E", handling), time.Hour)
			if after.Exchange.State != expected.answered {
				t.Fatalf("the answer leads to %s", after.Exchange.State)
			}
			if after.Exchange.State != fiscal.InDoubt {
				return
			}
			expect(t, asked(after.Exchange, notFound, gracePeriod-time.Second), fiscal.InDoubt, fiscal.Wait)
			if nothing := asked(after.Exchange, notFound, gracePeriod); nothing.Exchange.State != expected.notFound {
				t.Errorf("nothing exists: %s", nothing.Exchange.State)
			}
			if found := asked(after.Exchange, exists, 0); found.Exchange.State != expected.found {
				t.Errorf("it exists: %s", found.Exchange.State)
			}
		})
	}
	inAnotherLayout := rejection("E1235", fiscal.SignAgain)
	inAnotherLayout.Layout = "nt009" // there is none for it
	expect(t, signed.AfterSending(inAnotherLayout, time.Hour), fiscal.Rejected, fiscal.Settle)
	accepted := signed.AfterSending(exists, time.Hour)
	expect(t, accepted, fiscal.Accepted, fiscal.Settle)
	if string(accepted.Exchange.EventXML) != "<evento/>" {
		t.Errorf("the event is lost: %+v", accepted)
	}
}

// What the authority's registers refuse is held under its number until somebody has put it
// right, or until they are asked again; nothing exists meanwhile.
func TestExchange_NeedsPerson(t *testing.T) {
	signed := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed, Signings: 1, Number: 17}
	refused := signed.AfterSending(rejection("E0025", fiscal.NeedsPerson), time.Hour)
	expect(t, refused, fiscal.Unsigned, fiscal.Sign)
	if !refused.Exchange.NothingExists() {
		t.Error("something may exist")
	}
	e := refused.Exchange
	held := e.Next(national)
	expect(t, held, fiscal.Unsigned, fiscal.Hold)
	if !held.Reason.Equal(fact.RefusedByRule.With("code", "E0025")) {
		t.Errorf("it waits for %q", held.Reason)
	}
	e.SinceSent = time.Hour
	expect(t, e.Next(national), fiscal.Unsigned, fiscal.Sign)
	e.SinceSent, e.Handling = 0, "" // put right
	expect(t, e.Next(national), fiscal.Unsigned, fiscal.Sign)
	// After a doubt it is confirmed first that nothing exists.
	signed.Ambiguous = true
	doubted := signed.AfterSending(rejection("E0025", fiscal.NeedsPerson), time.Hour)
	expect(t, doubted, fiscal.InDoubt, fiscal.Wait)
	expect(t, asked(doubted.Exchange, notFound, gracePeriod), fiscal.Unsigned, fiscal.Sign)
}

func TestExchange_CancellationNotOffered(t *testing.T) {
	unsigned := fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.Unsigned}
	refused := unsigned.Next(fiscal.Capabilities{Queryable: true})
	expect(t, refused, fiscal.Rejected, fiscal.Settle)
	if refused.Exchange.Rejection.Code != "cancellation_not_offered" {
		t.Errorf("%+v", refused)
	}
	expect(t, unsigned.Next(national), fiscal.Unsigned, fiscal.Sign)
}

// Where a second sending destroys, nothing is sent again by an answer of long ago.
func TestExchange_NotFoundsGrowOld(t *testing.T) {
	signed := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed, Ambiguous: true, NotFounds: 2,
		SinceNotFound: time.Second}
	expect(t, signed.Next(destructive), fiscal.Signed, fiscal.Send)
	signed.SinceNotFound = time.Hour
	expect(t, signed.Next(destructive), fiscal.Signed, fiscal.Ask)
	expect(t, signed.Next(national), fiscal.Signed, fiscal.Send)
	undelivered := signed.AfterSending(fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered}, time.Hour).Exchange
	expect(t, undelivered.Next(destructive), fiscal.Signed, fiscal.Ask)
}

// Where a sending may destroy what another system made, a number is asked about before
// the first one, and only then.
func TestExchange_AsksFirst(t *testing.T) {
	unsigned := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Unsigned, Series: 4, Number: 17}
	expect(t, unsigned.Next(askedFirst), fiscal.Unsigned, fiscal.AskNumber)
	expect(t, unsigned.Next(destructive), fiscal.Unsigned, fiscal.Sign)
	free := unsigned.AfterAskingNumber(fiscal.Numbers{Free: []int64{16, 17}})
	expect(t, free, fiscal.Unsigned, fiscal.Sign)
	expect(t, free.Exchange.Next(askedFirst), fiscal.Unsigned, fiscal.Sign)

	signed := unsigned
	signed.State = fiscal.Signed
	expect(t, signed.Next(askedFirst), fiscal.Signed, fiscal.AskNumber)
	expect(t, signed.AfterAskingNumber(fiscal.Numbers{Free: []int64{17}}), fiscal.Signed, fiscal.Send)
	unasked := signed.AfterAskingNumber(fiscal.Numbers{Free: []int64{16}, Reason: fact.NoAnswerInTime.Fact()})
	expect(t, unasked, fiscal.Signed, fiscal.Wait)
	if !unasked.Reason.Equal(fact.NumberNotKnownFree.With("why", fact.NoAnswerInTime.Fact())) {
		t.Errorf("%+v", unasked)
	}
	// Where our records may be a copy, a used number may be ours: nothing is sent.
	asked := []int64{17, 18}
	lost := signed.AfterCheckingSeries(asked, fiscal.Numbers{Free: []int64{17}, Used: []int64{18}})
	expect(t, lost, fiscal.Signed, fiscal.Hold)
	why := fact.NumberUsedInLostTime.With("number", 18, "series", 4)
	if !lost.HoldSeries.Equal(why) || !lost.Alarm.Equal(why) || !lost.Reason.Equal(why) || lost.Exchange.NumberFree {
		t.Errorf("a used number in a copy: %+v", lost)
	}
	expect(t, signed.AfterCheckingSeries(asked, fiscal.Numbers{Free: []int64{17}}), fiscal.Signed, fiscal.Wait)
	checked := signed.AfterCheckingSeries(asked, fiscal.Numbers{Free: []int64{17, 18}})
	expect(t, checked, fiscal.Signed, fiscal.AskNumber)
	used := signed.AfterAskingNumber(fiscal.Numbers{Used: []int64{17}})
	expect(t, used, fiscal.NumberConflict, fiscal.NextNumber)
	if !used.Exchange.NothingExists() || !used.Alarm.Equal(numbered(fact.NumberUsedByAnother)) {
		t.Errorf("%+v", used)
	}

	// A certificate that is refused at the question is at fault, and what it signed was not sent.
	refusal := fiscal.Numbers{CertificateRefused: &nfse.Rejection{Code: "1054"},
		Reason: fact.CityAnsweredCodes.With("codes", "1054")}
	for _, after := range []fiscal.Decision{
		signed.AfterAskingNumber(refusal), signed.AfterCheckingSeries(asked, refusal),
		unsigned.AfterAskingNumber(refusal), unsigned.AfterCheckingSeries(asked, refusal),
	} {
		expect(t, after, fiscal.Unsigned, fiscal.AskNumber)
		if !after.RefuseCertificate || after.Exchange.NumberFree || !after.HoldSeries.None() {
			t.Errorf("after a refused certificate: %+v", after)
		}
	}

	signed.Ambiguous, signed.NotFounds = true, 1 // as after a resending that never left, and a question
	expect(t, signed.Next(askedFirst), fiscal.Signed, fiscal.Ask)
	signed.NotFounds = 2
	expect(t, signed.Next(askedFirst), fiscal.Signed, fiscal.Send) // what became of it was asked about
	cancel := fiscal.Exchange{Kind: fiscal.Cancel, State: fiscal.Unsigned}
	expect(t, cancel.Next(askedFirst), fiscal.Unsigned, fiscal.Sign)
}

// That a second sending has destroyed a first document is told no matter how the exchange ends, and is never taken
// for its end.
func TestExchange_HoldSeries(t *testing.T) {
	replaced := fiscal.Answer{
		Outcome: fiscal.OutcomeAccepted, Document: &fiscal.IssuedDocument{AccessKey: "second"},
		HoldSeries: fact.InWords("the note 8 was cancelled by sending its number again"),
		Alarm:      fact.InWords("8 was cancelled, 9 issued"),
	}
	sent := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.AfterSending(replaced, time.Hour)
	expect(t, sent, fiscal.InDoubt, fiscal.Ask)
	if sent.HoldSeries.None() || sent.Alarm.None() || sent.Exchange.AccessKey != "second" {
		t.Errorf("%+v", sent)
	}
	replaced.Match, replaced.Document.XML = fiscal.MatchOurs, []byte("<NFe/>")
	found := sent.Exchange.AfterAsking(replaced, destructive)
	expect(t, found, fiscal.Accepted, fiscal.Settle)
	if found.HoldSeries.None() || found.Exchange.Document.AccessKey != "second" {
		t.Errorf("%+v", found)
	}
}

// An authority that says accepted and names no document is not believed.
func TestExchange_AcceptedWithoutDocument(t *testing.T) {
	doubt := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.InDoubt}
	for _, match := range []fiscal.Match{fiscal.MatchOurs, fiscal.MatchForeign} {
		expect(t, asked(doubt, fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: match}, 0), fiscal.InDoubt,
			fiscal.Wait)
	}
}

func TestExchange_CertificateRefused(t *testing.T) {
	for _, ambiguous := range []bool{false, true} {
		signed := fiscal.Exchange{State: fiscal.Signed, Ambiguous: ambiguous}
		after := signed.AfterSending(rejection("E1203", fiscal.CertificateRefused), time.Hour)
		if !after.RefuseCertificate {
			t.Errorf("the certificate goes on being used: %+v", after)
		}
	}
}

func TestExchange_SignedTooOften(t *testing.T) {
	unsigned := fiscal.Exchange{State: fiscal.Unsigned, Signings: 6, Handling: fiscal.SignAgain,
		Rejection: &nfse.Rejection{Code: "E0008"}, SinceSent: 9 * time.Minute}
	if held := unsigned.Next(national); held.Action != fiscal.Hold ||
		!held.Reason.Equal(fact.FormRefused.With("code", "E0008")) {
		t.Errorf("%+v", held)
	}
	unsigned.SinceSent = 10 * time.Minute
	expect(t, unsigned.Next(national), fiscal.Unsigned, fiscal.Sign)
}

func TestTakeNumber(t *testing.T) {
	for conflicts, action := range []fiscal.Action{fiscal.NextNumber, fiscal.NextNumber, fiscal.NextNumber,
		fiscal.Hold} {
		if decision := fiscal.TakeNumber(conflicts, 4); decision.Action != action {
			t.Errorf("after %d conflicts: %+v", conflicts, decision)
		}
	}
}

func TestMatchDocument(t *testing.T) {
	request := fiscal.Request{CorrelationID: "ours", Messages: []fiscal.Message{{Digest: "a"}, {Digest: "b"}}}
	for _, c := range []struct {
		digest, correlationID string
		match                 fiscal.Match
	}{
		{"", "", fiscal.MatchUnclear},
		{"", "ours", fiscal.MatchUnclear},
		{"a", "", fiscal.MatchOurs},
		{"b", "other", fiscal.MatchOurs},
		{"c", "other", fiscal.MatchForeign},
		{"c", "", fiscal.MatchForeign},
		{"c", "ours", fiscal.MatchUnclear}, // this note's, of a message that was lost
	} {
		if match := fiscal.MatchDocument(request, c.digest, c.correlationID); match != c.match {
			t.Errorf("%q and %q match as %q, not %q", c.digest, c.correlationID, match, c.match)
		}
	}
}

// A code that no catalogue has says neither yes nor no: it is asked about, and the same is
// sent again for a while; then a person has to look, and it goes on all the same.
func TestExchange_Uncatalogued(t *testing.T) {
	unexplained := fiscal.Answer{
		Outcome: fiscal.OutcomeRejected, Handling: fiscal.Uncatalogued,
		Rejection: &nfse.Rejection{Code: "E999", Message: "Erro não catalogado"},
	}
	for _, kind := range []fiscal.Kind{fiscal.Issue, fiscal.Cancel} {
		for name, before := range map[string]fiscal.Exchange{
			"at the first sending": {Kind: kind, State: fiscal.Signed},
			"after doubt":          {Kind: kind, State: fiscal.Signed, Ambiguous: true},
		} {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				doubt := before.AfterSending(unexplained, time.Hour)
				expect(t, doubt, fiscal.InDoubt, fiscal.Wait)
				expect(t, asked(doubt.Exchange, notFound, gracePeriod-20*time.Second), fiscal.InDoubt, fiscal.Wait)
				again := asked(doubt.Exchange, notFound, gracePeriod)
				expect(t, again, fiscal.Signed, fiscal.Send)
				made := fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
					Document: &fiscal.IssuedDocument{AccessKey: "key", XML: []byte("<NFSe/>")}}
				expect(t, asked(doubt.Exchange, made, gracePeriod), fiscal.Accepted, fiscal.Settle)

				late := again.Exchange
				late.SinceUncatalogued = time.Hour
				held := late.AfterSending(unexplained, time.Hour)
				expect(t, held, fiscal.InDoubt, fiscal.Hold)
				if !held.Alarm.Equal(fact.UncataloguedCode.With("code", "E999")) || !held.Reason.Equal(held.Alarm) ||
					held.Exchange.Rejection == nil {
					t.Errorf("it is held by %+v", held)
				}
				expect(t, asked(held.Exchange, notFound, gracePeriod), fiscal.Signed, fiscal.Send)
				refused := late.AfterSending(rejection("E0310", fiscal.Final), time.Hour)
				expect(t, asked(refused.Exchange, notFound, gracePeriod), fiscal.Rejected, fiscal.Settle)
			})
		}
	}
}
