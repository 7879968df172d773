package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/certificate"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
)

// newLiveSite is a site whose live notes a simulator of the national system issues.
func newLiveSite(t *testing.T) *site {
	t.Helper()
	authority, connected := startAuthority(t)
	s := newSiteOf(t, testkit.Options{Worker: true, Authorities: []worker.Authority{connected}}, nil)
	s.NewProfile(t, national.Name)
	pfx, err := authority.NewPFX(sefin.Subject{TaxID: string(testkit.Issuer)}, "secret")
	must(t, err)
	bundle, err := certificate.ReadPFX(pfx, "secret")
	must(t, err)
	s.AddCertificateOf(t, s.Organization.ID, testkit.Issuer, bundle)
	return s
}

// startAuthority starts a simulator of the national system, and connects a worker with it.
func startAuthority(t *testing.T) (*sefin.Simulator, worker.Authority) {
	t.Helper()
	authority, err := sefin.Start(sefin.Options{})
	must(t, err)
	t.Cleanup(func() { _ = authority.Close() })
	authority.SetRegistry(sefin.Registry{ISSRate: 5_00}) // so that what is deducted leaves the least rate
	signers, err := national.ParseSigners("CN=" + sefin.SignerName)
	must(t, err)
	client, err := national.New(national.Options{Software: "emissor-test", GracePeriod: 2 * time.Second,
		Connection: national.Connection{
			DocumentSigners: signers, RestrictedURL: authority.URL(), SignerRoots: authority.SignerRoots(),
			Transport: mtls.Options{ServerRoots: authority.Roots(), Timeout: 3 * time.Second},
			Logger:    testkit.Logger(t),
		},
	})
	must(t, err)
	return authority, worker.Authority{Authority: client, Rate: 1000}
}

// What only the form can give reaches the authority, and is issued: customers abroad too.
func TestIssue_DetailsAreIssued(t *testing.T) {
	t.Parallel()
	s := newLiveSite(t)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	service := s.Call(t, http.MethodPost, "/v1/services", s.LiveKey, testkit.Body{
		"name": "Software", "description": "Desenvolvimento de programa", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "01.07.01",
	}).Expect(t, http.StatusCreated).Text("id")
	live := nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}
	classified := nfse.Classification{NBS: "115013000", CIndOp: "100501", CST: "000", CClassTrib: "000001"}
	s.Exec(t, `INSERT INTO service_classifications (service_id, organization_id, livemode, classification)
		VALUES ($1, $2, true, $3)`, service, live.OrganizationID, string(marshalled(t, classified)))
	foreign := detailed["foreign"].typed
	trade := []string{"abroad_mode", "1", "abroad_currency", "220", "abroad_amount", "2.000,00"}
	notes, ids := s.of("/notes", s.Organization.ID, "live"), map[string]string{}
	cases := map[string]struct {
		typed []string
		xml   []string
	}{
		"discounts": {detailed["discounts"].typed,
			[]string{"<vDescIncond>500.00</vDescIncond><vDescCond>200.00</vDescCond>", "<vLiq>300.00</vLiq>"}},
		"documents": {[]string{"deduction", "documents", "document_1_key", nfeKey, "document_1_kind", "2",
			"document_1_issued", "2026-11-03", "document_1_deductible", "400,00", "document_1_used", "300,00"},
			[]string{"<chNFe>" + nfeKey + "</chNFe><tpDedRed>2</tpDedRed>", "<vBC>700.00</vBC>"}},
		"percent": {detailed["percent"].typed, []string{"<pDR>12.50</pDR>", "<vBC>875.00</vBC>"}},
		"immune":  {detailed["immune"].typed, []string{"<tribISSQN>2</tribISSQN><tpImunidade>3</tpImunidade>"}},
		"suspended": {detailed["suspended"].typed,
			[]string{"<tpSusp>1</tpSusp><nProcesso>000000000000012345620258190001<"}},
		"benefit": {detailed["benefit"].typed,
			[]string{"<nBM>33045570200001</nBM><pRedBCBM>40.00</pRedBCBM>", "<vBC>600.00</vBC>"}},
		"intermediary": {detailed["intermediary"].typed,
			[]string{"<interm><CNPJ>12345678000195</CNPJ>", "<tpRetISSQN>3</tpRetISSQN>"}},
		"abroad, taxed": {append(append([]string{"abroad", "taxed"}, trade...), foreign...),
			[]string{"<toma><NIF>98-7654321</NIF><xNome>Acme &lt;Inc&gt;</xNome>", "<cPais>US</cPais>",
				"<tpMoeda>220</tpMoeda><vServMoeda>2000.00</vServMoeda>", "<tribISSQN>1</tribISSQN>"}},
		"abroad, exported": {append(append([]string{"abroad", "export", "abroad_country", "US"}, trade...), foreign...),
			[]string{"<cPaisPrestacao>US</cPaisPrestacao>", "<tribISSQN>3</tribISSQN>"}},
	}
	for name, one := range cases {
		review := editor.post(t, notes, withDetails(service, "pedido-"+name, one.typed))
		if strings.Contains(review.body, "seria recusada") {
			_, warning, _ := strings.Cut(review.body, "seria recusada")
			t.Errorf("%s: the review warns%s", name, warning[:min(200, len(warning))])
		}
		editor.post(t, notes, review.reviewed(t)).expect(t, http.StatusSeeOther)
		ids[name] = s.Text(t, `SELECT id FROM notes WHERE reference = $1`, "pedido-"+name)
	}
	for name, one := range cases {
		s.Await(t, s.LiveKey, ids[name], nfse.StatusIssued)
		document := s.Call(t, http.MethodGet, "/v1/nfse/"+ids[name]+"/xml", s.LiveKey, nil).Expect(t, http.StatusOK).Raw
		for _, part := range one.xml {
			if !strings.Contains(string(document), part) {
				t.Errorf("%s: the document is without %s:\n%s", name, part, document)
			}
		}
	}
	editor.get(t, s.of("/notes/"+ids["abroad, taxed"], s.Organization.ID, "live")).expect(t, http.StatusOK,
		"Acme &lt;Inc&gt; · 98-7654321")
	if customers := s.Count(t, `SELECT count(*) FROM customers WHERE tax_id LIKE 'EX%'`); customers != 1 {
		t.Errorf("the customer abroad is on record %d times", customers)
	}
}

func marshalled(t *testing.T, value any) []byte {
	t.Helper()
	encoded, err := nfse.Marshal(value)
	must(t, err)
	return encoded
}
