package worker_test

import (
	"net/http"
	"testing"

	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/cityserver"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/nfse"
	"emissor/test/harness"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
)

// A city whose server speaks as SEFIN does issues and cancels once, though every first answer is lost: one of each
// supplier, by its row of the table, turned on at the address of a simulator. What became of a cancellation in
// Americana only a person learns: its answer is not lost here.
func TestClones_LostAnswers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"caxias-do-sul", "santana-de-parnaiba", "barretos", "americana"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, played := newClone(t, name)
			n.faults(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, After: true, Next: 1})
			id := n.issue(t)
			note := n.Await(t, n.LiveKey, id, nfse.StatusIssued)
			ledger := n.authority.Ledger()
			if len(ledger) != 1 || note.Text("authority", "access_key") != ledger[0].AccessKey ||
				ledger[0].Municipality != played.Municipality || len(n.authority.Posts()) != 1 {
				t.Fatalf("the ledger has %+v, the note is %s", ledger, note.Raw)
			}
			if played.Clone == sefin.CloneSEFIN {
				n.faults(t, sefin.Fault{Kind: sefin.Drop, Scope: sefin.Cancel, After: true, Next: 1})
			}
			n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
			n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
			if posts := n.authority.Posts(); len(posts) != 2 || !n.authority.Ledger()[0].Cancelled {
				t.Errorf("it was sent %+v", posts)
			}
		})
	}
}

// newClone is a system whose organization issues by a clone, which a simulator plays.
func newClone(t *testing.T, name string) (n nationally, played sefin.City) {
	t.Helper()
	played, err := sefin.CityNamed(name)
	if err != nil {
		t.Fatal(err)
	}
	authority, err := sefin.Start(sefin.Options{Cities: []sefin.City{played}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = authority.Close() })
	content, err := harness.CityTable(map[string]string{name: authority.CityURL(name)}, map[string]string{
		"cancelling": "e101101", "grace-period": "2s", "send-timeout": "2s", "ask-timeout": "2s", "rate": "100"})
	if err != nil {
		t.Fatal(err)
	}
	table, err := cities.Parse(content, cityrules.Quirks())
	if err != nil {
		t.Fatal(err)
	}
	city, err := cityserver.New(name, &table, cityserver.Options{Software: "emissor-test",
		Transport: mtls.Options{ServerRoots: authority.Roots()}, Logger: testkit.Logger(t)})
	if err != nil {
		t.Fatal(err)
	}
	n = nationally{authority: authority, System: testkit.NewSystem(t, testkit.Options{Worker: true,
		Authorities: []worker.Authority{{Authority: city, Rate: 1000}}})}
	n.SetProfile(t, nfse.FiscalProfile{OrganizationID: n.Organization.ID, Authority: name, TaxID: testkit.Issuer,
		MunicipalityCode: played.Municipality, MunicipalRegistration: new("998877"), Simples: nfse.SimplesNone, Series: 1,
		ApproximateTaxes: nfse.ApproximateTaxes{Federal: 1345, Municipal: 290}})
	n.newCertificate(t)
	n.service = n.Call(t, http.MethodPost, "/v1/services", n.LiveKey, testkit.Body{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": played.Municipality,
		"default_amount_cents": 15000, "national_tax_code": "01.07.01", "iss_rate": 2,
	}).Expect(t, http.StatusCreated).Text("id")
	return n, played
}
