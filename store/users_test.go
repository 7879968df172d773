package store_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store"
	"emissor/store/access"
	"emissor/store/audit"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// peoplesChanges are the changes that concern the people of the dashboard.
var peoplesChanges = []change{
	{(*access.Changes).Invite, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		link, err := by.Access.Invite(t.Context(), access.Invitation{Email: personsEmail,
			OrganizationID: n.scope.OrganizationID,
			Role:           nfse.RoleViewer}, nfse.NewLinkText(), time.Hour)
		return each(audit.UserInvite, link.UserID), err
	}},
	{(*access.Changes).RevokeInvitation, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		link := n.invite(t, personsEmail, nfse.RoleViewer).link
		return each(audit.UserUninvite, link.UserID),
			by.Access.RevokeInvitation(t.Context(), n.scope.OrganizationID, link.ID)
	}},
	{(*access.Changes).Uninvite, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		link := n.invite(t, personsEmail, nfse.RoleViewer).link
		return each(audit.UserUninvite, link.UserID), by.Access.Uninvite(t.Context(), link.UserID,
			n.scope.OrganizationID)
	}},
	{(*access.Changes).UseLink, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		link, err := by.Access.UseLink(t.Context(), n.invite(t, personsEmail, nfse.RoleViewer).text, "")
		return each(audit.UserAccept, link.UserID), err
	}},
	{(*access.Changes).StartAnew, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		old := n.member(t, personsEmail, nfse.RoleViewer)
		other := addTenant(t, n.Database, false)
		link, err := by.Access.StartAnew(t.Context(), other.inviteByMail(t, personsEmail, nfse.RoleViewer).text)
		return append(each(audit.UserDisplace, old), each(audit.UserAccept, link.UserID)...), err
	}},
	{(*access.Changes).CreateLink, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		_, err := by.Access.CreateLink(t.Context(), nfse.LinkRecovery, id, "", nfse.NewLinkText(), time.Hour)
		return each(audit.UserLink, id), err
	}},
	{(*access.Changes).SignedIn, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		return each(audit.UserSignIn, id), by.Access.SignedIn(t.Context(), id, "passkey")
	}},
	{(*access.Changes).SignedOut, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		return each(audit.UserSignOut, id), by.Access.SignedOut(t.Context(), id)
	}},
	{(*access.Changes).Refused, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		return each(audit.UserRefused, id), by.Access.Refused(t.Context(), id, "passkey")
	}},
	{(*access.Changes).RemoveUser, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		return each(audit.UserRemove, id), by.Access.RemoveUser(t.Context(), id)
	}},
	{(*access.Changes).SetRole, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		member, err := n.Store.Access.Member(t.Context(), n.scope.OrganizationID, id)
		must(t, err)
		_, err = by.Access.SetRole(t.Context(), n.scope.OrganizationID, id, nfse.RoleEditor, member.UpdatedAt)
		return each(audit.MemberSet, id), err
	}},
	{(*access.Changes).RemoveMember, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		return each(audit.MemberRemove, id), by.Access.RemoveMember(t.Context(), n.scope.OrganizationID, id)
	}},
	{(*access.Changes).AddPasskey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		_, err := by.Access.AddPasskey(t.Context(), n.passkeyOf(t, id, "1"))
		return each(audit.PasskeyAdd, id), err
	}},
	{(*access.Changes).RemovePasskey, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		added, err := n.Changes().Access.AddPasskey(t.Context(), n.passkeyOf(t, id, "1"))
		must(t, err)
		must(t, second(n.Changes().Access.AddPasskey(t.Context(), n.passkeyOf(t, id, "2"))))
		return each(audit.PasskeyRemove, id), by.Access.RemovePasskey(t.Context(), id, added.ID)
	}},
	{(*access.Changes).EndSession, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		n.session(t, id, "hash")
		sessions, err := n.Store.Access.Sessions(t.Context(), id)
		must(t, err)
		return each(audit.SessionEnd, id), by.Access.EndSession(t.Context(), id, sessions[0].ID)
	}},
	{(*access.Changes).LinkIdentity, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		n.session(t, id, "hash")
		return each(audit.IdentityLink, id), by.Access.LinkIdentity(t.Context(), identity, id, "hash")
	}},
	{(*access.Changes).AcceptByIdentity, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.invite(t, personsEmail, nfse.RoleViewer).link.UserID
		_, err := by.Access.AcceptByIdentity(t.Context(), identity, personsEmail, false)
		return append(each(audit.UserAccept, id), each(audit.IdentityLink, id)...), err
	}},
	{(*access.Changes).UnlinkIdentity, func(t *testing.T, n tenancy, by *store.Changes) ([]audited, error) {
		id := n.member(t, personsEmail, nfse.RoleViewer)
		n.session(t, id, "hash")
		must(t, n.Changes().Access.LinkIdentity(t.Context(), identity, id, "hash"))
		must(t, second(n.Changes().Access.AddPasskey(t.Context(), n.passkeyOf(t, id, "1"))))
		return each(audit.IdentityUnlink, id), by.Access.UnlinkIdentity(t.Context(), id, identity.Issuer)
	}},
}

