package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// Where the service says another rate of ISS than the city has set, form, review, the note's page and the
// closing say which counts, and why.
func TestRates_WhichCounts(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	service := func(rate float64) string {
		return s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{"name": "Consulta",
			"description": "Consulta médica", "municipality_code": "3304557", "default_amount_cents": 10000,
			"national_tax_code": "040101", "iss_rate": rate}).Expect(t, http.StatusCreated).Text("id")
	}
	three, two := service(3), service(2)
	s.Exec(t, `INSERT INTO municipal_service_parameters (authority, production, municipality_code, service_code, service,
			fetched_at)
		SELECT 'national', coalesce((profile ->> 'production')::boolean, false), profile ->> 'municipality_code',
			'04.01.01.000', '{"rates": [{"percent": "5", "from": "2020-01-01", "until": "2020-12-31"},
				{"percent": "2.00", "from": "2021-01-01"}]}', now() FROM fiscal_profiles`)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	const city = "O cadastro do serviço diz ISS de 3 %; o município, 2 %: vale a do município."
	for id, differs := range map[string]bool{three: true, two: false} {
		shown := editor.get(t, s.live("/notes/new")+"&service="+id).expect(t, http.StatusOK)
		sent := withDetails(id, "pedido-"+id, nil)
		sent.Set("amount_cents", "100,00")
		review := editor.post(t, s.live("/notes"), sent).expect(t, http.StatusOK, "R$\u00a02,00")
		for where, body := range map[string]string{"form": shown.body, "review": review.body} {
			if strings.Contains(body, city) != differs {
				t.Errorf("the %s says which rate counts: %t\n%s", where, !differs, body)
			}
		}
	}

	id := s.Call(t, http.MethodPost, "/v1/nfse", s.LiveKey, testkit.Issuance(three, "emitida")).Text("id")
	s.IssuedNationally(t, id)
	s.Exec(t, `UPDATE notes SET authority_totals = '{"iss_cents": 300}' WHERE id = $1`, id)
	s.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, $2)`, id,
		`<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"><infNFSe><valores><vBC>150.00</vBC>`+
			`<pAliqAplic>2.00</pAliqAplic></valores></infNFSe></NFSe>`)
	editor.get(t, s.live("/notes/"+id)).expect(t, http.StatusOK,
		"O cadastro do serviço diz ISS de 3 %; o documento tem 2 %, e é o que vale")
	editor.get(t, s.live("/closing")).expect(t, http.StatusOK, "O ISS é o dos documentos")
}
