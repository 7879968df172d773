package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

// liveActs are what asks for a fresh passkey in the live environment: where it is done, with a form that its
// page refuses (nil: none is) and one that is complete, and what counts that it was done.
var liveActs = map[string]func(t *testing.T, s *site, p *person) (path string, incomplete, complete url.Values,
	done string){
	"/notes": func(t *testing.T, s *site, p *person) (string, url.Values, url.Values, string) {
		sent := withDetails(s.NewService(t, s.LiveKey), "pedido-novo", nil)
		return "/notes", form("reference", "pedido-novo"), p.post(t, s.live("/notes"), sent).reviewed(t),
			`SELECT count(*) FROM notes WHERE reference = 'pedido-novo'`
	},
	"/notes/{id}/cancel": func(t *testing.T, s *site, _ *person) (string, url.Values, url.Values, string) {
		return "/notes/" + s.noteOf(t, s.LiveKey, "pedido-cancelado") + "/cancel", form("reason_text", "curto"),
			form("reason_code", "1", "reason_text", "emitida com erro", "confirmed", "yes"),
			`SELECT count(*) FROM notes WHERE reference = 'pedido-cancelado' AND cancellation_requested_at IS NOT NULL`
	},
	"/notes/{id}/analysis": func(t *testing.T, s *site, _ *person) (string, url.Values, url.Values, string) {
		return aRefused("/analysis")(t, s), nil, form("confirmed", "yes"),
			`SELECT count(*) FROM notes WHERE analysis IS NOT NULL`
	},
	"/notes/{id}/replace": func(t *testing.T, s *site, p *person) (string, url.Values, url.Values, string) {
		id := s.noteOf(t, s.LiveKey, "pedido-substituto")
		s.IssuedNationally(t, id)
		path := "/notes/" + id + "/replace"
		sent := p.get(t, s.live(path)).expect(t, http.StatusOK).fields()
		sent.Set("reason_code", "99")
		sent.Set("reason_text", "a descrição do serviço estava errada")
		return path, form("reason_code", "99"), p.post(t, s.live(path), sent).reviewed(t),
			`SELECT count(*) FROM notes WHERE replaces IS NOT NULL`
	},
	"/notes/{id}/competence": func(t *testing.T, s *site, _ *person) (string, url.Values, url.Values, string) {
		id := s.noteOf(t, s.LiveKey, "pedido-de-outro-dia")
		s.refusedDay(t, id)
		day := string(nfse.DayOf(time.Now()).Before(1))
		return "/notes/" + id + "/competence", form("competence", "2001-01-01"), form("competence", day),
			`SELECT count(*) FROM notes WHERE reference = 'pedido-de-outro-dia' AND competence = '` + day + `'`
	},
	"/recurring": func(t *testing.T, s *site, _ *person) (string, url.Values, url.Values, string) {
		customer := s.onRecord(t, s.LiveKey, "11144477735", "Joana Prado da Silva")
		return "/recurring", form("day", "32"), form("customer", customer, "service", s.NewService(t, s.LiveKey),
				"amount_cents", "150", "day", "31", "description", "Mensalidade"),
			`SELECT count(*) FROM recurrences WHERE description = 'Mensalidade'`
	},
	"/recurring/{id}": func(t *testing.T, s *site, p *person) (string, url.Values, url.Values, string) {
		path := "/recurring/" + s.recurrenceOf(t, s.LiveKey)
		return path, form("day", "32"), form("version", p.get(t, s.live(path)).version(t), "service",
				s.Text(t, `SELECT service_id FROM recurrences WHERE id = $1`, strings.TrimPrefix(path, "/recurring/")),
				"amount_cents", "177", "day", "31"),
			`SELECT count(*) FROM recurrences WHERE amount_cents = 17700`
	},
	"/recurring/{id}/months/{month}/issue": func(t *testing.T, s *site, _ *person) (string, url.Values, url.Values,
		string) {
		id := s.recurrenceOf(t, s.LiveKey)
		return "/recurring/" + id + "/months/2026-01/issue", nil, form("confirmed", "yes"),
			`SELECT count(*) FROM recurring_months WHERE id = '` + id + `-2026-01' AND status <> 'missed'`
	},
	"/batches/{id}/accept": func(t *testing.T, s *site, _ *person) (string, url.Values, url.Values, string) {
		id := s.batchIn(t, true)
		return "/batches/" + id + "/accept", form(), form("month", month()),
			`SELECT count(*) FROM batches WHERE id = '` + id + `' AND status <> 'checked'`
	},
}

// What a person does in the live environment asks for a fresh passkey once it is complete and valid, and not
// before; what was typed comes along, and nothing is done without.
func TestPasskey_InLive(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.addPasskey(t)
	known := 0
	for _, route := range s.pages.Routes() {
		if !route.FreshInLive {
			continue
		}
		act, has := liveActs[route.Path]
		if !has {
			t.Errorf("%s is not in liveActs", route.Path)
			continue
		}
		known++
		t.Run(route.Path, func(t *testing.T) {
			owner.verifiedAt(t, time.Now().Add(-time.Hour))
			path, incomplete, complete, done := act(t, s, owner)
			count := func() int { return s.Count(t, done) }
			if incomplete != nil {
				incomplete.Set("env", "live")
				owner.post(t, s.live(path), incomplete).expect(t, http.StatusUnprocessableEntity)
			}
			complete.Set("env", "live")
			asked := owner.post(t, s.live(path), complete).expect(t, http.StatusForbidden, "Confirme que").body
			for name, values := range complete {
				if !strings.Contains(asked, `name="`+name+`" value="`+html.EscapeString(values[0])+`"`) {
					t.Errorf("%s, which was %q, does not come along\n%s", name, values[0], asked)
				}
			}
			if count() != 0 {
				t.Fatal("it is done without a passkey")
			}
			owner.verifiedAt(t, time.Now())
			owner.post(t, s.live(path), complete).expect(t, http.StatusSeeOther)
			if count() != 1 {
				t.Errorf("it is done %d times", count())
			}
		})
	}
	if known != len(liveActs) {
		t.Errorf("%d of the %d acts are routes", known, len(liveActs))
	}
}

// In the test environment nothing has a fiscal value, and no passkey is asked for.
func TestPasskey_NotInTest(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.addPasskey(t)
	editor.verifiedAt(t, time.Now().Add(-time.Hour))
	editor.issues(t, s.at("/notes"), issueForm(s.NewService(t, s.TestKey), "pedido-1")).expect(t, http.StatusSeeOther)
	id := s.recurrenceOf(t, s.TestKey)
	editor.post(t, s.at("/recurring/"+id+"/months/2026-01/issue"), form("confirmed", "yes")).
		expect(t, http.StatusSeeOther)
}

// refusedDay has a live note wait because the authority refuses its day of competence.
func (s *site) refusedDay(t *testing.T, id string) {
	t.Helper()
	said := nfse.Rejection{Source: nfse.RejectedByAuthority, Code: "E0016", Message: "x"}
	s.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, disposition, rejection)
		VALUES ($1, 'issue', 'unsigned', 'national', false, $2, '3304557', 9, 1, '{}', 'needs_person', $3)`, id,
		testkit.Issuer, said)
	s.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now(), held_reason = '{}', held_since = now()
		WHERE id = $1`, id)
}
