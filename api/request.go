package api

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"emissor/internal/web"
	"emissor/nfse"
)

// request is what is known of the request being answered, for its log line.
type request struct {
	*web.Answer
	organizationID string
	noteID         string
	key            nfse.APIKey
	keyID          string    // also of a key that is refused
	refusal        string    // why the key is
	code           nfse.Code // of the error that it is answered with
	field          string    // that the error is about
	sent           *body     // what was read of its body; nil where there was none
}

type requestKey struct{}

func requestOf(ctx context.Context) *request { return ctx.Value(requestKey{}).(*request) }

// withRequest gives every request an id, sets the headers of every answer, and
// logs and counts the request when it is answered. A panic is answered with 500.
func (a *API) withRequest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, r := a.requests.Begin(w, r)
		current := &request{Answer: answer}
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, current))
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		web.CloseConnection(w, r, a.proxies) // unless the request has a valid key
		web.DescribeLimit(w, a.strangers, web.Site(current.Client), current.Started)

		current.Give(r.Context(), func() { next.ServeHTTP(current, r) },
			func() { writeError(current, r, errInternal()) })

		current.Span.Organization(current.organizationID)
		current.Span.Note(current.noteID)
		current.Span.Code(current.code)
		current.Record(r.Context(), chi.RouteContext(r.Context()).RoutePattern(), web.KnownMethod(r.Method),
			"key_id", current.keyID, "refusal", current.refusal, "organization_id", current.organizationID,
			"note_id", current.noteID)
		a.log.add(current, r)
	})
}
