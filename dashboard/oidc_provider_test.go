package dashboard_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// provider is a company's sign-on in a test. It gives a token for a code only to who
// shows the secret of the client and the verifier of the code's challenge.
type provider struct {
	*httptest.Server
	key *rsa.PrivateKey

	mu    sync.Mutex
	codes map[string]granted
}

// granted is what a code is good for.
type granted struct {
	challenge string
	claims    map[string]any
}

const (
	clientID     = "emissor"
	clientSecret = "a secret & more"
)

// providerKey signs the tokens of every provider: no test has two, and a key takes long to make.
var providerKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := providerKey()
	must(t, err)
	p := &provider{key: key, codes: map[string]granted{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"jwks_uri": p.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"keys": []any{map[string]string{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1",
			"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.FormValue("redirect_uri")+"?"+p.grant(r.URL.Query(), ana()).Encode(), http.StatusFound)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, _ := r.BasicAuth()
	id, _ = url.QueryUnescape(id)
	secret, _ = url.QueryUnescape(secret)
	code := r.FormValue("code")
	p.mu.Lock()
	grant, known := p.codes[code]
	delete(p.codes, code)
	p.mu.Unlock()
	hash := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if id != clientID || secret != clientSecret || !known ||
		base64.RawURLEncoding.EncodeToString(hash[:]) != grant.challenge {
		w.WriteHeader(http.StatusBadRequest)
		writeJSON(w, map[string]string{"error": "invalid_grant"})
		return
	}
	writeJSON(w, map[string]any{"access_token": "none", "token_type": "Bearer", "id_token": p.sign(grant.claims)})
}

func (p *provider) sign(claims map[string]any) string {
	encoded, _ := json.Marshal(claims)
	signed := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","kid":"1"}`)) + "." +
		base64.RawURLEncoding.EncodeToString(encoded)
	hash := sha256.Sum256([]byte(signed))
	signature, _ := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, hash[:])
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// claims are what a token says beside what every good one says.
type claims map[string]any

// ana is who most tests sign in as.
func ana() claims { return claims{"sub": "ana-1", "email": "Ana@Example.com", "email_verified": true} }

// meets lets somebody sign in whom the dashboard sent, and returns the path by which
// they come back.
func (p *provider) meets(t *testing.T, sent page, who claims) string {
	t.Helper()
	sent.expect(t, http.StatusSeeOther)
	asked, err := url.Parse(sent.header.Get("Location"))
	must(t, err)
	query := asked.Query()
	if query.Get("code_challenge_method") != "S256" || query.Get("state") == "" || query.Get("nonce") == "" {
		t.Fatalf("the dashboard asks %s", asked)
	}
	return "/oidc/callback?" + p.grant(query, who).Encode()
}

// grant gives a code to who was asked for, and answers with it.
func (p *provider) grant(query url.Values, who claims) url.Values {
	all := claims{"iss": p.URL, "aud": clientID, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
		"nonce": query.Get("nonce")}
	if query.Get("max_age") != "" {
		all["auth_time"] = time.Now().Unix()
	}
	for name, value := range who {
		all[name] = value
	}
	code := rand.Text()
	p.mu.Lock()
	p.codes[code] = granted{query.Get("code_challenge"), all}
	p.mu.Unlock()
	return url.Values{"code": {code}, "state": {query.Get("state")}}
}
