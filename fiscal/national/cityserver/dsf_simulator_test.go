package cityserver_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/simulators/sefin"
)

// inCity makes a declaration that was drawn one of a company of a city; not every one can be.
func inCity(d fiscal.Declaration, municipality string) (fiscal.Declaration, bool) {
	if !d.Issuer.TaxID.IsCNPJ() || d.Issuer.Simples != nfse.SimplesNone {
		return d, false
	}
	home := d.Issuer.MunicipalityCode
	for _, code := range []*string{
		&d.Issuer.MunicipalityCode, &d.Note.Service.MunicipalityCode, &d.Note.Municipality.Code,
	} {
		if *code == home {
			*code = municipality
		}
	}
	d.Issuer.InactiveMunicipalities, d.Issuer.Production = nil, false
	d.Issuer.MunicipalRegistration = new("998877")
	d.Issuer.Series = 10001 + d.Issuer.Series%39999
	d.Details.Replaces = nil
	taxation := nfse.ServiceTaxation{}
	if d.Taxation.Service != nil {
		taxation = *d.Taxation.Service
	}
	taxation.MunicipalCode = "001"
	d.Taxation.Service = &taxation
	return d, true
}

// What is written for any valid note of a city's company, the city takes, which reads the schema
// and the rules for itself: issued with the totals that were expected, found, recognized when sent
// again, cancelled once, and that found.
func TestDSF_IssuesAndCancels(t *testing.T) {
	t.Parallel()
	drawn := rapid.Custom(nationaltest.DrawDeclaration)
	for _, name := range []string{"teresina", "campinas", "belem"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCompany(t, name)
			wanted, issued := long.Cases(250, 5), 0
			for seed := 0; issued < wanted && seed < 20*wanted; seed++ {
				declaration, possible := inCity(drawn.Example(seed), c.played.Municipality)
				if possible {
					issueAndCancel(t, c, nationaltest.Existing(declaration))
					issued++
				}
			}
			if issued < wanted {
				t.Errorf("only %d of %d documents were issued", issued, wanted)
			}
		})
	}
}

