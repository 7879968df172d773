package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"emissor/client"
	"emissor/nfse"
	"emissor/test/testkit"
)

// One note's life, and what is refused, against a running system.
func TestClient_AgainstTheSystem(t *testing.T) {
	t.Parallel()
	system := testkit.NewSystem(t, testkit.Options{Worker: true})
	api := newClient(t, client.Options{URL: system.URL, Key: system.TestKey})
	ctx := t.Context()
	must(t, api.Health(ctx))

	rate := 2.01
	service, err := api.CreateService(ctx, client.CreateService{Name: "Suporte técnico",
		Description: "Suporte técnico em informática", MunicipalityCode: "3550308", DefaultAmountCents: 15000,
		NationalTaxCode: new("01.07.01"), ISSRate: &rate})
	must(t, err)
	if read, err := api.Service(ctx, service.ID); err != nil || *read.ISSRate != rate ||
		*read.NationalTaxCode != "010701" {
		t.Errorf("the service is %+v, %v", read, err)
	}
	changed, err := api.UpdateService(ctx, service.ID, json.RawMessage(`{"default_amount_cents":16000,"iss_rate":null}`))
	if err != nil || changed.DefaultAmountCents != 16000 || changed.ISSRate != nil || changed.Name != service.Name {
		t.Errorf("the service is changed to %+v, %v", changed, err)
	}
	customer, err := api.SaveCustomer(ctx, client.CreateCustomer{
		Document: "529.982.247-25", Name: "Maria da Silva",
		Address: &client.AddressInput{ZipCode: new("01310-100"), Street: new("Avenida Paulista"), Number: new("1000"),
			District: new("Bela Vista")}})
	must(t, err)
	if again, err := api.SaveCustomer(ctx, json.RawMessage(`{"document":"52998224725","name":"Maria"}`)); err != nil ||
		again.ID != customer.ID || again.Name != "Maria" || !again.FiscalDataComplete {
		t.Errorf("the customer is %+v, %v", again, err)
	}
	_, err = api.UpdateCustomer(ctx, customer.ID, client.UpdateCustomer{Name: new("Maria Souza")})
	must(t, err)
	if read, err := api.Customer(ctx, customer.ID); err != nil || read.Name != "Maria Souza" {
		t.Errorf("the customer is %+v, %v", read, err)
	}

	issuance := client.CreateNfse{Reference: "pedido 1", ServiceID: service.ID, AmountCents: 100,
		CustomerID: &customer.ID}
	accepted, err := api.Issue(ctx, issuance)
	must(t, err)
	if again, err := api.Issue(ctx, issuance); err != nil || again.ID != accepted.ID || !again.Idempotent {
		t.Errorf("again it is %+v, %v", again, err)
	}
	issuance.AmountCents = 200
	if _, err := api.Issue(ctx, issuance); !client.IsCode(err, client.ErrorCodeIdempotencyConflict) {
		t.Errorf("%v", err)
	}
	note, err := api.WaitForEnd(ctx, accepted.ID)
	must(t, err)
	document, err := api.XML(ctx, note.ID)
	if note.Status != client.NfseStatusIssued || err != nil || !bytes.HasPrefix(document, []byte("<")) {
		t.Errorf("it ends %s, with %d bytes, %v", note.Status, len(document), err)
	}
	_, err = api.CancelNote(ctx, note.ID, client.CancelNfse{ReasonCode: "2", ReasonText: "O serviço não foi prestado."})
	must(t, err)
	if note, err = api.WaitSettled(ctx, note.ID); err != nil || note.Status != client.NfseStatusCancelled {
		t.Errorf("it ends %s, %v", note.Status, err)
	}

	issuance.Reference, issuance.SandboxScenario = "pedido 2", new(client.SandboxScenarioRejected)
	accepted, err = api.Issue(ctx, issuance)
	must(t, err)
	if note, err = api.WaitForEnd(ctx, accepted.ID); err != nil || note.Status != client.NfseStatusRejected {
		t.Errorf("it ends %s, %v", note.Status, err)
	}
	first, err := api.Notes(ctx, client.Page{Limit: 1})
	if err != nil || len(first.Data) != 1 || first.NextCursor == nil || first.Data[0].Reference != "pedido 2" {
		t.Fatalf("the first page is %+v, %v", first, err)
	}
	second, err := api.Notes(ctx, client.Page{Limit: 1, StartingAfter: *first.NextCursor})
	if err != nil || len(second.Data) != 1 || second.NextCursor != nil || second.Data[0].Reference != "pedido 1" {
		t.Errorf("the second page is %+v, %v", second, err)
	}
	if _, err := api.Note(ctx, "nfse_x"); !client.IsCode(err, client.ErrorCodeNfseNotFound) {
		t.Errorf("%v", err)
	}
	keepsItsForm[client.Service](t, api, "/v1/services/"+service.ID)
	keepsItsForm[client.Customer](t, api, "/v1/customers/"+customer.ID)
	keepsItsForm[client.List[client.Nfse]](t, api, "/v1/nfse") // one cancelled, one rejected
	other := newClient(t, client.Options{URL: system.URL, Key: nfse.NewAPIKeyText(false)})
	if _, err := other.Services(ctx, client.Page{}); !client.IsCode(err, client.ErrorCodeInvalidAPIKey) {
		t.Errorf("%v", err)
	}
}

// keepsItsForm reads a record, which written again is what the API wrote: nothing is lost, and the order is kept.
func keepsItsForm[T any](t *testing.T, api *client.Client, path string) {
	t.Helper()
	answer, err := api.Do(t.Context(), client.Call{Method: http.MethodGet, Path: path})
	must(t, err)
	var record T
	must(t, json.Unmarshal(answer.Body, &record))
	again, err := nfse.Marshal(record)
	if err != nil || string(again) != string(bytes.TrimSpace(answer.Body)) {
		t.Errorf("%s is read as\n%s, %v\nof\n%s", path, again, err, answer.Body)
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
	losingClient := func() *client.Client {
		return newClient(t, client.Options{URL: system.URL, Key: system.TestKey, Transport: &losing{}})
	}
	_, err := losingClient().CreateService(t.Context(), client.CreateService{Name: "Aula", Description: "Aula de piano",
		MunicipalityCode: "3550308", DefaultAmountCents: 9000})
	if err == nil || system.Count(t, `SELECT count(*) FROM services`) != 1 {
		t.Errorf("%v, and %d services", err, system.Count(t, `SELECT count(*) FROM services`))
	}
	accepted, err := losingClient().Issue(t.Context(), client.CreateNfse{Reference: "pedido 1", AmountCents: 100,
		ServiceID: system.Text(t, `SELECT id FROM services`), Customer: &client.InlineCustomer{
			Document: "529.982.247-25", Name: "Maria da Silva", Address: client.InlineAddress{ZipCode: "01310-100",
				Street: "Avenida Paulista", Number: "1000", District: "Bela Vista"}}})
	if err != nil || !accepted.Idempotent || system.Count(t, `SELECT count(*) FROM notes`) != 1 {
		t.Errorf("%+v, %v, and %d notes", accepted, err, system.Count(t, `SELECT count(*) FROM notes`))
	}
}

func newClient(t *testing.T, options client.Options) *client.Client {
	t.Helper()
	api, err := client.New(options)
	must(t, err)
	return api
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
