package dashboard

import (
	"errors"
	"net/http"

	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store"
)

// problem is an answer that something cannot be shown or done: its status, and the
// key of its title; the key with .text is what it means and what to do.
type problem struct {
	status int
	key    string
}

// Error implements error.
func (p problem) Error() string { return p.key }

// problemOf is the one mapping of errors to answers. What nobody could expect is
// logged, and its details stay there.
func (r *request) problemOf(err error) problem {
	var known problem
	switch {
	case errors.As(err, &known):
		return known
	case nfse.IsCode(err, nfse.CodeNotFound), nfse.IsCode(err, nfse.CodeNoteNotFound),
		nfse.IsCode(err, nfse.CodeServiceNotFound), nfse.IsCode(err, nfse.CodeCustomerNotFound),
		store.IsUnstorable(err): // such an id cannot be one
		return problem{http.StatusNotFound, "problem.not_found"}
	case store.IsUnavailable(err):
		r.d.Logger.WarnContext(r.Context(), "the database did not answer a page", "request_id", r.id, "error", err)
		return problem{http.StatusServiceUnavailable, "problem.unavailable"}
	}
	r.d.Logger.ErrorContext(r.Context(), "a page failed", "request_id", r.id, "error", err)
	return problem{http.StatusInternalServerError, "problem.internal"}
}

// problemPage is what a problem's page shows.
type problemPage struct{ Text, RequestID string }

// showProblem answers with a problem: a page, or for the script its words.
func (r *request) showProblem(p problem) {
	if p.status == http.StatusTooManyRequests && r.w.Header().Get("Retry-After") == "" {
		r.w.Header().Set("Retry-After", "60")
	}
	if r.asScript() {
		_ = r.writeJSON(p.status, map[string]string{"error": r.language.Say(p.key)})
		return
	}
	if err := r.renderStatus(p.status, "problem", p.key, problemPage{p.key + ".text", r.id}); err != nil {
		r.d.Logger.ErrorContext(r.Context(), "the page of a problem failed", "request_id", r.id, "error", err)
		http.Error(r.w, http.StatusText(p.status), p.status)
	}
}

// knownOr is a key where there are words for it, and else another one.
func knownOr(key, other string) string {
	if words.Has(key) {
		return key
	}
	return other
}

// isLimit reports whether an organization has as much of something as it may have.
func isLimit(err error) bool {
	var limit *store.LimitError
	return errors.As(err, &limit)
}