func issueAndCancel(t *testing.T, c company, declaration fiscal.Declaration) {
	t.Helper()
	if objection := c.Check(declaration, nationaltest.At); objection != nil {
		t.Errorf("it is not sent: %+v", objection)
		return
	}
	c.access = c.accessOf(t, declaration.Issuer.TaxID)
	number := []int64{declaration.Number}
	if asked := c.FindNumbers(t.Context(), c.access, declaration.Issuer, number); len(asked.Free) != 1 {
		t.Errorf("its number is not free: %+v", asked)
	}
	request := requestOf(t, c, declaration, c.access)
	answer := c.Send(t.Context(), c.access, request)
	if answer.Outcome != fiscal.OutcomeAccepted || answer.Match != fiscal.MatchOurs || !answer.Alarm.None() ||
		len(answer.Document.AccessKey) != 50 {
		t.Errorf("%s %s %s\n%s\n%s", answer.Outcome, answer.Summary(), answer.Alarm, answer.Body, request.Message().XML)
		return
	}
	if alarm := c.Bounded.(fiscal.TotalsComparer).CompareTotals(declaration, *answer.Document); !alarm.None() {
		t.Errorf("%s\n%s", alarm, answer.Document.XML)
	}
	key := answer.Document.AccessKey
	found := c.Find(t.Context(), c.access, request)
	if found.Outcome != fiscal.OutcomeAccepted || found.Match != fiscal.MatchOurs || found.Document.AccessKey != key {
		t.Errorf("it is not found: %+v", found)
	}
	if asked := c.FindNumbers(t.Context(), c.access, declaration.Issuer, number); len(asked.Used) != 1 {
		t.Errorf("its number is not used: %+v", asked)
	}
	again := c.Send(t.Context(), c.access, request)
	if again.Outcome != fiscal.OutcomeRejected || again.Handling != fiscal.AlreadyExists {
		t.Errorf("sent again it is %s %s", again.Outcome, again.Handling)
	}
	if strings.ContainsAny(key[20:21], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return // the official schema of cancellations has no place for such a key
	}
	cancelling := c.cancelling(t, key)
	cancelling.Messages = nil
	message, err := c.SignCancellation(fiscal.CancellationRequest{AccessKey: key, Issuer: declaration.Issuer,
		ReasonCode: "1", ReasonText: "emitida com o valor errado"}, c.access.Credentials, nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	cancelling.Messages = []fiscal.Message{message}
	if answer := c.Send(t.Context(), c.access, cancelling); answer.Outcome != fiscal.OutcomeAccepted ||
		answer.EventXML == nil {
		t.Errorf("the cancellation is %s %s\n%s", answer.Outcome, answer.Summary(), answer.Body)
	}
	if found := c.Find(t.Context(), c.access, cancelling); found.Outcome != fiscal.OutcomeAccepted ||
		found.Match != fiscal.MatchOurs {
		t.Errorf("the cancellation is not found: %+v", found)
	}
}

// A lost cancellation is asked about by sending it again: it is found where it was registered, made
// where it was not, and not found where a rule refuses it.
func TestDSF_LostCancellation(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		lost      sefin.Fault
		refused   bool
		want      fiscal.Outcome
		cancelled bool
	}{
		"registered":    {sefin.Fault{Kind: sefin.Drop, After: true}, false, fiscal.OutcomeAccepted, true},
		"not there yet": {sefin.Fault{Kind: sefin.Drop}, false, fiscal.OutcomeAccepted, true},
		"by a rule":     {sefin.Fault{Kind: sefin.Drop}, true, fiscal.OutcomeNotFound, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCompany(t, "teresina")
			_, key := c.issued(t, 1)
			if one.refused {
				c.simulator.SetRegistry(sefin.Registry{CancelUpTo: 1})
			}
			one.lost.Scope, one.lost.Next = sefin.Cancel, 1
			c.fail(t, one.lost)
			request := c.cancelling(t, key)
			if answer := c.Send(t.Context(), c.access, request); answer.Outcome != fiscal.OutcomeUnknown {
				t.Errorf("a lost answer is %s", answer.Outcome)
			}
			found := c.Find(t.Context(), c.access, request)
			if found.Outcome != one.want || found.Outcome == fiscal.OutcomeAccepted && found.Match != fiscal.MatchOurs {
				t.Errorf("asked: %s %s %s", found.Outcome, found.Match, found.Summary())
			}
			if entry := c.simulator.Ledger()[0]; entry.Cancelled != one.cancelled {
				t.Errorf("the ledger: %+v", entry)
			}
		})
	}
}

// An answer about another DPS is neither ours nor that there is none, with or without its document.
func TestDSF_AnothersDPS(t *testing.T) {
	t.Parallel()
	for _, kind := range []sefin.Kind{"", sefin.MissingXML, sefin.TruncatedGzip} {
		c := newCompany(t, "campinas")
		request, _ := c.issued(t, 1)
		_, other := c.issued(t, 2)
		faults := []sefin.Fault{{Kind: sefin.OtherDocument, Scope: sefin.Query}}
		if kind != "" {
			faults = append(faults, sefin.Fault{Kind: kind, Scope: sefin.Query})
		}
		c.fail(t, faults...)
		found := c.Find(t.Context(), c.access, request)
		if found.Outcome != fiscal.OutcomeUnknown || found.Document != nil || found.Reason.None() {
			t.Errorf("%s: with the key %s of another DPS it is %s %+v", kind, other, found.Outcome, found.Document)
		}
		numbers := c.FindNumbers(t.Context(), c.access, dsfDeclaration(c.played.Municipality).Issuer, []int64{1})
		if len(numbers.Used)+len(numbers.Free) > 0 {
			t.Errorf("%s: of the number it is known %+v", kind, numbers)
		}
		asked := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.InDoubt, Ambiguous: true, SinceSent: time.Hour}.
			AfterAsking(found, c.Capabilities())
		if asked.Exchange.State != fiscal.InDoubt || asked.Exchange.AccessKey != "" {
			t.Errorf("%s: the exchange is %+v", kind, asked.Exchange)
		}
		c.fail(t)
		if found := c.Find(t.Context(), c.access, request); found.Outcome != fiscal.OutcomeAccepted {
			t.Errorf("%s: afterwards it is %s", kind, found.Outcome)
		}
	}
}

