package activities

import (
	"context"

	"emissor/internal/mail"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/mails"
	"emissor/store/operate"
	"emissor/workflows"
)

// Alarms is where the installation is told of its alarms besides its operators' e-mails.
type Alarms struct {
	URL    string // empty: nowhere
	Secret string // with which messages are signed, as webhooks are
	Client *webhook.Client
}

// alarmMessage is what is posted. It has the same bytes on every attempt.
type alarmMessage struct {
	ID        string         `json:"id"` // the same on every attempt
	Type      string         `json:"type"`
	CreatedAt nfse.Timestamp `json:"created_at"`
	Count     int            `json:"count"` // of all alarms, of which not all are listed
	Alarms    []postedAlarm  `json:"alarms"`
}

type postedAlarm struct {
	Subject    string `json:"subject"` // "outbox", an authority, or a loop
	Portuguese string `json:"portuguese"`
	English    string `json:"english"`
	URL        string `json:"url,omitempty"` // of its page
}

// postAlarms makes one attempt at a message with alarms to the installation's URL.
func (a *Emails) postAlarms(ctx context.Context, alert operate.AlertMail) (workflows.EmailResult, error) {
	if a.Alarms.URL == "" { // it was taken away since
		return a.alertNotSent(ctx, alert, fact.AlarmsWithoutURL.Fact(), fact.AlarmsWithoutURL.Fact(), true)
	}
	message := alarmMessage{ID: alert.ID, Type: "installation.alarms", CreatedAt: alert.CreatedAt}
	for _, one := range alert.Alerts {
		line := a.alertLine(alert.OrganizationID, one)
		message.Count = one.Count
		message.Alarms = append(message.Alarms, postedAlarm{one.SubjectID, line.Portuguese, line.English, line.URL})
	}
	body, err := nfse.Marshal(message)
	if err != nil {
		return workflows.EmailResult{}, err
	}
	attempt := a.Alarms.Client.Send(ctx, a.Alarms.URL, []string{a.Alarms.Secret}, body)
	if attempt.Succeeded() {
		return a.alertSent(ctx, alert)
	}
	return a.alertNotSent(ctx, alert, attempt.Problem, attempt.Problem, false)
}

// alertSent records that what a person or the URL is told was taken.
func (a *Emails) alertSent(ctx context.Context, alert operate.AlertMail) (workflows.EmailResult, error) {
	ctx = context.WithoutCancel(ctx) // that it was sent is recorded even when the worker is stopping
	err := a.Store.Operate.RecordAlertMailSent(ctx, alert.ID)
	return workflows.EmailResult{Status: string(mails.EmailSent)}, a.fail(ctx, alert.ID, err)
}

// alertNotSent records an attempt that failed, and what follows from it. The engine's history gets the
// summary.
func (a *Emails) alertNotSent(ctx context.Context, alert operate.AlertMail, problem, summary fact.Fact,
	permanent bool) (workflows.EmailResult, error) {
	ctx = context.WithoutCancel(ctx)
	wait, more := mail.Pause(alert.Attempts + 1)
	if permanent || !more {
		if err := a.Store.Operate.FailAlertMail(ctx, alert.ID, problem); err != nil {
			return workflows.EmailResult{}, a.fail(ctx, alert.ID, err)
		}
		a.Logger.WarnContext(ctx, "an e-mail with alerts was given up", "email_id", alert.ID, "reason", summary)
		return workflows.EmailResult{}, givenUp(workflows.EmailGivenUp, fact.EmailGivenUpAtOnce.With("why", summary))
	}
	if err := a.Store.Operate.RecordAlertMailProblem(ctx, alert.ID, problem, 1, wait); err != nil {
		return workflows.EmailResult{}, a.fail(ctx, alert.ID, err)
	}
	return workflows.EmailResult{}, RetryAfter("email_attempt_failed", summary.English(), wait)
}
