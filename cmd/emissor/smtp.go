package main

import (
	"fmt"
	"strings"

	"emissor/mail"
)

// SMTPConfig are the settings of the mail server.
type SMTPConfig struct {
	Host     string `envconfig:"EMISSOR_SMTP_HOST"`
	Port     int    `envconfig:"EMISSOR_SMTP_PORT"`
	From     string `envconfig:"EMISSOR_SMTP_FROM"`
	Username string `envconfig:"EMISSOR_SMTP_USERNAME"`
	Password string `envconfig:"EMISSOR_SMTP_PASSWORD"`
	TLS      string `envconfig:"EMISSOR_SMTP_TLS" default:"starttls"`
	CA       string `envconfig:"EMISSOR_SMTP_CA"`
}

// sender makes the sender of e-mails; nil when no server is configured.
func (c SMTPConfig) sender() (*mail.Sender, error) {
	if c.Host == "" {
		return nil, nil
	}
	roots, err := certificatePool("EMISSOR_SMTP_CA", c.CA)
	if err != nil {
		return nil, err
	}
	sender, err := mail.New(mail.Options{
		Host: c.Host, Port: c.Port, From: c.From, Username: c.Username, Password: c.Password,
		TLS: mail.TLSMode(c.TLS), Roots: roots,
	})
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_SMTP_*: %s", strings.TrimPrefix(err.Error(), "mail: "))
	}
	return sender, nil
}
