package dashboard_test

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/testkit"
)

// issuedLive makes a live note that was issued by the organization's profile.
func (s *site) issuedLive(t *testing.T, reference string) (id string) {
	t.Helper()
	s.NewProfile(t, "national")
	id = s.noteOf(t, s.LiveKey, reference)
	s.IssuedNationally(t, id)
	return id
}

var sentField = regexp.MustCompile(`<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"`)

// fields are the fields of a page's forms that have a value.
func (p page) fields() url.Values {
	fields := url.Values{}
	for _, match := range sentField.FindAllStringSubmatch(p.body, -1) {
		fields.Set(match[1], html.UnescapeString(match[2]))
	}
	return fields
}

// A person replaces a note: the form is filled in, what must stay is locked, the review shows both
// notes, and afterwards each page shows the other.
func TestNote_Replace(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.issuedLive(t, "pedido-1")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.addPasskey(t)
	editor.verifiedAt(t, time.Now())
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	address := s.live("/notes/" + id)
	if body := viewer.get(t, address).expect(t, http.StatusOK).body; strings.Contains(body, "/replace") {
		t.Error("a viewer may replace it")
	}
	editor.get(t, address).expect(t, http.StatusOK, "Substituir a nota")
	path := s.live("/notes/" + id + "/replace")
	shown := editor.get(t, path).expect(t, http.StatusOK, "as duas coisas ou nenhuma", `value="pedido-2"`, "150,00",
		`name="competence" type="date" value="`+string(nfse.DayOf(time.Now()))+`" readonly`,
		`type="hidden" name="service"`, `<option value="05">`)
	for _, code := range []string{"01", "02"} { // the company was outside the Simples, and is
		if strings.Contains(shown.body, `<option value="`+code+`"`) {
			t.Errorf("the reason %s is offered", code)
		}
	}
	sent := shown.fields()
	sent.Set("description", "Consulta médica, corrigida")
	editor.post(t, path, sent).expect(t, http.StatusUnprocessableEntity, `href="#reason_code">Escolha o motivo.`,
		"Consulta médica, corrigida")
	sent.Set("reason_code", "01")
	editor.post(t, path, sent).expect(t, http.StatusUnprocessableEntity, `href="#reason_code">Escolha o motivo.`)
	sent.Set("reason_code", "99")
	editor.post(t, path, sent).expect(t, http.StatusUnprocessableEntity, "Com o motivo Outro, escreva qual é")
	sent.Set("reason_text", "a descrição do serviço estava errada")
	sent.Set("competence", "2026-01-01") // which is not taken
	reviewed := editor.post(t, path, sent).expect(t, http.StatusOK, "Revisar a substituição", "pedido-1 · 41",
		"Outro: a descrição do serviço estava errada", "O que muda", "Na nota substituída\">Consulta médica</td>",
		"Na nota nova\">Consulta médica, corrigida</td>")
	if reason, value := strings.Index(reviewed.body, "Motivo da substituição"), strings.Index(reviewed.body,
		"R$\u00a0150,00</dd>"); reason < 0 || reason > value {
		t.Error("the review does not lead with the reason")
	}
	confirmed := maps.Clone(reviewed.fields())
	to := editor.post(t, path, confirmed).expect(t, http.StatusSeeOther).header.Get("Location")
	editor.get(t, to).expect(t, http.StatusOK, "Substitui a nota", "pedido-1", "pedido-2", "Substitui outra nota")
	editor.get(t, address).expect(t, http.StatusOK, "Em substituição pela nota", "pedido-2", "Substituição pedida",
		"a descrição do serviço estava errada")
	if kept := s.Text(t, `SELECT competence || ' ' || (details -> 'replaces' ->> 'access_key') FROM notes
		WHERE replaces = $1`, id); kept != string(nfse.DayOf(time.Now()))+" "+testkit.IssuedKey {
		t.Errorf("the new note has %s", kept)
	}

	// Sent twice it is asked for once, and another one is refused with words.
	if again := editor.post(t, path, confirmed).expect(t, http.StatusSeeOther).header.Get("Location"); again != to {
		t.Errorf("sent twice it leads to %s, not to %s", again, to)
	}
	confirmed.Set("reference", "pedido-3")
	editor.post(t, path, confirmed).expect(t, http.StatusSeeOther)
	editor.get(t, address).expect(t, http.StatusOK, "está a caminho; espere o resultado")
	editor.get(t, path).expect(t, http.StatusSeeOther)
	if notes := s.Count(t, `SELECT count(*) FROM notes WHERE replaces IS NOT NULL`); notes != 1 {
		t.Errorf("%d notes replace it", notes)
	}
	csv := editor.get(t, s.live("/notes.csv")).expect(t, http.StatusOK).body
	if !strings.Contains(csv, "Substituída pela referência") || strings.Count(csv, "pedido-2") != 2 {
		t.Errorf("the table is\n%s", csv)
	}
}

