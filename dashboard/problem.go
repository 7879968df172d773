package dashboard

import (
	"context"
	"errors"
	"net/http"
	"time"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/postgres"
)

// problemOf maps every error to an answer. An unexpected error is logged, and its details
// are shown nowhere else.
func problemOf(r *frame.Request, err error) frame.Problem {
	var known frame.Problem
	switch {
	case errors.As(err, &known):
		return known
	case nfse.IsCode(err, nfse.CodeNotFound), nfse.IsCode(err, nfse.CodeNoteNotFound),
		nfse.IsCode(err, nfse.CodeServiceNotFound), nfse.IsCode(err, nfse.CodeCustomerNotFound),
		postgres.IsUnstorable(err): // no record has such an id
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	case postgres.IsArchiveAway(err):
		r.W.Header().Set("Retry-After", "30")
		return frame.Problem{Status: http.StatusServiceUnavailable, Key: "problem.archive"}
	case postgres.IsUnavailable(err):
		r.D.Logger.WarnContext(r.Context(), "the database did not answer a page", "request_id", r.ID, "error", err)
		return frame.Problem{Status: http.StatusServiceUnavailable, Key: "problem.unavailable"}
	}
	r.D.Logger.ErrorContext(r.Context(), "a page failed", "request_id", r.ID, "error", err)
	return frame.Problem{Status: http.StatusInternalServerError, Key: "problem.internal"}
}

// problemPage is what a problem's page shows.
type problemPage struct{ Text, RequestID string }

// frameTimeout is how long the frame of a problem's page may be read.
const frameTimeout = 5 * time.Second

// showProblem answers with a problem: as a page, or to the script as JSON.
func showProblem(r *frame.Request, p frame.Problem) {
	if p.Status == http.StatusTooManyRequests && r.W.Header().Get("Retry-After") == "" {
		r.W.Header().Set("Retry-After", "60")
	}
	if r.AsksForJSON() {
		_ = r.WriteJSON(p.Status, map[string]string{"error": r.Language.Say(p.Key)})
		return
	}
	// What went wrong may have ended the request's context, and the frame is read by it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), frameTimeout)
	defer cancel()
	r.Request = r.WithContext(ctx)
	if err := r.RenderStatus(p.Status, "problem", p.Key, problemPage{p.Key + ".text", r.ID}); err != nil {
		r.D.Logger.ErrorContext(r.Context(), "the page of a problem failed", "request_id", r.ID, "error", err)
		http.Error(r.W, http.StatusText(p.Status), p.Status)
	}
}
