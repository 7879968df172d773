package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"testing"

	"emissor/cmd/emissor/cli"
	"emissor/internal/mail"
)

func TestMailServer_ReadsItsURL(t *testing.T) {
	for value, expected := range map[string]cli.MailServer{
		"smtp://mail.example.com": {Options: mail.Options{Host: "mail.example.com", TLS: mail.StartTLS}},
		"smtps://ana%40example.com:a%2Fb%2Bc@mail.example.com:8465/": {Options: mail.Options{
			Host: "mail.example.com", Port: 8465, Username: "ana@example.com", Password: "a/b+c",
			TLS: mail.ImplicitTLS}},
		"smtp://[::1]:25?tls=none": {Options: mail.Options{Host: "::1", Port: 25, TLS: mail.NoTLS}},
		"smtp://ana%40example.com:a%2Fb@mail.example.com?token_url=https://login.example.com/t/token&client_id=1-2" +
			"&scope=https://outlook.example.com/.default": {
			Options: mail.Options{Host: "mail.example.com", Username: "ana@example.com", Password: "a/b",
				TLS: mail.StartTLS},
			Tokens: cli.TokenServer{TokenURL: "https://login.example.com/t/token", ClientID: "1-2",
				Scope: "https://outlook.example.com/.default"}},
		"smtp://mail.example.com?ca=/etc/emissor/ca/mail.pem": {Ca: "/etc/emissor/ca/mail.pem",
			Options: mail.Options{Host: "mail.example.com", TLS: mail.StartTLS}},
	} {
		var server cli.MailServer
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
	source := cli.AccessTokens(cli.TokenServer{TokenURL: tokens.URL + "/tenant/token", ClientID: "ana",
		ClientSecret: "a/b",
		Scope:        "https://outlook.example.com/.default"})
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
	var services cli.ZipCodes
	must(t, services.Decode("brasilapi=https://brasilapi.com.br, viacep=https://viacep.com.br"))
	if zip := services.Services; len(zip) != 2 || zip[0].Name() != "brasilapi" || zip[1].Name() != "viacep" {
		t.Errorf("they are %v", zip)
	}
}

// Companies are looked up where the first service that knows them is.
func TestZipCodeServices_OfCNPJs(t *testing.T) {
	for value, knows := range map[string]bool{"viacep=https://viacep.com.br": false,
		"brasilapi=https://brasilapi.com.br": true, "viacep=https://viacep.com.br,receitaws=https://receitaws.com.br": true,
		"receitaws=https://receitaws.com.br": true} {
		var services cli.ZipCodes
		must(t, services.Decode(value))
		if (services.Cnpj != nil) != knows {
			t.Errorf("%s knows companies: %v", value, services.Cnpj != nil)
		}
	}
	if err := new(cli.ZipCodes).Decode("receitaws=ftp://x"); err == nil {
		t.Error("an address that is none is taken")
	}
}

// Two authorities may have two CAs; a connection may take no longer than a request.
func TestAuthorities_AreReachedAlike(t *testing.T) {
	first, second := newTestCA(t), newTestCA(t)
	config := cli.AuthorityConfig{AuthorityTimeout: cli.MaxConnecting / 2, AuthorityCA: first.file + "," + second.file}
	transport, err := config.Transport()
	must(t, err)
	both, err := cli.CertificatePool("", first.file)
	must(t, err)
	pem, err := os.ReadFile(second.file)
	must(t, err)
	both.AppendCertsFromPEM(pem)
	if !transport.ServerRoots.Equal(both) || transport.ConnectTimeout != config.AuthorityTimeout {
		t.Errorf("the transport is %+v", transport)
	}
	config = cli.AuthorityConfig{AuthorityTimeout: cli.MaxCall}
	if transport, err := config.Transport(); err != nil || transport.ServerRoots != nil ||
		transport.ConnectTimeout != cli.MaxConnecting {
		t.Errorf("the transport is %+v, %v", transport, err)
	}
}

// What is not named keeps its default.
func TestOrganizationLimits_ByName(t *testing.T) {
	var limits cli.OrganizationLimits
	must(t, limits.Decode("requests=0, keys=51"))
	if limits != (cli.OrganizationLimits{Requests: 0, Keys: 51, Endpoints: 20, Deliveries: 50, Emails: 10}) {
		t.Errorf("they are %+v", limits)
	}
	for _, wrong := range []string{"customers=1", "keys", "keys=0", "requests=-1", "emails=x", "keys=1,"} {
		if err := limits.Decode(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, limits)
		}
	}
}
