package dashboard_test

import (
	"net/http"
	"testing"
	"time"

	"emissor/nfse"
)

// A session that came in by a link and makes no passkey ends soon; with the passkey its
// time begins. A further passkey lengthens no session.
func TestSession_Deadlines(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil) // sessions of 2 hours
	link, id := s.invitation(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	ana := s.stranger(t)
	ends := func(atLeast, atMost time.Duration) {
		t.Helper()
		if n := s.Count(t, `SELECT count(*) FROM sessions WHERE user_id = $1 AND ended_at IS NULL
			AND (data ->> 'deadline')::timestamptz - now() BETWEEN make_interval(secs => $2)
				AND make_interval(secs => $3)`, id, atLeast.Seconds(), atMost.Seconds()); n != 1 {
			t.Errorf("it does not end between %s and %s from now: %s", atLeast, atMost,
				s.Text(t, `SELECT string_agg(data ->> 'deadline', ' ') FROM sessions WHERE ended_at IS NULL`))
		}
	}
	ana.post(t, link, nil).expect(t, http.StatusSeeOther)
	ends(10*time.Minute, 30*time.Minute)
	ana.makesPasskey(t)
	ends(110*time.Minute, 2*time.Hour)
	s.Exec(t, `UPDATE sessions SET data = jsonb_set(data, '{deadline}', to_jsonb(now() + interval '1 hour'))
		WHERE ended_at IS NULL`)
	before := ana.cookie(t)
	ana.makesPasskey(t)
	ends(50*time.Minute, time.Hour)
	if ana.cookie(t) == before {
		t.Error("the cookie is the same as before the passkey")
	}
}

// An answer of an authenticator counts for some minutes, and what came too late for
// nothing.
func TestPasskey_CeremoniesExpire(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	device := ana.makesPasskey(t)
	// As if the time had passed that a ceremony was given, if it was given one.
	late := func() {
		s.Exec(t, `UPDATE sessions SET data = jsonb_set(data, '{values,ceremony}', to_jsonb(
			jsonb_set((data -> 'values' ->> 'ceremony')::jsonb, '{expires}',
				to_jsonb(now() - interval '1 second'))::text))
			WHERE ((data -> 'values' ->> 'ceremony')::jsonb ->> 'expires')::timestamptz
				BETWEEN now() AND now() + interval '5 minutes'`)
	}
	answer := device.answers(t, ana, "/confirm/options")
	ana.asJSON(t, "/confirm", answer).expect(t, http.StatusOK)
	ana.asJSON(t, "/confirm", answer).expect(t, http.StatusForbidden)

	ana.verifiedAt(t, time.Now().Add(-time.Hour))
	answer = device.answers(t, ana, "/confirm/options")
	late()
	ana.asJSON(t, "/confirm", answer).expect(t, http.StatusForbidden, "A passkey não foi aceita")
	ana.post(t, s.at("/people/invitations"), form("email", "b@example.com", "role", "viewer")).
		expect(t, http.StatusForbidden, "Confirme que")

	elsewhere := s.stranger(t)
	answer = device.answers(t, elsewhere, "/sign-in/options")
	late()
	elsewhere.asJSON(t, "/sign-in", answer).expect(t, http.StatusForbidden)
	elsewhere.asJSON(t, "/sign-in", device.answers(t, elsewhere, "/sign-in/options")).expect(t, http.StatusOK)

	ana.verifiedAt(t, time.Now())
	_, made := ana.beginsPasskey(t)
	late()
	ana.asJSON(t, "/session/passkeys", made).expect(t, http.StatusForbidden)
}

