package dashboard

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"emissor/dashboard/frame"
)

// newSessions makes the manager of sessions. The database has only the hash of a session's
// cookie.
func newSessions(d *frame.Dashboard) *scs.SessionManager {
	sessions := scs.New()
	sessions.Store = d.Store.Access.SessionData()
	sessions.HashTokenInStore = true
	sessions.Codec = sessionCodec{}
	sessions.IdleTimeout, sessions.Lifetime = d.IdleTimeout, d.SessionLifetime
	sessions.Cookie.Name, sessions.Cookie.Secure = "emissor", d.Secure()
	if d.Secure() {
		sessions.Cookie.Name = "__Host-emissor"
	}
	sessions.ErrorFunc = func(w http.ResponseWriter, hr *http.Request, err error) {
		answerRoute(d, w, hr, frame.Route{Method: "any", Path: "session", Who: frame.Stranger,
			Handler: func(*frame.Request) error { return err }})
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

func chosenLanguage(hr *http.Request) string {
	cookie, err := hr.Cookie(frame.LanguageCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}
