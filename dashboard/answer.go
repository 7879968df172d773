package dashboard

import (
	"context"
	"errors"
	"net/http"
	"time"

	"emissor/dashboard/frame"
	"emissor/dashboard/words"
)

// maxFileBody bounds a form with a file: nothing of it is written to disk.
const maxFileBody = 1 << 20

// serve makes the handler of a route: it gives the request an id, checks everything that
// must hold before the page is called, and logs the answer.
func serve(d *frame.Dashboard, route frame.Route) http.Handler {
	answer := http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) { answerRoute(d, w, hr, route) })
	if route.Who == frame.Stranger {
		return answer
	}
	loaded := d.Sessions.LoadAndSave(answer)
	if !route.Ask(frame.Follows | frame.LooksUpKnown) {
		return loaded
	}
	asStranger := route
	asStranger.Who = frame.Stranger
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		switch {
		case route.Ask(frame.Follows) && hr.URL.Query().Has("poll"):
			loadOnly(d, answer).ServeHTTP(w, hr)
		case route.Ask(frame.LooksUpKnown) && !isKnown(d, hr) && !mayLookUp(d, hr):
			answerRoute(d, w, hr, asStranger)
		default:
			loaded.ServeHTTP(w, hr)
		}
	})
}

// loadOnly reads the session without prolonging it, for a page that reloads by itself:
// that does not count as use of the session.
func loadOnly(d *frame.Dashboard, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		token := ""
		if cookie, err := hr.Cookie(d.Sessions.Cookie.Name); err == nil {
			token = cookie.Value
		}
		ctx, err := d.Sessions.Load(hr.Context(), token)
		if err != nil {
			d.Sessions.ErrorFunc(w, hr, err)
			return
		}
		w.Header().Add("Vary", "Cookie")
		next.ServeHTTP(w, hr.WithContext(ctx))
	})
}

func answerRoute(d *frame.Dashboard, w http.ResponseWriter, hr *http.Request, route frame.Route) {
	answer, hr := d.Requests.Begin(w, hr)
	most := int64(frame.MaxBody)
	switch {
	case route.Ask(frame.AFile):
		most = maxFileBody
	case route.Ask(frame.ASheet):
		most = frame.MaxSheetBody
	}
	hr.Body = http.MaxBytesReader(answer, hr.Body, most)
	r := &frame.Request{
		Request: hr, W: answer, D: d, Route: route, ID: answer.ID, Client: answer.Client,
		Language: words.Choose(chosenLanguage(hr), hr.Header.Get("Accept-Language")),
	}
	answer.Give(hr.Context(), func() {
		err := enter(r)
		if err == nil {
			err = route.Handler(r)
		}
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, frame.ErrAnswered) {
			showProblem(r, problemOf(r, err))
		}
	}, func() { showProblem(r, frame.Problem{Status: http.StatusInternalServerError, Key: "problem.internal"}) })
	answer.Span.Organization(r.Scope.OrganizationID)
	answer.Record(hr.Context(), route.Path, route.Method, "user_id", r.User.ID, "organization_id",
		r.Scope.OrganizationID)
}

func notFound(r *frame.Request) error {
	return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
}

// health answers ok while the database does, which is asked once a second at most.
func health(r *frame.Request) error {
	if err := r.D.Database.Ask(time.Now); err != nil {
		http.Error(r.W, "the database does not answer", http.StatusServiceUnavailable)
		return nil
	}
	_, err := r.W.Write([]byte("ok\n"))
	return err
}
