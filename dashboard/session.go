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

// What a session holds, all of it text.
const (
	sessionUser     = "user_id"
	sessionAddress  = "address"     // of the client when it signed in
	sessionBrowser  = "browser"     // as it called itself then
	sessionVerified = "verified_at" // when a passkey was last used in it
	sessionEnrol    = "enrol"       // until a passkey is made, nothing else is shown
	sessionCeremony = "ceremony"    // of a passkey that is being made or used
	sessionJourney  = "journey"     // to a company's sign-on, until it is back
	sessionArrival  = "arrival"     // from there, of somebody who has to choose whether to start anew
	sessionNotice   = "notice"      // key of what the next page says was done
	sessionOrg      = "org"         // the organization and environment seen last
	sessionEnv      = "env"
)

// visitorLifetime is how long a session lasts in which nobody has signed in: as long
// as signing in may take.
const visitorLifetime = 10 * time.Minute

// enrolLifetime is how long a session lasts that came in by a link, until a passkey is
// made in it.
const enrolLifetime = 20 * time.Minute

// newSessions makes the manager of sessions. In the database a session is known by
// the hash of its cookie.
func (d *Dashboard) newSessions() *scs.SessionManager {
	sessions := scs.New()
	sessions.Store = d.store.SessionData()
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

// begin begins a session of a user, with another cookie than before. It is on record
// first: nobody is signed in of whom the audit log does not know it.
func (r *request) begin(userID, how string) error {
	if err := r.changesOf(userID).SignedIn(r.Context(), userID, how); err != nil {
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

// refused puts on record that somebody was not let in as a user who is known; some an
// hour of each, so that nobody fills the log.
func (r *request) refused(userID, how string) {
	if userID == "" || !r.d.limits.refusals.Allow(userID, time.Now()) {
		return
	}
	if err := r.changesOf(userID).Refused(r.Context(), userID, how); err != nil {
		r.d.Logger.WarnContext(r.Context(), "a refusal could not be put on record", "request_id", r.id, "error", err)
	}
}

// enrol lets a session do nothing but make its user's passkey, soon.
func (r *request) enrol() {
	r.put(sessionEnrol, "yes")
	r.d.sessions.SetDeadline(r.Context(), time.Now().Add(enrolLifetime))
}

// enrolled gives a session another cookie once a passkey was made in it. That lengthens
// no session but one that waited for it.
func (r *request) enrolled() error {
	deadline := r.d.sessions.Deadline(r.Context())
	if err := r.d.sessions.RenewToken(r.Context()); err != nil { // which begins its time anew
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

// tokenHash is by which the database knows this session.
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
