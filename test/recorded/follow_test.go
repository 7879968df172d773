package recorded

import (
	"fmt"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/nationaltest"
	"emissor/nfse/fact"
)

// follow makes the call of a recording, and returns what comes of it, a line each.
func follow(t *testing.T, one Recording, observe observer) []string {
	t.Helper()
	h := open(t, one, observe)
	switch Call(one.Header["call"]) {
	case Issue:
		request := h.request(t, number)
		h.recorded.Store(&one)
		return h.sent(t, request)
	case Find:
		h.issued(t, number)
		h.recorded.Store(&one)
		return h.asked(t, h.request(t, number), doubted(fiscal.Issue))
	case Cancel:
		request := h.cancellation(t)
		if one.Header["before"] == "cancelled" {
			h.cancelled(t, request)
		}
		h.recorded.Store(&one)
		return h.sent(t, request)
	case FindCancellation:
		request := h.cancellation(t)
		h.cancelled(t, request)
		h.recorded.Store(&one)
		return h.asked(t, request, doubted(fiscal.Cancel))
	case Distribute:
		h.recorded.Store(&one)
		batch := h.Authority.(fiscal.Distributor).Distribute(t.Context(), h.access, company, 0)
		lines := []string{"outcome " + string(batch.Outcome), fmt.Sprint("entries ", len(batch.Items))}
		if batch.Alarm {
			lines = append(lines, "alarm raised")
		}
		return append(lines, named("because", batch.Reason)...)
	case AskCity:
		h.recorded.Store(&one)
		answer := h.Authority.(fiscal.CityParameters).AskCity(t.Context(), h.access, "2211001")
		if answer.City == nil {
			return append([]string{"city not known"}, named("because", answer.Reason)...)
		}
		return []string{fmt.Sprint("city active ", answer.City.Active)}
	}
	return nil // none that is made here: only its shape is tested
}

// cancellation is the signed request to cancel the note, which is issued for it.
func (h *host) cancellation(t *testing.T) fiscal.Request {
	t.Helper()
	issued := h.issued(t, number)
	message, err := h.SignCancellation(fiscal.CancellationRequest{
		AccessKey: issued.AccessKey, Number: fmt.Sprint(issued.NFSeNumber), Issuer: h.declaration.Issuer,
		ReasonCode: "1", ReasonText: "emitida com o valor errado",
	}, h.access.Credentials, nationaltest.At)
	if err != nil {
		t.Fatal(err)
	}
	return fiscal.Request{
		Kind: fiscal.Cancel, Messages: []fiscal.Message{message}, AccessKey: issued.AccessKey,
		MunicipalRegistration: registration,
	}
}

func (h *host) cancelled(t *testing.T, request fiscal.Request) {
	t.Helper()
	if answer := h.Send(t.Context(), h.access, request); answer.Outcome != fiscal.OutcomeAccepted {
		t.Fatalf("it is not cancelled: %s %s", answer.Outcome, answer.Summary())
	}
}

// doubted is an exchange whose answer was lost.
func doubted(kind fiscal.Kind) fiscal.Exchange {
	return fiscal.Exchange{Kind: kind, State: fiscal.Signed, Number: number, Series: 1, Signings: 1}.Sending()
}

// sent sends a request, and asks about it where the rules have that follow: at once, or after a day.
func (h *host) sent(t *testing.T, request fiscal.Request) []string {
	t.Helper()
	exchange := fiscal.Exchange{
		Kind: request.Kind, State: fiscal.Signed, Number: number, Series: 1, Signings: 1, NumberFree: true,
	}
	answer := h.Send(t.Context(), h.access, request)
	lines, decision := described(answer), exchange.AfterSending(answer, time.Hour)
	if decision.Action == fiscal.Ask {
		lines = append(lines, "asked at once")
	} else {
		lines = append(lines, h.decided(decision)...)
	}
	if decision.Exchange.State == fiscal.InDoubt {
		if decision.Action != fiscal.Ask {
			lines = append(lines, "asked later")
		}
		if request.Kind == fiscal.Issue {
			request.AccessKey = decision.Exchange.AccessKey
		}
		lines = append(lines, h.asked(t, request, decision.Exchange)...)
	}
	if decision.HoldsSiblings() {
		exchange.DoubtedCode = decision.Exchange.DoubtedCode
		lines = append(lines, "once it is not doubted any more")
		lines = append(lines, h.decided(exchange.AfterSending(answer, time.Hour))...)
	}
	return lines
}

