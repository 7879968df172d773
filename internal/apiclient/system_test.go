package apiclient_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"testing"

	"emissor/internal/apiclient"
	"emissor/nfse"
	"emissor/test/testkit"
)

// One note's life, and what is refused, against a running system.
func TestClient_AgainstTheSystem(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{Worker: true})
	client := clientOf(t, system.URL, system.TestKey)
	ctx := t.Context()
	must(t, client.Health(ctx))

	rate := nfse.Rate(250)
	service, err := client.CreateService(ctx, apiclient.NewService{Name: "Suporte técnico",
		Description: "Suporte técnico em informática", MunicipalityCode: "3550308", DefaultAmountCents: 15000,
		NationalTaxCode: new("01.07.01"), ISSRate: &rate})
	must(t, err)
	if read, err := client.Service(ctx, service.ID); err != nil || *read.ISSRate != rate ||
		*read.NationalTaxCode != "010701" {
		t.Errorf("the service is %+v, %v", read, err)
	}
	customer, err := client.SaveCustomer(ctx, apiclient.CustomerRecord{
		Document: "529.982.247-25", Name: "Maria da Silva",
		Address: &apiclient.Address{ZipCode: new("01310-100"), Street: new("Avenida Paulista"), Number: new("1000"),
			District: new("Bela Vista")}})
	must(t, err)
	if again, err := client.SaveCustomer(ctx, json.RawMessage(`{"document":"52998224725","name":"Maria"}`)); err != nil ||
		again.ID != customer.ID || again.Name != "Maria" || !again.FiscalDataComplete {
		t.Errorf("the customer is %+v, %v", again, err)
	}
	if read, err := client.Customer(ctx, customer.ID); err != nil || read.Name != "Maria" {
		t.Errorf("the customer is %+v, %v", read, err)
	}

	issuance := apiclient.Issuance{Reference: "pedido 1", ServiceID: service.ID, AmountCents: 100,
		CustomerID: customer.ID}
	accepted, err := client.Issue(ctx, issuance)
	must(t, err)
	if again, err := client.Issue(ctx, issuance); err != nil || again.ID != accepted.ID || !again.Idempotent {
		t.Errorf("again it is %+v, %v", again, err)
	}
	issuance.AmountCents = 200
	if _, err := client.Issue(ctx, issuance); !apiclient.IsCode(err, nfse.CodeIdempotencyConflict) {
		t.Errorf("%v", err)
	}
	note, err := client.Wait(ctx, accepted.ID)
	must(t, err)
	document, err := client.XML(ctx, note.ID)
	if note.Status != nfse.StatusIssued || err != nil || !bytes.HasPrefix(document, []byte("<")) {
		t.Errorf("it ends %s, with %d bytes, %v", note.Status, len(document), err)
	}
	_, err = client.CancelNote(ctx, note.ID, apiclient.Cancel{ReasonCode: "2", ReasonText: "O serviço não foi prestado."})
	must(t, err)
	if note, err = client.WaitSettled(ctx, note.ID); err != nil || note.Status != nfse.StatusCancelled {
		t.Errorf("it ends %s, %v", note.Status, err)
	}

	issuance.Reference, issuance.Scenario = "pedido 2", nfse.ScenarioRejected
	accepted, err = client.Issue(ctx, issuance)
	must(t, err)
	if note, err = client.Wait(ctx, accepted.ID); err != nil || note.Status != nfse.StatusRejected {
		t.Errorf("it ends %s, %v", note.Status, err)
	}
	first, err := client.Notes(ctx, apiclient.Page{Limit: 1})
	if err != nil || len(first.Data) != 1 || first.NextCursor == nil || first.Data[0].Reference != "pedido 2" {
		t.Fatalf("the first page is %+v, %v", first, err)
	}
	second, err := client.Notes(ctx, apiclient.Page{Limit: 1, StartingAfter: *first.NextCursor})
	if err != nil || len(second.Data) != 1 || second.NextCursor != nil || second.Data[0].Reference != "pedido 1" {
		t.Errorf("the second page is %+v, %v", second, err)
	}
	if _, err := client.Note(ctx, "nfse_x"); !apiclient.IsCode(err, nfse.CodeNoteNotFound) {
		t.Errorf("%v", err)
	}
	other := clientOf(t, system.URL, nfse.NewAPIKeyText(false))
	if _, err := other.Services(ctx, apiclient.Page{}); !apiclient.IsCode(err, nfse.CodeInvalidAPIKey) {
		t.Errorf("%v", err)
	}
}

// losing carries requests to the system, and loses the first answer.
type losing struct{ lost int }

func (l *losing) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil && l.lost == 0 {
		l.lost++
		return nil, errors.Join(errors.New("the answer was lost"), response.Body.Close())
	}
	return response, err
}

// An answer that is lost costs no second note, and makes no second service.
func TestClient_LostAnswers(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{})
	base, err := url.Parse(system.URL)
	must(t, err)
	losingClient := func() *apiclient.Client {
		return apiclient.NewClient(apiclient.NewConnection(base, system.TestKey,
			apiclient.Options{Transport: &losing{}}))
	}
	_, err = losingClient().CreateService(t.Context(), apiclient.NewService{Name: "Aula", Description: "Aula de piano",
		MunicipalityCode: "3550308", DefaultAmountCents: 9000})
	if err == nil || system.Count(t, `SELECT count(*) FROM services`) != 1 {
		t.Errorf("%v, and %d services", err, system.Count(t, `SELECT count(*) FROM services`))
	}
	accepted, err := losingClient().Issue(t.Context(), apiclient.Issuance{Reference: "pedido 1", AmountCents: 100,
		ServiceID: system.Text(t, `SELECT id FROM services`), Customer: &apiclient.InlineCustomer{
			Document: "529.982.247-25", Name: "Maria da Silva", Address: apiclient.Address{ZipCode: new("01310-100"),
				Street: new("Avenida Paulista"), Number: new("1000"), District: new("Bela Vista")}}})
	if err != nil || !accepted.Idempotent || system.Count(t, `SELECT count(*) FROM notes`) != 1 {
		t.Errorf("%+v, %v, and %d notes", accepted, err, system.Count(t, `SELECT count(*) FROM notes`))
	}
}

func clientOf(t *testing.T, address, key string) *apiclient.Client {
	t.Helper()
	base, err := url.Parse(address)
	must(t, err)
	return apiclient.NewClient(apiclient.NewConnection(base, key, apiclient.Options{}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
