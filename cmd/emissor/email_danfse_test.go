package main

import (
	"strings"
	"testing"

	"emissor/store/mails"
	"emissor/test/testkit"
)

// The worker sends the printed form beside the XML, unless it is told not to.
func TestEmail_CarriesDANFSe(t *testing.T) {
	t.Parallel()
	for setting, attached := range map[string]bool{"": true, "true": true, "false": false} {
		t.Run("EMISSOR_EMAIL_DANFSE="+setting, func(t *testing.T) {
			database, box := testkit.NewDatabase(t), testkit.NewMailbox(t)
			issueLive(t, database, bookkept(t, database), "order")
			database.Exec(t, `UPDATE customers SET email = 'maria@example.com'`)
			s := settingsOf(database).withMail(box).with("EMISSOR_EMAIL_DANFSE", setting)
			skipped := printed[[]mails.Email](t, s, "email", "list", "--status", "skipped")
			succeeds(t, s, "email", "retry", skipped[0].ID)
			start(t, s, "serve")
			testkit.Eventually(t, "the customer gets the e-mail", func() bool { return len(box.Received()) > 0 })
			message := box.Received()[0]
			if !strings.Contains(message, "application/xml") ||
				strings.Contains(message, "application/pdf") != attached {
				t.Errorf("the customer got\n%s", message)
			}
		})
	}
}

// A logo that is none stops the start, not the e-mails.
func TestEmail_WrongLogo(t *testing.T) {
	t.Parallel()
	s := settingsOf(testkit.NewDatabase(t)).with("EMISSOR_DANFSE_LOGO", write(t, "logo.svg", []byte("<svg/>")))
	if result := execute(t, s, "serve"); result.code != 1 || !strings.Contains(result.stderr,
		"EMISSOR_DANFSE_LOGO: the logo is neither PNG nor JPEG") {
		t.Errorf("it ended with %d\n%s", result.code, result.stderr)
	}
}
