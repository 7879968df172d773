package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/test/testkit"
)

// works is a service of item 7.02, which needs a construction work.
func (n nationally) works(t *testing.T) string {
	t.Helper()
	return n.Call(t, http.MethodPost, "/v1/services", n.LiveKey, testkit.Body{
		"name": "Obra", "description": "Execução de obra", "municipality_code": "3304557",
		"default_amount_cents": 15000, "national_tax_code": "07.02.01",
	}).Expect(t, http.StatusCreated).Text("id")
}

func (n nationally) live() nfse.Scope {
	return nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
}

// work puts a work into the register.
func (n nationally) work(t *testing.T, registration string) string {
	t.Helper()
	added, err := catalogues.Works.Add(t.Context(), n.Changes().Catalogues, n.live(), nfse.Work{Name: "Casa",
		Registration:     registration,
		MunicipalityCode: "3304557"})
	if err != nil {
		t.Fatal(err)
	}
	return added.ID
}

// A service that needs a work is held until one is named, and is issued with it: that of the
// service, or of the customer. One that is closed holds the notes that come after.
func TestWorks_National(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	service := n.works(t)
	tax := func(taxation nfse.ServiceTaxation) {
		t.Helper()
		if err := n.Changes().Catalogues.TaxService(t.Context(), n.live(), service, taxation, ""); err != nil {
			t.Fatal(err)
		}
	}
	issued := func(id, registration string) {
		t.Helper()
		n.Await(t, n.LiveKey, id, nfse.StatusIssued)
		if document := string(n.xml(t, id)); !strings.Contains(document, "<cObra>"+registration+"</cObra>") {
			t.Errorf("the document has not the work %s:\n%s", registration, document)
		}
	}
	first := n.Issue(t, n.LiveKey, testkit.Issuance(service, "first"))
	n.awaitHeld(t, "E0370")
	work := n.work(t, "900012345678")
	tax(nfse.ServiceTaxation{WorkID: work})
	issued(first, "900012345678")

	of := n.work(t, "115830024985")
	customer := n.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, first)
	ofCustomer := func(taxation nfse.CustomerTaxation) {
		t.Helper()
		if err := n.Changes().Catalogues.TaxCustomer(t.Context(), n.live(), customer, taxation, ""); err != nil {
			t.Fatal(err)
		}
	}
	ofCustomer(nfse.CustomerTaxation{WorkID: of})
	issued(n.Issue(t, n.LiveKey, testkit.Issuance(service, "second")), "115830024985")

	if err := catalogues.Works.Close(t.Context(), n.Changes().Catalogues, n.live(), of); err != nil {
		t.Fatal(err)
	}
	third := n.Issue(t, n.LiveKey, testkit.Issuance(service, "third"))
	n.awaitHeld(t, of+", which is set for the customer or the service, is closed")
	ofCustomer(nfse.CustomerTaxation{})
	issued(third, "900012345678")
}
