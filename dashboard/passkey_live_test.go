package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/nfse"
	"emissor/test/testkit"
)

// checkedActs are what asks for a fresh passkey once its form is complete and valid: where it is done, with a form
// that its page refuses (nil: none is) and one that is complete, and what counts that it was done.
var checkedActs = map[string]func(t *testing.T, s *site, p *person) (path string, incomplete, complete url.Values,
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
	"/integrations/keys": func(*testing.T, *site, *person) (string, url.Values, url.Values, string) {
		return "/integrations/keys", form("label", "loja", "networks", "x"), form("label", "loja"),
			`SELECT count(*) FROM api_keys WHERE label = 'loja'`
	},
	"/integrations/keys/{id}": func(t *testing.T, s *site, p *person) (string, url.Values, url.Values, string) {
		path := "/integrations/keys/" + s.Text(t, `SELECT min(id) FROM api_keys WHERE livemode`)
		return path, form("networks", "x"), form("label", "filial", "version", p.get(t, s.live(path)).version(t)),
			`SELECT count(*) FROM api_keys WHERE label = 'filial'`
	},
	"/integrations/endpoints": func(*testing.T, *site, *person) (string, url.Values, url.Values, string) {
		return "/integrations/endpoints", form("url", "x"), form("url", "https://hooks.example.com/a", "nfse.issued",
				"on"),
			`SELECT count(*) FROM webhook_endpoints WHERE url = 'https://hooks.example.com/a'`
	},
	"/integrations/endpoints/{id}": func(t *testing.T, s *site, p *person) (string, url.Values, url.Values, string) {
		const address = "https://hooks.example.com/b"
		id, _ := s.NewEndpoint(t, address, true)
		path := "/integrations/endpoints/" + id
		return path, form("url", "x"), form("url", address, "nfse.issued", "on", "version",
				p.get(t, s.live(path)).version(t)),
			`SELECT count(*) FROM webhook_endpoints WHERE url = '` + address + `' AND events = '{nfse.issued}'`
	},
	"/company/profile": func(t *testing.T, s *site, p *person) (string, url.Values, url.Values, string) {
		return "/company/profile", profileForm("tax_id", "x"), profileForm("competence_days_back", "17", "version",
				p.get(t, s.live("/company")).version(t), "confirmed", "yes"),
			`SELECT count(*) FROM fiscal_profiles WHERE profile ->> 'competence_days_back' = '17'`
	},
	"/company/next-number": func(t *testing.T, s *site, p *person) (string, url.Values, url.Values, string) {
		page := p.get(t, s.live("/company"))
		next := page.fields()
		return "/company/next-number", form("next_number", "x"), form("next_number", "77", "seen", next.Get("seen"),
				"version", page.version(t), "confirmed", "yes"),
			`SELECT count(*) FROM fiscal_sequences WHERE last_number = 76`
	},
	"/people/invitations": func(*testing.T, *site, *person) (string, url.Values, url.Values, string) {
		return "/people/invitations", form("email", "x", "role", "viewer"), form("email", "nova@example.com", "role",
			"viewer"), `SELECT count(*) FROM links JOIN users ON users.id = user_id WHERE email = 'nova@example.com'`
	},
	"/operations/companies": func(*testing.T, *site, *person) (string, url.Values, url.Values, string) {
		return "/operations/companies", form("name", " "), form("name", "Padaria"),
			`SELECT count(*) FROM organizations WHERE name = 'Padaria'`
	},
	"/operations/companies/{id}": func(_ *testing.T, s *site, _ *person) (string, url.Values, url.Values, string) {
		return "/operations/companies/" + s.Organization.ID, form("name", " "), form("name", "Casa"),
			`SELECT count(*) FROM organizations WHERE name = 'Casa'`
	},
}

// showsSecret are the acts whose answer is a page with what is shown once.
var showsSecret = map[string]bool{"/integrations/keys": true, "/integrations/endpoints": true,
	"/people/invitations": true}

// What can be wrong asks for a fresh passkey once it is complete and valid, and not before; what was typed comes
// along, and nothing is done without.
func TestPasskey_WhenValid(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	operator := s.signedIn(t, "operator@example.com", "", "")
	owner.addPasskey(t)
	operator.addPasskey(t)
	known := 0
	for _, route := range dashboard.Routes(s.pages) {
		if !route.AsksWhenValid {
			continue
		}
		act, has := checkedActs[route.Path]
		if !has {
			t.Errorf("%s is not in checkedActs", route.Path)
			continue
		}
		known++
		by := owner
		if route.Who == "operator" {
			by = operator
		}
		t.Run(route.Path, func(t *testing.T) {
			by.verifiedAt(t, time.Now().Add(-time.Hour))
			path, incomplete, complete, done := act(t, s, by)
			count := func() int { return s.Count(t, done) }
			if incomplete != nil {
				incomplete.Set("env", "live")
				by.post(t, s.live(path), incomplete).expect(t, http.StatusUnprocessableEntity)
			}
			complete.Set("env", "live")
			asked := by.post(t, s.live(path), complete).expect(t, http.StatusForbidden, "Confirme que").body
			for name, values := range complete {
				if !strings.Contains(asked, `name="`+name+`" value="`+html.EscapeString(values[0])+`"`) {
					t.Errorf("%s, which was %q, does not come along\n%s", name, values[0], asked)
				}
			}
			if count() != 0 {
				t.Fatal("it is done without a passkey")
			}
			by.verifiedAt(t, time.Now())
			status := http.StatusSeeOther
			if showsSecret[route.Path] {
				status = http.StatusOK
			}
			by.post(t, s.live(path), complete).expect(t, status)
			if count() != 1 {
				t.Errorf("it is done %d times", count())
			}
		})
	}
	if known != len(checkedActs) {
		t.Errorf("%d of the %d acts are routes", known, len(checkedActs))
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
