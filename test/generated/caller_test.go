package generated

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"emissor/test/generate"
	"emissor/test/testkit"
)

// caller sends the requests of one scope, one after the other, and keeps what it was
// answered.
type caller struct {
	*generate.Generator
	system *system
	scope  *scope
	poison []string // references that come first

	requests  int
	services  []string // ids of those that can be used
	customers []*customer
	notes     []*note
}

// customer is what a caller knows of a customer.
type customer struct {
	id     string
	person generate.Person
	record testkit.Answer // the last one
}

// note is what a caller knows of a note.
type note struct {
	id        string
	reference string
	key       key
	body      generate.Body
	cancel    generate.Body // the request to cancel it; nil: there was none
	refused   bool          // it could not be cancelled: it was rejected
	last      testkit.Answer
	xml       []byte // nil: it was not issued
}

// mostCustomers a scope has: names that begin alike are found only while they are few.
const mostCustomers = 90

// act is something that a caller does, so often.
type act struct {
	weight int
	do     func(*testing.T)
}

// run sends so many requests, and every reference that must come.
func (c *caller) run(t *testing.T, requests int) {
	acts := []act{
		{45, c.issue}, {6, c.repeat}, {2, c.contradict}, {9, c.cancel}, {4, c.createService}, {4, c.changeService},
		{8, c.createCustomer}, {4, c.syncCustomer}, {5, c.changeCustomer}, {8, c.readNote}, {4, c.readXML},
		{3, c.readRecords}, {5, c.list},
	}
	total := 0
	for _, act := range acts {
		total += act.weight
	}
	c.createService(t)
	for c.requests < requests && !t.Failed() {
		if requests-c.requests <= len(c.poison) {
			c.issue(t)
			continue
		}
		drawn := c.IntN(total)
		for _, act := range acts {
			if drawn -= act.weight; drawn < 0 {
				act.do(t)
				break
			}
		}
	}
}

// call sends one request with one of the scope's keys.
func (c *caller) call(t *testing.T, method, path string, body generate.Body) testkit.Answer {
	t.Helper()
	return c.callWith(t, generate.Pick(c.Generator, c.scope.keys), method, path, body)
}

func (c *caller) callWith(t *testing.T, with key, method, path string, body generate.Body) testkit.Answer {
	t.Helper()
	c.requests++
	var sent any
	if body != nil {
		sent = body
	}
	return c.system.Call(t, method, path, with.text, sent)
}

// expect fails the test where a valid request was not answered as it should be.
func expect(t *testing.T, answer testkit.Answer, body generate.Body, statuses ...int) bool {
	t.Helper()
	for _, status := range statuses {
		if answer.Status == status {
			return true
		}
	}
	t.Errorf("%+v\nis answered %d, expected is %v: %s", body, answer.Status, statuses, answer.Raw)
	return false
}

func (c *caller) issue(t *testing.T) {
	var body generate.Body
	service := generate.Pick(c.Generator, c.services)
	person, complete := c.Person(), c.complete()
	switch {
	case complete != nil && c.Chance(0.35):
		body, person = c.IssuanceTo(service, complete.id), complete.person
	case len(c.customers) > 0 && (c.Chance(0.3) || len(c.customers) >= mostCustomers):
		person.TaxID = generate.Pick(c.Generator, c.customers).person.TaxID // the record keeps its name and place
		body = c.Issuance(service, person)
	default:
		body = c.Issuance(service, person)
	}
	if len(c.poison) > 0 {
		body["reference"], c.poison = c.poison[0], c.poison[1:]
	}
	if !c.scope.Livemode && c.Chance(0.8) {
		body["sandbox_scenario"] = c.Scenario()
	}
	with := generate.Pick(c.Generator, c.scope.keys)
	answer := c.callWith(t, with, http.MethodPost, "/v1/nfse", body)
	if !expect(t, answer, body, http.StatusAccepted) {
		return
	}
	if answer.At("idempotent") != false || answer.Text("reference") != body["reference"] {
		t.Errorf("%+v\nis answered %s", body, answer.Raw)
	}
	c.notes = append(c.notes, &note{id: answer.Text("id"), reference: answer.Text("reference"), key: with, body: body})
	if id := answer.Text("customer_id"); c.customer(id) == nil {
		c.customers = append(c.customers, &customer{id: id, person: person})
	}
}

func (c *caller) customer(id string) *customer {
	for _, known := range c.customers {
		if known.id == id {
			return known
		}
	}
	return nil
}

// complete is one of the customers of whom the API said that a note can be issued to
// them by their id; nil where there is none.
func (c *caller) complete() *customer {
	var complete []*customer
	for _, known := range c.customers {
		if known.record.At("fiscal_data_complete") == true {
			complete = append(complete, known)
		}
	}
	if len(complete) == 0 {
		return nil
	}
	return generate.Pick(c.Generator, complete)
}

// note is one of the notes; nil where there is none.
func (c *caller) note() *note {
	if len(c.notes) == 0 {
		return nil
	}
	return generate.Pick(c.Generator, c.notes)
}

// repeat sends a request again, with any key of the organization.
func (c *caller) repeat(t *testing.T) {
	known := c.note()
	if known == nil {
		return
	}
	answer := c.call(t, http.MethodPost, "/v1/nfse", known.body)
	if expect(t, answer, known.body, http.StatusAccepted) &&
		(answer.At("idempotent") != true || answer.Text("id") != known.id) {
		t.Errorf("%+v\nwas %s, and again it is answered %s", known.body, known.id, answer.Raw)
	}
}

