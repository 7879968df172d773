package dashboard

import (
	"strings"
	"time"

	"emissor/nfse"
	"emissor/store"
)

// notePage is a note's whole life.
type notePage struct {
	Note        nfse.Note
	Waiting     string
	Steps       []timelineStep
	HasXML      bool
	TemporalURL string // for operators
}

// timelineStep is something that happened, and how long after what came before it.
type timelineStep struct {
	At     nfse.Timestamp
	Key    string        // of what it is
	Detail string        // as it was recorded
	By     string        // who asked for it
	Pause  time.Duration // since the step before
}

func (d *Dashboard) showNote(r *request) error {
	id := r.PathValue("id")
	if _, err := d.store.Note(r.Context(), r.scope, id); err != nil { // which NoteHistory finds anywhere
		return err
	}
	history, err := d.store.NoteHistory(r.Context(), id)
	if err != nil {
		return err
	}
	page := notePage{Note: history.Note, Steps: timeline(history.Steps),
		HasXML: history.Note.Authority != nil && history.Note.Status != nfse.StatusRejected}
	if history.Waiting != nil {
		page.Waiting = *history.Waiting
	}
	if r.user.Operator && d.WorkflowLink != nil {
		page.TemporalURL = d.WorkflowLink(r.scope, history.Note.Reference)
	}
	return r.render("note", "section.notes", page)
}

// stepKeys name what the store records of a note, by how it begins.
var stepKeys = []struct{ begins, key string }{
	{"accepted (queued)", "step.accepted"}, {"processing", "step.processing"}, {"issued", "step.issued"},
	{"rejected by", "step.rejected"}, {"cancellation not needed", "step.not_needed"}, {"cancelled", "step.cancelled"},
	{"event ", "step.event"}, {"delivery ", "step.delivery"}, {"e-mail ", "step.email"}, {"ledger: ", "step.ledger"},
	{"took the number ", "step.number"}, {"the number ", "step.number"}, {"signed ", "step.signed"},
	{"authority: ", "step.authority"},
}

// timeline says what each step is, and how long after the one before it came.
func timeline(steps []store.Step) []timelineStep {
	shown := make([]timelineStep, len(steps))
	for i, step := range steps {
		shown[i] = timelineStep{At: step.At, Key: "step.other", Detail: step.What, By: step.By}
		for _, known := range stepKeys {
			if rest, begins := strings.CutPrefix(step.What, known.begins); begins {
				shown[i].Key, shown[i].Detail = known.key, strings.TrimSpace(rest)
				break
			}
		}
		if step.By == "workflow" {
			shown[i].By = ""
		}
		if i > 0 {
			shown[i].Pause = step.At.Sub(steps[i-1].At.Time).Truncate(time.Millisecond)
		}
	}
	return shown
}