// identity is somebody's at a provider.
var identity = access.Identity{Issuer: "https://login.example.com", Subject: "cpf529982"}

// personsEmail must not be in the audit log: part of it is what its test looks for.
const personsEmail = "cpf529982@example.com"

// passkeyOf is a passkey that a user makes in a session of its own.
func (n tenancy) passkeyOf(t *testing.T, userID, credential string) access.Passkey {
	t.Helper()
	session := "session of " + credential
	n.session(t, userID, session)
	return access.Passkey{UserID: userID, CredentialID: []byte(credential), Credential: json.RawMessage(`{}`),
		Label: "laptop", Session: session}
}

type invited struct {
	link access.Link
	text string
}

func (n tenancy) invite(t *testing.T, email string, role nfse.Role) invited {
	t.Helper()
	text := nfse.NewLinkText()
	link, err := n.Changes().Access.Invite(t.Context(), access.Invitation{Email: email,
		OrganizationID: n.scope.OrganizationID,
		Role:           role}, text, time.Hour)
	must(t, err)
	return invited{link, text}
}

// inviteByMail makes an invitation of which the text goes to the address alone.
func (n tenancy) inviteByMail(t *testing.T, email string, role nfse.Role) invited {
	t.Helper()
	invitation := n.invite(t, email, role)
	must(t, n.Store.Access.LinkMailed(t.Context(), invitation.link.ID))
	return invitation
}

// member makes a member and returns the user's id.
func (n tenancy) member(t *testing.T, email string, role nfse.Role) string {
	t.Helper()
	invitation := n.invite(t, email, role)
	must(t, second(n.Changes().Access.UseLink(t.Context(), invitation.text, invitation.link.UserID)))
	return invitation.link.UserID
}

func (n tenancy) session(t *testing.T, userID, hash string) {
	t.Helper()
	must(t, n.Store.Access.SessionData().CommitCtx(t.Context(), hash, []byte(`{"values": {"user_id": "`+userID+`"}}`),
		time.Now().Add(time.Hour)))
}

func TestUseLink_Once(t *testing.T) {
	tenant := newTenant(t)
	invitation := tenant.invite(t, "a@example.com", nfse.RoleOwner)
	if !invitation.link.Enters {
		t.Error("a new account does not come in by its invitation")
	}
	use := func() error { return second(tenant.Changes().Access.UseLink(t.Context(), invitation.text, "")) }
	must(t, use())
	if err := use(); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("used again it answers %v", err)
	}
	if link, err := tenant.Store.Access.Link(t.Context(), invitation.text); err != nil || link.Usable(time.Now()) {
		t.Errorf("the used link is %+v, %v", link, err)
	}
	if found := tenant.Count(t, `SELECT count(*) FROM links WHERE links::text LIKE '%' || $1 || '%'`,
		invitation.text); found > 0 {
		t.Error("the text of the link is on record")
	}
	late := tenant.invite(t, "b@example.com", nfse.RoleOwner)
	tenant.Exec(t, `UPDATE links SET expires_at = now() WHERE id = $1`, late.link.ID)
	if _, err := tenant.Changes().Access.UseLink(t.Context(), late.text, ""); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("an expired one answers %v", err)
	}
}