// contradict sends another request under a reference that was used.
func (c *caller) contradict(t *testing.T) {
	known := c.note()
	if known == nil {
		return
	}
	other := maps.Clone(known.body)
	other["amount_cents"] = other["amount_cents"].(int64)%1_000_000 + 2
	expect(t, c.call(t, http.MethodPost, "/v1/nfse", other), other, http.StatusConflict)
}

// cancel asks to cancel a note, or asks the same again.
func (c *caller) cancel(t *testing.T) {
	known := c.note()
	if known == nil {
		return
	}
	if known.cancel == nil {
		known.cancel = c.Cancellation()
	}
	answer := c.call(t, http.MethodPost, "/v1/nfse/"+known.id+"/cancel", known.cancel)
	if answer.Status == http.StatusConflict && answer.Text("error", "code") == "nfse_not_cancellable" {
		known.refused = true
		return
	}
	expect(t, answer, known.cancel, http.StatusAccepted, http.StatusOK)
}

func (c *caller) createService(t *testing.T) {
	body := c.Service()
	maps.Copy(body, c.scope.issuable)
	if len(c.services) == 0 { // one that stays fit for documents, no matter what becomes of the others
		body["description"] = "Manutenção e suporte nº 1"
		delete(body, "active")
	}
	answer := c.call(t, http.MethodPost, "/v1/services", body)
	if !expect(t, answer, body, http.StatusCreated) {
		return
	}
	c.system.classify(t, c.scope, answer.Text("id"))
	if answer.At("active") == true {
		c.services = append(c.services, answer.Text("id"))
	}
	same(t, body, answer, "name", "description")
}

func (c *caller) changeService(t *testing.T) {
	id, body := generate.Pick(c.Generator, c.services), c.ServiceChange()
	if id == c.services[0] {
		delete(body, "description")
	}
	answer := c.call(t, http.MethodPatch, "/v1/services/"+id, body)
	if expect(t, answer, body, http.StatusOK) {
		same(t, body, answer, "name", "description")
	}
}

func (c *caller) createCustomer(t *testing.T) {
	if len(c.customers) >= mostCustomers {
		c.syncCustomer(t)
		return
	}
	person := c.Person()
	c.post(t, c.Customer(person, c.Chance(0.7)), &customer{person: person}, http.StatusCreated)
}

func (c *caller) syncCustomer(t *testing.T) {
	if len(c.customers) == 0 {
		return
	}
	known := generate.Pick(c.Generator, c.customers)
	person := generate.Person{TaxID: known.person.TaxID, Name: c.Name(), Place: c.Place()}
	c.post(t, c.Customer(person, c.Chance(0.5)), known, http.StatusOK)
}

// post creates a customer, or brings its record up to date.
func (c *caller) post(t *testing.T, body generate.Body, of *customer, status int) {
	answer := c.call(t, http.MethodPost, "/v1/customers", body)
	if !expect(t, answer, body, status) {
		return
	}
	same(t, body, answer, "name", "nickname", "email")
	if of.record = answer; of.id == "" {
		of.id = answer.Text("id")
		c.customers = append(c.customers, of)
	}
}

func (c *caller) changeCustomer(t *testing.T) {
	if len(c.customers) == 0 {
		return
	}
	known, body := generate.Pick(c.Generator, c.customers), c.CustomerChange()
	answer := c.call(t, http.MethodPatch, "/v1/customers/"+known.id, body)
	if expect(t, answer, body, http.StatusOK) {
		same(t, body, answer, "name", "nickname", "email")
		known.record = answer
	}
}

// same fails the test where a field that was sent came back as another.
func same(t *testing.T, sent generate.Body, answer testkit.Answer, fields ...string) {
	t.Helper()
	for _, field := range fields {
		if value, was := sent[field]; was && answer.At(field) != value {
			t.Errorf("%s was sent as %+q, and is answered as %+q", field, value, answer.At(field))
		}
	}
}

func (c *caller) readNote(t *testing.T) {
	known := c.note()
	if known == nil {
		return
	}
	answer := c.call(t, http.MethodGet, "/v1/nfse/"+known.id, nil)
	if expect(t, answer, nil, http.StatusOK) && answer.Text("reference") != known.reference {
		t.Errorf("%+q is answered as %s", known.reference, answer.Raw)
	}
}

func (c *caller) readXML(t *testing.T) {
	if known := c.note(); known != nil {
		answer := c.call(t, http.MethodGet, "/v1/nfse/"+known.id+"/xml", nil)
		expect(t, answer, nil, http.StatusOK, http.StatusConflict)
	}
}

func (c *caller) readRecords(t *testing.T) {
	path := "/v1/services/" + generate.Pick(c.Generator, c.services)
	if len(c.customers) > 0 && c.Chance(0.5) {
		path = "/v1/customers/" + generate.Pick(c.Generator, c.customers).id
	}
	expect(t, c.call(t, http.MethodGet, path, nil), nil, http.StatusOK)
}

// list reads a page of a list, perhaps from the middle.
func (c *caller) list(t *testing.T) {
	path := generate.Pick(c.Generator, []string{"/v1/nfse", "/v1/customers", "/v1/services"})
	path += fmt.Sprint("?limit=", 1+c.IntN(generate.Pick(c.Generator, []int{10, 10, 10, 100})))
	if known := c.note(); known != nil && path[:8] == "/v1/nfse" && c.Chance(0.5) {
		path += "&starting_after=" + known.id
	}
	expect(t, c.call(t, http.MethodGet, path, nil), nil, http.StatusOK)
}
