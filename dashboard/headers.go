package dashboard

import (
	"net/http"

	"emissor/dashboard/frame"
)

// securityPolicy lets a page load this host's files and nothing else: no inline code, no
// frames, and forms may be sent to this host only.
const securityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// secured sets the headers of every answer, and refuses what another site sends.
func secured(d *frame.Dashboard, next http.Handler) http.Handler {
	guard := http.NewCrossOriginProtection()
	if err := guard.AddTrustedOrigin(origin(d)); err != nil {
		panic(err) // CheckURL has checked the address
	}
	guard.SetDenyHandler(serve(d, frame.Route{Method: "any", Path: "cross-origin", Who: frame.Stranger,
		Handler: func(*frame.Request) error {
			return frame.Problem{Status: http.StatusForbidden, Key: "problem.cross_origin"}
		}}))
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
		if d.Secure() {
			header.Set("Strict-Transport-Security", "max-age=31536000")
		}
		r.Host = d.URL.Host // the Host header is not trusted
		guarded.ServeHTTP(w, r)
	})
}

// origin is the origin of the dashboard, as browsers send it.
func origin(d *frame.Dashboard) string { return d.URL.Scheme + "://" + d.URL.Host }
