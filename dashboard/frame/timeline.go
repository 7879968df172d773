package frame

import (
	"regexp"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
)

// TimelineStep is something that happened, and how long after the step before it.
type TimelineStep struct {
	At     nfse.Timestamp
	Key    string        // of what it is
	Detail string        // in the reader's language
	Folded bool          // the detail is shown on demand
	By     string        // who asked for it
	Pause  time.Duration // since the step before
}

// longDetail is above how many bytes the detail of a step is folded.
const longDetail = 140

// stepName is what the page calls a step.
type stepName struct {
	key  string
	fold bool // its detail, where it is long
}

// otherStep is a step that the page has no name for: its detail is the whole fact.
const otherStep = "step.other"

// stepNames are the names of steps, by the facts that were recorded.
var stepNames = map[fact.Code]stepName{
	fact.NoteAccepted:            {"step.accepted", false},
	fact.NoteProcessing:          {"step.processing", false},
	fact.NoteIssued:              {"step.issued", false},
	fact.NoteRejected:            {"step.rejected", false},
	fact.NoteCancelled:           {"step.cancelled", false},
	fact.CancellationRequested:   {"step.cancellation", false},
	fact.CancellationRefused:     {"step.refused", false},
	fact.CancellationNotNeeded:   {"step.not_needed", false},
	fact.AnalysisRequested:       {"step.analysis", false},
	fact.AnalysisRequestedAtOnce: {"step.analysis", false},
	fact.AnalysisPending:         {"step.analysis", false},
	fact.CompetenceChanged:       {"step.competence", false},
	fact.Replaces:                {"step.replaces", false},
	fact.ReplacementRequested:    {"step.replacement", false},
	fact.Replaced:                {"step.replaced", false},
	fact.NotReplaced:             {"step.not_replaced", false},
	fact.Waits:                   {"step.waits", false},
	fact.WaitsNoMore:             {"step.goes_on", false},
	fact.StartedAgain:            {"step.redriven", false},
	fact.StartedAgainByOperator:  {"step.redriven", false},
	fact.ExternalHappened:        {"step.external", false},
	fact.ExternalDocumentFound:   {"step.external", false},
	fact.EventMade:               {"step.event", true},
	fact.DeliveryAttempted:       {"step.delivery", true},
	fact.DeliveryAttemptedInVain: {"step.delivery", true},
	fact.DeliverySentAgain:       {"step.delivery", true},
	fact.DeliveryFailed:          {"step.delivery", true},
	fact.DeliverySkipped:         {"step.delivery", true},
	fact.EmailMade:               {"step.email", true},
	fact.EmailSentAgain:          {"step.email", true},
	fact.EmailSent:               {"step.email", true},
	fact.EmailFailed:             {"step.email", true},
	fact.EmailSkipped:            {"step.email", true},
	fact.LedgerEntered:           {"step.ledger", true},
	fact.NumberTaken:             {"step.number", true},
	fact.NumberEnded:             {"step.number", true},
	fact.MessageSigned:           {"step.signed", true},
	fact.AuthorityCalled:         {"step.authority", true},
	fact.AuthorityCalledInVain:   {"step.authority", true},
	fact.AuthorityCallCutOff:     {"step.authority", true},
}

// Timeline makes the steps of the page from those of the store.
func Timeline(language words.Language, steps []lifecycle.Step) []TimelineStep {
	shown := make([]TimelineStep, len(steps))
	for i, step := range steps {
		shown[i] = TimelineStep{At: step.At, Key: otherStep, Detail: language.Fact(step.Fact), By: step.By}
		if name, known := stepNames[step.Fact.Code]; known {
			shown[i].Key, shown[i].Detail = name.key, inBrasilia(language, language.Detail(step.Fact))
			shown[i].Folded = name.fold && len(shown[i].Detail) > longDetail
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

var momentInText = regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z`)

// inBrasilia writes the moments in the text of a fact as the page writes all others.
func inBrasilia(language words.Language, text string) string {
	return momentInText.ReplaceAllStringFunc(text, func(found string) string {
		at, err := time.Parse(time.RFC3339, found)
		if err != nil {
			return found
		}
		return format.Moment(language, nfse.Timestamp{Time: at})
	})
}

// NameAskers replaces the ids of people by their addresses.
func (r *Request) NameAskers(steps []TimelineStep) error {
	var ids []string
	for _, step := range steps {
		if id, _, _ := strings.Cut(step.By, ","); nfse.IsID(nfse.PrefixUser, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	names, err := r.NamesOf(ids)
	for i, step := range steps {
		id, rest, _ := strings.Cut(step.By, ",")
		if name := names[id]; name != "" {
			steps[i].By = name + strings.TrimSuffix(","+rest, ",")
		}
	}
	return err
}
