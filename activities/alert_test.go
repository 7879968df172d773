package activities

import (
	"reflect"
	"testing"
	"time"

	"emissor/internal/mail"
	"emissor/nfse"
	"emissor/store/operate"
)

// An e-mail says the alerts of each kind together, each with its page: a certificate's day as it is in Brazil, of an
// endpoint the host alone, as the rest of its address may be secret, and of what is not listed how much there is.
func TestAlertMessage(t *testing.T) {
	emails := Emails{DashboardURL: "https://painel.example/"}
	expires := nfse.Timestamp{Time: time.Date(2027, 1, 1, 1, 0, 0, 0, time.UTC)}
	message := emails.alertMessage(operate.AlertMail{OrganizationID: "org_1", Alerts: []operate.AlertToTell{
		{Kind: operate.AlertCertificate, SubjectID: "crt_1", Count: 1, What: "CLINICA CONCEIÇÃO", NotAfter: &expires},
		{Kind: operate.AlertEndpoint, SubjectID: "whe_1", Count: 3, What: "https://user:key@erp.example/hook/s3cret?t=1"},
		{Kind: operate.AlertEndpoint, SubjectID: "whe_2", Count: 3, What: "https://outro.example/"},
	}})
	const company, endpoints = "https://painel.example/company", "https://painel.example/integrations/endpoints/"
	const scope = "?env=live&org=org_1"
	line := func(portuguese, english, page string) mail.AlertLine {
		return mail.AlertLine{Portuguese: portuguese, English: english, URL: page + scope}
	}
	expected := []mail.AlertSection{
		{Portuguese: "Certificados que vencem: 1", English: "Certificates that expire: 1", Lines: []mail.AlertLine{
			line("CLINICA CONCEIÇÃO, vence em 31/12/2026", "CLINICA CONCEIÇÃO, expires on 31 December 2026", company)}},
		{Portuguese: "Webhooks desativados: 3", English: "Disabled webhooks: 3", More: 1, Lines: []mail.AlertLine{
			line("erp.example", "erp.example", endpoints+"whe_1"),
			line("outro.example", "outro.example", endpoints+"whe_2")}},
	}
	if !reflect.DeepEqual(message.Sections, expected) {
		t.Errorf("the sections are %+v", message.Sections)
	}
}