// Who invites somebody who is anything already gets nothing of theirs: the
// invitation waits for their own sign-in, and links that others made end with it.
func TestUseLink_ExistingAccount(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	id := tenant.member(t, "a@example.com", nfse.RoleViewer)
	recovery := nfse.NewLinkText()
	must(t, second(tenant.Changes().Access.CreateLink(t.Context(), nfse.LinkRecovery, id, tenant.scope.OrganizationID,
		recovery,
		time.Hour)))

	invitation := other.invite(t, "a@example.com", nfse.RoleOwner)
	if invitation.link.Enters {
		t.Error("the invitation opens an account that has something")
	}
	for _, somebody := range []string{"", "usr_other"} {
		if _, err := tenant.Changes().Access.UseLink(t.Context(), invitation.text, somebody); !nfse.IsCode(err,
			nfse.CodeNotFound) {
			t.Errorf("%q accepts: %v", somebody, err)
		}
	}
	must(t, second(tenant.Changes().Access.UseLink(t.Context(), invitation.text, id)))
	if _, err := tenant.Changes().Access.UseLink(t.Context(), recovery, ""); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("an owner's earlier recovery link opens the account that is now a member of another: %v", err)
	}
	if _, err := tenant.Changes().Access.CreateLink(t.Context(), nfse.LinkRecovery, id, tenant.scope.OrganizationID,
		nfse.NewLinkText(), time.Hour); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("an owner makes a link for somebody with another membership: %v", err)
	}
	must(t, second(tenant.Changes().Access.CreateLink(t.Context(), nfse.LinkRecovery, id, "", nfse.NewLinkText(),
		time.Hour)))
}

// Who invites somebody may come in by the link first. Nothing of that is left when the
// account gets its first membership of another organization: no session, and no passkey
// that such a session was about to make.
func TestUseLink_EndsSessionsFromBefore(t *testing.T) {
	for name, accept := range map[string]func(t *testing.T, other tenancy, invitation invited) error{
		"by the link": func(t *testing.T, other tenancy, invitation invited) error {
			return second(other.Changes().Access.UseLink(t.Context(), invitation.text, ""))
		},
		"by a provider": func(t *testing.T, other tenancy, _ invited) error {
			return second(other.Changes().Access.AcceptByIdentity(t.Context(), identity, "victim@example.com", false))
		},
	} {
		t.Run(name, func(t *testing.T) {
			tenant := newTenant(t)
			other := addTenant(t, tenant.Database, false)
			id := tenant.member(t, "victim@example.com", nfse.RoleViewer)
			passkey := tenant.passkeyOf(t, id, "1")
			must(t, tenant.Changes().Access.RemoveMember(t.Context(), tenant.scope.OrganizationID, id))
			invitation := other.invite(t, "victim@example.com", nfse.RoleOwner)
			if !invitation.link.Enters {
				t.Fatal("whoever is left with a session keeps the account from everybody else")
			}
			must(t, accept(t, other, invitation))
			if _, found, err := tenant.Store.Access.SessionData().FindCtx(t.Context(), passkey.Session); err != nil || found {
				t.Errorf("a session from before is found: %t, %v", found, err)
			}
			if _, err := tenant.Changes().Access.AddPasskey(t.Context(), passkey); !errors.Is(err, access.ErrSessionEnded) {
				t.Errorf("a request that was under way in it makes a passkey: %v", err)
			}
			another := access.Identity{Issuer: "https://another.example", Subject: "x"}
			if err := tenant.Changes().Access.LinkIdentity(t.Context(), another, id, passkey.Session); !errors.Is(err,
				access.ErrSessionEnded) {
				t.Errorf("a request that was under way in it links an identity: %v", err)
			}
		})
	}
}

