package store_test

import (
	"errors"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/access"
	"emissor/test/testkit"
)

// squatted is an account that somebody made of another's address, by an invitation that
// they were shown, with a passkey of theirs.
func squatted(t *testing.T, tenant tenancy, email string) (userID string, passkey access.Passkey) {
	t.Helper()
	userID = tenant.member(t, email, nfse.RoleOwner)
	passkey = tenant.passkeyOf(t, userID, "squatter's")
	must(t, second(tenant.Changes().Access.AddPasskey(t.Context(), passkey)))
	return userID, passkey
}

// The person who reads the mail gets a new account, with the address and what the invitation gives, and nothing that
// others gave the old account. The old account keeps everything but the address.
func TestStartAnew(t *testing.T) {
	const email = "victim@example.com"
	for name, start := range map[string]func(t *testing.T, other tenancy, invitation invited) (string, error){
		"by a mailed link": func(t *testing.T, other tenancy, invitation invited) (string, error) {
			link, err := other.Store.By(actorOf(invitation.link.UserID)).Access.StartAnew(t.Context(), invitation.text)
			return link.UserID, err
		},
		"by a provider": func(t *testing.T, other tenancy, invitation invited) (string, error) {
			user, err := other.Store.By(actorOf(invitation.link.UserID)).Access.AcceptByIdentity(t.Context(), identity,
				email, true)
			return user.ID, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			tenant := newTenant(t)
			other := addTenant(t, tenant.Database, false)
			old, passkey := squatted(t, tenant, email)
			recovery := nfse.NewLinkText()
			must(t, second(tenant.Changes().Access.CreateLink(t.Context(), nfse.LinkRecovery, old, "", recovery, time.Hour)))
			invitation := other.inviteByMail(t, email, nfse.RoleViewer)

			anew, err := start(t, other, invitation)
			must(t, err)
			user, err := tenant.Store.Access.UserByEmail(t.Context(), email)
			if must(t, err); user.ID != anew || anew == old {
				t.Fatalf("the address is of %s, the new account is %s, the old one was %s", user.ID, anew, old)
			}
			memberships, err := tenant.Store.Access.MembershipsOf(t.Context(), anew)
			if must(t, err); len(memberships) != 1 || memberships[0].OrganizationID != other.scope.OrganizationID {
				t.Errorf("the new account is a member of %+v", memberships)
			}
			if passkeys, err := tenant.Store.Access.Passkeys(t.Context(), anew); err != nil || len(passkeys) > 0 {
				t.Errorf("the new account has the passkeys %+v, %v", passkeys, err)
			}

			member, err := tenant.Store.Access.Member(t.Context(), tenant.scope.OrganizationID, old)
			if must(t, err); member.Role != nfse.RoleOwner || !member.LostAddress() || member.Email == email {
				t.Errorf("the old account is %+v", member)
			}
			if passkeys, err := tenant.Store.Access.Passkeys(t.Context(), old); err != nil || len(passkeys) != 1 {
				t.Errorf("the old account has the passkeys %+v, %v", passkeys, err)
			}
			if _, found, err := tenant.Store.Access.SessionData().FindCtx(t.Context(), passkey.Session); err != nil ||
				!found {
				t.Errorf("the old account's session is found: %t, %v", found, err)
			}
			err = second(tenant.Changes().Access.UseLink(t.Context(), recovery, ""))
			if !nfse.IsCode(err, nfse.CodeNotFound) {
				t.Errorf("a link that may have gone to the address opens the old account: %v", err)
			}
			for _, again := range []string{"", old, anew} {
				if err := second(other.Changes().Access.UseLink(t.Context(), invitation.text, again)); !nfse.IsCode(err,
					nfse.CodeNotFound) {
					t.Errorf("the invitation is used twice, by %q: %v", again, err)
				}
			}
			if n := tenant.Count(t, `SELECT count(*) FROM audit_log WHERE actor_id = $1 AND (subject_id, action) IN
				(($1, 'user.accept'), ($2, 'user.displace'))`, anew, old); n != 2 {
				t.Errorf("the log has %d of the two entries", n)
			}

			// The address is proved now: nobody gets a new account for it.
			third := addTenant(t, tenant.Database, false)
			if later := third.inviteByMail(t, email, nfse.RoleViewer); third.link(t, later).Anew {
				t.Error("an address that was proved is started anew")
			} else if err := second(third.Changes().Access.StartAnew(t.Context(), later.text)); !nfse.IsCode(err,
				nfse.CodeNotFound) {
				t.Errorf("an address that was proved is started anew: %v", err)
			}
		})
	}
}

