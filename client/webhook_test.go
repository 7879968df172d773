package client_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"emissor/client"
	"emissor/internal/webhook"
)

// What we sign is read as an event, five minutes early or late, while a secret is rotated; all else is refused.
func TestVerifyWebhook(t *testing.T) {
	const secret = "whsec_test"
	const body = `{"id":"evt_1","type":"nfse.issued","data":{"object":{"customer":{"name":"Conceição"}}}}`
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	sign := func(at time.Time, secrets ...string) string { return webhook.Sign(secrets, at, []byte(body)) }
	old := now.Add(-time.Hour)
	moved := strings.Replace(sign(old, secret), fmt.Sprint(old.Unix()), fmt.Sprint(now.Unix()), 1)
	zeros := ",v1=" + strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		header, body string
		refused      error
	}{
		"ours":                  {sign(now, secret), body, nil},
		"the first of two":      {sign(now, secret, "whsec_old"), body, nil},
		"the second of two":     {sign(now, "whsec_new", secret), body, nil},
		"five minutes late":     {sign(now.Add(-5*time.Minute), secret), body, nil},
		"five minutes early":    {sign(now.Add(5*time.Minute), secret), body, nil},
		"later":                 {sign(now.Add(-5*time.Minute-time.Second), secret), body, client.ErrMoment},
		"earlier":               {sign(now.Add(5*time.Minute+time.Second), secret), body, client.ErrMoment},
		"another secret":        {sign(now, "whsec_new"), body, client.ErrSignature},
		"a changed body":        {sign(now, secret), strings.Replace(body, "evt_1", "evt_2", 1), client.ErrSignature},
		"a body read again":     {sign(now, secret), body + "\n", client.ErrSignature},
		"a changed moment":      {moved, body, client.ErrSignature},
		"junk behind":           {sign(now, secret) + "zz", body, client.ErrSignature},
		"upper case":            {strings.ToUpper(sign(now, secret)), body, client.ErrSignature},
		"no header":             {"", body, client.ErrSignature},
		"no signature":          {fmt.Sprintf("t=%d", now.Unix()), body, client.ErrSignature},
		"an empty signature":    {fmt.Sprintf("t=%d,v1=", now.Unix()), body, client.ErrSignature},
		"nonsense":              {"t=é,v1=é,x", body, client.ErrSignature},
		"only commas":           {strings.Repeat(",", 10_000), body, client.ErrSignature},
		"5,000 digits":          {"t=" + strings.Repeat("9", 5000) + zeros, body, client.ErrSignature},
		"the beginning of time": {"t=-9223372036854775808" + zeros, body, client.ErrSignature},
		"signed before 1970":    {sign(time.Unix(-9, 0), secret), body, client.ErrMoment},
		"signed far from here":  {sign(time.Unix(1<<62, 0), secret), body, client.ErrMoment},
		"signed and no event":   {webhook.Sign([]string{secret}, now, []byte("[]")), "[]", client.ErrEvent},
		"signed and without id": {webhook.Sign([]string{secret}, now, []byte("{}")), "{}", client.ErrEvent},
		"signed and deep":       {webhook.Sign([]string{secret}, now, []byte(deep)), deep, client.ErrEvent},
		"signed and no moment":  {webhook.Sign([]string{secret}, now, []byte(timeless)), timeless, client.ErrEvent},
		"without its name":      {strings.TrimPrefix(sign(now, secret), "t="), body, client.ErrSignature},
	} {
		event, err := client.VerifyWebhook(secret, c.header, []byte(c.body), now)
		if !errors.Is(err, c.refused) || (err == nil) != (event.ID == "evt_1" && event.Type == client.EventTypeNfseIssued) {
			t.Errorf("%s: %+v, %v, expected %v", name, event, err, c.refused)
		}
	}
}

const timeless = `{"id":"evt_1","created_at":"yesterday"}`

var deep = strings.Repeat("[", 100_000)

// Nothing in a header has it panic, or takes what is not signed.
func FuzzVerifyWebhook(f *testing.F) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	signed := webhook.Sign([]string{"whsec_test"}, now, []byte("body"))
	f.Add(signed, "body")
	f.Add("t=-9223372036854775808,v1=", "")
	f.Fuzz(func(t *testing.T, header, body string) {
		_, err := client.VerifyWebhook("whsec_other", header, []byte(body), now)
		if !errors.Is(err, client.ErrSignature) {
			t.Errorf("%q and %q: %v", header, body, err)
		}
	})
}
