package dashboard

import "net/http"

// securityPolicy lets a page load this host's files and nothing else: no inline code, no
// frames, and forms may be sent to this host only.
const securityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secured sets the headers of every answer, and refuses what another site sends.
func (d *Dashboard) secured(next http.Handler) http.Handler {
	guard := http.NewCrossOriginProtection()
	if err := guard.AddTrustedOrigin(d.origin()); err != nil {
		panic(err) // CheckURL has checked the address
	}
	guard.SetDenyHandler(d.serve(route{method: "any", path: "cross-origin", who: stranger,
		handler: func(*request) error { return problem{http.StatusForbidden, "problem.cross_origin"} }}))
	guarded := guard.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", securityPolicy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		header.Set("Cache-Control", "no-store")
		if d.secure() {
			header.Set("Strict-Transport-Security", "max-age=31536000")
		}
		r.Host = d.URL.Host // the Host header is not trusted
		guarded.ServeHTTP(w, r)
	})
}

// secure reports whether people reach the dashboard over TLS.
func (d *Dashboard) secure() bool { return d.URL.Scheme == "https" }

// origin is the origin of the dashboard, as browsers send it.
func (d *Dashboard) origin() string { return d.URL.Scheme + "://" + d.URL.Host }
