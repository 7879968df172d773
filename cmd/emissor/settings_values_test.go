package main

import (
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"

	"emissor/internal/mail"
)

func TestMailServer_ReadsItsURL(t *testing.T) {
	for value, expected := range map[string]mailServer{
		"smtp://mail.example.com": {Options: mail.Options{Host: "mail.example.com", TLS: mail.StartTLS}},
		"smtps://ana%40example.com:a%2Fb%2Bc@mail.example.com:8465/": {Options: mail.Options{
			Host: "mail.example.com", Port: 8465, Username: "ana@example.com", Password: "a/b+c",
			TLS: mail.ImplicitTLS}},
		"smtp://[::1]:25?tls=none": {Options: mail.Options{Host: "::1", Port: 25, TLS: mail.NoTLS}},
		"smtp://ana%40example.com:a%2Fb@mail.example.com?token_url=https://login.example.com/t/token&client_id=1-2" +
			"&scope=https://outlook.example.com/.default": {
			Options: mail.Options{Host: "mail.example.com", Username: "ana@example.com", Password: "a/b",
				TLS: mail.StartTLS},
			tokens: tokenServer{TokenURL: "https://login.example.com/t/token", ClientID: "1-2",
				Scope: "https://outlook.example.com/.default"}},
		"smtp://mail.example.com?ca=/etc/emissor/ca/mail.pem": {ca: "/etc/emissor/ca/mail.pem",
			Options: mail.Options{Host: "mail.example.com", TLS: mail.StartTLS}},
	} {
		var server mailServer
		if err := server.Decode(value); err != nil || server != expected {
			t.Errorf("%s is %+v, %v", value, server, err)
		}
	}
}

// An access token is asked for once, with the client's id and secret and the scope, and used until it ends.
func TestMailServer_AccessTokens(t *testing.T) {
	var asked []url.Values
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		_ = r.ParseForm()
		r.Form.Set("client", id+" "+secret+" "+r.URL.Path)
		asked = append(asked, r.Form)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token": "t0ken", "token_type": "Bearer", "expires_in": 3600}`)
	}))
	t.Cleanup(tokens.Close)
	source := accessTokens(tokenServer{TokenURL: tokens.URL + "/tenant/token", ClientID: "ana", ClientSecret: "a/b",
		Scope: "https://outlook.example.com/.default"})
	for range 2 {
		token, err := source.Token()
		must(t, err)
		if token.AccessToken != "t0ken" {
			t.Errorf("the token is %+v", token)
		}
	}
	const client = "ana a%2Fb /tenant/token" // RFC 6749 has the secret encoded in the header
	if len(asked) != 1 || asked[0].Get("grant_type") != "client_credentials" || asked[0].Get("client") != client ||
		asked[0].Get("scope") != "https://outlook.example.com/.default" {
		t.Errorf("asked was %v", asked)
	}
}

func TestZipCodeServices_AreAskedInOrder(t *testing.T) {
	var services zipCodes
	must(t, services.Decode("brasilapi=https://brasilapi.com.br, viacep=https://viacep.com.br"))
	if zip := services.services; len(zip) != 2 || zip[0].Name() != "brasilapi" || zip[1].Name() != "viacep" {
		t.Errorf("they are %v", zip)
	}
}

// Companies are looked up where the first service that knows them is.
func TestZipCodeServices_OfCNPJs(t *testing.T) {
	for value, knows := range map[string]bool{"viacep=https://viacep.com.br": false,
		"brasilapi=https://brasilapi.com.br": true, "viacep=https://viacep.com.br,receitaws=https://receitaws.com.br": true,
		"receitaws=https://receitaws.com.br": true} {
		var services zipCodes
		must(t, services.Decode(value))
		if (services.cnpj != nil) != knows {
			t.Errorf("%s knows companies: %v", value, services.cnpj != nil)
		}
	}
	if err := new(zipCodes).Decode("receitaws=ftp://x"); err == nil {
		t.Error("an address that is none is taken")
	}
}

// A server may renegotiate without TLS 1.3 only, where it is let; auto leaves both to each authority.
func TestAuthorityTLS_Words(t *testing.T) {
	for word, expected := range map[string]authorityTLS{
		"auto":       {},
		"1.3":        {tls.VersionTLS13, tls.RenegotiateNever},
		"1.2":        {tls.VersionTLS12, tls.RenegotiateNever},
		"1.2-once":   {tls.VersionTLS12, tls.RenegotiateOnceAsClient},
		"1.2-freely": {tls.VersionTLS12, tls.RenegotiateFreelyAsClient},
	} {
		var read authorityTLS
		if err := read.Decode(word); err != nil || read != expected {
			t.Errorf("%s is %+v, %v", word, read, err)
		}
	}
}

// Two authorities may have two CAs; a connection may take no longer than a request.
func TestAuthorities_AreReachedAlike(t *testing.T) {
	first, second := newTestCA(t), newTestCA(t)
	config := AuthorityConfig{AuthorityTimeout: maxConnecting / 2, AuthorityCA: first.file + "," + second.file}
	transport, err := config.transport()
	must(t, err)
	both, err := certificatePool("", first.file)
	must(t, err)
	pem, err := os.ReadFile(second.file)
	must(t, err)
	both.AppendCertsFromPEM(pem)
	if !transport.ServerRoots.Equal(both) || transport.ConnectTimeout != config.AuthorityTimeout {
		t.Errorf("the transport is %+v", transport)
	}
	config = AuthorityConfig{AuthorityTimeout: maxCall}
	if transport, err := config.transport(); err != nil || transport.ServerRoots != nil ||
		transport.ConnectTimeout != maxConnecting {
		t.Errorf("the transport is %+v, %v", transport, err)
	}
}

// What is not named keeps its default.
func TestOrganizationLimits_ByName(t *testing.T) {
	var limits organizationLimits
	must(t, limits.Decode("requests=0, keys=51"))
	if limits != (organizationLimits{Requests: 0, Keys: 51, Endpoints: 20, Deliveries: 50, Emails: 10}) {
		t.Errorf("they are %+v", limits)
	}
	for _, wrong := range []string{"customers=1", "keys", "keys=0", "requests=-1", "emails=x", "keys=1,"} {
		if err := limits.Decode(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, limits)
		}
	}
}
