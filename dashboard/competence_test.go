package dashboard_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// shownDay is a day as a page in Portuguese shows it.
func shownDay(day nfse.Day) string { return format.Date(words.Portuguese, day) }

// A person may set a day of competence within those that the company allows; the API
// may not, and without one it is today.
func TestIssue_Competence(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	today := nfse.DayOf(time.Now())
	editor.get(t, s.at("/notes/new")).expect(t, http.StatusOK, `name="competence" type="date" value=""`,
		"de "+shownDay(today.Before(31))+" a "+shownDay(today))
	try := func(reference string, day nfse.Day, good bool) {
		t.Helper()
		sent := issueForm(service, reference)
		sent.Set("competence", string(day))
		if !good {
			editor.post(t, s.at("/notes"), sent).expect(t, http.StatusUnprocessableEntity, `href="#competence"`,
				"Escolha uma competência", `name="competence" type="date" value="`+string(day)+`"`)
			return
		}
		editor.issues(t, s.at("/notes"), sent).expect(t, http.StatusSeeOther)
		kept := nfse.Day(s.Text(t, `SELECT competence::text FROM notes WHERE reference = $1`, reference))
		if kept != day && (day != "" || kept != today) {
			t.Errorf("of %q it is kept with %s", day, kept)
		}
	}
	try("none", "", true)
	try("today", today, true)
	try("tomorrow", today.Before(-1), false)
	try("first", today.Before(31), true)
	try("too early", today.Before(32), false)
	try("no day", "2026-02-30", false)
	for _, daysBack := range []int{0, 3} {
		version := owner.get(t, s.at("/company")).version(t)
		owner.post(t, s.at("/company/profile"), profileForm("competence_days_back", strconv.Itoa(daysBack), "version",
			version)).expect(t, http.StatusSeeOther)
		try("first of "+strconv.Itoa(daysBack), today.Before(daysBack), true)
		try("too early of "+strconv.Itoa(daysBack), today.Before(daysBack+1), false)
	}
	// Sent again it is the same note, and of another day another request.
	again := issueForm(service, "first")
	again.Set("competence", string(today.Before(31)))
	editor.post(t, s.at("/notes"), again).expect(t, http.StatusSeeOther)
	other := issueForm(service, "first")
	other.Set("competence", string(today))
	editor.post(t, s.at("/notes"), other).expect(t, http.StatusUnprocessableEntity, "já é de outra nota")
	id := s.Text(t, `SELECT id FROM notes WHERE reference = 'first'`)
	editor.get(t, s.at("/notes/"+id)).expect(t, http.StatusOK,
		"<dt>Competência</dt><dd>"+shownDay(today.Before(31))+"<", "529.982.247-25")
	editor.get(t, s.at("/notes")).expect(t, http.StatusOK, `data-label="Competência">`+shownDay(today.Before(31))+"<")
}

// A correction is of the day of the note that was refused, or asks for another one.
func TestIssue_AgainKeepsCompetence(t *testing.T) {
	t.Parallel()
	s, _, _, rejected := newSettled(t)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	today := nfse.DayOf(time.Now())
	for back, asked := range map[int]bool{0: false, 20: false, 31: false, 32: true} {
		day := today.Before(back)
		s.Exec(t, `UPDATE notes SET competence = $1 WHERE id = $2`, string(day), rejected)
		shown := editor.get(t, s.at("/notes/new")+"&from="+rejected)
		shown.expect(t, http.StatusOK, `name="competence" type="date" value="`+string(day)+`"`)
		if asks := strings.Contains(shown.body, `href="#competence"`); asks != asked {
			t.Errorf("%d days later it asks: %v", back, asks)
		}
	}
}

// A note whose competence the authority refuses shows it, and takes another one within
// the days that the company allows.
func TestNote_SetCompetence(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.noteOf(t, s.LiveKey, "recusada")
	s.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now(), held_since = now(),
		held_reason = $2 WHERE id = $1`, id, fact.RefusedByRule.With("code", "E0025"))
	address := s.live("/notes/" + id)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.addPasskey(t)
	editor.verifiedAt(t, time.Now())
	if shown := editor.get(t, address).expect(t, http.StatusOK); strings.Contains(shown.body, "/competence\"") {
		t.Error("another competence is asked for, and none was refused")
	}
	s.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, disposition, rejection)
		VALUES ($1, 'issue', 'unsigned', 'national', true, '11222333000181', '3304557', 1, 1, '{}', 'needs_person',
			'{"code": "E0025"}')`, id)
	today := nfse.DayOf(time.Now())
	editor.get(t, address).expect(t, http.StatusOK, "A autoridade recusou a competência desta nota, "+shownDay(today)+
		" (E0025)", "De "+shownDay(today.Before(31))+" a "+shownDay(today), "pela regra E0025", `name="competence"`)
	path := s.live("/notes/" + id + "/competence")
	for _, wrong := range []nfse.Day{"", "2026-02-30", today.Before(32), today.Before(-1)} {
		editor.post(t, path, form("env", "live", "competence", string(wrong))).expect(t, http.StatusUnprocessableEntity,
			`href="#competence"`, "Escolha um dia entre")
	}
	editor.post(t, path, form("env", "live", "competence", string(today.Before(5)))).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "A competência mudou", "<dd>"+shownDay(today.Before(5))+"<",
		"Competência mudada", shownDay(today)+" mudada para "+shownDay(today.Before(5)))
	editor.post(t, path, form("env", "live", "competence", string(today))).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "não espera mais por outra competência",
		"<dd>"+shownDay(today.Before(5))+"<")
}
