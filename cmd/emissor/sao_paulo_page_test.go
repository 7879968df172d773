package main

import (
	"io"
	"mime/quotedprintable"
	"net/http"
	"strings"
	"testing"

	"emissor/test/testkit"
)

// A note of the city has its page, and no DANFSe: the customer gets the XML and the
// address of the page, and not that of the national portal.
func TestEmail_OfSaoPaulo(t *testing.T) {
	t.Parallel()
	c, box := newCityCase(t), testkit.NewMailbox(t)
	c.settings = c.settings.withMail(box)
	c.key = printed[struct{ Key string }](t, c.settings, "key", "create", "--organization", c.organization,
		"--environment", "live", "--email-customer").Key
	program := start(t, c.settings, "serve")
	c.setProfile(t, "--environment", "production")
	c.addCertificate(t)
	service := c.newService(t, program.api, testkit.Body{"municipal_tax_code": "2919", "municipal_taxation": "T",
		"iss_rate": 2.9})
	c.classify(t, service)
	for _, reference := range []string{"without an address", "with one"} {
		id := caller{program.api, c.key}.post(t, "/v1/nfse", testkit.Issuance(service, reference),
			http.StatusAccepted)["id"].(string)
		eventuallyShows(t, c.settings, id, "notaprint.aspx")
		c.database.Exec(t, `UPDATE customers SET email = 'maria@example.com'`)
	}
	testkit.Eventually(t, "the customer gets the e-mail", func() bool { return len(box.Received()) > 0 })
	raw := box.Received()[0]
	decoded, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(raw)))
	must(t, err)
	page := "https://nfe.prefeitura.sp.gov.br/contribuinte/notaprint.aspx?inscricao=31000000&nf=2&verificacao=" +
		c.city.Ledger()[1].VerificationCode
	if text := string(decoded); !strings.Contains(text, "no site da prefeitura que a emitiu: "+page) ||
		strings.Contains(text, "www.nfse.gov.br") || strings.Contains(text, "DANFSe") {
		t.Errorf("the customer got\n%s", text)
	}
	if !strings.Contains(raw, "application/xml") || strings.Contains(raw, "application/pdf") {
		t.Errorf("the customer got\n%s", raw)
	}
}
