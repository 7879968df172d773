package dashboard_test

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/nfse"
)

const accountant = "conta@example.com"

var classifyLink = regexp.MustCompile(`/classify/[A-Za-z0-9_-]{43}`)

// asked is a service of which somebody was asked how it is classified.
type asked struct {
	*site
	editor        *person
	service, link string // the id, and the path of the link
}

func newAsked(t *testing.T, change func(*frame.Options)) asked {
	t.Helper()
	s := newSite(t, change)
	a := asked{site: s, service: s.NewService(t, s.TestKey),
		editor: s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)}
	a.link = a.isAsked(t, accountant)
	return a
}

// asks lets a user ask how a service of test is classified, and returns the id and the path of the link.
func (s *site) asks(t *testing.T, userID, serviceID string) (id, path string) {
	t.Helper()
	text, by := nfse.NewLinkText(), nfse.Actor{Kind: nfse.ActorUser, ID: userID, From: "127.0.0.1"}
	link, err := s.Store.By(by).Catalogues.AskToClassify(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID},
		serviceID, accountant, text, false, time.Hour)
	must(t, err)
	return link.ID, "/classify/" + text
}

func (a asked) page() string { return a.at("/catalogue/services/" + a.service + "/classification") }

// isAsked lets the editor ask, and returns the path of the link that they are shown.
func (a asked) isAsked(t *testing.T, email string) string {
	t.Helper()
	shown := a.editor.post(t, a.at("/catalogue/services/"+a.service+"/classification/links"), form("email", email)).
		expect(t, http.StatusOK, "Envie este link a "+email, a.base+"/classify/", "Voltar à classificação")
	return classifyLink.FindString(shown.body)
}

func (a asked) classified(t *testing.T) int {
	t.Helper()
	return a.Count(t, `SELECT count(*) FROM service_classifications`)
}

// Somebody without an account answers in words, sees the codes, and saves them, once. They see the company's name and
// the service, and nothing else.
func TestClassificationLink_StrangerClassifies(t *testing.T) {
	t.Parallel()
	a := newAsked(t, nil)
	a.Exec(t, `UPDATE services SET name = '<b>Consulta</b>'`)
	other, key, _ := a.NewOrganization(t, "Escola Vizinha")
	theirs, another := a.NewService(t, key), a.NewService(t, a.TestKey)
	a.Exec(t, `UPDATE services SET name = 'Xilindro' WHERE id = $1`, another)
	a.editor.get(t, a.page()).expect(t, http.StatusOK, "Quem foi perguntado", "<strong>"+accountant)

	stranger := a.stranger(t)
	for range 3 { // programs that scan mail
		if status := stranger.send(t, http.MethodHead, a.link, nil, "", nil).status; status != http.StatusOK {
			t.Fatalf("HEAD is answered %d", status)
		}
		stranger.get(t, a.link).expect(t, http.StatusOK)
	}
	fresh := stranger.get(t, a.link).expect(t, http.StatusOK, "&lt;b&gt;Consulta", "Consulta médica", "040101",
		a.Organization.Name, "Que serviço é?", "Onde ele é prestado?", "Para quem?", `action="`+a.link+`"`)
	for _, one := range []string{a.Organization.ID, a.service, accountant, "editor@", "Xilindro", "/catalogue/",
		`class="side"`, "Remover classificação", "Peça à sua contabilidade"} {
		if strings.Contains(fresh.body, one) {
			t.Errorf("the page has %q", one)
		}
	}
	packed := stranger.send(t, http.MethodGet, a.link, http.Header{"Accept-Encoding": {"gzip"}}, "", nil).header
	if packed.Get("Cache-Control") != "no-store" || packed.Get("Content-Encoding") != "" {
		t.Errorf("the page of a secret address has the headers %v", packed)
	}

	cards := form("card-nbs", usualNBS, "card-cindop", usualIndOp, "card-cclasstrib", usualClassTrib,
		"version", fresh.version(t))
	seen := stranger.post(t, a.link, cards).expect(t, http.StatusOK, "confira e salve", `value="`+usualNBS+`"`)
	codes := form("nbs", usualNBS, "cindop", usualIndOp, "cclasstrib", usualClassTrib, "version", seen.version(t))
	wrong := maps.Clone(codes)
	wrong.Set("cindop", "999999")
	stranger.post(t, a.link, wrong).expect(t, http.StatusUnprocessableEntity, `href="#cindop"`, `value="999999"`)
	if a.classified(t) != 0 {
		t.Fatal("something was saved that nobody saved")
	}
	done := stranger.post(t, a.link, codes).expect(t, http.StatusOK, "Obrigado!", "&lt;b&gt;Consulta")
	if strings.Contains(done.body, a.service) {
		t.Error("the thanks have more than the service's name")
	}
	stranger.post(t, a.link, codes).expect(t, http.StatusGone, "não vale mais")
	stranger.get(t, a.link).expect(t, http.StatusGone, "não vale mais")

	if of := a.Text(t, `SELECT string_agg(service_id, ' ') FROM service_classifications`); of != a.service {
		t.Errorf("classified are %s, neither %s of %s nor %s", of, theirs, other.ID, another)
	}
	after := a.editor.get(t, a.page()).expect(t, http.StatusOK, checkedCard("nbs", usualNBS))
	if strings.Contains(after.body, "Quem foi perguntado") {
		t.Error("a link that was used is open")
	}
}

