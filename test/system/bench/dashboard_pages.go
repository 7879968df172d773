package main

import (
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"
)

// pageVisit is a page as somebody looks at it.
type pageVisit struct {
	name string
	path string // with the query; {name} is what one of the notes that are there has

	operator  bool // looks at it; else an owner of the organization
	refused   bool // the form says what is wrong
	firstByte bool // what is measured is the time to the first byte of a download
}

// knownBy are notes of the organization that is looked at, from anywhere, with what
// people know them by, under the names that paths have for it.
const knownBy = `
	SELECT f.body, n.reference, n.authority_number AS number, n.access_key, n.request_id AS request, c.tax_id,
		c.name AS taker, n.customer_id AS customer, n.service_id AS service, d.endpoint_id AS endpoint,
		n.api_key_id AS key, to_char(n.created_at, 'YYYY-MM-DD') AS day, to_char(n.competence, 'YYYY-MM') AS month,
		lpad(f.n::text, 50, '0') AS received,
		(SELECT id FROM api_requests WHERE note_id = n.id ORDER BY id LIMIT 1) AS api_request
	FROM filled f JOIN notes n ON n.id = 'nfse_' || f.body JOIN customers c ON c.id = n.customer_id
	JOIN deliveries d ON d.id = 'dlv_' || f.body JOIN emails e ON e.id = 'eml_' || f.body
	WHERE f.place = 0 AND f.status = 'issued' AND f.n % 20 = 0 AND f.hash % 50 <> 0
	ORDER BY hashint8(f.n + 7) LIMIT 300`

// address is where the page is, in the live environment unless the path says another.
func (v pageVisit) address(base, organizationID string, notes []map[string]any) string {
	// A year and some days ago, soon after the first note.
	replace := []string{"{first_day}", time.Now().AddDate(0, 0, -390).Format(time.DateOnly)}
	for name, value := range notes[rand.IntN(len(notes))] {
		replace = append(replace, "{"+name+"}", url.QueryEscape(value.(string)))
	}
	path, query, _ := strings.Cut(strings.NewReplacer(replace...).Replace(v.path), "?")
	if !strings.Contains(query, "env=") {
		query += "&env=live"
	}
	return base + path + "?org=" + organizationID + "&" + strings.TrimPrefix(query, "&")
}

// pageVisits are every page with every filter that it offers.
var pageVisits = slices.Concat(visitsOfMonths, visitsOfReceived, visitsOfRequests, visitsOfOthers, visitsOfRecords)

