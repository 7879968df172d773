package dashboard_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/test/testkit"
)

// aEngine is a workflow engine that says what a test wants.
type aEngine struct {
	in      time.Duration // from the question on, until something is tried again
	problem error
}

func (e aEngine) Check(context.Context) error { return e.problem }

func (e aEngine) NextAttempt(context.Context, nfse.Scope, string) (time.Time, error) {
	if e.problem != nil {
		return time.Time{}, e.problem
	}
	return time.Now().Add(e.in), nil
}

// A page that looks again by itself keeps no session from ending when it is not used.
func TestFollow_IsNoUse(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	path := s.at("/notes/" + s.note(t))
	viewer.get(t, path).expect(t, http.StatusOK)
	s.Exec(t, `UPDATE sessions SET expires_at = now() + interval '5 minutes', seen_at = '2026-01-01'
		WHERE user_id = $1`, viewer.id)
	extended := func() bool {
		return s.Count(t, `SELECT count(*) FROM sessions WHERE user_id = $1 AND seen_at > '2026-01-01'
			AND expires_at > now() + interval '10 minutes'`, viewer.id) == 1
	}
	polled := viewer.get(t, path+"&poll=1").expect(t, http.StatusOK, "data-follow")
	if extended() || polled.header.Get("Set-Cookie") != "" {
		t.Error("a look by itself counts as use")
	}
	if viewer.get(t, path).expect(t, http.StatusOK); !extended() {
		t.Error("a look by a person does not count as use")
	}
	viewer.get(t, s.at("/notes")+"&poll=1").expect(t, http.StatusOK)
	s.Exec(t, `UPDATE sessions SET expires_at = now() + interval '5 minutes' WHERE user_id = $1`, viewer.id)
	if viewer.get(t, s.at("/notes")+"&poll=1").expect(t, http.StatusOK); !extended() {
		t.Error("other pages can be asked for without use")
	}
	s.Exec(t, `UPDATE sessions SET ended_at = now() WHERE user_id = $1`, viewer.id)
	viewer.get(t, path+"&poll=1").expect(t, http.StatusSeeOther)
}

// "Estamos emitindo" is said while that is so, within the part of the page that is replaced.
func TestFollow_SaysThatItIsIssued(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	id := s.note(t)
	const said = "Estamos emitindo"
	body := viewer.get(t, s.at("/notes/"+id)).expect(t, http.StatusOK, said).body
	if strings.Index(body, said) < strings.Index(body, `<div id="page">`) {
		t.Error("it stands outside what is replaced")
	}
	s.Exec(t, `UPDATE notes SET status = 'issued', processing_at = now(), issued_at = now(), authority_issued_at = now()
		WHERE id = $1`, id)
	if body := viewer.get(t, s.at("/notes/"+id)).body; strings.Contains(body, said) {
		t.Error("it is said of a note that is issued")
	}
}

// Without script a browser looks again while the note moves, unless it is told not to.
func TestFollow_WithoutScript(t *testing.T) {
	t.Parallel()
	s, _, issued, _ := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	const refresh = `<noscript><meta http-equiv="refresh" content="`
	// A live one, which this worker does not take: it has no authority.
	moving := s.Issue(t, s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "em-andamento"))
	s.Exec(t, `DELETE FROM outbox`)
	path := s.live("/notes/" + moving)
	shown := viewer.get(t, path).expect(t, http.StatusOK, refresh+"10;url=/notes/"+moving+"?env=live&amp;org=",
		"&amp;poll=1\"></noscript>", "a cada 10 s", "Parar")
	if strings.Contains(shown.body, "Próxima tentativa") {
		t.Error("it says when, which nobody knows")
	}
	for _, still := range []string{path + "&still=1", s.at("/notes/" + issued)} {
		if body := viewer.get(t, still).expect(t, http.StatusOK).body; strings.Contains(body, refresh) {
			t.Errorf("%s looks again", still)
		}
	}
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	asked := editor.post(t, s.live("/notes/"+moving+"/cancel"),
		form("env", "live", "reason_code", "1", "reason_text", "x")).expect(t, http.StatusUnprocessableEntity)
	if strings.Contains(asked.body, refresh) {
		t.Error("a form that was sent back goes away by itself")
	}
}

// A note that moves says when it is tried again, where the outbox or the engine knows.
func TestFollow_NextAttempt(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		engine frame.Engine
		outbox string // of the next attempt
		says   string
	}{
		"outbox": {nil, "3 minutes 30 seconds", "Próxima tentativa em 3 min"},
		"engine": {aEngine{in: 3*time.Hour + 30*time.Second}, "", "Próxima tentativa em 3 h 0 min"},
		"both":   {aEngine{in: 3 * time.Hour}, "1 minute 30 seconds", "Próxima tentativa em 1 min"},
		"nobody": {nil, "", ""},
		"away":   {aEngine{problem: errors.New("away")}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(options *frame.Options) { options.Engine = one.engine })
			viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
			note := s.noteOf(t, s.LiveKey, "anda")
			s.Exec(t, `DELETE FROM outbox WHERE $1 = ''`, one.outbox)
			s.Exec(t, `UPDATE outbox SET next_attempt_at = now() + coalesce(nullif($1, ''), '0')::interval`, one.outbox)
			shown := viewer.get(t, s.live("/notes/"+note)).expect(t, http.StatusOK, "data-follow", one.says)
			if one.says == "" && strings.Contains(shown.body, "Próxima tentativa") {
				t.Error("it says when, which nobody knows")
			}
		})
	}
}

// The page is followed in a real browser until its session ends: then the whole window
// leads to the way in, and no page is within another.
func TestFollow_SessionEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	b := newBrowser(t, s)
	operator := s.member(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	b.open(t, s.linkFor(t, nfse.LinkSignIn, operator))
	b.do(t, click("main form button"))
	b.shows(t, "Visão geral")
	b.open(t, s.at("/notes/"+s.note(t)))
	b.shows(t, "Linha do tempo")
	s.Exec(t, `UPDATE sessions SET ended_at = now()`)
	b.do(t, waitFor(`.frame.bare [data-passkey]`))
	if within := b.answer(t, `String(document.querySelectorAll("main main, main .frame").length) + location.pathname +
		(location.search.includes("poll") ? "poll" : "")`); within != "0/sign-in" {
		t.Errorf("the browser shows %s", within)
	}
}
