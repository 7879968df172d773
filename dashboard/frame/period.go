package frame

import (
	"time"

	"emissor/dashboard/format"
)

// ReadPeriod reads the fields since and until of a form: two days, of which the last is
// included. An empty field is the zero time.
func ReadPeriod(form *Form) (since, until time.Time) {
	var err error
	if since, err = format.ParseDay(form.Value("since")); err != nil {
		form.AddProblem("since", "notes.date.wrong")
	}
	last, err := format.ParseDay(form.Value("until"))
	switch {
	case err != nil:
		form.AddProblem("until", "notes.date.wrong")
	case !last.IsZero() && !since.IsZero() && last.Before(since):
		form.AddProblem("until", "period.backwards")
	case !last.IsZero():
		until = last.AddDate(0, 0, 1)
	}
	return since, until
}

// Pager has the addresses of the pages before and after one of a list by ids; empty where
// there is none.
type Pager struct{ NewerURL, OlderURL string }

// Pager makes the addresses of the pages around one that shows these ids. pairs are the
// other names and values of the query.
func (r *Request) Pager(path string, ids []string, newer, older bool, pairs ...string) (around Pager) {
	if len(ids) == 0 {
		return around
	}
	if newer {
		around.NewerURL = r.Link(path, append(pairs, "newer", ids[0])...)
	}
	if older {
		around.OlderURL = r.Link(path, append(pairs, "older", ids[len(ids)-1])...)
	}
	return around
}
