package fiscal

import "emissor/nfse/fact"

// A refusal that was false in outages of its authority is doubted for a time (Answer.DoubtFor) before it
// counts. Until a question has found nothing it is neither yes nor no, as a code of no catalogue is, and so
// it is stored: programs that know of no doubt ask about it, and send the same again. Then nothing exists,
// and the same bytes are sent again after a pause, or others once somebody has corrected what was refused.

// recordDistrust begins or goes on with the doubt of a refusal, or ends it: what the authority refuses for certain
// shows that its registers answer. That it cannot say now, or by a code that nobody knows, shows nothing.
// What was refused for the same before, and counted, is not doubted any more.
func (e Exchange) recordDistrust(answer Answer, before Exchange) Exchange {
	code, handling := answer.Rejection.Code, answer.Handling
	switch {
	case answer.DoubtFor > 0 && code == e.DoubtedCode:
	case answer.DoubtFor > 0:
		e.DoubtedCode, e.DoubtLeft = code, answer.DoubtFor
		if before.Handling == NeedsPerson && before.Rejection != nil && before.Rejection.Code == code {
			e.DoubtLeft = 0
		}
	case handling != TryLater && handling != Uncatalogued:
		e.DoubtedCode, e.DoubtLeft = "", 0
	}
	if answer.DoubtFor > 0 && e.RefusalDistrusted() {
		e.Handling = Uncatalogued
	}
	return e
}

// RefusalDistrusted reports whether a refusal of an issuance is doubted for now, no matter how later sendings were
// answered.
func (e Exchange) RefusalDistrusted() bool {
	return e.Kind == Issue && e.DoubtedCode != "" && e.DoubtLeft > 0
}

// RefusalUncounted reports whether the last sending was refused by what is, or was, doubted, and that has not counted.
func (e Exchange) RefusalUncounted() bool {
	return e.Kind == Issue && e.Rejection != nil && e.Rejection.Code == e.DoubtedCode &&
		(e.State == InDoubt && e.Handling == Uncatalogued || e.State == Signed && e.Handling == "")
}

// notMadeInDoubt follows from a question that found nothing after a refusal that is doubted: it is as certain
// as one that is not that nothing exists.
func (e Exchange) notMadeInDoubt(answer Answer) Decision {
	e.State, e.Ambiguous, e.Handling = Signed, false, ""
	decision := e.after(answer)
	decision.Code, decision.Reason = string(OutcomeRejected), fact.RefusalDoubted.With("code", e.DoubtedCode)
	if !e.RefusalDistrusted() {
		decision.Action = Send
	}
	return decision
}

// Correctable reports whether nothing of an issuance exists whose refusal is doubted: what a person puts right
// is taken at once.
func (e Exchange) Correctable() bool {
	return e.State == Signed && !e.Ambiguous && e.RefusalUncounted()
}

// HoldsSiblings reports whether an exchange goes on in doubt of a refusal, so that others of its company wait.
func (d Decision) HoldsSiblings() bool {
	return d.Exchange.RefusalDistrusted() && (d.Action == Wait || d.Action == Ask)
}
