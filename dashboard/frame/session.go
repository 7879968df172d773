package frame

import (
	"crypto/sha256"
	"encoding/base64"
	"time"
	"unicode/utf8"
)

// The values of a session, all of them texts.
const (
	SessionUser     = "user_id"
	sessionAddress  = "address"     // of the client at sign-in
	sessionBrowser  = "browser"     // its User-Agent then
	sessionVerified = "verified_at" // when a passkey was last used in it
	SessionVouched  = "vouched_at"  // when the company's sign-on last said who it is; none where it was begun otherwise
	SessionEnrol    = "enrol"       // until a passkey is made, nothing else is shown
	sessionCeremony = "ceremony"    // of a passkey that is being made or used
	SessionJourney  = "journey"     // to the company's sign-on, until the answer
	SessionArrival  = "arrival"     // from there, of somebody who has to choose whether to get a new account (anewPage)
	SessionNotice   = "notice"      // key of what the next page says was done
	SessionOrg      = "org"         // the organization and environment seen last
	SessionEnv      = "env"
)

// VisitorLifetime is how long a session lasts in which nobody has signed in: as long as
// signing in may take.
const VisitorLifetime = 10 * time.Minute

// enrolLifetime is how long a session that was begun by a link lasts, until a passkey is
// made in it.
const enrolLifetime = 20 * time.Minute

func (r *Request) Get(name string) string { return r.D.Sessions.GetString(r.Context(), name) }

func (r *Request) Put(name, value string) { r.D.Sessions.Put(r.Context(), name, value) }

func (r *Request) Pop(name string) string { return r.D.Sessions.PopString(r.Context(), name) }

// Begin begins a session of a user, with a new cookie. The audit log records it first:
// nobody is signed in without an entry.
func (r *Request) Begin(userID, how string) error {
	if err := r.ChangesOf(userID).Access.SignedIn(r.Context(), userID, how); err != nil {
		return err
	}
	if err := r.D.Sessions.Clear(r.Context()); err != nil {
		return err
	}
	if err := r.D.Sessions.RenewToken(r.Context()); err != nil {
		return err
	}
	r.Put(SessionUser, userID)
	r.Put(sessionAddress, r.Client.String())
	r.Put(sessionBrowser, Shortened(r.UserAgent()))
	return nil
}

// Refused records a failed sign-in of a known user; a limited number an hour of each, so
// that nobody fills the audit log.
func (r *Request) Refused(userID, how string) {
	if userID == "" || !r.D.Limits.Refusals.Allow(userID, r.D.Now()) {
		return
	}
	if err := r.ChangesOf(userID).Access.Refused(r.Context(), userID, how); err != nil {
		r.D.Logger.WarnContext(r.Context(), "a refusal could not be put on record", "request_id", r.ID, "error", err)
	}
}

// Enrol restricts a session to making its user's passkey, within enrolLifetime.
func (r *Request) Enrol() {
	r.Put(SessionEnrol, "yes")
	r.D.Sessions.SetDeadline(r.Context(), time.Now().Add(enrolLifetime))
}

// Enrolled gives a session a new cookie once a passkey was made in it. Only a session that
// was restricted to that is prolonged.
func (r *Request) Enrolled() error {
	deadline := r.D.Sessions.Deadline(r.Context())
	if err := r.D.Sessions.RenewToken(r.Context()); err != nil { // which sets a new deadline
		return err
	}
	if r.Pop(SessionEnrol) == "" {
		r.D.Sessions.SetDeadline(r.Context(), deadline)
	}
	r.Verified()
	return nil
}

func Shortened(text string) string {
	const most = 200
	for len(text) > most || !utf8.ValidString(text) {
		text = text[:min(most, len(text)-1)]
	}
	return text
}

// TokenHash is the id of this session in the database.
func (r *Request) TokenHash() string {
	hash := sha256.Sum256([]byte(r.D.Sessions.Token(r.Context())))
	return base64.RawURLEncoding.EncodeToString(hash[:])
}

const LanguageCookie = "emissor_language"
