package dashboard

import (
	"context"
	"errors"
	"net/http"
	"time"

	"emissor/dashboard/words"
	"emissor/issuing/batch"
)

// maxBody bounds what a form may send.
const maxBody = 64 << 10

// maxFileBody bounds a form with a file: nothing of it is written to disk.
const maxFileBody = 1 << 20

// maxSheetBody bounds a form with a spreadsheet, likewise.
const maxSheetBody = batch.MaxBytes + maxBody

// sheetUpload is how long a spreadsheet may take to arrive.
const sheetUpload = time.Minute

// serve makes the handler of a route: it gives the request an id, checks everything that
// must hold before the page is called, and logs the answer.
func (d *Dashboard) serve(route route) http.Handler {
	answer := http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) { d.answer(w, hr, route) })
	if route.who == stranger {
		return answer
	}
	loaded := d.sessions.LoadAndSave(answer)
	if !route.ask(follows | looksUpKnown) {
		return loaded
	}
	asStranger := route
	asStranger.who = stranger
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		switch {
		case route.ask(follows) && hr.URL.Query().Has("poll"):
			d.loadOnly(answer).ServeHTTP(w, hr)
		case route.ask(looksUpKnown) && !d.isKnown(hr) && !d.mayLookUp(hr):
			d.answer(w, hr, asStranger)
		default:
			loaded.ServeHTTP(w, hr)
		}
	})
}

// loadOnly reads the session without prolonging it, for a page that reloads by itself:
// that does not count as use of the session.
func (d *Dashboard) loadOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		token := ""
		if cookie, err := hr.Cookie(d.sessions.Cookie.Name); err == nil {
			token = cookie.Value
		}
		ctx, err := d.sessions.Load(hr.Context(), token)
		if err != nil {
			d.sessions.ErrorFunc(w, hr, err)
			return
		}
		w.Header().Add("Vary", "Cookie")
		next.ServeHTTP(w, hr.WithContext(ctx))
	})
}

func (d *Dashboard) answer(w http.ResponseWriter, hr *http.Request, route route) {
	answer, hr := d.requests.Begin(w, hr)
	most := int64(maxBody)
	switch {
	case route.ask(aFile):
		most = maxFileBody
	case route.ask(aSheet):
		most = maxSheetBody
	}
	hr.Body = http.MaxBytesReader(answer, hr.Body, most)
	r := &request{
		Request: hr, w: answer, d: d, route: route, id: answer.ID, client: answer.Client,
		language: words.Choose(chosenLanguage(hr), hr.Header.Get("Accept-Language")),
	}
	answer.Give(hr.Context(), func() {
		err := r.enter()
		if err == nil {
			err = route.handler(r)
		}
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errAnswered) {
			r.showProblem(r.problemOf(err))
		}
	}, func() { r.showProblem(problem{http.StatusInternalServerError, "problem.internal"}) })
	answer.Span.Organization(r.scope.OrganizationID)
	answer.Record(hr.Context(), route.path, route.method, "user_id", r.user.ID, "organization_id",
		r.scope.OrganizationID)
}

// errAnswered says that the request was answered before its page was called.
var errAnswered = errors.New("dashboard: answered")

func (d *Dashboard) notFound(*request) error {
	return problem{http.StatusNotFound, "problem.not_found"}
}

// health answers ok while the database does, which is asked once a second at most.
func (d *Dashboard) health(r *request) error {
	if err := d.database.Ask(time.Now); err != nil {
		http.Error(r.w, "the database does not answer", http.StatusServiceUnavailable)
		return nil
	}
	_, err := r.w.Write([]byte("ok\n"))
	return err
}
