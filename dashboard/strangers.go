package dashboard

import (
	"crypto/sha256"
	"net/http"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/recent"
	"emissor/internal/web"
)

const (
	knownFor         = 10 * time.Minute
	maxKnownSessions = 10_000
)

func newKnownSessions() *frame.KnownSessions {
	return recent.NewSet[frame.SessionHash](knownFor, maxKnownSessions)
}

// cookieHash is the hash of a request's session cookie, of which there may be no session.
func cookieHash(d *frame.Dashboard, hr *http.Request) frame.SessionHash {
	cookie, err := hr.Cookie(d.Sessions.Cookie.Name)
	if err != nil {
		return frame.SessionHash{}
	}
	return sha256.Sum256([]byte(cookie.Value))
}

func isKnown(d *frame.Dashboard, hr *http.Request) bool {
	return d.Known.Has(cookieHash(d, hr), time.Now())
}

// mayLookUp reports whether a session that is not known here is looked up all the same, since
// it may be known to another process: that takes one of the tries of the address.
func mayLookUp(d *frame.Dashboard, hr *http.Request) bool {
	_, err := hr.Cookie(d.Sessions.Cookie.Name)
	return err == nil && d.Tries.Allow(web.Site(web.Client(hr, d.TrustedProxies)), d.Now())
}

// meet keeps the connection of who is signed in, and closes others after their answers. It
// remembers which it is for the next requests with this cookie.
func meet(r *frame.Request) {
	hash := cookieHash(r.D, r.Request)
	if r.SignedIn() {
		r.D.Known.Add(hash, time.Now())
		web.KeepConnection(r.W, r.Request)
		return
	}
	r.D.Known.Remove(hash)
	web.CloseConnection(r.W, r.Request, r.D.TrustedProxies)
}

// boundStrangers bounds the requests at once of each address behind the trusted proxies, and
// closes connections that do not come from them. A session that was signed in a short while
// ago has the same limit of its own, and keeps its connections.
func boundStrangers(d *frame.Dashboard, next http.Handler) http.Handler {
	tooMany := serve(d, frame.Route{Method: "any", Path: "too-many", Who: frame.Stranger,
		Handler: func(r *frame.Request) error {
			r.W.Header().Set("Retry-After", "1")
			return frame.Problem{Status: http.StatusTooManyRequests, Key: "problem.busy"}
		}})
	return http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		within, end := d.Forwarded.Begin(hr)
		defer end()
		if isKnown(d, hr) {
			session := cookieHash(d, hr)
			ofSession := d.UnderWay.Begin(session)
			defer d.UnderWay.End(session)
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
