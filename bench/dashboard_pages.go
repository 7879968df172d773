package main

import (
	"math/rand/v2"
	"net/url"
	"time"
)

// pageVisit is a page as somebody looks at it.
type pageVisit struct {
	name string
	path string                  // of the organization's live environment, unless the query names one
	ask  func(filledNote) string // more of the query: of one of the notes that are there
	id   func(filledNote) string // what follows the path
	as   string                  // of the dashboard's people: the owner, unless it is the operator

	refused   bool // the form says what is wrong
	firstByte bool // the time to the first byte of a download
}

// filledNote is a note that is there, with what people know it by.
type filledNote struct {
	Body      string // of its id, and of those of its event, delivery and so on
	Reference string
	Number    string  `db:"number"`
	AccessKey string  `db:"access_key"`
	Request   string  `db:"request_id"`
	TaxID     string  `db:"tax_id"`
	Name      string  // of the customer
	Customer  string  `db:"customer_id"`
	Service   string  `db:"service_id"`
	Endpoint  string  `db:"endpoint_id"`
	Key       string  `db:"api_key_id"`
	Day       string  // of its acceptance
	Amount    float64 `db:"amount"`
}

// fillSamples are notes of the organization that is looked at, from anywhere.
const fillSamples = `
	SELECT f.body, n.reference, n.authority_number AS number, n.access_key, n.request_id, c.tax_id, c.name, n.customer_id,
		n.service_id, d.endpoint_id, n.api_key_id, to_char(n.created_at, 'YYYY-MM-DD') AS day, n.amount_cents / 100.0 AS amount
	FROM filled f JOIN notes n ON n.id = 'nfse_' || f.body JOIN customers c ON c.id = n.customer_id
	JOIN deliveries d ON d.id = 'dlv_' || f.body
	JOIN emails e ON e.id = 'eml_' || f.body
	WHERE f.place = 0 AND f.status = 'issued' AND f.n % 4 = 0 ORDER BY hashint8(f.n + 7) LIMIT 300`

func oneOf(notes []filledNote) filledNote { return notes[rand.IntN(len(notes))] }

// query is the part of an address that says these.
func query(pairs ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return values.Encode()
}

// fixed asks for the same whatever note there is.
func fixed(pairs ...string) func(filledNote) string {
	return func(filledNote) string { return query(pairs...) }
}

// idOfKind is the id of what belongs to a note.
func idOfKind(prefix string) func(filledNote) string {
	return func(n filledNote) string { return prefix + n.Body }
}

// turned is the page behind, or before, what belongs to a note.
func turned(direction, prefix string, pairs ...string) func(filledNote) string {
	return func(n filledNote) string { return query(append(pairs, direction, prefix+n.Body)...) }
}

const operatorVisits = "operator"

// longAgo is a year and some days ago, soon after the first note.
var longAgo = time.Now().AddDate(0, 0, -390).Format(time.DateOnly)

