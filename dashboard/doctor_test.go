package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/dashboard/frame"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/test/testkit"
)

// The owner is shown what the company lacks, in both languages and with the page that corrects it. What this
// process cannot see it says; it posts nothing to a receiver, and names no path.
func TestCompany_Check(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	page := s.at("/company/check")
	if before := owner.get(t, page).expect(t, http.StatusOK, "Verificar agora", "Nada é emitido"); strings.Contains(
		before.body, "O que se viu") {
		t.Error("it was looked before it was asked for")
	}
	owner.get(t, s.at("/company")).expect(t, http.StatusOK, "/company/check")
	owner.post(t, page, form("env", "test")).expect(t, http.StatusOK, "Há problemas", "Não há perfil fiscal",
		"Preencha o perfil fiscal", `href="/company?env=test`)

	s.NewProfile(t, "national")
	receiver := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, receiver.URL+"/hush-4711", false)
	body := owner.post(t, page, form("env", "test")).expect(t, http.StatusOK, "O perfil fiscal está completo",
		"Não há serviço ativo de produção", "Nenhum certificado pode ser usado",
		"execute `emissor doctor` na máquina do worker", "Não verificado").body
	if strings.Contains(body, "hush-4711") || len(receiver.Calls()) != 0 {
		t.Errorf("the receiver was sent %d calls, or its path is shown", len(receiver.Calls()))
	}
	owner.post(t, "/language", form("language", "en", "back", page))
	owner.post(t, page, form("env", "test")).expect(t, http.StatusOK, "There are problems",
		"There is no active live service", "Open the page")
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.post(t, page, form("env", "test")).expect(t, http.StatusForbidden)
	if body := viewer.get(t, s.at("/company")).body; strings.Contains(body, "/company/check") {
		t.Error("a link is shown to who may not follow it")
	}
}

// An operator is shown the installation, and nothing of a company; a mail server that is out is a warning.
func TestOperations_Check(t *testing.T) {
	t.Parallel()
	sender, err := mail.New(mail.Options{Host: "127.0.0.1", Port: 1, From: "notas@emissor.example", TLS: mail.NoTLS})
	must(t, err)
	s := newSite(t, func(o *frame.Options) { o.Mail = sender })
	operator := s.signedIn(t, "operator@example.com", "", "")
	operator.get(t, "/operations").expect(t, http.StatusOK, "/operations/check")
	body := operator.post(t, "/operations/check", form()).expect(t, http.StatusOK, "O PostgreSQL responde",
		"O keyset abre e tem as chaves", "127.0.0.1:1 não recebe mensagens daqui", "Há avisos").body
	if strings.Contains(body, "Não há perfil fiscal") {
		t.Error("what is of a company is shown")
	}
}

// Who looks again and again is told to wait.
func TestCompany_CheckIsLimited(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *frame.Options) {
		standing(o)
		o.Tries = 2
	})
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	for _, status := range []int{http.StatusOK, http.StatusOK, http.StatusTooManyRequests} {
		owner.post(t, s.at("/company/check"), form("env", "test")).expect(t, status)
	}
}
