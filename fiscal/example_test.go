package fiscal_test

import (
	"fmt"
	"time"

	"emissor/fiscal"
)

// An exchange whose first answer is lost: nothing is sent again before the
// authority was asked.
func ExampleExchange() {
	national := fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: time.Minute, NotFounds: 1}
	exchange := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}
	show := func(what string, decision fiscal.Decision) {
		exchange = decision.Exchange
		fmt.Printf("%s: %s, %s\n", what, exchange.State, decision.Action)
	}

	show("a message is signed", exchange.Next(national))
	show("its answer is lost", exchange.AfterSending(fiscal.Answer{Outcome: fiscal.OutcomeUnknown}, time.Hour))
	show("what now", exchange.Next(national))

	exchange.SinceSent = 20 * time.Second
	early := exchange.AfterAsking(fiscal.Answer{Outcome: fiscal.OutcomeNotFound}, national)
	show("nothing is found yet", early)
	fmt.Println("asked again after", early.RetryAfter)

	exchange.SinceSent = time.Minute
	issued := fiscal.Answer{
		Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
		Document: &fiscal.IssuedDocument{AccessKey: "3304...", XML: []byte("<NFSe/>")},
	}
	show("the document is found", exchange.AfterAsking(issued, national))

	// Output:
	// a message is signed: signed, send
	// its answer is lost: in_doubt, wait
	// what now: in_doubt, ask
	// nothing is found yet: in_doubt, wait
	// asked again after 41s
	// the document is found: accepted, settle
}

// A rejection ends an exchange, unless something of it may exist: then the
// authority is asked first.
func ExampleExchange_AfterSending() {
	rejected := rejection("E0310", fiscal.Final)

	signed := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}
	fmt.Println(signed.AfterSending(rejected, time.Hour).Action)

	signed.Ambiguous = true // an answer was lost before
	fmt.Println(signed.AfterSending(rejected, time.Hour).Exchange.State)

	// Output:
	// settle
	// in_doubt
}
