package dashboard

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/scs/v2"
)

// The values of a session, all of them texts.
const (
	sessionUser     = "user_id"
	sessionAddress  = "address"     // of the client at sign-in
	sessionBrowser  = "browser"     // its User-Agent then
	sessionVerified = "verified_at" // when a passkey was last used in it
	sessionVouched  = "vouched_at"  // when the company's sign-on last said who it is; none where it was begun otherwise
	sessionEnrol    = "enrol"       // until a passkey is made, nothing else is shown
	sessionCeremony = "ceremony"    // of a passkey that is being made or used
	sessionJourney  = "journey"     // to the company's sign-on, until the answer
	sessionArrival  = "arrival"     // from there, of somebody who has to choose whether to start anew (anewPage)
	sessionNotice   = "notice"      // key of what the next page says was done
	sessionOrg      = "org"         // the organization and environment seen last
	sessionEnv      = "env"
)

// visitorLifetime is how long a session lasts in which nobody has signed in: as long as
// signing in may take.
const visitorLifetime = 10 * time.Minute

// enrolLifetime is how long a session that was begun by a link lasts, until a passkey is
// made in it.
const enrolLifetime = 20 * time.Minute

// newSessions makes the manager of sessions. The database has only the hash of a session's
// cookie.
func (d *Dashboard) newSessions() *scs.SessionManager {
	sessions := scs.New()
	sessions.Store = d.store.Access.SessionData()
	sessions.HashTokenInStore = true
	sessions.Codec = sessionCodec{}
	sessions.IdleTimeout, sessions.Lifetime = d.IdleTimeout, d.SessionLifetime
	sessions.Cookie.Name, sessions.Cookie.Secure = "emissor", d.secure()
	if d.secure() {
		sessions.Cookie.Name = "__Host-emissor"
	}
	sessions.ErrorFunc = func(w http.ResponseWriter, hr *http.Request, err error) {
		d.answer(w, hr, route{method: "any", path: "session", who: stranger,
			handler: func(*request) error { return err }})
	}
	return sessions
}

// sessionCodec writes a session as JSON, so that the database can tell whose it is.
type sessionCodec struct{}

type encodedSession struct {
	Deadline time.Time      `json:"deadline"`
	Values   map[string]any `json:"values"`
}

// Encode implements scs.Codec.
func (sessionCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	return json.Marshal(encodedSession{deadline, values})
}

// Decode implements scs.Codec.
func (sessionCodec) Decode(encoded []byte) (time.Time, map[string]any, error) {
	var session encodedSession
	err := json.Unmarshal(encoded, &session)
	return session.Deadline, session.Values, err
}

func (r *request) get(name string) string { return r.d.sessions.GetString(r.Context(), name) }
func (r *request) put(name, value string) { r.d.sessions.Put(r.Context(), name, value) }
func (r *request) pop(name string) string { return r.d.sessions.PopString(r.Context(), name) }

// begin begins a session of a user, with a new cookie. The audit log records it first:
// nobody is signed in without an entry.
func (r *request) begin(userID, how string) error {
	if err := r.changesOf(userID).Access.SignedIn(r.Context(), userID, how); err != nil {
		return err
	}
	if err := r.d.sessions.Clear(r.Context()); err != nil {
		return err
	}
	if err := r.d.sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	r.put(sessionUser, userID)
	r.put(sessionAddress, r.client.String())
	r.put(sessionBrowser, shortened(r.UserAgent()))
	return nil
}

// refused records a failed sign-in of a known user; a limited number an hour of each, so
// that nobody fills the audit log.
func (r *request) refused(userID, how string) {
	if userID == "" || !r.d.limits.refusals.Allow(userID, r.d.Now()) {
		return
	}
	if err := r.changesOf(userID).Access.Refused(r.Context(), userID, how); err != nil {
		r.d.Logger.WarnContext(r.Context(), "a refusal could not be put on record", "request_id", r.id, "error", err)
	}
}

// enrol restricts a session to making its user's passkey, within enrolLifetime.
func (r *request) enrol() {
	r.put(sessionEnrol, "yes")
	r.d.sessions.SetDeadline(r.Context(), time.Now().Add(enrolLifetime))
}

// enrolled gives a session a new cookie once a passkey was made in it. Only a session that
// was restricted to that is prolonged.
func (r *request) enrolled() error {
	deadline := r.d.sessions.Deadline(r.Context())
	if err := r.d.sessions.RenewToken(r.Context()); err != nil { // which sets a new deadline
		return err
	}
	if r.pop(sessionEnrol) == "" {
		r.d.sessions.SetDeadline(r.Context(), deadline)
	}
	r.verified()
	return nil
}

func shortened(text string) string {
	const most = 200
	for len(text) > most || !utf8.ValidString(text) {
		text = text[:min(most, len(text)-1)]
	}
	return text
}

// tokenHash is the id of this session in the database.
func (r *request) tokenHash() string {
	hash := sha256.Sum256([]byte(r.d.sessions.Token(r.Context())))
	return base64.RawURLEncoding.EncodeToString(hash[:])
}

const languageCookie = "emissor_language"

func chosenLanguage(hr *http.Request) string {
	cookie, err := hr.Cookie(languageCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}
