package main

import (
	"strings"
	"testing"

	"emissor/cmd/emissor/company"
	"emissor/test/testkit"
)

// Where there is a mail server a link is mailed and not printed; where that fails nobody
// has it, and the command says how to get one.
func TestUserCommand_MailsLinks(t *testing.T) {
	t.Parallel()
	database, box := testkit.NewDatabase(t), testkit.NewMailbox(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := settingsOf(database).withDashboard().
		withMail(box)
	link := printed[company.PrintedLink](t, s, "user", "invite", "ana@example.com", "--organization", organization.ID)
	if mails := box.Received(); !link.Mailed || link.URL != "" || len(mails) != 1 ||
		!strings.Contains(strings.ReplaceAll(mails[0], "=\r\n", ""), dashboardURL+"/link/") {
		t.Errorf("the link is %+v, mailed is %v", link, mails)
	}
	printed := succeeds(t, s, "user", "link", "ana@example.com")
	if !strings.Contains(printed, "A link was mailed to ana@example.com.") || strings.Contains(printed, "/link/") ||
		len(box.Received()) != 2 {
		t.Errorf("the command says %s", printed)
	}
	failed := execute(t, s.with("EMISSOR_SMTP_URL", "smtp://127.0.0.1:1?tls=none"), "user", "link", "ana@example.com")
	if failed.code != 1 || !strings.Contains(failed.stderr, "could not be mailed to ana@example.com") ||
		!strings.Contains(failed.stderr, "with EMISSOR_SMTP_URL empty") ||
		strings.Contains(failed.stdout+failed.stderr, "/link/") {
		t.Errorf("with a mail server that is away the command ends with %+v", failed)
	}
	if mailed := database.Count(t, `SELECT count(*) FROM links WHERE mailed_at IS NOT NULL`); mailed != 3 {
		t.Errorf("%d links are on record as mailed", mailed)
	}
	if printed := succeeds(t, s.with("EMISSOR_SMTP_URL", ""), "user", "link", "ana@example.com"); !strings.Contains(
		printed, dashboardURL+"/link/") || strings.Contains(printed, "mailed") {
		t.Errorf("without a mail server the command says %s", printed)
	}
	fails(t, s.with("EMISSOR_SMTP_FROM", ""), "EMISSOR_SMTP", "user", "link", "ana@example.com")
	if links := database.Count(t, `SELECT count(*) FROM links`); links != 4 {
		t.Errorf("%d links were made", links)
	}
}