// Somebody who comes by a provider and does not ask for a new account changes nothing.
func TestAcceptByIdentity_AsksBeforeStartingAnew(t *testing.T) {
	const email = "victim@example.com"
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	old, _ := squatted(t, tenant, email)
	other.inviteByMail(t, email, nfse.RoleViewer)
	entries := tenant.Count(t, `SELECT count(*) FROM audit_log`)
	err := second(other.Changes().Access.AcceptByIdentity(t.Context(), identity, email, false))
	if !errors.Is(err, access.ErrNotAnew) {
		t.Errorf("answered is %v", err)
	}
	if user, err := tenant.Store.Access.UserByEmail(t.Context(), email); err != nil || user.ID != old {
		t.Errorf("the address is of %s, and was of %s: %v", user.ID, old, err)
	}
	if more := tenant.Count(t, `SELECT count(*) FROM audit_log`) - entries; more != 0 {
		t.Errorf("%d entries more are in the log", more)
	}
}

// link reads an invitation as it is by now.
func (n tenancy) link(t *testing.T, invitation invited) access.Link {
	t.Helper()
	link, err := n.Store.Access.Link(t.Context(), invitation.text)
	must(t, err)
	return link
}

func actorOf(userID string) nfse.Actor {
	return nfse.Actor{Kind: nfse.ActorUser, ID: userID, From: "203.0.113.7", RequestID: "req_1"}
}

// A link that was shown to the person who made it starts no new account, nor does a link to an account whose user has
// proved the address.
func TestStartAnew_Refused(t *testing.T) {
	tenant := newTenant(t)
	other := addTenant(t, tenant.Database, false)
	tenant.member(t, "shown@example.com", nfse.RoleOwner)
	shown := other.invite(t, "shown@example.com", nfse.RoleOwner)

	first := tenant.inviteByMail(t, "proved@example.com", nfse.RoleOwner)
	must(t, second(tenant.Changes().Access.UseLink(t.Context(), first.text, "")))
	proved := other.inviteByMail(t, "proved@example.com", nfse.RoleOwner)

	accepts := tenant.member(t, "accepts@example.com", nfse.RoleOwner)
	must(t, second(other.Changes().Access.UseLink(t.Context(), other.inviteByMail(t, "accepts@example.com",
		nfse.RoleViewer).text, accepts)))
	third := addTenant(t, tenant.Database, false)
	accepted := third.inviteByMail(t, "accepts@example.com", nfse.RoleOwner)

	signsOn := tenant.member(t, "signs-on@example.com", nfse.RoleOwner)
	must(t, tenant.Store.Access.ProveAddress(t.Context(), signsOn, "another@example.com"))
	verified := other.inviteByMail(t, "signs-on@example.com", nfse.RoleOwner)
	if !other.link(t, verified).Anew {
		t.Error("another address proves this one")
	}
	must(t, tenant.Store.Access.ProveAddress(t.Context(), signsOn, "signs-on@example.com"))

	for name, invitation := range map[string]invited{
		"a link that was shown": shown, "an account that came in by mail": proved,
		"one that accepted a mailed link": accepted, "one that a provider has verified": verified,
	} {
		if link := other.link(t, invitation); link.Anew || link.Enters {
			t.Errorf("%s: it starts anew: %t, it enters: %t", name, link.Anew, link.Enters)
		}
		err := second(other.Changes().Access.StartAnew(t.Context(), invitation.text))
		if !nfse.IsCode(err, nfse.CodeNotFound) {
			t.Errorf("%s: answered is %v", name, err)
		}
	}
	if n := tenant.Count(t, `SELECT count(*) FROM users`); n != 4 {
		t.Errorf("there are %d accounts", n)
	}
}

