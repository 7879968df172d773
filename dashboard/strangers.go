package dashboard

import (
	"crypto/sha256"
	"net/http"
	"time"

	"emissor/internal/recent"
	"emissor/internal/web"
)

// knownSessions remembers in which sessions somebody was signed in in the last minutes,
// by the hashes of their cookies. It vouches for nothing: the session of every request is
// looked up. It only tells people who were here from strangers.
type knownSessions = recent.Set[sessionHash]

const (
	knownFor         = 10 * time.Minute
	maxKnownSessions = 10_000
)

type sessionHash [sha256.Size]byte

func newKnownSessions() *knownSessions { return recent.NewSet[sessionHash](knownFor, maxKnownSessions) }

// cookieHash is of the session that a request names; what it names may be none.
func (d *Dashboard) cookieHash(hr *http.Request) sessionHash {
	cookie, err := hr.Cookie(d.sessions.Cookie.Name)
	if err != nil {
		return sessionHash{}
	}
	return sha256.Sum256([]byte(cookie.Value))
}

func (d *Dashboard) isKnown(hr *http.Request) bool { return d.known.Has(d.cookieHash(hr), time.Now()) }

// mayLookUp reports whether the session that a request names is looked up all the same, which
// is a try of its address: another process may know it.
func (d *Dashboard) mayLookUp(hr *http.Request) bool {
	_, err := hr.Cookie(d.sessions.Cookie.Name)
	return err == nil && d.tries.Allow(web.Site(web.Client(hr, d.TrustedProxies)), time.Now())
}

// meet keeps the connection of who is signed in, and closes the others' behind their
// answers. What it learns holds for the next requests with this cookie.
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

// boundStrangers bounds the requests under way of each address behind the trusted
// proxies, and closes the connections of strangers in front of them. Who was signed in
// a short while ago is no stranger: their session may have as many of its own.
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
