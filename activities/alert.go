package activities

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"emissor/fiscal/authorities"
	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/mails"
	"emissor/store/operate"
	"emissor/workflows"
)

// isAlert reports whether an e-mail is one with alerts, and not one to a customer.
func isAlert(id string) bool { return strings.HasPrefix(id, string(nfse.PrefixAlertMail)) }

// DelayEmail returns what records in an e-mail of either kind that an attempt failed on our side.
func DelayEmail(records *store.Store) func(context.Context, string, fact.Fact, time.Duration) error {
	return func(ctx context.Context, id string, problem fact.Fact, wait time.Duration) error {
		if isAlert(id) {
			return records.Operate.RecordAlertMailProblem(ctx, id, problem, 0, wait)
		}
		return records.Mails.DelayEmail(ctx, id, problem, wait)
	}
}

// sendAlert makes one attempt at an e-mail with alerts, as SendEmail does at one to a customer.
func (a *Emails) sendAlert(ctx context.Context, id string) (workflows.EmailResult, error) {
	alert, err := a.Store.Operate.AlertMail(ctx, id)
	switch {
	case err != nil:
		return workflows.EmailResult{}, a.fail(ctx, id, err)
	case alert.Status != mails.EmailPending:
		return workflows.EmailResult{Status: string(alert.Status)}, nil
	case len(alert.Alerts) == 0: // nobody is to be told any more
		err := a.Store.Operate.FailAlertMail(ctx, id, fact.AlertsUnwanted.Fact())
		return workflows.EmailResult{Status: string(mails.EmailSkipped)}, a.fail(ctx, id, err)
	case a.Sender == nil && !alert.Posted():
		wait := missingSetting.After(attempt(ctx))
		problem := fact.EmailWithoutServer.Fact()
		if err := a.Store.Operate.RecordAlertMailProblem(ctx, id, problem, 0, wait); err != nil {
			return workflows.EmailResult{}, a.fail(ctx, id, err)
		}
		return workflows.EmailResult{}, RetryAfter("smtp_not_configured", problem.English(), wait)
	case !a.Slots.take(alert.OrganizationID):
		return workflows.EmailResult{}, RetryAfter("connections_taken",
			"other e-mails of the organization have the connections that it may have", busyTarget.After(attempt(ctx)))
	}
	defer a.Slots.free(alert.OrganizationID)
	if alert.Posted() {
		return a.postAlarms(ctx, alert)
	}
	if err := a.Sender.SendAlert(ctx, a.alertMessage(alert)); err != nil {
		return a.alertNotSent(ctx, alert, mail.Problem(err), mail.Summary(err), !mail.Temporary(err))
	}
	return a.alertSent(ctx, alert)
}

// alertTitles say what the alerts of a kind are of; %d is their number.
var alertTitles = map[operate.AlertKind][2]string{
	operate.AlertCertificate: {"Certificados que vencem: %d", "Certificates that expire: %d"},
	operate.AlertHeld:        {"Notas aguardando uma pessoa: %d", "Invoices waiting for a person: %d"},
	operate.AlertEndpoint:    {"Webhooks desativados: %d", "Disabled webhooks: %d"},
	operate.AlertRejection:   {"Notas rejeitadas: %d", "Rejected invoices: %d"},
	operate.AlertAlarm:       {"Alarmes da instalação: %d", "Alarms of the installation: %d"},
}

func (a *Emails) alertMessage(alert operate.AlertMail) mail.AlertMessage {
	message := mail.AlertMessage{ID: alert.ID, Date: alert.CreatedAt.Time, To: alert.Address,
		Organization: alert.Organization, SettingsURL: a.page("/alerts", alert.OrganizationID)}
	var kind operate.AlertKind
	for _, one := range alert.Alerts {
		if one.Kind != kind {
			kind = one.Kind
			message.Sections = append(message.Sections, mail.AlertSection{
				Portuguese: fmt.Sprintf(alertTitles[kind][0], one.Count),
				English:    fmt.Sprintf(alertTitles[kind][1], one.Count), More: one.Count})
		}
		section := &message.Sections[len(message.Sections)-1]
		section.Lines = append(section.Lines, a.alertLine(alert.OrganizationID, one))
		section.More--
	}
	return message
}

// alertLine says one alert, with the address of its page.
func (a *Emails) alertLine(organizationID string, one operate.AlertToTell) mail.AlertLine {
	line := mail.AlertLine{Portuguese: one.What, English: one.What}
	switch one.Kind {
	case operate.AlertHeld, operate.AlertRejection:
		line.URL = a.page("/notes/"+one.SubjectID, organizationID)
	case operate.AlertCertificate:
		line.URL = a.page("/company", organizationID)
		if one.NotAfter != nil {
			until := one.NotAfter.In(brasilia)
			line.Portuguese += ", vence em " + until.Format("02/01/2006")
			line.English += ", expires on " + until.Format("2 January 2006")
		}
	case operate.AlertEndpoint:
		host := one.What
		if parsed, err := url.Parse(one.What); err == nil { // the rest may be secret
			host = parsed.Host
		}
		line = mail.AlertLine{Portuguese: host, English: host,
			URL: a.page("/integrations/endpoints/"+one.SubjectID, organizationID)}
	case operate.AlertAlarm:
		line = alarmLine(one.SubjectID)
		line.URL = a.page("/operations", "")
	}
	if !one.Reason.None() {
		line.Portuguese += ": " + one.Reason.Portuguese()
		line.English += ": " + one.Reason.English()
	}
	return line
}

// alarmLine says an alarm by its subject: the outbox, an authority, or else a loop.
func alarmLine(subject string) mail.AlertLine {
	if subject == "outbox" {
		return mail.AlertLine{Portuguese: "A fila de processamento está parada", English: "The processing queue is stalled"}
	}
	if by, known := authorities.Named(subject); known {
		return mail.AlertLine{Portuguese: by.Portuguese + ": a maioria das chamadas ficou sem resposta",
			English: by.English + ": most calls were not answered"}
	}
	return mail.AlertLine{Portuguese: "Linhas que falham repetidamente: " + strconv.Quote(subject),
		English: "Rows that fail again and again: " + strconv.Quote(subject)}
}

// brasilia is the time zone of readers, which has had no summer time since 2019.
var brasilia = time.FixedZone("BRT", -3*60*60)

// page is the address of a page of the dashboard in the live environment; empty where its address is
// not known.
func (a *Emails) page(path, organizationID string) string {
	if a.DashboardURL == "" {
		return ""
	}
	address := strings.TrimSuffix(a.DashboardURL, "/") + path
	if organizationID == "" {
		return address
	}
	return address + "?" + url.Values{"org": {organizationID}, "env": {nfse.Environment(true)}}.Encode()
}