// asked asks about a request that was sent a day ago.
func (h *host) asked(t *testing.T, request fiscal.Request, inDoubt fiscal.Exchange) []string {
	t.Helper()
	inDoubt.SinceSent, inDoubt.SinceNotFound = 24*time.Hour, 24*time.Hour
	answer := h.Find(t.Context(), h.access, request)
	lines, decision := described(answer), inDoubt.AfterAsking(answer, h.Capabilities())
	for decision.Exchange.State == fiscal.InDoubt && decision.Exchange.NotFounds > inDoubt.NotFounds {
		lines, inDoubt = append(lines, "asked again"), decision.Exchange
		inDoubt.SinceNotFound = 24 * time.Hour
		decision = inDoubt.AfterAsking(h.Find(t.Context(), h.access, request), h.Capabilities())
	}
	return append(lines, h.decided(decision)...)
}

// described is what an answer was read as.
func described(answer fiscal.Answer) []string {
	lines := []string{"outcome " + string(answer.Outcome)}
	if r := answer.Rejection; r != nil {
		lines = append(lines, "code "+r.Code, "asks for "+string(answer.Handling), "advice "+r.Action)
	}
	if answer.Unconfirmed {
		lines = append(lines, "to be confirmed")
	}
	if answer.DoubtFor != 0 {
		lines = append(lines, "doubted for "+answer.DoubtFor.String())
	}
	if answer.Document != nil || answer.Outcome == fiscal.OutcomeAccepted {
		lines = append(lines, "match "+string(answer.Match))
	}
	if answer.RetryAfter != 0 {
		lines = append(lines, "pause "+answer.RetryAfter.String())
	}
	return append(lines, named("reason", answer.Reason)...)
}

// decided is what the rules make of it, with what is known of the codes of refusals.
func (h *host) decided(decision fiscal.Decision) []string {
	autoFixer, autoFixes := h.Authority.(fiscal.AutoFixer)
	if e := decision.Exchange; (e.Refused() || decision.HoldsSiblings()) && autoFixes {
		declaration := h.declaration
		declaration.Number, declaration.AutoFixes = number, e.AutoFixes
		decision = decision.Repaired(autoFixer.RepairOf(declaration, e.Rejection.Code),
			func(autoFix fiscal.AutoFix) bool { return autoFixer.CanAutoFix(declaration, autoFix) }, false)
	}
	next := decision
	if next.Action == fiscal.Sign && next.Exchange.Handling != fiscal.AutoFixed {
		next = decision.Exchange.Next(h.Capabilities())
	}
	lines := []string{"then " + string(next.Action) + ", " + string(next.Exchange.State)}
	lines = append(lines, named("because", next.Reason)...)
	lines = append(lines, named("alarm", decision.Alarm)...)
	lines = append(lines, named("series held", decision.HoldSeries)...)
	if decision.SiblingHold != fiscal.ScopeNote {
		lines = append(lines, "waiting behind it: "+string(decision.SiblingHold))
	}
	for _, made := range decision.Exchange.AutoFixes {
		lines = append(lines, "corrected by "+string(made.AutoFix))
	}
	if decision.RefuseCertificate {
		lines = append(lines, "certificate refused")
	}
	return lines
}

func named(name string, what fact.Fact) []string {
	if what.None() {
		return nil
	}
	return []string{name + " " + what.English()}
}
