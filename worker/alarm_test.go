package worker_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/activities"
	"emissor/internal/webhook"
	"emissor/nfse/fact"
	"emissor/store/mails"
	"emissor/test/testkit"
)

const alarmsSecret = "segredo-de-quem-recebe"

// alarmed raises an alarm of the installation, and returns the message to its URL.
func (p *post) alarmed(t *testing.T) (id string) {
	t.Helper()
	p.Exec(t, `INSERT INTO row_failures (loop, row_id, failures, retry_after) VALUES ('roll-ups', '1', 3, now())`)
	for range 2 {
		if err := p.Store.Operate.Alert(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		p.Exec(t, `UPDATE alerts SET due_at = now()`)
	}
	return p.Text(t, `SELECT id FROM alert_mails WHERE user_id = ''`)
}

// Alarms are posted to the installation's URL, signed as webhooks are, and tried again as e-mails are; no
// mail server is needed for it.
func TestAlarm_Posted(t *testing.T) {
	t.Parallel()
	p := newPost(t, false)
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, call int) {
		if call == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	p.emails.DashboardURL = "https://painel.example.com"
	p.emails.Alarms = activities.Alarms{URL: receiver.URL, Secret: alarmsSecret,
		Client: webhook.NewClient(webhook.Options{AllowLoopback: true})}
	id := p.alarmed(t)
	p.run(t, id)
	testkit.Eventually(t, "the failed attempt is on record", func() bool {
		return p.Count(t, `SELECT count(*) FROM alert_mails WHERE id = $1 AND status = 'pending' AND attempts = 1
			AND last_problem ->> 'code' = 'receiver_answered' AND requeue_after > now() + interval '1 minute'`, id) == 1
	})
	p.run(t, id)
	testkit.Eventually(t, "it is sent", func() bool {
		return p.Text(t, `SELECT status FROM alert_mails WHERE id = $1`, id) == string(mails.EmailSent)
	})
	calls := receiver.Calls()
	if len(calls) != 2 || string(calls[0].Body) != string(calls[1].Body) {
		t.Fatalf("it got %d messages", len(calls))
	}
	var message struct {
		ID, Type string
		Count    int
		Alarms   []struct{ Subject, Portuguese, English, URL string }
	}
	if err := json.Unmarshal(calls[1].Body, &message); err != nil || message.ID != id || message.Count != 1 ||
		message.Type != "installation.alarms" || message.Alarms[0].Subject != "roll-ups" ||
		message.Alarms[0].URL != "https://painel.example.com/operations" ||
		!strings.Contains(message.Alarms[0].English, "fail again and again") {
		t.Errorf("the message is %s, %v", calls[1].Body, err)
	}
	if !calls[1].IsSigned(alarmsSecret) {
		t.Errorf("the signature is %s", calls[1].Header.Get(webhook.SignatureHeader))
	}
	p.run(t, id) // again: it was sent
	if err := p.Store.Operate.Alert(t.Context(), true); err != nil || p.Count(t,
		`SELECT count(*) FROM alert_mails`) != 1 {
		t.Errorf("it is told twice: %v", err)
	}
}

// The URL keeps to the rules of receivers' addresses, and one that was taken away since is given up.
func TestAlarm_NotPosted(t *testing.T) {
	t.Parallel()
	p := newPost(t, false)
	p.emails.Alarms = activities.Alarms{URL: "https://10.0.0.1/alarms", Secret: alarmsSecret,
		Client: webhook.NewClient(webhook.Options{})}
	id := p.alarmed(t)
	p.run(t, id)
	problem := func(code fact.Code) bool {
		return p.Count(t, `SELECT count(*) FROM alert_mails WHERE id = $1 AND last_problem ->> 'code' = $2`, id,
			string(code)) == 1
	}
	testkit.Eventually(t, "a private address is refused", func() bool { return problem(fact.ReceiverNotPublic) })
	p.emails.Alarms.URL = ""
	p.run(t, id)
	testkit.Eventually(t, "without a URL it is given up", func() bool {
		return problem(fact.AlarmsWithoutURL) && p.Text(t, `SELECT status FROM alert_mails WHERE id = $1`, id) == "failed"
	})
	failed, err := p.Store.Operate.Troubles(t.Context(), time.Now(), 10)
	if err != nil || len(failed.Alerts) != 1 || failed.Alerts[0].Address != "" || failed.Alerts[0].Alerts != 1 {
		t.Errorf("operators see %+v, %v", failed.Alerts, err)
	}
}