// Two invitations of one new account, used at the same time: one enters, and the other
// waits for the sign-in of who came in by it.
func TestUseLink_TwoAtOnce(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	links := []invited{tenant.invite(t, "a@example.com", nfse.RoleOwner),
		other.invite(t, "a@example.com", nfse.RoleOwner)}
	holds, err := tenant.SQL.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = holds.ExecContext(t.Context(), `SELECT FROM users WHERE id = $1 FOR UPDATE`, links[0].link.UserID)
	must(t, err)
	used := make(chan error, 2)
	for _, one := range links {
		go func() { used <- second(tenant.Changes().Access.UseLink(t.Context(), one.text, "")) }()
	}
	testkit.Eventually(t, "both wait for the account", func() bool {
		return tenant.Count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock'`) == 2
	})
	must(t, holds.Rollback())
	first, then := <-used, <-used
	if (first == nil) == (then == nil) || !nfse.IsCode(errors.Join(first, then), nfse.CodeNotFound) {
		t.Errorf("they answer %v and %v: expected is that one enters", first, then)
	}
	if members := tenant.Count(t, `SELECT count(*) FROM memberships`); members != 1 {
		t.Errorf("the account is a member %d times", members)
	}
}

// A recovery starts over: what could be lost with a device works no more.
func TestUseLink_Recovery(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.member(t, "a@example.com", nfse.RoleViewer)
	must(t, second(tenant.Changes().Access.AddPasskey(t.Context(), tenant.passkeyOf(t, id, "1"))))
	tenant.session(t, id, "hash")
	astray, text := nfse.NewLinkText(), nfse.NewLinkText()
	must(t, second(tenant.Changes().Access.CreateLink(t.Context(), nfse.LinkRecovery, id, "", astray, time.Hour)))
	must(t, second(tenant.Changes().Access.CreateLink(t.Context(), nfse.LinkRecovery, id, "", text, time.Hour)))
	if _, err := tenant.Changes().Access.UseLink(t.Context(), astray, ""); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("the link before the last one works: %v", err)
	}
	must(t, second(tenant.Changes().Access.UseLink(t.Context(), text, "")))
	passkeys, err := tenant.Store.Access.Passkeys(t.Context(), id)
	must(t, err)
	if _, found, err := tenant.Store.Access.SessionData().FindCtx(t.Context(), "hash"); err != nil || found ||
		len(passkeys) > 0 {
		t.Errorf("a session is left: %t, passkeys: %v, %v", found, passkeys, err)
	}
	if members, err := tenant.Store.Access.Members(t.Context(), tenant.scope.OrganizationID); err != nil ||
		len(members) != 1 {
		t.Errorf("the members are %v, %v", members, err)
	}
}

// A request that was under way when its session was ended does not bring it back.
func TestSessions_EndedStayEnded(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.member(t, "a@example.com", nfse.RoleViewer)
	tenant.session(t, id, "hash")
	sessions, err := tenant.Store.Access.Sessions(t.Context(), id)
	must(t, err)
	must(t, tenant.Changes().Access.EndSession(t.Context(), id, sessions[0].ID))
	tenant.session(t, id, "hash")
	if _, found, err := tenant.Store.Access.SessionData().FindCtx(t.Context(), "hash"); err != nil || found {
		t.Errorf("the ended session is found: %t, %v", found, err)
	}
	tenant.Exec(t, `UPDATE sessions SET expires_at = now() - interval '2 days'`)
	if forgotten, err := tenant.Store.Access.ForgetSessions(t.Context(), 10); err != nil || forgotten != 1 {
		t.Errorf("%d sessions are forgotten, %v", forgotten, err)
	}
}

func TestSetRole_TwoAtOnce(t *testing.T) {
	tenant := newTenant(t)
	organization := tenant.scope.OrganizationID
	owner := tenant.member(t, "owner@example.com", nfse.RoleOwner)
	id := tenant.member(t, "a@example.com", nfse.RoleViewer)
	seen, err := tenant.Store.Access.Member(t.Context(), organization, id)
	must(t, err)
	changed, err := tenant.Changes().Access.SetRole(t.Context(), organization, id, nfse.RoleEditor, seen.UpdatedAt)
	must(t, err)
	if _, err := tenant.Changes().Access.SetRole(t.Context(), organization, id, nfse.RoleOwner,
		seen.UpdatedAt); !errors.Is(err,
		postgres.ErrChanged) {
		t.Errorf("the second change of what was seen answers %v", err)
	}
	must(t, second(tenant.Changes().Access.SetRole(t.Context(), organization, id, nfse.RoleOwner, changed.UpdatedAt)))

	must(t, tenant.Changes().Access.RemoveMember(t.Context(), organization, owner))
	if err := tenant.Changes().Access.RemoveMember(t.Context(), organization, id); !errors.Is(err, access.ErrLastOwner) {
		t.Errorf("the last owner leaves: %v", err)
	}
	last, err := tenant.Store.Access.Member(t.Context(), organization, id)
	must(t, err)
	if _, err := tenant.Changes().Access.SetRole(t.Context(), organization, id, nfse.RoleViewer,
		last.UpdatedAt); !errors.Is(err,
		access.ErrLastOwner) {
		t.Errorf("the last owner is made a viewer: %v", err)
	}
}

