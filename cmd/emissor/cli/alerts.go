package cli

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// AlertsURL is where alarms are posted, and the secret that signs them. It stands in the address as the
// password of a mail server does: who runs the receiver has to know it, and one setting is enough.
type AlertsURL struct{ URL, Secret string }

// leastSecret is how many characters the secret has at least.
const leastSecret = 20

// Decode implements envconfig.Decoder. Its errors do not have the secret.
func (a *AlertsURL) Decode(value string) error {
	if value == "" {
		return nil
	}
	parsed, err := url.Parse(value)
	if err != nil || parsed.User == nil || parsed.Host == "" {
		return errors.New("must look like https://:SECRET@example.com/alarms")
	}
	secret, _ := parsed.User.Password()
	if parsed.User.Username() != "" || len(secret) < leastSecret || strings.ContainsFunc(secret, func(r rune) bool {
		return !strings.ContainsRune("-_", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return fmt.Errorf("must have a secret of %d letters, digits, - and _ or more before the @, after a colon",
			leastSecret)
	}
	parsed.User = nil
	*a = AlertsURL{parsed.String(), secret}
	return nil
}

// CheckAlerts is an error where the webhooks' client would not post to the URL of alarms.
func (c Config) CheckAlerts() error {
	if c.AlertsURL.URL == "" {
		return nil
	}
	if err := c.WebhookOptions().CheckURL(c.AlertsURL.URL); err != nil {
		return fmt.Errorf("EMISSOR_ALERTS_URL: %w", err)
	}
	return nil
}
