package cli

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
	SMTPURL   MailServer `envconfig:"EMISSOR_SMTP_URL" readers:"worker dashboard commands" desc:"The mail server for e-mails to customers of live notes, and for one-time links, as smtp://user:password@smtp.example.com:587, or smtps:// for TLS from the first byte. What is special in user or password is written as in URLs, as %2F for a slash. ?ca=FILE names the CA (PEM) of its certificate where that is not one of the system's; ?tls=none, for development only, goes without TLS and without a password. ?token_url=URL&client_id=ID&scope=SCOPE has the server let the user in by access tokens (XOAUTH2), which that URL gives for the client id and, in place of the password, its secret, as Microsoft 365 asks for. Empty: e-mails wait, and links are only shown."`
	AlertsURL AlertsURL  `envconfig:"EMISSOR_ALERTS_URL" readers:"worker" desc:"Where the installation's alarms are posted, besides the e-mails to its operators, as https://:SECRET@example.com/alarms. Messages are signed with the secret as webhooks are, and keep to the rules of receivers' addresses. The secret has 20 characters or more, of letters, digits, - and _. Empty: nowhere."`
	SMTPFrom  string     `envconfig:"EMISSOR_SMTP_FROM" readers:"worker dashboard commands" desc:"The sender's address. The name beside it is the organization's."`
}

// Sender makes the sender of e-mails; nil when no server is configured.
func (c SMTPConfig) Sender() (*mail.Sender, error) {
	if c.SMTPURL.Host == "" {
		return nil, nil
	}
	options := c.SMTPURL.Options
	options.From = c.SMTPFrom
	if tokens := c.SMTPURL.Tokens; tokens.TokenURL != "" {
		tokens.ClientSecret, options.Password = options.Password, ""
		options.OAuth = AccessTokens(tokens)
	}
	var err error
	if options.Roots, err = CertificatePool("EMISSOR_SMTP_URL", c.SMTPURL.Ca); err != nil {
		return nil, err
	}
	sender, err := mail.New(options)
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_SMTP_URL and EMISSOR_SMTP_FROM: %s", strings.TrimPrefix(err.Error(), "mail: "))
	}
	return sender, nil
}

// MailServer is the address of a mail server and what belongs to it.
type MailServer struct {
	mail.Options
	Ca     string
	Tokens TokenServer
}

// TokenServer is who gives access tokens in place of a password (OAuth 2.0, client credentials), and to whom.
type TokenServer struct{ TokenURL, ClientID, ClientSecret, Scope string }

// Decode implements envconfig.Decoder.
func (s *MailServer) Decode(value string) error {
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
	*s = MailServer{Options: mail.Options{
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
func (s *MailServer) decodeMore(query url.Values) error {
	for name, values := range query {
		switch {
		case name == "ca":
			s.Ca = values[0]
		case name == "tls" && values[0] == "none" && s.TLS == mail.StartTLS:
			s.TLS = mail.NoTLS
		case name == "token_url" && strings.HasPrefix(values[0], "https://"):
			s.Tokens.TokenURL = values[0]
		case name == "client_id":
			s.Tokens.ClientID = values[0]
		case name == "scope":
			s.Tokens.Scope = values[0]
		default:
			return errors.New("must have nothing after the question mark but ca=FILE, token_url=https://…, " +
				"client_id=ID, scope=SCOPE or, for smtp, tls=none")
		}
	}
	if (s.Tokens.TokenURL == "") != (s.Tokens.ClientID == "") || s.Tokens.TokenURL == "" && s.Tokens.Scope != "" {
		return errors.New("must have token_url, client_id and scope together")
	}
	return nil
}

// accessTokenTimeout is how long an access token may take.
const accessTokenTimeout = 10 * time.Second

// AccessTokens gives access tokens: one is used until it ends.
func AccessTokens(server TokenServer) oauth2.TokenSource {
	client := &http.Client{Timeout: accessTokenTimeout}
	config := clientcredentials.Config{TokenURL: server.TokenURL, ClientID: server.ClientID,
		ClientSecret: server.ClientSecret, Scopes: strings.Fields(server.Scope)}
	return config.TokenSource(context.WithValue(context.Background(), oauth2.HTTPClient, client))
}