// pageVisits are every page with every filter that it offers.
var pageVisits = []pageVisit{
	{name: "overview", path: "/"},
	{name: "overview, test", path: "/", ask: fixed("env", "test")},

	{name: "notes", path: "/notes"},
	{name: "notes, older from anywhere", path: "/notes", ask: turned("older", "nfse_")},
	{name: "notes, newer from anywhere", path: "/notes", ask: turned("newer", "nfse_")},
	{name: "notes, issued", path: "/notes", ask: fixed("state", "issued")},
	{name: "notes, rejected", path: "/notes", ask: fixed("state", "rejected")},
	{name: "notes, rejected, older from anywhere", path: "/notes", ask: turned("older", "nfse_", "state", "rejected")},
	{name: "notes, cancelled", path: "/notes", ask: fixed("state", "cancelled")},
	{name: "notes, queued (none)", path: "/notes", ask: fixed("state", "queued")},
	{name: "notes, processing", path: "/notes", ask: fixed("state", "processing")},
	{name: "notes, processing, test", path: "/notes", ask: fixed("state", "processing", "env", "test")},
	{name: "notes, processing, older from anywhere", path: "/notes",
		ask: turned("older", "nfse_", "state", "processing")},
	{name: "notes, held", path: "/notes", ask: fixed("state", "held")},
	{name: "notes of a day", path: "/notes",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day) }},
	{name: "notes of a day, issued", path: "/notes",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day, "state", "issued") }},
	{name: "notes of a day, rejected", path: "/notes",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day, "state", "rejected") }},
	{name: "notes of a day, processing (none)", path: "/notes",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day, "state", "processing") }},
	{name: "notes of a period without any", path: "/notes", ask: fixed("until", "2020-01-01")},
	{name: "notes by reference", path: "/notes", ask: func(n filledNote) string { return query("reference", n.Reference) }},
	{name: "notes by reference (none)", path: "/notes", ask: fixed("reference", "no-such")},
	{name: "notes by taker's tax id", path: "/notes", ask: func(n filledNote) string { return query("taker", n.TaxID) }},
	{name: "notes by taker's tax id and state", path: "/notes",
		ask: func(n filledNote) string { return query("taker", n.TaxID, "state", "cancelled") }},
	{name: "notes by taker's name", path: "/notes", ask: func(n filledNote) string { return query("taker", n.Name) }},
	{name: "notes by the beginning of 100 takers' name", path: "/notes", ask: fixed("taker", "Maria da Silva 100")},
	{name: "notes by 100 takers and a state", path: "/notes", ask: fixed("taker", "Maria da Silva 100", "state", "rejected")},
	{name: "notes by 100 takers and an amount (none)", path: "/notes",
		ask: fixed("taker", "Maria da Silva 100", "amount", "1,00", "since", longAgo)},
	{name: "notes by 100 takers, older from anywhere", path: "/notes", ask: turned("older", "nfse_", "taker", "Maria da Silva 100")},
	{name: "notes by 10,000 takers", path: "/notes", ask: fixed("taker", "Maria"), refused: true},
	{name: "notes by taker (none)", path: "/notes", ask: fixed("taker", "Zacarias")},
	{name: "notes by amount", path: "/notes",
		ask: fixed("amount", "123,45", "since", longAgo)},
	{name: "notes by amount, from anywhere", path: "/notes",
		ask: turned("older", "nfse_", "amount", "123,45", "since", longAgo)},
	{name: "notes by amount (none)", path: "/notes", ask: fixed("amount", "1,00", "since", longAgo)},
	{name: "notes by amount, without a period", path: "/notes", ask: fixed("amount", "1,00"), refused: true},
	{name: "notes by service", path: "/notes",
		ask: func(n filledNote) string { return query("service", n.Service, "since", longAgo) }},
	{name: "notes by service and state", path: "/notes",
		ask: func(n filledNote) string { return query("service", n.Service, "since", longAgo, "state", "rejected") }},
	{name: "notes by service and state, under way", path: "/notes",
		ask: func(n filledNote) string { return query("service", n.Service, "since", longAgo, "state", "queued") }},
	{name: "notes by service (none)", path: "/notes", ask: fixed("service", "srv_000000000000000000000001f0", "since", longAgo)},
	{name: "notes by request", path: "/notes", ask: func(n filledNote) string { return query("request", n.Request) }},
	{name: "notes, search by id", path: "/notes", ask: func(n filledNote) string { return query("q", "nfse_"+n.Body) }},
	{name: "notes, search by reference", path: "/notes", ask: func(n filledNote) string { return query("q", n.Reference) }},
	{name: "notes, search by number", path: "/notes", ask: func(n filledNote) string { return query("q", n.Number) }},
	{name: "notes, search by access key", path: "/notes", ask: func(n filledNote) string { return query("q", n.AccessKey) }},
	{name: "notes, search by request", path: "/notes", ask: func(n filledNote) string { return query("q", n.Request) }},
	{name: "notes, search by event", path: "/notes", ask: func(n filledNote) string { return query("q", "evt_"+n.Body) }},
	{name: "notes, search by delivery", path: "/notes", ask: func(n filledNote) string { return query("q", "dlv_"+n.Body) }},
	{name: "notes, search by tax id", path: "/notes", ask: func(n filledNote) string { return query("q", n.TaxID) }},
	{name: "notes, search by name", path: "/notes", ask: func(n filledNote) string { return query("q", n.Name) }},
	{name: "notes, search (none)", path: "/notes", ask: fixed("q", "no such thing")},
	{name: "notes as CSV, first byte", path: "/notes.csv", firstByte: true},
	{name: "notes as CSV, of 100 takers, first byte", path: "/notes.csv", ask: fixed("taker", "Maria da Silva 100"),
		firstByte: true},
	{name: "notes as CSV, by amount (none), first byte", path: "/notes.csv",
		ask: fixed("amount", "1,00", "since", longAgo), firstByte: true},
	{name: "new note", path: "/notes/new"},
	{name: "new note from another", path: "/notes/new", ask: func(n filledNote) string { return query("from", "nfse_"+n.Body) }},
	{name: "note", path: "/notes/", id: idOfKind("nfse_")},
	{name: "note, to an operator", path: "/notes/", id: idOfKind("nfse_"), as: operatorVisits},

	{name: "integrations", path: "/integrations"},
	{name: "integrations, older keys", path: "/integrations", ask: func(n filledNote) string { return query("older", n.Key) }},
	{name: "key", path: "/integrations/keys/", id: func(n filledNote) string { return n.Key }},
	{name: "endpoint", path: "/integrations/endpoints/", id: func(n filledNote) string { return n.Endpoint }},
	{name: "deliveries", path: "/integrations/deliveries"},
	{name: "deliveries, older from anywhere", path: "/integrations/deliveries", ask: turned("older", "dlv_")},
	{name: "deliveries, newer from anywhere", path: "/integrations/deliveries", ask: turned("newer", "dlv_")},
	{name: "deliveries, delivered", path: "/integrations/deliveries", ask: fixed("state", "delivered")},
	{name: "deliveries, failed", path: "/integrations/deliveries", ask: fixed("state", "failed")},
	{name: "deliveries, failed, older from anywhere", path: "/integrations/deliveries",
		ask: turned("older", "dlv_", "state", "failed")},
	{name: "deliveries, failed since a day", path: "/integrations/deliveries",
		ask: func(n filledNote) string { return query("state", "failed", "since", n.Day) }},
	{name: "deliveries, pending (none)", path: "/integrations/deliveries", ask: fixed("state", "pending")},
	{name: "deliveries, skipped", path: "/integrations/deliveries", ask: fixed("state", "skipped")},
	{name: "deliveries to an endpoint", path: "/integrations/deliveries",
		ask: func(n filledNote) string { return query("endpoint", n.Endpoint) }},
	{name: "deliveries to an endpoint, delivered", path: "/integrations/deliveries",
		ask: func(n filledNote) string { return query("endpoint", n.Endpoint, "state", "delivered") }},
	{name: "deliveries to an endpoint, failed", path: "/integrations/deliveries",
		ask: func(n filledNote) string { return query("endpoint", n.Endpoint, "state", "failed") }},
	{name: "deliveries to an endpoint without any, failed", path: "/integrations/deliveries",
		ask: fixed("endpoint", "whe_00000000000000000000000004", "state", "failed")},
	{name: "deliveries to an endpoint without any, delivered", path: "/integrations/deliveries",
		ask: fixed("endpoint", "whe_00000000000000000000000004", "state", "delivered")},
	{name: "delivery", path: "/integrations/deliveries/", id: idOfKind("dlv_")},
	{name: "receiver", path: "/integrations/receiver"},

	{name: "services", path: "/catalogue/services"},
	{name: "services, older", path: "/catalogue/services", ask: func(n filledNote) string { return query("older", n.Service) }},
	{name: "service", path: "/catalogue/services/", id: func(n filledNote) string { return n.Service }},
	{name: "service, classification", path: "/catalogue/services/",
		id: func(n filledNote) string { return n.Service + "/classification" }},
	{name: "new service", path: "/catalogue/services/new"},
	{name: "customers", path: "/catalogue/customers"},
	{name: "customers, older", path: "/catalogue/customers", ask: func(n filledNote) string { return query("older", n.Customer) }},
	{name: "customers by tax id", path: "/catalogue/customers", ask: fixed("q", "52998224725")},
	{name: "customer", path: "/catalogue/customers/", id: func(n filledNote) string { return n.Customer }},
	{name: "new customer", path: "/catalogue/customers/new"},

	{name: "company", path: "/company"},
	{name: "new certificate", path: "/company/certificates/new"},

	{name: "e-mails", path: "/emails"},
	{name: "e-mails, older from anywhere", path: "/emails", ask: turned("older", "eml_")},
	{name: "e-mails, newer from anywhere", path: "/emails", ask: turned("newer", "eml_")},
	{name: "e-mails, sent", path: "/emails", ask: fixed("state", "sent")},
	{name: "e-mails, failed", path: "/emails", ask: fixed("state", "failed")},
	{name: "e-mails, failed, of a day", path: "/emails",
		ask: func(n filledNote) string { return query("state", "failed", "since", n.Day, "until", n.Day) }},
	{name: "e-mails, pending (none)", path: "/emails", ask: fixed("state", "pending")},
	{name: "e-mails, skipped (none)", path: "/emails", ask: fixed("state", "skipped")},
	{name: "e-mails of a note", path: "/emails", ask: func(n filledNote) string { return query("q", "nfse_"+n.Body) }},
	{name: "e-mails of a day", path: "/emails",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day) }},

	{name: "ledger of this month", path: "/ledger"},
	{name: "ledger of a year", path: "/ledger", ask: fixed("since", longAgo)},
	{name: "ledger of a day", path: "/ledger",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day) }},
	{name: "ledger, older from anywhere", path: "/ledger", ask: turned("older", "led_", "since", longAgo)},
	{name: "ledger, newer from anywhere", path: "/ledger", ask: turned("newer", "led_", "since", longAgo)},
	{name: "ledger of a period without any", path: "/ledger", ask: fixed("since", "2020-01-01", "until", "2020-12-31")},
	{name: "ledger of a year as CSV, first byte", path: "/ledger.csv", ask: fixed("since", longAgo), firstByte: true},

	{name: "audit log", path: "/audit"},
	{name: "audit log, older from anywhere", path: "/audit", ask: turned("older", "aud_")},
	{name: "audit log, newer from anywhere", path: "/audit", ask: turned("newer", "aud_")},
	{name: "audit log by a key", path: "/audit", ask: func(n filledNote) string { return query("actor", n.Key) }},
	{name: "audit log by a person", path: "/audit", ask: fixed("actor", "pessoa7@example.com")},
	{name: "audit log by a person of long ago", path: "/audit", ask: fixed("actor", "root")},
	{name: "audit log by an actor (none)", path: "/audit", ask: fixed("actor", "nobody")},
	{name: "audit log by action", path: "/audit", ask: fixed("action", "note.cancel")},
	{name: "audit log by action, once long ago", path: "/audit", ask: fixed("action", "series.next_number")},
	{name: "audit log by action (none)", path: "/audit", ask: fixed("action", "customer.erase")},
	{name: "audit log by subject", path: "/audit", ask: func(n filledNote) string { return query("subject", "nfse_"+n.Body) }},
	{name: "audit log of a day", path: "/audit",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day) }},
	{name: "audit log of a period without any", path: "/audit", ask: fixed("since", "2020-01-01", "until", "2020-12-31")},
	{name: "audit log of a day, by action", path: "/audit",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day, "action", "note.cancel") }},
	{name: "audit log of a day, by action (none)", path: "/audit",
		ask: func(n filledNote) string { return query("since", n.Day, "until", n.Day, "action", "customer.erase") }},
	{name: "audit log by a key and an action (none)", path: "/audit",
		ask: func(n filledNote) string { return query("actor", n.Key, "action", "user.sign_in") }},
	{name: "audit log of a day by a key", path: "/audit",
		ask: func(n filledNote) string { return query("actor", n.Key, "since", n.Day, "until", n.Day) }},
	{name: "audit log of all", path: "/audit", ask: fixed("of", "all"), as: operatorVisits},
	{name: "audit log of all by action", path: "/audit", ask: fixed("of", "all", "action", "customer.set"), as: operatorVisits},
	{name: "audit log of all by action (none)", path: "/audit", ask: fixed("of", "all", "action", "customer.erase"),
		as: operatorVisits},
	{name: "audit log of all by action, once long ago", path: "/audit",
		ask: fixed("of", "all", "action", "series.next_number"), as: operatorVisits},
	{name: "audit log of all, of a day", path: "/audit",
		ask: func(n filledNote) string { return query("of", "all", "since", n.Day, "until", n.Day) }, as: operatorVisits},

	{name: "people", path: "/people"},
	{name: "one's own account", path: "/session"},
	{name: "new passkey", path: "/session/passkeys/new"},
	{name: "operations", path: "/operations", as: operatorVisits},
}
