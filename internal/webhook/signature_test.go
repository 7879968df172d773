package webhook_test

import (
	"regexp"
	"testing"
	"time"

	"emissor/internal/webhook"
)

// The vector that the contract publishes.
func TestWebhookSignature_PublishedVector(t *testing.T) {
	got := webhook.Sign([]string{"whsec_test"}, time.Unix(1700000000, 0), []byte(`{"id":"evt_1"}`))
	const expected = "t=1700000000,v1=c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925"
	if got != expected {
		t.Errorf("%s", got)
	}
}

func TestWebhookSignature_TwoSecrets(t *testing.T) {
	at, body := time.Unix(1700000000, 0), []byte(`{"id":"evt_1"}`)
	got := webhook.Sign([]string{"whsec_new", "whsec_test"}, at, body)
	expected := webhook.Sign([]string{"whsec_new"}, at, body) +
		",v1=c89214b5b5da833daed6f0b8c5bb6bd58cea9022bd80ccc78230f3942d632925"
	if got != expected {
		t.Errorf("%s", got)
	}
}

func TestWebhookSignature_NewSecret(t *testing.T) {
	form := regexp.MustCompile(`^whsec_[A-Za-z0-9_-]{43}$`)
	a, b := webhook.NewSecret(), webhook.NewSecret()
	if a == b || !form.MatchString(a) {
		t.Errorf("%s %s", a, b)
	}
}
