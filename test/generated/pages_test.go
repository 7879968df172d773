package generated

import (
	"cmp"
	"encoding/csv"
	"net/http"
	"strings"
	"testing"
)

// checkPages looks at every page of the scope, as its owner does.
func (c *caller) checkPages(t *testing.T) {
	p := c.system.signIn(t, c.scope)
	for _, path := range []string{"/", "/notes/new", "/integrations", "/integrations/receiver", "/company", "/audit",
		"/people", "/session", "/catalogue/services/new", "/catalogue/customers/new"} {
		p.get(t, path).expect(t)
	}
	c.checkLists(t, p)
	for i, n := range c.notes {
		c.checkNotePage(t, p, n, []string{"q", "reference"}[i%2])
	}
	for _, known := range c.customers {
		c.checkCustomerPage(t, p, known)
	}
	for _, id := range c.services {
		service := c.call(t, http.MethodGet, "/v1/services/"+id, nil).Expect(t, http.StatusOK)
		p.get(t, "/catalogue/services/"+id).expect(t, service.Text("name"), service.Text("description"))
		p.get(t, "/catalogue/services/"+id+"/classification").expect(t)
	}
}

// checkLists reads every list to its end, and the files that are made of them.
func (c *caller) checkLists(t *testing.T, p *person) {
	notes, deliveries := p.all(t, "/notes"), p.all(t, "/integrations/deliveries")
	emails, ledger := p.all(t, "/emails"), p.all(t, "/ledger")
	customers, services := p.all(t, "/catalogue/customers"), p.all(t, "/catalogue/services")
	shows := func(list, name, id, text string) {
		t.Helper()
		if !strings.Contains(list, id) || !strings.Contains(list, inHTML(text)) {
			t.Errorf("the list of %s does not show %s, %+q", name, id, text)
		}
	}
	for _, n := range c.notes {
		shows(notes, "notes", n.id, cmp.Or(n.last.Text("authority", "number"), n.reference))
		shows(notes, "notes", n.id, n.last.Text("customer", "name"))
		if n.last.At("issued_at") != nil && c.scope.Livemode && n.key.defaults.EmailCustomer {
			shows(emails, "e-mails", n.id, n.reference)
			shows(ledger, "entries", n.id, n.reference)
		}
	}
	for _, known := range c.customers {
		name := c.call(t, http.MethodGet, "/v1/customers/"+known.id, nil).Expect(t, http.StatusOK).Text("name")
		shows(customers, "customers", known.id, name)
	}
	for _, id := range c.services {
		shows(services, "services", id, "")
	}
	for _, id := range c.deliveryIDs(t) {
		shows(deliveries, "deliveries", id, "")
		p.get(t, "/integrations/deliveries/"+id).expect(t)
	}
	c.checkFile(t, p, "/notes.csv", func(*note) bool { return true })
	if c.scope.Livemode {
		c.checkFile(t, p, "/ledger.csv", func(n *note) bool {
			return n.key.defaults.RegisterLedger && n.last.At("issued_at") != nil
		})
	}
}

// deliveryIDs are the deliveries of the scope.
func (c *caller) deliveryIDs(t *testing.T) (ids []string) {
	must(t, c.system.SQL.Select(&ids, `SELECT id FROM deliveries WHERE organization_id = $1 AND livemode = $2
		ORDER BY id`, c.scope.OrganizationID, c.scope.Livemode))
	return ids
}

// checkFile reads a file for spreadsheets: every note of it has a row with its
// reference and its customer. Apostrophes stand in it before what would be a formula.
func (c *caller) checkFile(t *testing.T, p *person, path string, has func(*note) bool) {
	file := csv.NewReader(strings.NewReader(p.get(t, path).expect(t).body))
	file.Comma = ';'
	rows, err := file.ReadAll()
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	cell := func(text string) string { return strings.ReplaceAll(text, "'", "") }
	held := map[[2]string]bool{}
	for _, row := range rows {
		for _, first := range row {
			for _, second := range row {
				held[[2]string{cell(first), cell(second)}] = true
			}
		}
	}
	for _, n := range c.notes {
		wanted := [2]string{cell(n.reference), cell(n.last.Text("customer", "name"))}
		if has(n) && !held[wanted] {
			t.Errorf("%s has no row with %+q", path, wanted)
		}
	}
}

// checkNotePage looks at a note, finds it by its reference in a field of the search, and
// downloads what it has.
func (c *caller) checkNotePage(t *testing.T, p *person, n *note, field string) {
	customer := n.last.Text("customer", "name")
	p.get(t, "/notes/"+n.id).expect(t, n.reference, customer, n.last.Text("service", "description"))
	p.get(t, "/notes", field, n.reference).expect(t, n.reference, "/notes/"+n.id)
	p.get(t, "/notes/new", "from", n.id).expect(t) // the form of another note like this one
	document, drawn := p.get(t, "/notes/"+n.id+"/xml"), p.get(t, "/notes/"+n.id+"/danfse")
	if n.xml == nil {
		if document.status != http.StatusNotFound || drawn.status != http.StatusNotFound {
			t.Errorf("what was not issued has a document: %d, %d", document.status, drawn.status)
		}
		return
	}
	if document.body != string(n.xml) {
		t.Errorf("the document of %+q is another than the API's", n.reference)
	}
	ofCity := c.scope.Livemode && n.last.Text("authority", "verification_code") != "" // which prints it itself
	if pdf := strings.HasPrefix(drawn.body, "%PDF"); pdf == ofCity {
		t.Errorf("the printed form of %+q is answered %d", n.reference, drawn.status)
	}
}

// checkCustomerPage looks at a customer, and finds the notes to it by its name.
func (c *caller) checkCustomerPage(t *testing.T, p *person, known *customer) {
	record := c.call(t, http.MethodGet, "/v1/customers/"+known.id, nil).Expect(t, http.StatusOK)
	texts := []string{record.Text("name"), record.Text("nickname"), record.Text("email")}
	for _, field := range []string{"street_type", "street", "number", "district", "complement"} {
		texts = append(texts, record.Text("address", field))
	}
	p.get(t, "/catalogue/customers/"+known.id).expect(t, texts...)
	p.get(t, "/catalogue/customers", "q", record.Text("document")).expect(t, known.id)
	found := p.all(t, "/notes", "taker", record.Text("name"))
	for _, n := range c.notes {
		if n.last.Text("customer_id") == known.id && !strings.Contains(found, "/notes/"+n.id) {
			t.Errorf("%s is not found by its customer's name %+q", n.id, record.Text("name"))
		}
	}
}
