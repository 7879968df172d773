package national_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/renegotiation"
)

// Wherever a renegotiation ends, the message may have arrived: it is asked about, and nothing was made of it.
func TestSimulator_RenegotiationEnds(t *testing.T) {
	simulator, authority := startSimulator(t, false)
	declaration := nationaltest.Declaration()
	simulator.SetRegistry(registryOf(declaration))
	for number, behaviour := range []renegotiation.Behaviour{
		{Cut: renegotiation.AfterHello}, {Cut: renegotiation.AfterFlight}, {Cut: renegotiation.AfterFinished},
		{Refuse: 42}, {Refuse: 40}, {ReadAhead: 100},
	} {
		// Each has a certificate, and so a connection, of its own.
		certificate, err := simulator.NewCertificate(sefin.Subject{TaxID: string(declaration.Issuer.TaxID)})
		if err != nil {
			t.Fatal(err)
		}
		access := fiscal.Access{Credentials: &fiscal.Credentials{ID: "crt_test", Certificate: certificate}}
		declaration.Number = int64(number + 1)
		message, err := authority.SignDeclaration(declaration, access.Credentials, now)
		if err != nil {
			t.Fatal(err)
		}
		request := fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{message}}
		exchange := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed, Signings: 1}
		simulator.SetRenegotiation(behaviour)
		after := exchange.AfterSending(authority.Send(t.Context(), access, request), 0)
		if after.Exchange.State != fiscal.InDoubt || len(simulator.Ledger()) != number {
			t.Errorf("%+v: the exchange is %s, issued are %d", behaviour, after.Exchange.State, len(simulator.Ledger()))
		}
		simulator.SetRenegotiation(renegotiation.Behaviour{})
		if found := authority.Find(t.Context(), access, request); found.Outcome != fiscal.OutcomeNotFound {
			t.Errorf("%+v: asked about, it is %s %s", behaviour, found.Outcome, found.Reason)
		}
		if again := authority.Send(t.Context(), access, request); again.Match != fiscal.MatchOurs ||
			len(simulator.Ledger()) != number+1 {
			t.Errorf("%+v: sent again, it is %s %s", behaviour, again.Outcome, again.Reason)
		}
	}
}
