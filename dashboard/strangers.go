package dashboard

import (
	"crypto/sha256"
	"net/http"
	"time"

	"emissor/internal/recent"
	"emissor/internal/web"
)

// knownSessions has the hashes of the cookies of sessions in which somebody was signed in
// within knownFor. It authenticates nobody: the session of every request is looked up. It
// only decides which limits apply.
type knownSessions = recent.Set[sessionHash]

const (
	knownFor         = 10 * time.Minute
	maxKnownSessions = 10_000
)

type sessionHash [sha256.Size]byte

func newKnownSessions() *knownSessions { return recent.NewSet[sessionHash](knownFor, maxKnownSessions) }

// cookieHash is the hash of a request's session cookie, of which there may be no session.
func (d *Dashboard) cookieHash(hr *http.Request) sessionHash {
	cookie, err := hr.Cookie(d.sessions.Cookie.Name)
	if err != nil {
		return sessionHash{}
	}
	return sha256.Sum256([]byte(cookie.Value))
}

func (d *Dashboard) isKnown(hr *http.Request) bool { return d.known.Has(d.cookieHash(hr), time.Now()) }

// mayLookUp reports whether a session that is not known here is looked up all the same, since
// it may be known to another process: that takes one of the tries of the address.
func (d *Dashboard) mayLookUp(hr *http.Request) bool {
	_, err := hr.Cookie(d.sessions.Cookie.Name)
	return err == nil && d.tries.Allow(web.Site(web.Client(hr, d.TrustedProxies)), d.Now())
}

// meet keeps the connection of who is signed in, and closes others after their answers. It
// remembers which it is for the next requests with this cookie.
func (r *request) meet() {
	hash := r.d.cookieHash(r.Request)
	if r.signedIn() {
		r.d.known.Add(hash, time.Now())
		web.KeepConnection(r.w, r.Request)
		return
	}
	r.d.known.Remove(hash)
	web.CloseConnection(r.w, r.Request, r.d.TrustedProxies)
}

// boundStrangers bounds the requests at once of each address behind the trusted proxies, and
// closes connections that do not come from them. A session that was signed in a short while
// ago has the same limit of its own, and keeps its connections.
func (d *Dashboard) boundStrangers(next http.Handler) http.Handler {
	tooMany := d.serve(route{method: "any", path: "too-many", who: stranger, handler: func(r *request) error {
		r.w.Header().Set("Retry-After", "1")
		return problem{http.StatusTooManyRequests, "problem.busy"}
	}})
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		within, end := d.forwarded.Begin(hr)
		defer end()
		if d.isKnown(hr) {
			session := d.cookieHash(hr)
			ofSession := d.underWay.Begin(session)
			defer d.underWay.End(session)
			within = within || ofSession
			web.KeepConnection(w, hr)
		} else {
			web.CloseConnection(w, hr, d.TrustedProxies)
		}
		if !within {
			tooMany.ServeHTTP(w, hr)
			return
		}
		next.ServeHTTP(w, hr)
	})
}