// visitsOfRecords are all others.
var visitsOfRecords = []pageVisit{
	{name: "overview", path: "/"},
	{name: "overview, test", path: "/?env=test"},

	{name: "notes", path: "/notes"},
	{name: "notes, older from anywhere", path: "/notes?older=nfse_{body}"},
	{name: "notes, newer from anywhere", path: "/notes?newer=nfse_{body}"},
	{name: "notes, issued", path: "/notes?state=issued"},
	{name: "notes, rejected", path: "/notes?state=rejected"},
	{name: "notes, rejected, older from anywhere", path: "/notes?state=rejected&older=nfse_{body}"},
	{name: "notes, cancelled", path: "/notes?state=cancelled"},
	{name: "notes, queued (none)", path: "/notes?state=queued"},
	{name: "notes, processing", path: "/notes?state=processing"},
	{name: "notes, processing, test", path: "/notes?state=processing&env=test"},
	{name: "notes, processing, older from anywhere", path: "/notes?state=processing&older=nfse_{body}"},
	{name: "notes, held", path: "/notes?state=held"},
	{name: "notes of a day", path: "/notes?since={day}&until={day}"},
	{name: "notes of a day, issued", path: "/notes?since={day}&until={day}&state=issued"},
	{name: "notes of a day, rejected", path: "/notes?since={day}&until={day}&state=rejected"},
	{name: "notes of a day, processing (none)", path: "/notes?since={day}&until={day}&state=processing"},
	{name: "notes of a period without any", path: "/notes?until=2020-01-01"},
	{name: "notes by reference", path: "/notes?reference={reference}"},
	{name: "notes by reference (none)", path: "/notes?reference=no-such"},
	{name: "notes by taker's tax id", path: "/notes?taker={tax_id}"},
	{name: "notes by taker's tax id and state", path: "/notes?taker={tax_id}&state=cancelled"},
	{name: "notes by taker's name", path: "/notes?taker={taker}"},
	{name: "notes by the beginning of 100 takers' name", path: "/notes?taker=Maria+da+Silva+100"},
	{name: "notes by 100 takers and a state", path: "/notes?taker=Maria+da+Silva+100&state=rejected"},
	{name: "notes by 100 takers and an amount (none)",
		path: "/notes?taker=Maria+da+Silva+100&amount=1%2C00&since={first_day}"},
	{name: "notes by 100 takers, older from anywhere", path: "/notes?taker=Maria+da+Silva+100&older=nfse_{body}"},
	{name: "notes by 10,000 takers", path: "/notes?taker=Maria", refused: true},
	{name: "notes by taker (none)", path: "/notes?taker=Zacarias"},
	{name: "notes by amount", path: "/notes?amount=123%2C45&since={first_day}"},
	{name: "notes by amount, from anywhere", path: "/notes?amount=123%2C45&since={first_day}&older=nfse_{body}"},
	{name: "notes by amount (none)", path: "/notes?amount=1%2C00&since={first_day}"},
	{name: "notes by amount, without a period", path: "/notes?amount=1%2C00", refused: true},
	{name: "notes by service", path: "/notes?service={service}&since={first_day}"},
	{name: "notes by service and state", path: "/notes?service={service}&since={first_day}&state=rejected"},
	{name: "notes by service and state, under way", path: "/notes?service={service}&since={first_day}&state=queued"},
	{name: "notes by service (none)", path: "/notes?service=srv_000000000000000000000001f0&since={first_day}"},
	{name: "notes by request", path: "/notes?request={request}"},
	{name: "notes, search by id", path: "/notes?q=nfse_{body}"},
	{name: "notes, search by reference", path: "/notes?q={reference}"},
	{name: "notes, search by number", path: "/notes?q={number}"},
	{name: "notes, search by access key", path: "/notes?q={access_key}"},
	{name: "notes, search by request", path: "/notes?q={request}"},
	{name: "notes, search by event", path: "/notes?q=evt_{body}"},
	{name: "notes, search by delivery", path: "/notes?q=dlv_{body}"},
	{name: "notes, search by tax id", path: "/notes?q={tax_id}"},
	{name: "notes, search by name", path: "/notes?q={taker}"},
	{name: "notes, search (none)", path: "/notes?q=no+such+thing"},
	{name: "notes as CSV, first byte", path: "/notes.csv", firstByte: true},
	{name: "notes as CSV, of 100 takers, first byte", path: "/notes.csv?taker=Maria+da+Silva+100", firstByte: true},
	{name: "notes as CSV, by amount (none), first byte",
		path: "/notes.csv?amount=1%2C00&since={first_day}", firstByte: true},
	{name: "new note", path: "/notes/new"},
	{name: "new note from another", path: "/notes/new?from=nfse_{body}"},
	{name: "note", path: "/notes/nfse_{body}"},
	{name: "note, to an operator", path: "/notes/nfse_{body}", operator: true},

	{name: "integrations", path: "/integrations"},
	{name: "integrations, older keys", path: "/integrations?older={key}"},
	{name: "key", path: "/integrations/keys/{key}"},
	{name: "endpoint", path: "/integrations/endpoints/{endpoint}"},
	{name: "deliveries", path: "/integrations/deliveries"},
	{name: "deliveries, older from anywhere", path: "/integrations/deliveries?older=dlv_{body}"},
	{name: "deliveries, newer from anywhere", path: "/integrations/deliveries?newer=dlv_{body}"},
	{name: "deliveries, delivered", path: "/integrations/deliveries?state=delivered"},
	{name: "deliveries, failed", path: "/integrations/deliveries?state=failed"},
	{name: "deliveries, failed, older from anywhere", path: "/integrations/deliveries?state=failed&older=dlv_{body}"},
	{name: "deliveries, failed since a day", path: "/integrations/deliveries?state=failed&since={day}"},
	{name: "deliveries, pending (none)", path: "/integrations/deliveries?state=pending"},
	{name: "deliveries, skipped", path: "/integrations/deliveries?state=skipped"},
	{name: "deliveries to an endpoint", path: "/integrations/deliveries?endpoint={endpoint}"},
	{name: "deliveries to an endpoint, delivered",
		path: "/integrations/deliveries?endpoint={endpoint}&state=delivered"},
	{name: "deliveries to an endpoint, failed", path: "/integrations/deliveries?endpoint={endpoint}&state=failed"},
	{name: "deliveries to an endpoint without any, failed",
		path: "/integrations/deliveries?endpoint=whe_00000000000000000000000004&state=failed"},
	{name: "deliveries to an endpoint without any, delivered",
		path: "/integrations/deliveries?endpoint=whe_00000000000000000000000004&state=delivered"},
	{name: "delivery", path: "/integrations/deliveries/dlv_{body}"},
	{name: "receiver", path: "/integrations/receiver"},

	{name: "services", path: "/catalogue/services"},
	{name: "services, older", path: "/catalogue/services?older={service}"},
	{name: "service", path: "/catalogue/services/{service}"},
	{name: "service, classification", path: "/catalogue/services/{service}/classification"},
	{name: "new service", path: "/catalogue/services/new"},
	{name: "customers", path: "/catalogue/customers"},
	{name: "customers, older", path: "/catalogue/customers?older={customer}"},
	{name: "customers by tax id", path: "/catalogue/customers?q=52998224725"},
	{name: "customer", path: "/catalogue/customers/{customer}"},
	{name: "new customer", path: "/catalogue/customers/new"},

	{name: "company", path: "/company"},
	{name: "new certificate", path: "/company/certificates/new"},

	{name: "e-mails", path: "/emails"},
	{name: "e-mails, older from anywhere", path: "/emails?older=eml_{body}"},
	{name: "e-mails, newer from anywhere", path: "/emails?newer=eml_{body}"},
	{name: "e-mails, sent", path: "/emails?state=sent"},
	{name: "e-mails, failed", path: "/emails?state=failed"},
	{name: "e-mails, failed, of a day", path: "/emails?state=failed&since={day}&until={day}"},
	{name: "e-mails, pending (none)", path: "/emails?state=pending"},
	{name: "e-mails, skipped (none)", path: "/emails?state=skipped"},
	{name: "e-mails of a note", path: "/emails?q=nfse_{body}"},
	{name: "e-mails of a day", path: "/emails?since={day}&until={day}"},

	{name: "ledger of this month", path: "/ledger"},
	{name: "ledger of a year", path: "/ledger?since={first_day}"},
	{name: "ledger of a day", path: "/ledger?since={day}&until={day}"},
	{name: "ledger, older from anywhere", path: "/ledger?since={first_day}&older=led_{body}"},
	{name: "ledger, newer from anywhere", path: "/ledger?since={first_day}&newer=led_{body}"},
	{name: "ledger of a period without any", path: "/ledger?since=2020-01-01&until=2020-12-31"},
	{name: "ledger of a year as CSV, first byte", path: "/ledger.csv?since={first_day}", firstByte: true},

	{name: "audit log", path: "/audit"},
	{name: "audit log, older from anywhere", path: "/audit?older=aud_{body}"},
	{name: "audit log, newer from anywhere", path: "/audit?newer=aud_{body}"},
	{name: "audit log by a key", path: "/audit?actor={key}"},
	{name: "audit log by a person", path: "/audit?actor=pessoa7@example.com"},
	{name: "audit log by a person of long ago", path: "/audit?actor=root"},
	{name: "audit log by an actor (none)", path: "/audit?actor=nobody"},
	{name: "audit log by action", path: "/audit?action=note.cancel"},
	{name: "audit log by action, once long ago", path: "/audit?action=series.next_number"},
	{name: "audit log by action (none)", path: "/audit?action=customer.erase"},
	{name: "audit log by subject", path: "/audit?subject=nfse_{body}"},
	{name: "audit log of a day", path: "/audit?since={day}&until={day}"},
	{name: "audit log of a period without any", path: "/audit?since=2020-01-01&until=2020-12-31"},
	{name: "audit log of a day, by action", path: "/audit?since={day}&until={day}&action=note.cancel"},
	{name: "audit log of a day, by action (none)", path: "/audit?since={day}&until={day}&action=customer.erase"},
	{name: "audit log by a key and an action (none)", path: "/audit?actor={key}&action=user.sign_in"},
	{name: "audit log of a day by a key", path: "/audit?actor={key}&since={day}&until={day}"},
	{name: "audit log of all", path: "/audit?of=all", operator: true},
	{name: "audit log of all by action", path: "/audit?of=all&action=customer.set", operator: true},
	{name: "audit log of all by action (none)", path: "/audit?of=all&action=customer.erase", operator: true},
	{name: "audit log of all by action, once long ago",
		path: "/audit?of=all&action=series.next_number", operator: true},
	{name: "audit log of all, of a day", path: "/audit?of=all&since={day}&until={day}", operator: true},

	{name: "people", path: "/people"},
	{name: "one's own account", path: "/session"},
	{name: "new passkey", path: "/session/passkeys/new"},
	{name: "operations", path: "/operations", operator: true},
}
