package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"emissor/internal/mail"
)

// SMTPConfig are the settings of the mail server.
type SMTPConfig struct {
	SMTPURL   mailServer `envconfig:"EMISSOR_SMTP_URL" readers:"worker dashboard commands" desc:"The mail server for e-mails to customers of live notes, and for one-time links, as smtp://user:password@smtp.example.com:587, or smtps:// for TLS from the first byte. What is special in user or password is written as in URLs, as %2F for a slash. ?ca=FILE names the CA (PEM) of its certificate where that is not one of the system's; ?tls=none, for development only, goes without TLS and without a password. ?token_url=URL&client_id=ID&scope=SCOPE has the server let the user in by access tokens (XOAUTH2), which that URL gives for the client id and, in place of the password, its secret, as Microsoft 365 asks for. Empty: e-mails wait, and links are only shown."`
	AlertsURL alertsURL  `envconfig:"EMISSOR_ALERTS_URL" readers:"worker" desc:"Where the installation's alarms are posted, besides the e-mails to its operators, as https://:SECRET@example.com/alarms. Messages are signed with the secret as webhooks are, and keep to the rules of receivers' addresses. The secret has 20 characters or more, of letters, digits, - and _. Empty: nowhere."`
	SMTPFrom  string     `envconfig:"EMISSOR_SMTP_FROM" readers:"worker dashboard commands" desc:"The sender's address. The name beside it is the organization's."`
}

// sender makes the sender of e-mails; nil when no server is configured.
func (c SMTPConfig) sender() (*mail.Sender, error) {
	if c.SMTPURL.Host == "" {
		return nil, nil
	}
	options := c.SMTPURL.Options
	options.From = c.SMTPFrom
	if tokens := c.SMTPURL.tokens; tokens.TokenURL != "" {
		tokens.ClientSecret, options.Password = options.Password, ""
		options.OAuth = accessTokens(tokens)
	}
	var err error
	if options.Roots, err = certificatePool("EMISSOR_SMTP_URL", c.SMTPURL.ca); err != nil {
		return nil, err
	}
	sender, err := mail.New(options)
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_SMTP_URL and EMISSOR_SMTP_FROM: %s", strings.TrimPrefix(err.Error(), "mail: "))
	}
	return sender, nil
}

// mailServer is the address of a mail server and what belongs to it.
type mailServer struct {
	mail.Options
	ca     string
	tokens tokenServer
}

// tokenServer is who gives access tokens in place of a password (OAuth 2.0, client credentials), and to whom.
type tokenServer struct{ TokenURL, ClientID, ClientSecret, Scope string }

// Decode implements envconfig.Decoder.
func (s *mailServer) Decode(value string) error {
	address, err := url.Parse(value)
	if err != nil || address.Hostname() == "" || address.Path != "" && address.Path != "/" || address.Fragment != "" {
		return errors.New("must look like smtp://user:password@host:port")
	}
	modes := map[string]mail.TLSMode{"smtp": mail.StartTLS, "smtps": mail.ImplicitTLS}
	mode, known := modes[address.Scheme]
	if !known {
		return errors.New("must begin with smtp:// or smtps://")
	}
	password, _ := address.User.Password()
	*s = mailServer{Options: mail.Options{
		Host: address.Hostname(), Username: address.User.Username(), Password: password, TLS: mode,
	}}
	if port := address.Port(); port != "" {
		if s.Port, err = strconv.Atoi(port); err != nil {
			return errors.New("must have a port from 1 to 65535")
		}
	}
	return s.decodeMore(address.Query())
}

// decodeMore reads what comes after the question mark.
func (s *mailServer) decodeMore(query url.Values) error {
	for name, values := range query {
		switch {
		case name == "ca":
			s.ca = values[0]
		case name == "tls" && values[0] == "none" && s.TLS == mail.StartTLS:
			s.TLS = mail.NoTLS
		case name == "token_url" && strings.HasPrefix(values[0], "https://"):
			s.tokens.TokenURL = values[0]
		case name == "client_id":
			s.tokens.ClientID = values[0]
		case name == "scope":
			s.tokens.Scope = values[0]
		default:
			return errors.New("must have nothing after the question mark but ca=FILE, token_url=https://…, " +
				"client_id=ID, scope=SCOPE or, for smtp, tls=none")
		}
	}
	if (s.tokens.TokenURL == "") != (s.tokens.ClientID == "") || s.tokens.TokenURL == "" && s.tokens.Scope != "" {
		return errors.New("must have token_url, client_id and scope together")
	}
	return nil
}

// accessTokenTimeout is how long an access token may take.
const accessTokenTimeout = 10 * time.Second

// accessTokens gives access tokens: one is used until it ends.
func accessTokens(server tokenServer) oauth2.TokenSource {
	client := &http.Client{Timeout: accessTokenTimeout}
	config := clientcredentials.Config{TokenURL: server.TokenURL, ClientID: server.ClientID,
		ClientSecret: server.ClientSecret, Scopes: strings.Fields(server.Scope)}
	return config.TokenSource(context.WithValue(context.Background(), oauth2.HTTPClient, client))
}
