package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
)

// Somebody made an account of another's address, by an invitation that they were shown.
// A link that is mailed to the address lets its owner in all the same.
func TestLink_UnprovedAddressKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	s, box := newMailingSite(t)
	squatted, _, _ := s.NewOrganization(t, "Posseiros")
	link, _ := s.invitation(t, "victim@example.com", squatted.ID, nfse.RoleOwner)
	squatter := s.stranger(t)
	squatter.post(t, link, nil).expect(t, http.StatusSeeOther)
	device := squatter.makesPasskey(t)

	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	mailed := owner.invites(t, box, "victim@example.com", s.Organization.ID)
	victim := s.stranger(t)
	victim.get(t, mailed).expect(t, http.StatusOK, "Entrar e aceitar", "Começar de novo", `name="anew" value="yes"`)
	if to := victim.post(t, mailed, nil).expect(t, http.StatusSeeOther).header.Get("Location"); to != mailed {
		t.Errorf("without a word about the account from before the link leads to %s", to)
	}
	anew := url.Values{"anew": {"yes"}}
	if to := owner.post(t, mailed, anew).expect(t, http.StatusSeeOther).header.Get("Location"); to != mailed {
		t.Errorf("who is signed in as somebody else is led to %s", to)
	}
	if to := victim.post(t, mailed, anew).expect(t, http.StatusSeeOther).header.Get("Location"); to !=
		"/session/passkeys/new" {
		t.Errorf("the link leads to %s", to)
	}
	victim.makesPasskey(t)
	victim.get(t, s.at("/people")).expect(t, http.StatusOK, "victim@example.com", "(você)")
	victim.get(t, s.of("/people", squatted.ID, "test")).expect(t, http.StatusNotFound)
	victim.post(t, mailed, anew).expect(t, http.StatusGone)

	// Who was there before has what they had, and nothing more.
	for _, before := range []*person{squatter, s.stranger(t)} {
		if before != squatter {
			before.asJSON(t, "/sign-in", device.answers(t, before, "/sign-in/options")).expect(t, http.StatusOK)
		}
		before.get(t, s.at("/people")).expect(t, http.StatusNotFound)
		page := before.get(t, s.of("/people", squatted.ID, "test")).expect(t, http.StatusOK, "perdeu o endereço",
			"@lost.invalid")
		if strings.Contains(page.body, "victim@example.com") {
			t.Error("the account from before still has the address")
		}
	}
	squatter.post(t, s.of("/people/invitations", squatted.ID, "test"), form("email", "usr_1@lost.invalid",
		"role", "viewer")).expect(t, http.StatusUnprocessableEntity, "Escreva um endereço de e-mail")
	// Nobody gets a new account for a proved address.
	third, _, _ := s.NewOrganization(t, "Escola")
	director := s.signedIn(t, "diretora@example.com", third.ID, nfse.RoleOwner)
	later, thief := director.invites(t, box, "victim@example.com", third.ID), s.stranger(t)
	if body := thief.get(t, later).expect(t, http.StatusOK, "Entrar e aceitar").body; strings.Contains(body,
		"Começar de novo") {
		t.Error("a proved address may be started anew")
	}
	if to := thief.post(t, later, anew).expect(t, http.StatusSeeOther).header.Get("Location"); to != later {
		t.Errorf("the link leads to %s", to)
	}
}

// Whose account it is signs in as ever, accepts, and keeps all; that proves the address.
func TestLink_MailedProvesTheAddress(t *testing.T) {
	t.Parallel()
	s, box := newMailingSite(t)
	other, _, _ := s.NewOrganization(t, "Escola")
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleEditor)
	director := s.signedIn(t, "diretora@example.com", other.ID, nfse.RoleOwner)
	mailed := director.invites(t, box, "ana@example.com", other.ID)
	body := ana.get(t, mailed).expect(t, http.StatusOK, "Continuar").body
	if strings.Contains(body, "Começar de novo") {
		t.Error("who is signed in may start anew")
	}
	ana.post(t, mailed, nil).expect(t, http.StatusSeeOther)
	ana.get(t, s.of("/people", other.ID, "test")).expect(t, http.StatusOK, "ana@example.com")
	ana.get(t, s.at("/people")).expect(t, http.StatusOK, "ana@example.com")
	third, _, _ := s.NewOrganization(t, "Oficina")
	mechanic := s.signedIn(t, "mecanica@example.com", third.ID, nfse.RoleOwner)
	later := mechanic.invites(t, box, "ana@example.com", third.ID)
	s.stranger(t).get(t, later).expect(t, http.StatusOK, "Entrar e aceitar", "Peça um novo link a quem opera")
}

