package dashboard_test

import (
	"testing"

	"emissor/nfse"
)

// developerJobs are of who integrates.
var developerJobs = []job{
	{"make a key", nfse.RoleDeveloper, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/integrations?"]`)
		c.tap(t, `details.new > summary`)
		c.do(t, typed(`#label`, "Loja virtual"))
		c.press(t, `form[action*="/integrations/keys?"] button.primary`)
		c.shows(t, "Aparece só agora")
	}},
	{"the request of an error", nfse.RoleDeveloper, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/integrations/requests"]`)
		c.press(t, `form.filter a.button`) // with errors only
		c.press(t, `a.row[href*="`+c.refusedRequest+`"]`)
		c.shows(t, "amount_cents")
		c.shows(t, "invalid_request")
	}},
	{"the payload of a delivery", nfse.RoleDeveloper, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/integrations?"]`)
		c.press(t, `nav.links a[href^="/integrations/deliveries"]`)
		c.press(t, `a.row[href*="`+c.delivered+`"]`)
		c.shows(t, "Conteúdo enviado")
		c.shows(t, `"type": "nfse.`)
	}},
	{"send a test event", nfse.RoleDeveloper, 3, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/integrations?"]`)
		c.press(t, `a.row[href*="`+c.endpoint+`"]`)
		c.press(t, `form[action*="/test?"] button`)
		c.shows(t, "A chamada de teste")
	}},
	{"send failed deliveries again", nfse.RoleDeveloper, 3, func(t *testing.T, c *clicker) {
		c.Exec(t, `UPDATE deliveries SET status = 'failed', resolved_at = now() WHERE id = $1`, c.delivered)
		c.press(t, `nav a[href^="/integrations?"]`)
		c.press(t, `a.row[href*="`+c.endpoint+`"]`)
		c.press(t, `form[action*="/retry?"] button`)
		c.shows(t, "1 entrega a caminho outra vez")
	}},
	{"a note by its reference", nfse.RoleDeveloper, 2, func(t *testing.T, c *clicker) {
		c.press(t, `nav a[href^="/notes"]`)
		c.do(t, typed(`#q`, "pedido-emitido"))
		c.press(t, `form.filter > button.primary`)
		c.shows(t, c.issuedNumber(t))
	}},
}

// issuedNumber is how the list names the note that was issued.
func (c *clicker) issuedNumber(t *testing.T) string {
	t.Helper()
	return "nº " + c.Text(t, `SELECT authority_number FROM notes WHERE id = $1`, c.issued)
}
