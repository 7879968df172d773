package dashboard_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"emissor/dashboard/frame"
	"emissor/nfse"
)

// Who answers in words sees the codes before they are saved; a code that is typed counts more than the card
// before it, what was typed stays when something is refused, and a service opens as it is on record.
func TestClassification_ByCards(t *testing.T) {
	t.Parallel()
	for name, suggests := range map[string]bool{"with Annex VIII": true, "without it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(o *frame.Options) {
				if suggests {
					o.Tables = suggesting(t)
				}
			})
			editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
			created := serviceForm()
			created.Set("national_tax_code", "040101")
			created.Set("name", "Serviços domésticos")
			editor.post(t, s.at("/catalogue/services"), created).expect(t, http.StatusSeeOther)
			address := s.at("/catalogue/services/" + s.Text(t, `SELECT id FROM services`) + "/classification")
			fresh := editor.get(t, address).expect(t, http.StatusOK, "Que serviço é?", "Onde ele é prestado?",
				"Para quem?", "Ver os códigos", "domicílio principal do adquirente", "tributação integral")
			if strings.Contains(fresh.body, "checked") || strings.Contains(fresh.body, "<details open") {
				t.Error("something is chosen before anybody chose it")
			}
			if strings.Contains(fresh.body, `value="000002"`) {
				t.Error("a code is offered that is not for NFS-e")
			}
			cards := form("card-nbs", usualNBS, "card-cindop", usualIndOp, "card-cclasstrib", usualClassTrib,
				"version", fresh.version(t))
			if !suggests {
				found := editor.post(t, address, form("find", "nbs", "words", "domésticos", "card-cindop", usualIndOp,
					"version", fresh.version(t))).expect(t, http.StatusOK, "Serviços domésticos", `value="126050000"`)
				if !strings.Contains(found.body, checkedCard("cindop", usualIndOp)) {
					t.Error("the search forgets what was chosen")
				}
			}
			seen := editor.post(t, address, cards).expect(t, http.StatusOK, "confira e salve", "<details open",
				`name="nbs" type="text" value="`+usualNBS, `name="cst" type="text" value="000"`)
			if s.Count(t, `SELECT count(*) FROM service_classifications`) != 0 {
				t.Fatal("codes that nobody has seen were saved")
			}
			again := form("version", seen.version(t), "indfinal", "false", "cst", "000")
			for part, code := range map[string]string{"nbs": usualNBS, "cindop": usualIndOp, "cclasstrib": usualClassTrib} {
				again.Set(part, code)
				again.Set("shown-"+part, code)
				again.Set("card-"+part, code)
			}
			typed := maps.Clone(again)
			typed.Set("cindop", "999999") // beside the card that was chosen before
			refused := editor.post(t, address, typed).expect(t, http.StatusUnprocessableEntity, `value="999999"`,
				`href="#cindop"`)
			if !strings.Contains(refused.body, `name="indfinal" value="false" checked`) {
				t.Error("what was chosen is lost when something is refused")
			}
			other := maps.Clone(again)
			other.Set("card-cclasstrib", "200029") // another card, and the code as it was
			warned := editor.post(t, address, other).expect(t, http.StatusOK, "confira e salve", `value="200029"`)
			if strings.Contains(warned.body, "não traz estes códigos juntos") != suggests {
				t.Errorf("it is warned of what Annex VIII does not have: %v", !suggests)
			}
			editor.post(t, address, again).expect(t, http.StatusSeeOther)
			stored := editor.get(t, address).expect(t, http.StatusOK, "Classificação salva.", "<details open",
				`name="indfinal" value="false" checked`)
			for part, code := range map[string]string{"nbs": usualNBS, "cindop": usualIndOp, "cclasstrib": usualClassTrib} {
				if !strings.Contains(stored.body, checkedCard(part, code)) {
					t.Errorf("what is on record of %s is not chosen", part)
				}
			}
		})
	}
}

func checkedCard(part, code string) string {
	return fmt.Sprintf(`name="card-%s" value="%s" checked`, part, code)
}
