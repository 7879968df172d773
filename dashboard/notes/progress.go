package notes

import (
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/store/webhooks"
)

// progressState is how far a step of a note's progress is.
type progressState string

const (
	stepDone    progressState = "done"
	stepCurrent progressState = "current" // it goes on by itself
	stepWaiting progressState = "waiting" // for what its sentence says
	stepFailed  progressState = "failed"
	stepToCome  progressState = "to_come"
	stepLeftOut progressState = "left_out" // there is nothing to do
)

// progressStep is one of the four steps of a note that its page tells in words.
type progressStep struct {
	Name  string // names its words
	State progressState
	At    *nfse.Timestamp // when it was done; nil: it was not, or that is not on record
	Said  []string        // what is missing, or what came of it
}

// Now reports whether the note stands at this step.
func (s progressStep) Now() bool { return s.State == stepCurrent || s.State == stepWaiting }

// progress are the steps in which a note was received, sent, issued and told about.
func progress(r *frame.Request, page notePage, recorded []lifecycle.Step) []progressStep {
	sent := sentStep(r, page, recorded)
	issued := issuedStep(r, page, sent)
	told := progressStep{Name: "told", State: stepToCome}
	if page.Note.Status.Terminal() || issued.State == stepDone {
		told = toldStep(r, page.Deliveries, recorded)
	}
	return []progressStep{{Name: "received", State: stepDone, At: &page.Note.CreatedAt}, sent, issued, told}
}

// sentStep tells when the note was first sent to the authority.
func sentStep(r *frame.Request, page notePage, recorded []lifecycle.Step) progressStep {
	step := progressStep{Name: "sent", State: stepDone}
	if !page.Note.Livemode {
		step.At = page.Note.ProcessingAt
	}
	for _, one := range recorded {
		if step.At == nil && one.Fact.Is(fact.AuthorityCalled, fact.AuthorityCalledInVain, fact.AuthorityCallCutOff) &&
			one.Fact.Arguments["operation"] == string(fiscal.Issue) &&
			one.Fact.Arguments["outcome"] != string(fiscal.OutcomeNotDelivered) {
			step.At = &one.At
		}
	}
	switch {
	case step.At != nil || page.Note.IssuedAt != nil || rejectedByAuthority(page.Note):
	case page.Note.Status.Terminal():
		step.State, step.Said = stepLeftOut, []string{r.Language.Say("progress.not_sent")}
	default:
		step.State, step.Said = standstill(r, page, "progress.sending")
	}
	return step
}

func rejectedByAuthority(note nfse.Note) bool {
	return note.Rejection != nil && note.Rejection.Source == nfse.RejectedByAuthority
}

// issuedStep tells when the note was issued, and what came of it since.
func issuedStep(r *frame.Request, page notePage, sent progressStep) progressStep {
	note, step := page.Note, progressStep{Name: "issued", State: stepToCome}
	switch {
	case note.IssuedAt != nil:
		step.State, step.At = stepDone, note.IssuedAt
		if note.CancelledAt != nil {
			step.Said = []string{r.Language.Say("progress.cancelled", format.Moment(r.Language, *note.CancelledAt))}
		}
	case note.Status == nfse.StatusRejected:
		step = progressStep{"rejected", stepFailed, note.RejectedAt, []string{r.Language.Say("progress.rejected")}}
	case note.Status == nfse.StatusCancelled:
		step.State, step.Said = stepLeftOut, []string{r.Language.Say("progress.not_issued")}
	case sent.State == stepDone:
		step.State, step.Said = standstill(r, page, "progress.issuing")
	}
	return step
}

// standstill tells whether a note goes on by itself, as these words say, or what it waits for.
func standstill(r *frame.Request, page notePage, goesOn string) (state progressState, said []string) {
	for _, why := range page.Waiting {
		if !why.Is(fact.ToBeStarted) {
			said = append(said, r.Language.Sentence(why))
		}
	}
	if page.NotStarted != "" {
		said = append(said, r.Language.Say(page.NotStarted))
	}
	if len(said) > 0 {
		return stepWaiting, said
	}
	return stepCurrent, []string{r.Language.Say(goesOn)}
}

// emailEnds are how e-mails end, by the states of deliveries: both are told of in the same way.
var emailEnds = map[fact.Code]webhooks.DeliveryStatus{fact.EmailSent: webhooks.DeliveryDelivered,
	fact.EmailFailed: webhooks.DeliveryFailed, fact.EmailSkipped: webhooks.DeliverySkipped}

// toldStates are the states of deliveries and what each makes of the step, the one that counts most last.
var toldStates = []struct {
	status webhooks.DeliveryStatus
	state  progressState
}{{webhooks.DeliverySkipped, stepLeftOut}, {webhooks.DeliveryDelivered, stepDone},
	{webhooks.DeliveryPending, stepCurrent},
	{webhooks.DeliveryFailed, stepFailed}}

// toldStep tells whether webhooks and e-mails have arrived.
func toldStep(r *frame.Request, deliveries []noteDelivery, recorded []lifecycle.Step) progressStep {
	step := progressStep{Name: "told", State: stepLeftOut}
	many, last := map[string]int{}, nfse.Timestamp{}
	count := func(kind string, status webhooks.DeliveryStatus, at *nfse.Timestamp) {
		many[kind+string(status)]++
		if at != nil && at.After(last.Time) {
			last = *at
		}
	}
	for _, delivery := range deliveries {
		count("webhook.", delivery.Status, delivery.ResolvedAt)
	}
	for _, one := range recorded {
		if end, ended := emailEnds[one.Fact.Code]; ended {
			count("email.", end, &one.At)
			many["email."+string(webhooks.DeliveryPending)]--
		} else if one.Fact.Is(fact.EmailMade) {
			count("email.", webhooks.DeliveryPending, nil)
		}
	}
	for _, one := range toldStates {
		for _, key := range []string{"webhook." + string(one.status), "email." + string(one.status)} {
			if many[key] > 0 {
				step.State = one.state
				step.Said = append(step.Said, r.Language.Count("progress."+key, many[key]))
			}
		}
	}
	if step.Said == nil {
		step.Said = []string{r.Language.Say("progress.nobody")}
	}
	if step.State == stepDone {
		step.At = &last
	}
	return step
}
