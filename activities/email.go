package activities

import (
	"context"
	"log/slog"
	"time"

	"emissor/fiscal/danfse"
	"emissor/internal/mail"
	"emissor/internal/trace"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/mails"
	"emissor/store/notes"
	"emissor/store/postgres"
	"emissor/workflows"
)

// Emails sends issued notes to their customers, and alerts to who is to be told.
type Emails struct {
	Store  *store.Store
	Sender *mail.Sender // nil when no SMTP server is configured: then e-mails wait
	DANFSe bool         // whether e-mails carry the printed form of the note
	Logo   *danfse.Logo // of it; nil is none
	Slots  *Slots       // of each organization: where one's e-mails hang, connections are left for the others
	Logger *slog.Logger

	Alarms Alarms // where the installation is told of its alarms

	// DashboardURL is where people reach the dashboard, for the links in alerts; empty: there are none.
	DashboardURL string
}

// drawingTime is how long drawing a page may take; normally it takes milliseconds.
const drawingTime = 5 * time.Second

// SendEmail makes one attempt. It reads its row first, so any run, however
// started, does only what is left to do; an e-mail that was given up stays so until
// an operator retries it. A failed attempt returns an error that says when the next
// one is due; the error of giving up ends the run.
func (a *Emails) SendEmail(ctx context.Context, id string) (workflows.EmailResult, error) {
	if isAlert(id) {
		return a.sendAlert(ctx, id)
	}
	email, err := a.Store.Mails.EmailToSend(ctx, id)
	switch {
	case postgres.IsArchiveAway(err):
		return workflows.EmailResult{}, a.documentAway(ctx, id)
	case err != nil:
		return workflows.EmailResult{}, a.fail(ctx, id, err)
	case email.Status == mails.EmailFailed:
		return workflows.EmailResult{}, givenUp(workflows.EmailGivenUp, email.Reason)
	case email.Status != mails.EmailPending:
		return workflows.EmailResult{Status: string(email.Status)}, nil
	case !email.Unwanted.None():
		err := a.Store.Mails.SkipEmail(ctx, id, email.Unwanted)
		return workflows.EmailResult{Status: string(mails.EmailSkipped)}, a.fail(ctx, id, err)
	case a.Sender == nil:
		return workflows.EmailResult{}, a.unconfigured(ctx, id)
	case !a.Slots.take(email.OrganizationID):
		return workflows.EmailResult{}, RetryAfter("connections_taken",
			"other e-mails of the organization have the connections that it may have", busyTarget.After(attempt(ctx)))
	}
	defer a.Slots.free(email.OrganizationID)
	return a.record(ctx, email, a.send(ctx, email))
}

// send hands the e-mail over to the mail server.
func (a *Emails) send(ctx context.Context, email mails.EmailToSend) error {
	message := a.messageOf(ctx, email)
	ctx, span := trace.StartCall(ctx, "send an e-mail")
	failed := a.Sender.Send(ctx, message)
	span.Email(email.ID)
	span.Attempt(email.Attempts + 1)
	if failed != nil {
		span.Failed(string(mail.Summary(failed).Code))
	}
	span.End(nil)
	return failed
}

func (a *Emails) messageOf(ctx context.Context, email mails.EmailToSend) mail.Message {
	message := mail.Message{
		ID:                 email.ID,
		Date:               email.CreatedAt.Time,
		To:                 email.Address,
		Name:               email.CustomerName,
		Issuer:             email.OrganizationName,
		Number:             email.Number,
		AccessKey:          email.AccessKey,
		AmountCents:        email.AmountCents,
		ToPayCents:         email.Totals.Charged(),
		Competence:         email.Competence.Begin(),
		XML:                email.Note.XML,
		Cancelled:          email.Note.Status == nfse.StatusCancelled,
		Replaces:           email.Replaces,
		ReplacedBy:         email.ReplacedBy,
		WithoutFiscalValue: email.Restricted,
		Words:              mail.Words{Portuguese: email.Template.Portuguese, English: email.Template.English},
		Logo:               email.Template.Logo,
	}
	note := email.Note
	by := note.IssuedBy.FiscalProfile
	message.CityURL = company.OwnURL(by, note.Number, note.VerificationCode)
	if message.CityURL == "" && email.AccessKey != "" {
		message.PublicURL = company.PublicURL(by, &email.AccessKey)
	}
	if a.DANFSe && message.CityURL == "" {
		page, err := a.printed(ctx, email.Note)
		if err != nil {
			a.Logger.WarnContext(ctx, "an e-mail goes without the printed form of its note, which cannot be drawn",
				"email_id", email.ID, "error", err)
		}
		message.DANFSe = page
	}
	return message
}