// An address that the company's sign-on has verified lets its owner in as well, once.
func TestOIDC_UnprovedAddressKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	squatted, _, _ := s.NewOrganization(t, "Posseiros")
	squatter := s.signedIn(t, "ana@example.com", squatted.ID, nfse.RoleOwner)
	squatter.makesPasskey(t)
	arrive := func(who claims) (*person, page) {
		someone := s.stranger(t)
		return someone, someone.get(t, p.meets(t, someone.get(t, "/oidc/sign-in?next=%2Fpeople"), who))
	}
	_, uninvited := arrive(ana())
	uninvited.expect(t, http.StatusForbidden, "não está ligada a nenhuma")
	s.invitation(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	unverified := ana()
	unverified["email_verified"] = false
	_, refused := arrive(unverified)
	refused.expect(t, http.StatusForbidden, "não está ligada a nenhuma")

	someone, arrived := arrive(ana())
	if to := arrived.expect(t, http.StatusSeeOther).header.Get("Location"); to != "/oidc/anew" {
		t.Errorf("it leads to %s", to)
	}
	anew := url.Values{"anew": {"yes"}}
	someone.get(t, "/oidc/anew").expect(t, http.StatusOK, "ana@example.com", "Começar de novo",
		`name="anew" value="yes"`)
	someone.post(t, "/oidc/anew", form()).expect(t, http.StatusBadRequest)
	s.stranger(t).post(t, "/oidc/anew", anew).expect(t, http.StatusForbidden, "não foi aceita")
	to := someone.post(t, "/oidc/anew", anew).expect(t, http.StatusSeeOther).header.Get("Location")
	if to != "/people" {
		t.Errorf("it leads to %s", to)
	}
	someone.get(t, s.at("/people")).expect(t, http.StatusOK, "ana@example.com", "nunca o comprovou")
	someone.get(t, s.of("/people", squatted.ID, "test")).expect(t, http.StatusNotFound)
	someone.post(t, "/oidc/anew", anew).expect(t, http.StatusForbidden, "não foi aceita")
	squatter.get(t, s.at("/people")).expect(t, http.StatusNotFound)
	squatter.get(t, s.of("/people", squatted.ID, "test")).expect(t, http.StatusOK, "perdeu o endereço")

	second := ana()
	second["sub"] = "ana-2"
	third, _, _ := s.NewOrganization(t, "Escola")
	s.invitation(t, "ana@example.com", third.ID, nfse.RoleViewer)
	_, refused = arrive(second)
	refused.expect(t, http.StatusForbidden, "não está ligada a nenhuma")
}

// Whose account it is presses the company's sign-on before it is linked, and somebody has
// invited them: nothing happens to their account unless they say so, and they link it.
func TestOIDC_AsksBeforeStartingAnew(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	member := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	device := member.makesPasskey(t)
	other, _, _ := s.NewOrganization(t, "Escola")
	s.invitation(t, "ana@example.com", other.ID, nfse.RoleViewer)
	someone := s.stranger(t)
	arrived := someone.get(t, p.meets(t, someone.get(t, "/oidc/sign-in?next=%2Fpeople"), ana()))
	if to := arrived.expect(t, http.StatusSeeOther).header.Get("Location"); to != "/oidc/anew" {
		t.Errorf("it leads to %s", to)
	}
	someone.get(t, "/oidc/anew").expect(t, http.StatusOK, `href="/sign-in?next=%2Foidc%2Flink"`, "Nada mudou ainda")
	someone.get(t, "/session").expect(t, http.StatusSeeOther)
	changed := func() int {
		return s.Count(t, `SELECT (SELECT count(*) FROM users WHERE email LIKE '%@lost.invalid')
			+ (SELECT count(*) FROM users WHERE email = 'ana@example.com' AND id <> $1)
			+ (SELECT count(*) FROM audit_log WHERE action = 'user.displace')`, member.id)
	}
	if changed() != 0 {
		t.Fatal("the account has lost its address without being asked")
	}
	signedIn := someone.asJSON(t, "/sign-in?next=%2Foidc%2Flink", device.answers(t, someone, "/sign-in/options"))
	signedIn.expect(t, http.StatusOK, `"next":"/oidc/link"`)
	someone.post(t, "/oidc/anew", url.Values{"anew": {"yes"}}).expect(t, http.StatusForbidden, "não foi aceita")
	someone.get(t, p.meets(t, someone.get(t, "/oidc/link"), ana())).expect(t, http.StatusSeeOther)
	again := s.stranger(t)
	again.get(t, p.meets(t, again.get(t, "/oidc/sign-in"), ana())).expect(t, http.StatusSeeOther)
	again.get(t, s.at("/people")).expect(t, http.StatusOK, "ana@example.com", "Responsável")
	if changed() != 0 {
		t.Error("the account has lost its address")
	}
}

// Who signs in by an identity that is linked proves the address, if it is the account's.
func TestOIDC_ProvesTheAddress(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	owner := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.addPasskey(t)
	proved := func() int {
		return s.Count(t, `SELECT count(*) FROM users WHERE id = $1 AND proved_at IS NOT NULL`, owner.id)
	}
	other := ana()
	other["email"] = "another@example.com"
	owner.get(t, p.meets(t, owner.get(t, "/oidc/link"), other)).expect(t, http.StatusSeeOther)
	if proved() != 0 {
		t.Error("another address proves this one")
	}
	someone := s.stranger(t)
	someone.get(t, p.meets(t, someone.get(t, "/oidc/sign-in"), ana())).expect(t, http.StatusSeeOther)
	if proved() != 1 {
		t.Error("the address is not proved")
	}
	s.Exec(t, `UPDATE users SET proved_at = NULL`)
	s.Exec(t, `DELETE FROM identities`)
	owner.verifiedAt(t, time.Now())
	owner.get(t, p.meets(t, owner.get(t, "/oidc/link"), ana())).expect(t, http.StatusSeeOther)
	if proved() != 1 {
		t.Error("linking does not prove the address")
	}
}

// An address in letters that Unicode folds to those of an invited one is another.
func TestOIDC_AddressesAreComparedInASCII(t *testing.T) {
	t.Parallel()
	s, p := newSignOnSite(t)
	s.invitation(t, "mike@example.com", s.Organization.ID, nfse.RoleOwner)
	for _, email := range []string{"mi\u212Ae@example.com", "m\u0131ke@example.com"} {
		someone := s.stranger(t)
		who := claims{"sub": email, "email": email, "email_verified": true}
		someone.get(t, p.meets(t, someone.get(t, "/oidc/sign-in"), who)).
			expect(t, http.StatusForbidden, "não está ligada a nenhuma")
	}
}