func TestRemovePasskey_NotTheLast(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.member(t, "a@example.com", nfse.RoleViewer)
	added, err := tenant.Changes().Access.AddPasskey(t.Context(), tenant.passkeyOf(t, id, "1"))
	must(t, err)
	if err := tenant.Changes().Access.RemovePasskey(t.Context(), id, added.ID); !errors.Is(err, access.ErrLastPasskey) {
		t.Errorf("the last passkey is removed: %v", err)
	}
	if err := tenant.Changes().Access.RemovePasskey(t.Context(), "usr_other", added.ID); !nfse.IsCode(err,
		nfse.CodeNotFound) {
		t.Errorf("somebody else's passkey: %v", err)
	}
}

// The role of the dashboard does all that the dashboard does.
func TestGrants_Dashboard(t *testing.T) {
	tenant := newTenant(t)
	dashboard := tenancy{&testkit.Database{URL: tenant.URL, Store: testkit.OpenStore(t,
		tenant.As(testkit.Roles.Dashboard)), SQL: tenant.SQL}, tenant.scope, tenant.key, tenant.service}
	id := dashboard.member(t, "a@example.com", nfse.RoleOwner)
	dashboard.session(t, id, "hash")
	must(t, dashboard.Changes().Access.SignedIn(t.Context(), id, "link"))
	must(t, second(dashboard.Changes().Access.AddPasskey(t.Context(), dashboard.passkeyOf(t, id, "1"))))
	must(t, dashboard.Store.Access.PasskeyUsed(t.Context(), []byte("1"), json.RawMessage(`{}`)))
	note := dashboard.accept(t, "order")
	must(t, second(dashboard.Store.Lifecycle.NoteHistory(t.Context(), note)))
	must(t, dashboard.Changes().Lifecycle.RedriveNote(t.Context(), note))
	must(t, second(dashboard.Changes().Access.SetAPIKey(t.Context(), tenant.key.ID,
		func(*nfse.APIKey) error { return nil })))
	must(t, second(dashboard.Store.Access.ForgetSessions(t.Context(), 1)))
	must(t, dashboard.Changes().Access.RemoveUser(t.Context(), id))
}

// An account that comes in by a provider has something: no invitation enters it.
func TestAcceptByIdentity_Once(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	id := tenant.invite(t, "a@example.com", nfse.RoleViewer).link.UserID
	user, err := tenant.Changes().Access.AcceptByIdentity(t.Context(), identity, "a@example.com", false)
	must(t, err)
	found, err := tenant.Store.Access.UserOfIdentity(t.Context(), identity)
	if must(t, err); user.ID != id || found.ID != id {
		t.Errorf("the user is %+v, found is %+v", user, found)
	}
	must(t, tenant.Changes().Access.RemoveMember(t.Context(), tenant.scope.OrganizationID, id))
	invitation := other.invite(t, "a@example.com", nfse.RoleViewer)
	if invitation.link.Enters {
		t.Error("an invitation enters an account that has an identity")
	}
	second := access.Identity{Issuer: identity.Issuer, Subject: "another"}
	if _, err := tenant.Changes().Access.AcceptByIdentity(t.Context(), second, "a@example.com", true); !nfse.IsCode(err,
		nfse.CodeNotFound) {
		t.Errorf("another identity takes the account: %v", err)
	}
	if err := tenant.Changes().Access.UnlinkIdentity(t.Context(), id, identity.Issuer); !errors.Is(err,
		access.ErrLastPasskey) {
		t.Errorf("the only way in is taken away: %v", err)
	}
}