// printed draws the page of a note; nil when it cannot be drawn. No error of a page may stop the e-mail, which has
// the document itself.
func (a *Emails) printed(ctx context.Context, note notes.NoteDocument) (page []byte, err error) {
	return drawn(ctx, note, a.Logo)
}

// record stores an attempt and what follows from it for the e-mail. The engine's
// history gets a summary; the server's words stay in the row.
func (a *Emails) record(ctx context.Context, email mails.EmailToSend, failed error) (workflows.EmailResult, error) {
	// The e-mail was sent: that is recorded even when the worker is stopping.
	ctx = context.WithoutCancel(ctx)
	if failed == nil {
		err := a.Store.Mails.RecordEmailSent(ctx, email.ID)
		return workflows.EmailResult{Status: string(mails.EmailSent)}, a.fail(ctx, email.ID, err)
	}
	problem, summary := mail.Problem(failed), mail.Summary(failed)
	if !mail.Temporary(failed) {
		return a.giveUp(ctx, email.ID, problem, fact.EmailGivenUpAtOnce.With("why", summary))
	}
	wait, more := mail.Pause(email.Attempts + 1)
	if !more {
		return a.giveUp(ctx, email.ID, problem, fact.GivenUp.With("window", mail.Window, "why", summary))
	}
	if err := a.Store.Mails.RecordEmailProblem(ctx, email.ID, problem, wait); err != nil {
		return workflows.EmailResult{}, a.fail(ctx, email.ID, err)
	}
	return workflows.EmailResult{}, RetryAfter("email_attempt_failed", summary.English(), wait)
}

func (a *Emails) giveUp(ctx context.Context, id string, problem, reason fact.Fact) (workflows.EmailResult, error) {
	if err := a.Store.Mails.FailEmail(ctx, id, problem, reason); err != nil {
		return workflows.EmailResult{}, a.fail(ctx, id, err)
	}
	a.Logger.WarnContext(ctx, "an e-mail was given up", "email_id", id, "reason", reason)
	return workflows.EmailResult{}, givenUp(workflows.EmailGivenUp, reason)
}

// unconfigured waits for an operator; no attempt is made, and none counts.
func (a *Emails) unconfigured(ctx context.Context, id string) error {
	problem := fact.EmailWithoutServer.Fact()
	wait := missingSetting.After(attempt(ctx))
	if err := a.Store.Mails.DelayEmail(ctx, id, problem, wait); err != nil {
		return a.fail(ctx, id, err)
	}
	a.Logger.WarnContext(ctx, "an e-mail waits", "email_id", id, "reason", problem)
	return RetryAfter("smtp_not_configured", problem.English(), wait)
}

// documentAway waits for the archive; no attempt is made, and none counts.
func (a *Emails) documentAway(ctx context.Context, id string) error {
	problem := fact.EmailDocumentAway.Fact()
	wait := missingSetting.After(attempt(ctx))
	if err := a.Store.Mails.DelayEmail(ctx, id, problem, wait); err != nil {
		return a.fail(ctx, id, err)
	}
	return RetryAfter("archive_away", problem.English(), wait)
}

func (a *Emails) fail(ctx context.Context, id string, err error) error {
	return RetrySoon(ctx, a.Logger.With("email_id", id), err)
}