// L9999 says nothing of what was stored: it is asked about, and found where it was.
func TestDSF_FailureOfTheirs(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 400, 500} {
		for _, stored := range []bool{true, false} {
			c := newCompany(t, "teresina")
			c.fail(t, sefin.Fault{Kind: sefin.Status, Status: status, Body: "erros", Code: "L9999", Scope: sefin.Issue,
				After: stored, Next: 1})
			request := c.declared(t, 1)
			answer := c.Send(t.Context(), c.access, request)
			decided := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.AfterSending(answer, time.Hour)
			if decided.Exchange.State != fiscal.InDoubt || !decided.Exchange.Ambiguous {
				t.Errorf("%d: it is %s %s, and the exchange %s", status, answer.Outcome, answer.Handling,
					decided.Exchange.State)
			}
			want := map[bool]fiscal.Outcome{true: fiscal.OutcomeAccepted, false: fiscal.OutcomeNotFound}[stored]
			if found := c.Find(t.Context(), c.access, request); found.Outcome != want {
				t.Errorf("%d: asked it is %s", status, found.Outcome)
			}
		}
	}
}

// What is refused under success may follow something that was done: a question comes first.
func TestDSF_RefusedUnderSuccess(t *testing.T) {
	t.Parallel()
	for _, wordless := range []bool{false, true} {
		c := newCompany(t, "campinas", func(city *sefin.City) {
			city.RefusesAs, city.Wordless, city.Codes = 200, wordless, map[string][]string{"010601": {"002"}}
		})
		request := c.declared(t, 1)
		answer := c.Send(t.Context(), c.access, request)
		decided := fiscal.Exchange{Kind: fiscal.Issue, State: fiscal.Signed}.AfterSending(answer, time.Hour)
		if decided.Exchange.State != fiscal.InDoubt || !decided.Exchange.Ambiguous {
			t.Errorf("it is %s %s, and the exchange %s", answer.Outcome, answer.Handling, decided.Exchange.State)
		}
		if !wordless && (answer.Rejection == nil || answer.Rejection.Code != "L0001") {
			t.Errorf("it is refused by %+v", answer.Rejection)
		}
	}
}

// A path that has moved is not followed, and what stands before the server is not the server: what
// was sent is in doubt, and the question is left to a person.
func TestDSF_NotTheServer(t *testing.T) {
	t.Parallel()
	moved := newCompany(t, "campinas", func(city *sefin.City) { city.OldPaths = true })
	current := strings.Replace(moved.simulator.CityURL("campinas"), "/notafiscal-adn-ws/api/adn", "/notafiscal-ws", 1)
	moved.Bounded = dsfCity(t, "campinas", current, moved.simulator.Roots())
	request := moved.declared(t, 1)
	if answer := moved.Send(t.Context(), moved.access, request); answer.Outcome != fiscal.OutcomeUnknown ||
		answer.Status != 302 || answer.Alarm.None() {
		t.Errorf("sent: %+v", answer)
	}
	if answer := moved.Find(t.Context(), moved.access, request); answer.Outcome != fiscal.OutcomeUnknown ||
		answer.NeedsPerson.None() {
		t.Errorf("asked: %+v", answer)
	}
	if sent := moved.simulator.Posts(); len(sent) > 0 {
		t.Errorf("it was followed: %+v", sent)
	}
}