// The work of a note that is replaced may be closed by now, as works end: the new note has it as it
// was. What the register has of an open one is taken.
func TestNote_ReplaceOfClosedWork(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.issuedLive(t, "pedido-1")
	live := nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}
	work, err := catalogues.Works.Add(t.Context(), s.Changes().Catalogues, live,
		nfse.Work{Name: "Casa", Registration: "900012345678", MunicipalityCode: "3304557"})
	must(t, err)
	s.Exec(t, `UPDATE notes SET details = jsonb_build_object('work', jsonb_build_object('id', $2::text,
		'name', 'Casa antiga', 'registration', '900012345678', 'municipality_code', '3304557'),
		'withholding', '{"irrf": 150}'::jsonb) WHERE id = $1`, id, work.ID)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.addPasskey(t)
	editor.verifiedAt(t, time.Now())
	editor.get(t, s.live("/notes/"+id)).expect(t, http.StatusOK, "<dd>Casa antiga</dd>",
		"<dt>O tomador retém</dt><dd>IRRF, % 1,50</dd>")
	path := s.live("/notes/" + id + "/replace")
	sent := editor.get(t, path).expect(t, http.StatusOK).fields()
	sent.Set("work", work.ID)
	sent.Set("withheld", "own") // as the page has it selected
	sent.Set("reason_code", "05")
	editor.post(t, path, sent).expect(t, http.StatusOK, "Revisar a substituição", "<dd>Casa</dd>")
	must(t, catalogues.Works.Close(t.Context(), s.Changes().Catalogues, live, work.ID))
	editor.post(t, path, sent).expect(t, http.StatusOK, "Revisar a substituição", "<dd>Casa antiga</dd>")
	plain := s.live("/notes")
	sent.Set("reference", "pedido-9")
	editor.post(t, plain, sent).expect(t, http.StatusUnprocessableEntity) // a new note cannot have it
}

// A note that replaces another is for the same work, also where that is closed by now and another one
// is set.
func TestNote_ReplaceKeepsItsWork(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	live := nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}
	service := s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{
		"name": "Reforma", "description": "Reforma de casa", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "07.02.01",
	}).Expect(t, http.StatusCreated).Text("id")
	set := func(name, registration string) string {
		t.Helper()
		work, err := catalogues.Works.Add(t.Context(), s.Changes().Catalogues, live,
			nfse.Work{Name: name, Registration: registration, MunicipalityCode: "3304557"})
		must(t, err)
		must(t, s.Changes().Catalogues.TaxService(t.Context(), live, service, nfse.ServiceTaxation{WorkID: work.ID}, ""))
		return work.ID
	}
	work := set("Casa", "900012345678")
	id := s.Call(t, http.MethodPost, "/v1/nfse", s.LiveKey, testkit.Issuance(service, "pedido-1")).Text("id")
	s.IssuedNationally(t, id)
	other := set("Prédio", "115830024985")
	must(t, catalogues.Works.Close(t.Context(), s.Changes().Catalogues, live, work))
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.addPasskey(t)
	editor.verifiedAt(t, time.Now())
	path := s.live("/notes/" + id + "/replace")
	shown := editor.get(t, path).expect(t, http.StatusOK,
		`<option value="`+work+`" selected>Casa · 900012345678 · encerrado`)
	sent := shown.fields()
	sent.Set("reason_code", "05")
	sent.Set("work", work)
	for chosen, name := range map[string]string{work: "Casa", other: "Prédio"} {
		sent.Set("work", chosen)
		editor.post(t, path, sent).expect(t, http.StatusOK, "<dt>Obra</dt><dd>"+name)
	}
	sent.Set("work", work)
	editor.post(t, path, editor.post(t, path, sent).fields()).expect(t, http.StatusSeeOther)
	kept := s.Text(t, `SELECT details -> 'work' ->> 'registration' FROM notes WHERE replaces = $1`, id)
	if kept != "900012345678" {
		t.Errorf("the new note is for the work %s", kept)
	}
	fresh := withDetails(service, "pedido-9", []string{"work", work})
	editor.post(t, s.live("/notes"), fresh).expect(t, http.StatusUnprocessableEntity,
		`aria-describedby="work-problem"`)
}

