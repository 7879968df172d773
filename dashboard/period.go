package dashboard

import (
	"time"

	"emissor/dashboard/format"
)

// readPeriod reads the fields since and until of a form: two days, of which the last
// counts as a whole. What is not said is the zero time.
func readPeriod(form *form) (since, until time.Time) {
	var err error
	if since, err = format.ParseDay(form.Value("since")); err != nil {
		form.wrong("since", "notes.date.wrong")
	}
	last, err := format.ParseDay(form.Value("until"))
	switch {
	case err != nil:
		form.wrong("until", "notes.date.wrong")
	case !last.IsZero() && !since.IsZero() && last.Before(since):
		form.wrong("until", "period.backwards")
	case !last.IsZero():
		until = last.AddDate(0, 0, 1)
	}
	return since, until
}

// pager is how a list that goes by ids goes on: the addresses of the pages before
// and behind, empty where there are none.
type pager struct{ NewerURL, OlderURL string }

// pager makes the addresses of the pages around one that shows these ids. pairs are
// what else the address says.
func (r *request) pager(path string, ids []string, newer, older bool, pairs ...string) (around pager) {
	if len(ids) == 0 {
		return around
	}
	if newer {
		around.NewerURL = r.link(path, append(pairs, "newer", ids[0])...)
	}
	if older {
		around.OlderURL = r.link(path, append(pairs, "older", ids[len(ids)-1])...)
	}
	return around
}