// What is done is on record: by whom, which for the answer is the link, and for people its address. The log itself has
// no address.
func TestClassificationLink_Audited(t *testing.T) {
	t.Parallel()
	a := newAsked(t, nil)
	link := a.Text(t, `SELECT id FROM classification_links`)
	stranger := a.stranger(t)
	stranger.post(t, a.link, form("nbs", usualNBS, "cindop", usualIndOp, "cclasstrib", usualClassTrib,
		"version", stranger.get(t, a.link).version(t))).expect(t, http.StatusOK, "Obrigado!")
	a.isAsked(t, accountant)
	a.editor.confirms(t, a.at("/catalogue/services/"+a.service+"/classification/links/"+
		a.Text(t, `SELECT id FROM classification_links WHERE used_at IS NULL`)+"/revoke"), form()).
		expect(t, http.StatusSeeOther)
	for action, actor := range map[string]string{"service.ask": a.editor.id + " " + a.editor.id,
		"service.unask": a.editor.id, "service.answer": link, "service.classify": link} {
		if found := a.Text(t, `SELECT string_agg(actor_id, ' ') FROM audit_log WHERE action = $1 AND subject_id = $2
			AND organization_id = $3 AND NOT livemode`, action, a.service, a.Organization.ID); found != actor {
			t.Errorf("%s is on record by %s, expected %s", action, found, actor)
		}
	}
	n := a.Count(t, `SELECT count(*) FROM audit_log WHERE audit_log::text LIKE '%' || $1 || '%'`, accountant)
	if n > 0 {
		t.Errorf("%d entries have the address", n)
	}
	mailed := a.Text(t, `SELECT max(after ->> 'mailed') FROM audit_log WHERE action = 'service.ask'`)
	if mailed != "false" {
		t.Errorf("that who asked was shown the link is on record as mailed: %s", mailed)
	}
	a.editor.get(t, a.at("/audit")).expect(t, http.StatusOK,
		"<strong>"+accountant+"</strong> classificou o serviço", "pediu por um link a classificação do serviço",
		"revogou o link que pedia", "<strong>"+accountant+"</strong> usou o link que pedia")
}