// What an authenticator was asked for one purpose counts for no other, however well it
// is signed; and is used up by the try.
func TestPasskey_CeremoniesKeepTheirPurpose(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	device := ana.makesPasskey(t)
	host := ceremonyOptions{}
	host.PublicKey.RPID, host.PublicKey.RP.ID, host.PublicKey.User.ID = "localhost", "localhost", toText(device.user)
	begins := map[string]string{"sign in": "/sign-in/options", "confirm": "/confirm/options",
		"enrol": "/session/passkeys/options"}
	finishes := map[string]string{"sign in": "/sign-in", "confirm": "/confirm", "enrol": "/session/passkeys"}
	for begun, begin := range begins {
		for finished, finish := range finishes {
			ana.verifiedAt(t, time.Now())
			answer := func() map[string]any {
				options := host // of what is asked only the challenge differs
				options.PublicKey.Challenge = ana.options(t, begin).PublicKey.Challenge
				if finished == "enrol" {
					_, made := ana.makes(t, options)
					return made
				}
				return device.signs(t, ana, options)
			}
			if begun == finished {
				ana.asJSON(t, finish, answer()).expect(t, http.StatusOK)
				continue
			}
			passkeys := s.Count(t, `SELECT count(*) FROM passkeys`)
			sent := answer()
			// As if everything else of the ceremony that the library compares were as it has to be.
			s.Exec(t, `UPDATE sessions SET data = jsonb_set(data, '{values,ceremony}', to_jsonb((
				(data -> 'values' ->> 'ceremony')::jsonb || jsonb_build_object('user_id',
					CASE WHEN $1 = 'sign in' THEN NULL ELSE encode($2::bytea, 'base64') END))::text))
				WHERE data -> 'values' ? 'ceremony'`, finished, device.user)
			ana.asJSON(t, finish, sent).expect(t, http.StatusForbidden, "A passkey não foi aceita")
			if s.Count(t, `SELECT count(*) FROM passkeys`) != passkeys {
				t.Errorf("what was begun to %s made a passkey", begun)
			}
			if s.Count(t, `SELECT count(*) FROM sessions
				WHERE data -> 'values' ? 'ceremony' AND ended_at IS NULL`) != 0 {
				t.Errorf("what was begun to %s is left after it was used to %s", begun, finished)
			}
		}
	}
}

// Who comes in by a link first, and is taken out again, makes no passkey for the account
// once somebody else has given it something.
func TestLink_KeepsNoSessionFromBefore(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	squat, id := s.invitation(t, "victim@example.com", other.ID, nfse.RoleViewer)
	attacker := s.stranger(t)
	attacker.post(t, squat, nil).expect(t, http.StatusSeeOther)
	attacker.get(t, "/session/passkeys/new").expect(t, http.StatusOK)
	must(t, s.Changes().Access.RemoveMember(t.Context(), other.ID, id))

	link, _ := s.invitation(t, "victim@example.com", s.Organization.ID, nfse.RoleOwner)
	victim := s.stranger(t)
	victim.post(t, link, nil).expect(t, http.StatusSeeOther)
	attacker.asJSON(t, "/session/passkeys/options", struct{}{}).expect(t, http.StatusUnauthorized)
	victim.makesPasskey(t)
	victim.get(t, s.at("/people")).expect(t, http.StatusOK, "victim@example.com")
}

// A sign-in that cannot be put on record is none.
func TestSession_OnRecordOrNotAtAll(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	s.Exec(t, `CREATE FUNCTION no_sign_ins() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION 'the disk is full'; END $$`)
	s.Exec(t, `CREATE TRIGGER no_sign_ins BEFORE INSERT ON audit_log FOR EACH ROW
		WHEN (NEW.action = 'user.sign_in') EXECUTE FUNCTION no_sign_ins()`)
	ana := s.stranger(t)
	ana.post(t, s.linkFor(t, nfse.LinkSignIn, id), nil).expect(t, http.StatusInternalServerError)
	ana.get(t, s.at("/notes")).expect(t, http.StatusSeeOther)
	if n := s.Count(t, `SELECT count(*) FROM sessions WHERE user_id = $1`, id); n != 0 {
		t.Errorf("%d sessions are open", n)
	}
}