// That the company has left the Simples, or entered it, is a reason where its profile says so.
func TestNote_ReplaceReasonsThatFit(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.issuedLive(t, "pedido-1")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	path := s.live("/notes/" + id + "/replace")
	for _, one := range []struct {
		before, now nfse.SimplesOption
		fits        string
	}{
		{nfse.SimplesME, nfse.SimplesNone, "01"}, {nfse.SimplesNone, nfse.SimplesMEI, "02"},
		{nfse.SimplesNone, nfse.SimplesNone, ""}, {nfse.SimplesMEI, nfse.SimplesME, ""},
	} {
		s.Exec(t, `UPDATE fiscal_exchanges SET profile = jsonb_set(profile, '{simples}', to_jsonb($1::int))`, one.before)
		s.Exec(t, `UPDATE fiscal_profiles SET profile = jsonb_set(profile, '{simples}', to_jsonb($1::int))`, one.now)
		shown := editor.get(t, path).expect(t, http.StatusOK, `<option value="" selected>—</option>`,
			`<option value="03">`, `<option value="99">`).body
		for _, code := range []string{"01", "02"} {
			if offered := strings.Contains(shown, `<option value="`+code+`">`); offered != (code == one.fits) {
				t.Errorf("from %d to %d the reason %s is offered: %t", one.before, one.now, code, offered)
			}
		}
	}
}

// A note to a customer abroad is replaced on the page, by a company in the Simples too, whose notes keep
// their customer.
func TestNote_ReplaceForCustomerAbroad(t *testing.T) {
	t.Parallel()
	for name, simples := range map[string]nfse.SimplesOption{"outside": nfse.SimplesNone, "mei": nfse.SimplesMEI} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, nil)
			s.NewProfile(t, "national")
			editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
			editor.addPasskey(t)
			editor.verifiedAt(t, time.Now())
			sent := withDetails(s.NewService(t, s.LiveKey), "pedido-1", detailed["foreign"].typed)
			editor.post(t, s.live("/notes"), editor.post(t, s.live("/notes"), sent).reviewed(t)).
				expect(t, http.StatusSeeOther)
			id := s.Text(t, `SELECT id FROM notes`)
			s.IssuedNationally(t, id)
			s.Exec(t, `UPDATE fiscal_profiles SET profile = jsonb_set(profile, '{simples}', $1::jsonb)`, simples)
			path := s.live("/notes/" + id + "/replace")
			replaced := editor.get(t, path).expect(t, http.StatusOK, `value="Acme &lt;Inc&gt;"`).fields()
			replaced.Set("reason_code", "99")
			replaced.Set("reason_text", "a descrição do serviço estava errada")
			replaced.Set("service", sent.Get("service"))
			editor.post(t, path, editor.post(t, path, replaced).reviewed(t)).expect(t, http.StatusSeeOther)
			if nif := s.Text(t, `SELECT details -> 'foreign_taker' ->> 'nif' FROM notes WHERE replaces = $1`,
				id); nif != "98-7654321" {
				t.Errorf("the new note is for %s", nif)
			}
		})
	}
}
