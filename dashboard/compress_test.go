package dashboard_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
)

// asGzip asks for an answer in gzip, which the client then does not take apart by itself.
func (p *person) asGzip(t *testing.T, method, path, kind, body string) page {
	t.Helper()
	return p.send(t, method, path, http.Header{"Accept-Encoding": {"gzip"}}, kind, strings.NewReader(body))
}

// Pages and files are sent in gzip to who takes it, with the same content.
func TestCompressed_ForWhoTakesIt(t *testing.T) {
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	for _, path := range []string{s.at("/notes"), "/assets/style.css", "/assets/script.js"} {
		plain := owner.send(t, http.MethodGet, path, http.Header{"Accept-Encoding": {"identity"}}, "", nil)
		small := owner.asGzip(t, http.MethodGet, path, "", "").expect(t, http.StatusOK)
		if plain.header.Get("Content-Encoding") != "" || small.header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s: encodings are %q and %q", path, plain.header.Get("Content-Encoding"),
				small.header.Get("Content-Encoding"))
		}
		for _, one := range []page{plain, small} {
			if !strings.Contains(strings.Join(one.header.Values("Vary"), ","), "Accept-Encoding") {
				t.Errorf("%s: varies by %q", path, one.header.Values("Vary"))
			}
		}
		reader, err := gzip.NewReader(strings.NewReader(small.body))
		must(t, err)
		content, err := io.ReadAll(reader)
		must(t, err)
		if string(content) != plain.body || len(small.body) > len(plain.body)*2/3 {
			t.Errorf("%s: %d bytes as %d, the same: %t", path, len(plain.body), len(small.body),
				string(content) == plain.body)
		}
	}
}

// What is shown once, and pages whose addresses have a one-time link, are never compressed.
func TestCompressed_NoSecrets(t *testing.T) {
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	const sent = "application/x-www-form-urlencoded"
	invitation, _ := s.invitation(t, "nova@example.com", s.Organization.ID, nfse.RoleViewer)
	for name, answer := range map[string]page{
		"a key": owner.asGzip(t, http.MethodPost, s.at("/integrations/keys"), sent,
			form("label", "loja").Encode()).expect(t, http.StatusOK, `class="secret"`),
		"a link made": owner.asGzip(t, http.MethodPost, s.at("/people/invitations"), sent,
			form("email", "outra@example.com", "role", "viewer").Encode()).expect(t, http.StatusOK, "/link/"),
		"a link": s.stranger(t).asGzip(t, http.MethodGet, invitation, "", "").expect(t, http.StatusOK, "/link/"),
		"a link of somebody else": owner.asGzip(t, http.MethodGet, invitation, "", "").
			expect(t, http.StatusOK, "/link/"),
		"signing in for a link": s.stranger(t).asGzip(t, http.MethodGet, "/sign-in?next="+invitation, "", "").
			expect(t, http.StatusOK, "/link/"),
	} {
		if encoding := answer.header.Get("Content-Encoding"); encoding != "" {
			t.Errorf("%s is sent as %s", name, encoding)
		}
		if len(answer.header.Values("No-Gzip-Compression")) != 0 {
			t.Errorf("%s: our own mark is sent", name)
		}
	}
}
