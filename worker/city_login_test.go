package worker_test

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/cityserver"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/test/harness"
	"emissor/test/simulators/fiorilli"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/simulatortest"
	"emissor/test/testkit"
	"emissor/worker"
)

// A city's server may want a user and a password, and repeat them in its faults. While the company has given none, or
// some that do not open here, nothing is sent and the note waits; then it is issued, once, and the password is in no
// row, no history and no log.
func TestCityLogin(t *testing.T) {
	t.Parallel()
	const password = "s3nha-da-prefeitura"
	played, err := fiorilli.Start(fiorilli.Options{Behaviour: fiorilli.Behaviour{Password: password},
		Options: sefin.Options{Registry: sefin.Registry{PostalCodeOf: func(string, string) bool { return true },
			ISSRate: int64(nfse.MaxRate)}}})
	played = simulatortest.Started(t, played, err)
	content, err := harness.CityTable(map[string]string{"arealva": played.URL()}, map[string]string{
		"not-found": "empty", "grace-period": "2s", "send-timeout": "2s", "ask-timeout": "2s", "rate": "100"})
	if err != nil {
		t.Fatal(err)
	}
	table, err := cities.Parse(content, cityrules.Quirks())
	if err != nil {
		t.Fatal(err)
	}
	logs, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	city, err := cityserver.New("arealva", &table, cityserver.Options{Software: "emissor-test",
		Transport: mtls.Options{ServerRoots: played.Roots()}, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	n := nationally{authority: played.Simulator, System: testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: city, Rate: 1000}}})}
	profile := nfse.FiscalProfile{OrganizationID: n.Organization.ID, Authority: "arealva", TaxID: testkit.Issuer,
		MunicipalityCode: "3503406", MunicipalRegistration: new("998877"), Simples: nfse.SimplesNone, Series: 1,
		ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, Municipal: 290}}
	n.SetProfile(t, profile)
	n.newCertificate(t)
	n.service = n.Call(t, http.MethodPost, "/v1/services", n.LiveKey, testkit.Body{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3503406",
		"default_amount_cents": 15000, "national_tax_code": "01.07.01", "iss_rate": 2,
	}).Expect(t, http.StatusCreated).Text("id")
	give := func(text string) {
		_, err := company.SetCityLogin(t.Context(), n.Changes(), n.Sealer, profile,
			fiscal.Login{User: "clinica", Password: text})
		if err != nil {
			t.Fatal(err)
		}
	}
	asked := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "order-1"))
	testkit.Eventually(t, "it is asked without a login", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_sequences`) == 1
	})
	give(password)
	n.Exec(t, `UPDATE city_logins SET sealed = decode('00', 'hex')`)
	closed := n.Issue(t, n.LiveKey, testkit.Issuance(n.service, "order-2"))
	testkit.Eventually(t, "it is held", func() bool {
		return n.Count(t, `SELECT count(*) FROM notes WHERE id = $1 AND held_reason::text LIKE
			'%city_login_does_not_open%'`, closed) == 1
	})
	if len(played.Ledger()) != 0 || len(played.Posts()) != 0 {
		t.Fatalf("it was sent: %+v", played.Posts())
	}
	give(password)
	for _, one := range []string{asked, closed} {
		n.Await(t, n.LiveKey, one, nfse.StatusIssued)
	}
	if len(played.Ledger()) != 2 {
		t.Errorf("issued are %+v", played.Ledger())
	}
	if strings.Contains(n.Text(t, `SELECT database_to_xml(true, false, '')`), password) {
		t.Error("a row has the password")
	}
	var bodies [][]byte
	if err := n.SQL.Select(&bodies, `SELECT body FROM fiscal_calls WHERE body IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	for _, body := range bodies {
		kept := string(n.Unpack(t, body))
		if !strings.Contains(kept, "Acesso negado") || strings.Contains(kept, password) {
			t.Errorf("an answer is kept as %s", kept)
		}
	}
	// A wake-up that comes when a note's run has just ended starts another under its id.
	workflowIDs := map[string]bool{}
	for _, run := range testkit.EngineRuns(t, n.Temporal, n.Queues.Notes()) {
		workflowIDs[run.GetExecution().GetWorkflowId()] = true
		if strings.Contains(strings.Join(testkit.EngineTexts(t, n.Temporal, run), "\n"), password) {
			t.Errorf("a history has the password: %s", run.GetExecution().GetWorkflowId())
		}
	}
	logged, err := os.ReadFile(logs.Name())
	if err != nil || len(workflowIDs) != 2 || len(logged) == 0 || strings.Contains(string(logged), password) {
		t.Errorf("the workflows are %v, or a log has the password: %v %s", workflowIDs, err, logged)
	}
}
