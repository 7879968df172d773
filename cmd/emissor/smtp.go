package main

import (
	"crypto/x509"
	"fmt"
	"strings"

	"emissor/mail"
)

// SMTPConfig are the settings of the mail server.
type SMTPConfig struct {
	Host     string `envconfig:"EMISSOR_SMTP_HOST" desc:"mail server for e-mails to customers of live notes; empty: they wait"`
	Port     int    `envconfig:"EMISSOR_SMTP_PORT" desc:"its port; 0: 587, 465 or 25 by the TLS mode"`
	From     string `envconfig:"EMISSOR_SMTP_FROM" desc:"sender's address; the name beside it is the organization's"`
	Username string `envconfig:"EMISSOR_SMTP_USERNAME" desc:"empty: without authentication"`
	Password string `envconfig:"EMISSOR_SMTP_PASSWORD" desc:"goes with the username; never sent without TLS"`
	TLS      string `envconfig:"EMISSOR_SMTP_TLS" default:"starttls" desc:"starttls, tls, or none (development only)"`
	CA       string `envconfig:"EMISSOR_SMTP_CA" desc:"file (PEM) of the CA of its certificate; empty for the system's"`
}

// sender makes what sends e-mails; nil when no server is configured.
func (c SMTPConfig) sender() (*mail.Sender, error) {
	if c.Host == "" {
		return nil, nil
	}
	var roots *x509.CertPool
	roots, err := certificatePool("EMISSOR_SMTP_CA", c.CA)
	if err != nil {
		return nil, err
	}
	sender, err := mail.New(mail.Options{
		Host: c.Host, Port: c.Port, From: c.From, Username: c.Username, Password: c.Password, TLS: mail.TLSMode(c.TLS), Roots: roots,
	})
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_SMTP_*: %s", strings.TrimPrefix(err.Error(), "mail: "))
	}
	return sender, nil
}
