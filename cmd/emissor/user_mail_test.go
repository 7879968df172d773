package main

import (
	"strconv"
	"strings"
	"testing"

	"emissor/internal/testkit"
)

// Where there is a mail server a link is mailed as well as printed; a mail server that
// fails costs no link.
func TestUserCommand_MailsLinks(t *testing.T) {
	database, box := testkit.NewDatabase(t), testkit.NewMailbox(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := settingsOf(database).withDashboard().
		with("EMISSOR_SMTP_HOST", "127.0.0.1").with("EMISSOR_SMTP_PORT", strconv.Itoa(box.Port)).
		with("EMISSOR_SMTP_FROM", "notas@emissor.example").with("EMISSOR_SMTP_TLS", "none")
	link := printed[printedLink](t, s, "user", "invite", "ana@example.com", "--organization", organization.ID)
	if mails := box.Received(); !link.Mailed || link.MailProblem != nil || len(mails) != 1 ||
		!strings.Contains(strings.ReplaceAll(mails[0], "=\r\n", ""), link.URL) {
		t.Errorf("the link is %+v, mailed is %v", link, mails)
	}
	printed := succeeds(t, s, "user", "link", "ana@example.com")
	if !strings.Contains(printed, "It was mailed there.") || len(box.Received()) != 2 {
		t.Errorf("the command says %s", printed)
	}
	printed = succeeds(t, s.with("EMISSOR_SMTP_PORT", "1"), "user", "link", "ana@example.com")
	if !strings.Contains(printed, dashboardURL+"/link/") || !strings.Contains(printed, "could NOT be mailed") {
		t.Errorf("the command says %s", printed)
	}
	without := settingsOf(database).withDashboard()
	if printed := succeeds(t, without, "user", "link", "ana@example.com"); strings.Contains(printed, "mailed") {
		t.Errorf("without a mail server the command says %s", printed)
	}
	fails(t, s.with("EMISSOR_SMTP_FROM", ""), "EMISSOR_SMTP", "user", "link", "ana@example.com")
	if links := database.Count(t, `SELECT count(*) FROM links`); links != 4 {
		t.Errorf("%d links were made", links)
	}
}
