package dashboard

import (
	"context"
	"errors"
	"net/http"
	"time"

	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/postgres"
)

// problem is the answer that something cannot be shown or done: its status, and the key
// of its title; the key with .text is the key of what it means and what to do.
type problem struct {
	status int
	key    string
}

// Error implements error.
func (p problem) Error() string { return p.key }

// problemOf maps every error to an answer. An unexpected error is logged, and its details
// are shown nowhere else.
func (r *request) problemOf(err error) problem {
	var known problem
	switch {
	case errors.As(err, &known):
		return known
	case nfse.IsCode(err, nfse.CodeNotFound), nfse.IsCode(err, nfse.CodeNoteNotFound),
		nfse.IsCode(err, nfse.CodeServiceNotFound), nfse.IsCode(err, nfse.CodeCustomerNotFound),
		postgres.IsUnstorable(err): // no record has such an id
		return problem{http.StatusNotFound, "problem.not_found"}
	case postgres.IsArchiveAway(err):
		r.w.Header().Set("Retry-After", "30")
		return problem{http.StatusServiceUnavailable, "problem.archive"}
	case postgres.IsUnavailable(err):
		r.d.Logger.WarnContext(r.Context(), "the database did not answer a page", "request_id", r.id, "error", err)
		return problem{http.StatusServiceUnavailable, "problem.unavailable"}
	}
	r.d.Logger.ErrorContext(r.Context(), "a page failed", "request_id", r.id, "error", err)
	return problem{http.StatusInternalServerError, "problem.internal"}
}

// problemPage is what a problem's page shows.
type problemPage struct{ Text, RequestID string }

// frameTimeout is how long the frame of a problem's page may be read.
const frameTimeout = 5 * time.Second

// showProblem answers with a problem: as a page, or to the script as JSON.
func (r *request) showProblem(p problem) {
	if p.status == http.StatusTooManyRequests && r.w.Header().Get("Retry-After") == "" {
		r.w.Header().Set("Retry-After", "60")
	}
	if r.asksForJSON() {
		_ = r.writeJSON(p.status, map[string]string{"error": r.language.Say(p.key)})
		return
	}
	// What went wrong may have ended the request's context, and the frame is read by it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), frameTimeout)
	defer cancel()
	r.Request = r.WithContext(ctx)
	if err := r.renderStatus(p.status, "problem", p.key, problemPage{p.key + ".text", r.id}); err != nil {
		r.d.Logger.ErrorContext(r.Context(), "the page of a problem failed", "request_id", r.id, "error", err)
		http.Error(r.w, http.StatusText(p.status), p.status)
	}
}

// knownOr is a key if there is a message for it, or else another one.
func knownOr(key, other string) string {
	if words.Has(key) {
		return key
	}
	return other
}

// isLimit reports whether the error says that an organization has reached a limit.
func isLimit(err error) bool {
	var limit *postgres.LimitError
	return errors.As(err, &limit)
}