// Nobody takes the place of a lost address beforehand, which would keep the owner out.
func TestInvite_NoLostAddress(t *testing.T) {
	tenant := newTenant(t)
	old, _ := squatted(t, tenant, "victim@example.com")
	if _, err := tenant.Changes().Access.Invite(t.Context(), access.Invitation{Email: nfse.LostAddress(old),
		OrganizationID: tenant.scope.OrganizationID, Role: nfse.RoleViewer}, nfse.NewLinkText(),
		time.Hour); !nfse.IsCode(
		err, nfse.CodeInvalidRequest) {
		t.Errorf("answered is %v", err)
	}
	other := addTenant(t, tenant.Database, false)
	must(t, second(tenant.Changes().Access.StartAnew(t.Context(), other.inviteByMail(t, "victim@example.com",
		nfse.RoleViewer).text)))
}

// Of two mailed invitations that are used at the same time to start a new account only one succeeds; the other waits
// until somebody signs in to the new account.
func TestStartAnew_TwoAtOnce(t *testing.T) {
	tenant := newTenant(t)
	old, _ := squatted(t, tenant, "victim@example.com")
	one, two := addTenant(t, tenant.Database, false), addTenant(t, tenant.Database, false)
	invitations := []invited{one.inviteByMail(t, "victim@example.com", nfse.RoleViewer),
		two.inviteByMail(t, "victim@example.com", nfse.RoleViewer)}
	holds, err := tenant.SQL.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = holds.ExecContext(t.Context(), `SELECT FROM users WHERE id = $1 FOR UPDATE`, old)
	must(t, err)
	used := make(chan error, 2)
	for _, invitation := range invitations {
		go func() { used <- second(tenant.Changes().Access.StartAnew(t.Context(), invitation.text)) }()
	}
	testkit.Eventually(t, "both wait for the account", func() bool {
		return tenant.Count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock'`) == 2
	})
	must(t, holds.Rollback())
	if first, then := <-used, <-used; (first == nil) == (then == nil) {
		t.Errorf("they answer %v and %v: expected is that one starts anew", first, then)
	}
	user, err := tenant.Store.Access.UserByEmail(t.Context(), "victim@example.com")
	must(t, err)
	if n := tenant.Count(t, `SELECT count(*) FROM memberships WHERE user_id = $1`, user.ID); n != 1 {
		t.Errorf("the new account is a member %d times", n)
	}
	if n := tenant.Count(t, `SELECT count(*) FROM links WHERE user_id = $1 AND used_at IS NULL
		AND expires_at > now()`, user.ID); n != 1 {
		t.Errorf("%d invitations of the address are left", n)
	}
}

// Letters that only look like ASCII's, or that Unicode folds to them, make another
// address, also to the database.
func TestUsers_AddressesAreComparedInASCII(t *testing.T) {
	tenant := newTenant(t)
	// As in a database of a locale, which folds letters of all alphabets.
	tenant.Exec(t, `ALTER TABLE users ALTER COLUMN email TYPE text COLLATE "und-x-icu"`)
	id := tenant.member(t, "mike@example.com", nfse.RoleOwner)
	for _, typed := range []string{"mi\u212Ae@example.com", "m\u0131ke@example.com", "M\u0130KE@example.com",
		"m\u0456ke@example.com", "mike@\u212Aexample.com"} {
		email, err := nfse.ParseEmail(typed)
		must(t, err)
		if invited := tenant.invite(t, email, nfse.RoleViewer).link; invited.UserID == id || invited.Email != email {
			t.Errorf("%q is invited as %s, %q", typed, invited.UserID, invited.Email)
		}
		if user, err := tenant.Store.Access.UserByEmail(t.Context(), email); err != nil || user.ID == id {
			t.Errorf("%q is found as %+v, %v", typed, user, err)
		}
	}
	if _, err := tenant.SQL.Exec(`UPDATE users SET email = 'Mike@example.com'`); err == nil {
		t.Error("the schema takes an address in upper case")
	}
}