// Whatever ended a link, and whether there ever was one, the answer is the same.
func TestClassificationLink_Gone(t *testing.T) {
	t.Parallel()
	a := newAsked(t, nil)
	owner := a.signedIn(t, "owner@example.com", a.Organization.ID, nfse.RoleOwner)
	stranger := a.stranger(t)
	codes := form("nbs", usualNBS, "cindop", usualIndOp, "cclasstrib", usualClassTrib, "version",
		stranger.get(t, a.link).version(t))
	for name, end := range map[string]func(){
		"unknown":                    func() { a.Exec(t, `UPDATE classification_links SET hash = ''`) },
		"expired":                    func() { a.Exec(t, `UPDATE classification_links SET expires_at = now()`) },
		"of a service that has gone": func() { a.Exec(t, `UPDATE services SET expires_at = now()`) },
		"revoked": func() {
			a.editor.confirms(t, a.at("/catalogue/services/"+a.service+"/classification/links/"+
				a.Text(t, `SELECT id FROM classification_links`)+"/revoke"), form()).expect(t, http.StatusSeeOther)
			shown := a.editor.get(t, a.page()).expect(t, http.StatusOK, "Pedido revogado")
			if strings.Contains(shown.body, accountant) {
				t.Error("the page names who is asked no more")
			}
		},
		"asked again": func() { a.isAsked(t, accountant) },
		"made by who is a viewer now": func() {
			a.Exec(t, `UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, a.editor.id)
		},
		"made by who left": func() {
			owner.confirms(t, a.at("/people/"+a.editor.id+"/remove"), form()).expect(t, http.StatusSeeOther)
		},
	} {
		a.Exec(t, `DELETE FROM classification_links`)
		a.Exec(t, `UPDATE services SET expires_at = now() + interval '1 day'`)
		a.Exec(t, `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, 'editor')
			ON CONFLICT (organization_id, user_id) DO UPDATE SET role = 'editor'`, a.Organization.ID, a.editor.id)
		email := nfse.NewID(nfse.PrefixRequest) + "@example.com" // one address is asked a few times only
		if name == "asked again" || name == "revoked" {
			email = accountant
		}
		link := a.isAsked(t, email)
		stranger.get(t, link).expect(t, http.StatusOK)
		end()
		stranger.get(t, link).expect(t, http.StatusGone, "não vale mais")
		stranger.post(t, link, codes).expect(t, http.StatusGone, "não vale mais")
		if a.classified(t) != 0 {
			t.Fatalf("a link %s classifies", name)
		}
	}
	for _, path := range []string{"/classify/x", "/classify/" + nfse.NewLinkText(), "/classify/" + strings.Repeat("%00",
		43)} {
		stranger.post(t, path, codes).expect(t, http.StatusGone, "não vale mais")
	}
}

// Two who save at once: one does.
func TestClassificationLink_TwoAtOnce(t *testing.T) {
	t.Parallel()
	a := newAsked(t, nil)
	stranger := a.stranger(t)
	codes := form("nbs", usualNBS, "cindop", usualIndOp, "cclasstrib", usualClassTrib, "version",
		stranger.get(t, a.link).version(t))
	answers := map[int]int{}
	for _, answer := range stranger.postAtOnce(t, 6, a.link, codes) {
		answers[answer.status]++
	}
	if answers[http.StatusOK] != 1 || answers[http.StatusGone] != 5 {
		t.Errorf("answered are %v", answers)
	}
	if n := a.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'service.answer'`); n != 1 {
		t.Errorf("there are %d entries", n)
	}
}

// What somebody else saved meanwhile is not overwritten unseen, and the link still works.
func TestClassificationLink_ChangedMeanwhile(t *testing.T) {
	t.Parallel()
	a := newAsked(t, nil)
	stranger := a.stranger(t)
	codes := form("nbs", usualNBS, "cindop", usualIndOp, "cclasstrib", usualClassTrib, "version",
		stranger.get(t, a.link).version(t))
	a.editor.post(t, a.page(), codes).expect(t, http.StatusSeeOther)
	codes.Set("indfinal", "true")
	conflict := stranger.post(t, a.link, codes).expect(t, http.StatusConflict, "Outra pessoa mudou isto")
	codes.Del("version")
	stranger.post(t, a.link, codes).expect(t, http.StatusConflict, "Outra pessoa mudou isto")
	codes.Set("version", conflict.version(t))
	stranger.post(t, a.link, codes).expect(t, http.StatusOK, "Obrigado!")
}

// Who is signed in is nobody here: their own company's menu is not beside another's form.
func TestClassificationLink_SignedIn(t *testing.T) {
	t.Parallel()
	a := newAsked(t, nil)
	shown := a.editor.get(t, a.link).expect(t, http.StatusOK, "Que serviço é?")
	for _, one := range []string{`class="side"`, "editor@example.com", "/catalogue/"} {
		if strings.Contains(shown.body, one) {
			t.Errorf("the page has %q", one)
		}
	}
}

// Links of others are not found, and one that is no address is said at its field.
func TestClassificationLink_Asking(t *testing.T) {
	t.Parallel()
	a := newAsked(t, nil)
	other, key, _ := a.NewOrganization(t, "Escola Vizinha")
	theirs := a.NewService(t, key)
	head := a.signedIn(t, "diretora@example.com", other.ID, nfse.RoleOwner)
	link := a.Text(t, `SELECT id FROM classification_links`)
	for _, path := range []string{
		a.of("/catalogue/services/"+theirs+"/classification/links/"+link+"/revoke", other.ID, "test"),
		a.of("/catalogue/services/"+a.service+"/classification/links/"+link+"/revoke", other.ID, "test"),
		a.of("/catalogue/services/"+a.service+"/classification/links", other.ID, "test"),
	} {
		head.post(t, path, form("email", accountant)).expect(t, http.StatusNotFound)
	}
	a.stranger(t).get(t, a.link).expect(t, http.StatusOK)
	address := a.at("/catalogue/services/" + a.service + "/classification/links")
	a.editor.post(t, address, form("email", "conta")).expect(t, http.StatusUnprocessableEntity, `href="#email"`,
		`value="conta"`)
	viewer := a.signedIn(t, "viewer@example.com", a.Organization.ID, nfse.RoleViewer)
	if shown := viewer.get(t, a.page()).expect(t, http.StatusOK); strings.Contains(shown.body, accountant) {
		t.Error("a viewer sees who was asked")
	}
}

// Asking is limited as inviting is, and trying as trying other links is.
func TestClassificationLink_Limits(t *testing.T) {
	t.Parallel()
	a := newAsked(t, func(o *frame.Options) {
		standing(o)
		o.Tries = 5
	})
	for range 4 {
		a.isAsked(t, accountant)
	}
	a.editor.post(t, a.at("/catalogue/services/"+a.service+"/classification/links"), form("email", accountant)).
		expect(t, http.StatusTooManyRequests, "links demais", `value="`+accountant+`"`)
	guesser := a.stranger(t)
	var last page
	for range 6 {
		last = guesser.post(t, "/classify/"+nfse.NewLinkText(), nil)
	}
	last.expect(t, http.StatusTooManyRequests, "Tentativas demais")
}

// Where there is a mail server the link goes to the address alone, in both languages.
func TestClassificationLink_Mailed(t *testing.T) {
	t.Parallel()
	s, box := newMailingSite(t)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	ask := func(says string) {
		t.Helper()
		address := s.at("/catalogue/services/" + service + "/classification/links")
		shown := editor.post(t, address, form("email", accountant)).expect(t, http.StatusOK, says)
		if strings.Contains(shown.body, "/classify/") {
			t.Errorf("the link is shown\n%s", shown.body)
		}
	}
	ask("Enviamos o link por e-mail a " + accountant)
	mailed := strings.ReplaceAll(box.Received()[0], "=\r\n", "")
	if !strings.Contains(mailed, "asks you to say how IBS and CBS tax a service: Consulta.") ||
		strings.Contains(mailed, "invited") {
		t.Errorf("the mail is\n%s", mailed)
	}
	if n := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'service.ask'
		AND (after ->> 'mailed')::bool`); n != 1 {
		t.Errorf("%d entries say that a link was mailed", n)
	}
	s.stranger(t).get(t, classifyLink.FindString(mailed)).expect(t, http.StatusOK, "Que serviço é?")
	box.Refuse(550, "no such user")
	ask("O e-mail a " + accountant + " não pôde ser enviado, e ninguém tem o link")
}
