package dashboard_test

import (
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

// probe is a request that a route answers to anybody who may use it.
type probe struct {
	who     string         // who may, or the permission that they need: as in the table, and decided here once more
	answers int            // status of the answer to who may
	others  map[string]int // of those who are answered otherwise
	fresh   bool           // and only with a fresh passkey
	valid   bool           // which is asked for once the form is valid
	path    func(t *testing.T, s *site) string
	form    url.Values // of a POST
	json    bool       // the script sends it
}

// at probes a fixed address.
func at(path string) func(*testing.T, *site) string {
	return func(*testing.T, *site) string { return path }
}

// aMember probes an address with the id of a new member in it.
func aMember(before, after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		email := strings.ToLower(nfse.NewID(nfse.PrefixRequest)) + "@example.com"
		return before + s.member(t, email, s.Organization.ID, nfse.RoleViewer) + after
	}
}

func aNote(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/notes/" + s.note(t) + after }
}

// answersTo is the status of the answer to somebody who may.
func (one probe) answersTo(who string) int {
	if status, otherwise := one.others[who]; otherwise {
		return status
	}
	return one.answers
}

// probes are one for each route. What an account does to itself is tested where its
// page is.
var probes = map[string]probe{
	"GET /health":        {who: "stranger", answers: 200, path: at("/health")},
	"GET /assets/{file}": {who: "stranger", answers: 200, path: at("/assets/style.css")},
	"GET /openapi.yaml":  {who: "stranger", answers: 200, path: at("/openapi.yaml")},
	"GET /reference":     {who: "visitor", answers: 200, path: at("/reference")},
	"any /":              {who: "visitor", answers: 404, path: at("/nowhere")},
	"GET /sign-in": {who: "visitor", answers: 303, others: map[string]int{"stranger": 200},
		path: at("/sign-in")},
	"POST /sign-in/options": {who: "visitor", answers: 200, path: at("/sign-in/options"), json: true},
	"POST /sign-in":         {who: "visitor", answers: 403, path: at("/sign-in"), json: true},
	"GET /link/{text}":      {who: "visitor", answers: 410, path: at("/link/unknown")},
	"POST /link/{text}":     {who: "visitor", answers: 410, path: at("/link/unknown"), form: form()},
	"GET /classify/{text}":  {who: "visitor", answers: 410, path: at("/classify/unknown")},
	"POST /classify/{text}": {who: "visitor", answers: 410, path: at("/classify/unknown"), form: form()},
	"POST /language": {who: "visitor", answers: 303, path: at("/language"),
		form: url.Values{"language": {"pt-BR"}}},
	"GET /session":           {who: "user", answers: 200, path: at("/session")},
	"POST /session/sign-out": {who: "user", answers: 303, path: at("/session/sign-out"), form: form()},
	"POST /session/sessions/{id}/end": {who: "user", answers: 404,
		path: at("/session/sessions/ses_x/end"), form: form()},
	"GET /session/passkeys/new": {who: "user", answers: 200, fresh: true, path: at("/session/passkeys/new")},
	"POST /session/passkeys/options": {who: "user", answers: 200, fresh: true, path: at("/session/passkeys/options"),
		json: true},
	"POST /session/passkeys": {who: "user", answers: 403, fresh: true, path: at("/session/passkeys"), json: true},
	"POST /session/passkeys/{id}/remove": {who: "user", answers: 404, fresh: true,
		path: at("/session/passkeys/psk_x/remove"),
		form: form()},
	"POST /confirm/options": {who: "user", answers: 403, others: map[string]int{"owner with an old passkey": 200},
		path: at("/confirm/options"), json: true},
	"POST /confirm":                {who: "user", answers: 403, path: at("/confirm"), json: true},
	"GET /oidc/sign-in":            {who: "visitor", answers: 303, path: at("/oidc/sign-in")},
	"GET /oidc/callback":           {who: "visitor", answers: 403, path: at("/oidc/callback")},
	"GET /oidc/anew":               {who: "visitor", answers: 403, path: at("/oidc/anew")},
	"POST /oidc/anew":              {who: "visitor", answers: 403, path: at("/oidc/anew"), form: form()},
	"GET /oidc/confirm":            {who: "user", answers: 403, path: at("/oidc/confirm")},
	"GET /oidc/link":               {who: "user", answers: 303, fresh: true, path: at("/oidc/link")},
	"POST /oidc/unlink":            {who: "user", answers: 409, fresh: true, path: at("/oidc/unlink"), form: form()},
	"GET /{$}":                     {who: "see_notes", answers: 200, path: at("/")},
	"GET /search":                  {who: "see_notes", answers: 200, path: at("/search")},
	"GET /batches":                 {who: "see_notes", answers: 200, path: at("/batches")},
	"GET /batches/template.csv":    {who: "issue_notes", answers: 200, path: at("/batches/template.csv")},
	"GET /batches/template.xlsx":   {who: "issue_notes", answers: 200, path: at("/batches/template.xlsx")},
	"POST /batches":                {who: "issue_notes", answers: 422, path: at("/batches"), form: form()},
	"GET /batches/{id}":            {who: "see_notes", answers: 200, path: aBatch("")},
	"GET /batches/{id}/result.csv": {who: "see_books", answers: 200, path: aBatch("/result.csv")},
	"POST /batches/{id}/accept":    {who: "issue_notes", answers: 303, path: aBatch("/accept"), form: form("month", month())},
	"POST /batches/{id}/discard":   {who: "issue_notes", answers: 303, path: aBatch("/discard"), form: form()},
	"GET /notes":                   {who: "see_notes", answers: 200, path: at("/notes")},
	"GET /emails/template":         {who: "see_company", answers: 200, path: at("/emails/template")},
	"GET /emails/template/logo":    {who: "see_company", answers: 404, path: at("/emails/template/logo")},
	"POST /emails/template": {who: "manage_company", answers: 409, path: at("/emails/template"),
		form: form("portuguese", "x")},
	"POST /notes/filters":         {who: "see_notes", answers: 303, path: at("/notes/filters"), form: form("name", "x")},
	"GET /recurring":              {who: "see_notes", answers: 200, path: at("/recurring")},
	"GET /recurring/new":          {who: "issue_notes", answers: 200, path: at("/recurring/new")},
	"POST /recurring":             {who: "issue_notes", answers: 422, path: at("/recurring"), form: form()},
	"GET /recurring/{id}":         {who: "see_notes", answers: 200, path: aRecurrence("")},
	"POST /recurring/{id}":        {who: "issue_notes", answers: 422, path: aRecurrence(""), form: form()},
	"POST /recurring/{id}/pause":  {who: "issue_notes", answers: 303, path: aRecurrence("/pause"), form: form()},
	"POST /recurring/{id}/resume": {who: "issue_notes", answers: 303, path: aRecurrence("/resume"), form: form()},
	"POST /recurring/{id}/skip":   {who: "issue_notes", answers: 303, path: aRecurrence("/skip"), form: form()},
	"POST /recurring/{id}/end":    {who: "issue_notes", answers: 303, path: aRecurrence("/end"), form: form()},
	"POST /recurring/{id}/months/{month}/issue": {who: "issue_notes", answers: 303,
		path: aRecurrence("/months/2026-01/issue"), form: form()},
	"POST /recurring/{id}/months/{month}/leave": {who: "issue_notes", answers: 303,
		path: aRecurrence("/months/2026-01/leave"), form: form()},
	"POST /notes/filters/{id}/remove": {who: "see_notes", answers: 303, path: at("/notes/filters/flt_x/remove"),
		form: form()},
	"GET /notes/{id}": {who: "see_notes", answers: 200, path: aNote("")},
	"GET /notes.csv":  {who: "see_books", answers: 200, path: at("/notes.csv")},
	"GET /notes/new":  {who: "issue_notes", answers: 200, path: at("/notes/new")},
	"POST /notes":     {who: "issue_notes", answers: 422, path: at("/notes"), form: form("reference", "x")},
	"POST /notes/{id}/cancel": {who: "issue_notes", answers: 303, path: aNote("/cancel"),
		form: form("reason_code", "1", "reason_text", "emitida com erro")},
	"POST /notes/{id}/analysis": {who: "issue_notes", answers: 303, path: aNote("/analysis"), form: form()},
	"GET /notes/{id}/replace":   {who: "issue_notes", answers: 303, path: aNote("/replace")},
	"POST /notes/{id}/replace":  {who: "issue_notes", answers: 303, path: aNote("/replace"), form: form()},
	"POST /notes/{id}/redrive":  {who: "issue_notes", answers: 303, path: aNote("/redrive"), form: form()},
	"POST /notes/{id}/competence": {who: "issue_notes", answers: 303, path: aNote("/competence"),
		form: form("competence", string(nfse.DayOf(time.Now())))},
	"POST /notes/{id}/deliveries/{delivery}/retry": {who: "retry_deliveries", answers: 404,
		path: aNote("/deliveries/dlv_x/retry"),
		form: form()},
	"GET /notes/{id}/danfse":    {who: "see_notes", answers: 404, path: aNote("/danfse")},
	"GET /notes/{id}/xml":       {who: "see_notes", answers: 404, path: aNote("/xml")},
	"GET /closing":              {who: "see_books", answers: 200, path: at("/closing")},
	"GET /closing.csv":          {who: "see_books", answers: 200, path: at("/closing.csv")},
	"GET /closing.xlsx":         {who: "see_books", answers: 200, path: at("/closing.xlsx")},
	"GET /closing/books":        {who: "see_books", answers: 200, path: at("/closing/books")},
	"POST /closing/archive":     {who: "see_books", answers: 303, path: at("/closing/archive"), form: form()},
	"GET /closing/archive/{id}": {who: "see_books", answers: 404, path: at("/closing/archive/zip_x")},
	"GET /people":               {who: "see_people", answers: 200, path: at("/people")},
	"GET /integrations":         {who: "see_integrations", answers: 200, path: at("/integrations")},
	"GET /received":             {who: "see_books", answers: 200, path: at("/received")},
	"GET /received.csv":         {who: "see_books", answers: 200, path: at("/received.csv")},
	"GET /received.zip":         {who: "see_books", answers: 422, path: at("/received.zip")},
	"GET /received/{key}":       {who: "see_books", answers: 404, path: at("/received/" + receivedTestKey)},
	"GET /received/{key}/xml":   {who: "see_books", answers: 404, path: at("/received/" + receivedTestKey + "/xml")},
	"GET /received/{key}/danfse": {who: "see_books", answers: 404,
		path: at("/received/" + receivedTestKey + "/danfse")},
	"POST /notes/{id}/email": {who: "send_emails", answers: 422, path: aNote("/email"),
		form: form("email", "a@example.com")},
	"GET /notes/{id}/messages":               {who: "see_requests", answers: 200, path: aNote("/messages")},
	"GET /notes/{id}/messages/{message}":     {who: "see_requests", answers: 404, path: aNote("/messages/m1")},
	"GET /notes/{id}/messages/{message}/xml": {who: "see_requests", answers: 404, path: aNote("/messages/m1/xml")},
	"POST /integrations/keys": {who: "manage_keys", answers: 200, fresh: true, path: at("/integrations/keys"),
		form: form("label", "loja")},
	"GET /integrations/keys/{id}": {who: "see_integrations", answers: 200, path: aKey("")},
	"POST /integrations/keys/{id}": {who: "manage_keys", answers: 409, fresh: true, path: aKey(""),
		form: form("label", "loja", "version", "x")},
	"POST /integrations/keys/{id}/revoke": {who: "manage_keys", answers: 303, fresh: true,
		path: aKey("/revoke"), form: form()},
	"POST /integrations/endpoints": {who: "manage_endpoints", answers: 422, fresh: true, path: at("/integrations/endpoints"),
		form: form("url", "x")},
	"GET /integrations/endpoints/{id}": {who: "see_integrations", answers: 200, path: anEndpoint("")},
	"POST /integrations/endpoints/{id}": {who: "manage_endpoints", answers: 422, fresh: true, path: anEndpoint(""),
		form: form("url", "x")},
	"POST /integrations/endpoints/{id}/test": {who: "retry_deliveries", answers: 200, path: anEndpoint("/test"), form: form()},
	"POST /integrations/endpoints/{id}/rotate": {who: "manage_endpoints", answers: 200, fresh: true, path: anEndpoint("/rotate"),
		form: form()},
	"POST /integrations/endpoints/{id}/disable": {who: "manage_endpoints", answers: 303, fresh: true, path: anEndpoint("/disable"),
		form: form()},
	"POST /integrations/endpoints/{id}/enable": {who: "manage_endpoints", answers: 303, path: anEndpoint("/enable"), form: form()},
	"POST /integrations/endpoints/{id}/remove": {who: "manage_endpoints", answers: 303, fresh: true, path: anEndpoint("/remove"),
		form: form()},
	"POST /integrations/endpoints/{id}/retry": {who: "retry_deliveries", answers: 200, path: anEndpoint("/retry"),
		form: form("since", "2026-01-01T00:00")},
	"GET /integrations/deliveries":      {who: "see_integrations", answers: 200, path: at("/integrations/deliveries")},
	"GET /integrations/deliveries/{id}": {who: "see_integrations", answers: 200, path: aDelivery("")},
	"POST /integrations/deliveries/{id}/retry": {who: "retry_deliveries", answers: 303,
		path: aDelivery("/retry"), form: form()},
	"GET /integrations/requests": {who: "see_requests", answers: 200, path: at("/integrations/requests")},
	"GET /integrations/requests/{id}": {who: "see_requests", answers: 200,
		path: func(t *testing.T, s *site) string { return "/integrations/requests/" + s.request(t) }},
	"GET /integrations/receiver":  {who: "see_integrations", answers: 200, path: at("/integrations/receiver")},
	"GET /catalogue/services":     {who: "see_catalogue", answers: 200, path: at("/catalogue/services")},
	"GET /catalogue/services/new": {who: "change_catalogue", answers: 200, path: at("/catalogue/services/new")},
	"POST /catalogue/services": {who: "change_catalogue", answers: 422,
		path: at("/catalogue/services"), form: form()},
	"GET /catalogue/services/{id}": {who: "see_catalogue", answers: 200, path: aService("")},
	"POST /catalogue/services/{id}": {who: "change_catalogue", answers: 422, path: aService(""),
		form: form("version", "x")},
	"GET /catalogue/services/{id}/classification": {who: "see_catalogue", answers: 200, path: aService("/classification")},
	"POST /catalogue/services/{id}/classification": {who: "change_catalogue", answers: 422, path: aService("/classification"),
		form: form("nbs", "x")},
	"POST /catalogue/services/{id}/classification/links": {who: "change_catalogue", answers: 422,
		path: aService("/classification/links"), form: form("email", "x")},
	"POST /catalogue/services/{id}/classification/links/{link}/revoke": {who: "change_catalogue", answers: 404,
		path: aService("/classification/links/lnk_x/revoke"), form: form()},
	"POST /catalogue/services/{id}/classification/remove": {who: "change_catalogue", answers: 303,
		path: aService("/classification/remove"),
		form: form()},
	"GET /catalogue/services/{id}/taxation": {who: "see_catalogue", answers: 200, path: aService("/taxation")},
	"POST /catalogue/services/{id}/taxation": {who: "change_catalogue", answers: 422, path: aService("/taxation"),
		form: form("irrf", "x")},
	"GET /catalogue/customers/{id}/taxation": {who: "see_catalogue", answers: 200, path: customerTaxation},
	"POST /catalogue/customers/{id}/taxation": {who: "change_catalogue", answers: 422, path: customerTaxation,
		form: form("withholds", "x")},
	"GET /catalogue/works":              {who: "see_catalogue", answers: 200, path: at("/catalogue/works")},
	"GET /catalogue/works/new":          {who: "change_catalogue", answers: 200, path: at("/catalogue/works/new")},
	"POST /catalogue/works":             {who: "change_catalogue", answers: 422, path: at("/catalogue/works"), form: form()},
	"GET /catalogue/works/{id}":         {who: "see_catalogue", answers: 200, path: aWork("")},
	"POST /catalogue/works/{id}":        {who: "change_catalogue", answers: 422, path: aWork(""), form: form()},
	"POST /catalogue/works/{id}/close":  {who: "change_catalogue", answers: 303, path: aWork("/close"), form: form()},
	"GET /catalogue/events":             {who: "see_catalogue", answers: 200, path: at("/catalogue/events")},
	"GET /catalogue/events/new":         {who: "change_catalogue", answers: 200, path: at("/catalogue/events/new")},
	"POST /catalogue/events":            {who: "change_catalogue", answers: 422, path: at("/catalogue/events"), form: form()},
	"GET /catalogue/events/{id}":        {who: "see_catalogue", answers: 200, path: anEvent("")},
	"POST /catalogue/events/{id}":       {who: "change_catalogue", answers: 422, path: anEvent(""), form: form()},
	"POST /catalogue/events/{id}/close": {who: "change_catalogue", answers: 303, path: anEvent("/close"), form: form()},
	"GET /catalogue/customers":          {who: "see_catalogue", answers: 200, path: at("/catalogue/customers")},
	"GET /catalogue/customers/new":      {who: "change_catalogue", answers: 200, path: at("/catalogue/customers/new")},
	"POST /catalogue/customers":         {who: "change_catalogue", answers: 422, path: at("/catalogue/customers"), form: form()},
	"GET /catalogue/customers/{id}":     {who: "see_catalogue", answers: 200, path: aCustomer},
	"POST /catalogue/customers/{id}":    {who: "change_catalogue", answers: 422, path: aCustomer, form: form("version", "x")},
	"GET /company":                      {who: "see_company", answers: 200, path: at("/company")},
	"GET /company/calendar":             {who: "see_company", answers: 200, path: withProfile("/company/calendar")},
	"GET /company/check":                {who: "manage_company", answers: 200, path: at("/company/check")},
	"POST /company/check":               {who: "manage_company", answers: 200, path: at("/company/check"), form: form()},
	"POST /company/profile": {who: "manage_company", answers: 422, fresh: true, path: at("/company/profile"),
		form: form("tax_id", "x")},
	"POST /company/next-number": {who: "manage_company", answers: 422, fresh: true, path: withProfile("/company/next-number"),
		form: form("next_number", "x")},
	"POST /company/city":      {who: "manage_company", answers: 303, path: withProfile("/company/city"), form: form()},
	"GET /company/city-login": {who: "manage_company", answers: 404, fresh: true, path: at("/company/city-login")},
	"POST /company/city-login": {who: "manage_company", answers: 404, fresh: true, path: at("/company/city-login"),
		form: form()},
	"POST /company/city-login/remove": {who: "manage_company", answers: 303, fresh: true, path: aCityLogin, form: form()},
	"GET /company/certificates/new":   {who: "manage_company", answers: 200, fresh: true, path: at("/company/certificates/new")},
	"POST /company/certificates": {who: "manage_company", answers: 422, fresh: true,
		path: at("/company/certificates"), form: form()},
	"POST /company/certificates/{id}/retry": {who: "manage_company", answers: 303, fresh: true, path: aCertificate("/retry"),
		form: form()},
	"POST /company/certificates/{id}/remove": {who: "manage_company", answers: 303, fresh: true, path: aCertificate("/remove"),
		form: form()},
	"GET /emails": {who: "see_books", answers: 200, path: at("/emails")},
	"POST /emails/{id}/retry": {who: "send_emails", answers: 404, path: at("/emails/eml_x/retry"),
		form: form()},
	"POST /emails/retry-failed": {who: "send_emails", answers: 303, path: at("/emails/retry-failed"), form: form()},
	"GET /ledger":               {who: "see_books", answers: 200, path: at("/ledger")},
	"GET /ledger.csv":           {who: "see_books", answers: 200, path: at("/ledger.csv")},
	"GET /audit":                {who: "see_audit", answers: 200, path: at("/audit")},
	"GET /design":               {who: "operator", answers: 200, path: at("/design")},
	"GET /operations":           {who: "operator", answers: 200, path: at("/operations")},
	"GET /operations/check":     {who: "operator", answers: 200, path: at("/operations/check")},
	"POST /operations/check":    {who: "operator", answers: 200, path: at("/operations/check"), form: form()},
	"GET /status":               {who: "user", answers: 200, path: at("/status")},
	"GET /status.json":          {who: "user", answers: 200, path: at("/status.json")},
	"GET /alerts":               {who: "see_notes", answers: 200, path: at("/alerts")},
	"POST /alerts":              {who: "see_notes", answers: 303, path: at("/alerts"), form: form("held", "daily")},
	"POST /operations/companies": {who: "operator", answers: 422, fresh: true, path: at("/operations/companies"),
		form: form("name", " ")},
	"GET /operations/companies/{id}": {who: "operator", answers: 200, path: aCompany},
	"POST /operations/companies/{id}": {who: "operator", answers: 303, fresh: true, path: aCompany,
		form: form("name", "Clínica")},
	"POST /operations/series/release": {who: "operator", answers: 400, fresh: true,
		path: at("/operations/series/release"), form: form()},
	"POST /people/invitations": {who: "manage_people", answers: 422, fresh: true, path: at("/people/invitations"),
		form: form("email", "x", "role", "viewer")},
	"POST /people/invitations/{id}/revoke": {who: "manage_people", answers: 303, fresh: true, path: anInvitation, form: form()},
	"POST /people/{id}/role": {who: "manage_people", answers: 409, fresh: true, path: aMember("/people/", "/role"),
		form: form("role", "editor", "version", "2026-01-01T00:00:00Z")},
	"POST /people/{id}/link": {who: "manage_people", answers: 200, fresh: true, path: aMember("/people/", "/link"),
		form: form()},
	"POST /people/{id}/remove": {who: "manage_people", answers: 303, fresh: true, path: aMember("/people/", "/remove"),
		form: form()},
}

func aService(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/catalogue/services/" + s.NewService(t, s.TestKey) + after }
}

func aCompany(_ *testing.T, s *site) string { return "/operations/companies/" + s.Organization.ID }

func aCustomer(t *testing.T, s *site) string {
	t.Helper()
	return "/catalogue/customers/" + s.Call(t, http.MethodPost, "/v1/customers", s.TestKey,
		testkit.Body{"document": "52998224725", "name": "Maria da Silva"}).Text("id")
}

func aWork(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/catalogue/works/" + s.work(t) + after }
}

func anEvent(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/catalogue/events/" + s.culturalEvent(t) + after }
}

func customerTaxation(t *testing.T, s *site) string {
	t.Helper()
	return aCustomer(t, s) + "/taxation"
}

// withProfile probes what needs the organization's fiscal profile.
func withProfile(path string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string {
		t.Helper()
		s.NewProfile(t, "national")
		return path
	}
}

func aCertificate(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/company/certificates/" + s.NewCertificate(t) + after }
}

func anInvitation(t *testing.T, s *site) string {
	s.invitation(t, strings.ToLower(nfse.NewID(nfse.PrefixRequest))+"@example.com", s.Organization.ID, nfse.RoleViewer)
	return "/people/invitations/" + s.Text(t, `SELECT max(id) FROM links`) + "/revoke"
}

// roles are those that have each permission: as in package nfse, and decided here once more.
var roles = map[string][]string{
	"see_notes":        {"viewer", "editor", "accountant", "developer", "owner"},
	"issue_notes":      {"editor", "owner"},
	"see_catalogue":    {"viewer", "editor", "accountant", "developer", "owner"},
	"change_catalogue": {"editor", "owner"},
	"see_books":        {"viewer", "editor", "accountant", "owner"},
	"send_emails":      {"editor", "owner"},
	"see_integrations": {"viewer", "editor", "developer", "owner"},
	"manage_keys":      {"developer", "owner"},
	"manage_endpoints": {"developer", "owner"},
	"retry_deliveries": {"editor", "developer", "owner"},
	"see_requests":     {"editor", "developer", "owner"},
	"see_company":      {"viewer", "editor", "accountant", "owner"},
	"manage_company":   {"owner"},
	"see_people":       {"viewer", "editor", "accountant", "owner"},
	"manage_people":    {"owner"},
	"see_audit":        {"viewer", "editor", "accountant", "owner"},
}

// ofOrganization reports whether the probe is of a page of an organization.
func (one probe) ofOrganization() bool { return roles[one.who] != nil }

// outcome tells an answer that shows or does something from the refusals.
func (p page) outcome() string {
	switch {
	case p.status == http.StatusSeeOther && strings.HasPrefix(p.header.Get("Location"), "/sign-in?next="),
		p.status == http.StatusUnauthorized:
		return "asks to sign in"
	case p.status == http.StatusForbidden && strings.Contains(p.body, "Seu papel"):
		return "is forbidden"
	case p.status == http.StatusForbidden && (strings.Contains(p.body, "Confirme que") ||
		strings.Contains(p.body, "pede a sua passkey")):
		return "asks for a passkey"
	case p.status == http.StatusNotFound && strings.Contains(p.body, "não leva a nada"):
		return "is not found"
	}
	return "is answered"
}

func (p *person) probe(t *testing.T, name, path string, one probe) page {
	t.Helper()
	method, _, _ := strings.Cut(name, " ")
	switch {
	case one.json:
		return p.send(t, http.MethodPost, path, nil, "application/json", strings.NewReader("{}"))
	case method == "POST":
		meant := maps.Clone(one.form)
		meant.Set("confirmed", "yes") // what is asked about once more is meant
		return p.post(t, path, meant)
	}
	return p.get(t, path)
}

// Every route, as everybody: nobody gets at what is not theirs. A route without an
// entry above, or one that the table gives to others than the entry, fails; so does an
// answer that the entry does not name.
func TestRoutes_WhoMay(t *testing.T) {
	t.Parallel()
	s, _ := newSignOnSite(t)
	other, _, _ := s.NewOrganization(t, "Escola")
	people := map[string]*person{}
	for _, role := range nfse.MemberRoles {
		people[string(role)] = s.signedIn(t, string(role)+"@example.com", s.Organization.ID, role)
	}
	people["operator"] = s.signedIn(t, "operator@example.com", "", "")
	people["stranger"] = s.stranger(t)
	people["owner elsewhere"] = s.signedIn(t, "elsewhere@example.com", other.ID, nfse.RoleOwner)
	stale := s.signedIn(t, "stale@example.com", s.Organization.ID, nfse.RoleOwner)
	stale.addPasskey(t)
	stale.verifiedAt(t, time.Now().Add(-6*time.Minute))
	people["owner with an old passkey"] = stale

	asked := 0
	asEverybody := func(name string, one probe) {
		for who, person := range people {
			if asked++; asked%long.Cases(1, 4) != 0 {
				continue // make test asks as one of four: as whom differs with each run
			}
			path := one.path(t, s)
			if one.ofOrganization() {
				path = s.at(path)
			}
			if person.id != "" && person != stale { // however long the test takes
				person.verifiedAt(t, time.Now())
			}
			expected := expectedOutcome(who, one)
			answered := person.probe(t, name, path, one)
			switch found := answered.outcome(); {
			case answered.status >= 500:
				t.Errorf("%s as %s fails: %d\n%s", name, who, answered.status, answered.body)
			case expected == "is answered" && answered.status != one.answersTo(who):
				t.Errorf("%s as %s is answered %d, expected %d", name, who, answered.status, one.answersTo(who))
			case expected != "is answered" && found != expected:
				t.Errorf("%s as %s %s (%d), expected that it %s", name, who, found, answered.status, expected)
			}
		}
	}
	const last = "POST /session/sign-out" // which ends what the others need
	for _, route := range dashboard.Routes(s.pages) {
		name := route.Method + " " + route.Path
		one, ok := probes[name]
		if !ok {
			t.Errorf("the route %s has no entry in probes", name)
			continue
		}
		if route.Who != one.who || route.Fresh != one.fresh {
			t.Errorf("%s is for %s, fresh passkey: %t; expected %s, %t", name, route.Who, route.Fresh, one.who,
				one.fresh)
		}
		if one.valid = route.AsksWhenValid; name != last {
			asEverybody(name, one)
		}
	}
	asEverybody(last, probes[last])
	if extra := len(probes) - len(dashboard.Routes(s.pages)); extra != 0 {
		t.Errorf("there are %d more probes than routes", extra)
	}
}

func expectedOutcome(who string, one probe) string {
	role, _, _ := strings.Cut(who, " ")
	switch {
	case one.who == "stranger" || one.who == "visitor":
		return "is answered"
	case who == "stranger":
		return "asks to sign in"
	case who == "owner elsewhere" && one.ofOrganization():
		return "is not found"
	case one.ofOrganization() && who != "operator" && !slices.Contains(roles[one.who], role):
		return "is forbidden"
	case one.who == "operator" && who != "operator":
		return "is not found"
	case one.valid && one.answers == http.StatusUnprocessableEntity: // what is wrong is said first
		return "is answered"
	case who == "owner with an old passkey" && one.fresh:
		return "asks for a passkey"
	}
	return "is answered"
}

// A template that asks for a permission which is misspelt would hide its button from everybody.
func TestTemplates_KnownPermissions(t *testing.T) {
	files, err := filepath.Glob("templates/*.gohtml")
	must(t, err)
	asked := regexp.MustCompile(`\.May "([^"]*)"`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		for _, match := range asked.FindAllStringSubmatch(string(text), -1) {
			found++
			if !nfse.RoleOperator.May(nfse.Permission(match[1])) {
				t.Errorf("%s asks for %s, which is no permission", file, match[1])
			}
		}
	}
	if found < 30 {
		t.Errorf("%d permissions are asked for", found)
	}
}

// What is another's is not found, also by who has a role of their own; and no page
// says a word of it.
func TestRoutes_AnothersIds(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, otherKey, _ := s.NewOrganization(t, "Escola Vizinha")
	theirs := s.noteOf(t, otherKey, "their-order")
	member := s.member(t, "neighbour@example.com", other.ID, nfse.RoleViewer)
	s.invitation(t, "new@example.com", other.ID, nfse.RoleViewer)
	invitation := s.Text(t, `SELECT max(id) FROM links`)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	own := s.note(t)
	for _, path := range []string{
		s.at("/notes/" + theirs), s.at("/notes/" + theirs + "/xml"), s.at("/notes/" + theirs + "/danfse"),
		s.at("/notes/new") + "&from=" + theirs, s.of("/notes/"+own, s.Organization.ID, "live"),
		s.of("/notes", other.ID, "test"), s.of("/people", other.ID, "test"), s.of("/notes", "org_x", "test"),
		s.of("/emails", other.ID, "live"), s.of("/ledger", other.ID, "live"), s.of("/ledger.csv", other.ID, "live"),
		s.of("/audit", other.ID, "test"),
		s.of("/notes", s.Organization.ID, "production"), s.at("/notes/nfse_x"), s.at("/notes/%00"), s.at("/notes/%ff"),
	} {
		owner.get(t, path).expect(t, http.StatusNotFound, "não leva a nada")
	}
	for _, path := range []string{
		"/notes/" + theirs + "/cancel", "/notes/" + theirs + "/redrive",
		"/people/" + member + "/role", "/people/" + member + "/link", "/people/" + member + "/remove",
		"/people/invitations/" + invitation + "/revoke",
	} {
		owner.post(t, s.at(path), form("role", "owner", "version", "2026-01-01T00:00:00Z",
			"reason_code", "1", "reason_text", "emitida com erro")).expect(t, http.StatusNotFound)
	}
	for _, path := range []string{s.at("/"), s.at("/notes"), s.at("/people"), s.at("/notes.csv"),
		s.at("/notes/new")} {
		if body := owner.get(t, path).body; strings.Contains(body, "Vizinha") || strings.Contains(body, "neighbour") ||
			strings.Contains(body, "their-order") {
			t.Errorf("%s tells of another organization", path)
		}
	}
	// The search finds by request id within the organization only.
	request := s.Text(t, `SELECT request_id FROM notes WHERE id = $1`, theirs)
	owner.get(t, s.at("/notes")+"&q="+request).expect(t, http.StatusOK, "Nenhuma nota corresponde")
}

func TestRoutes_AddressIsCompleted(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	for path, expected := range map[string]string{
		"/": s.at("/"), "/notes?state=issued": s.at("/notes") + "&state=issued",
		"/people?env=live": s.of("/people", s.Organization.ID, "live"),
	} {
		location, err := url.Parse(viewer.get(t, path).expect(t, http.StatusSeeOther).header.Get("Location"))
		must(t, err)
		wanted, err := url.Parse(expected)
		must(t, err)
		if location.Path != wanted.Path || location.Query().Encode() != wanted.Query().Encode() {
			t.Errorf("%s leads to %s, expected %s", path, location, wanted)
		}
	}
	viewer.get(t, s.of("/notes", s.Organization.ID, "live")).expect(t, http.StatusOK)
	if location := viewer.get(t, "/notes").header.Get("Location"); !strings.Contains(location, "env=live") {
		t.Errorf("the environment seen last is forgotten: %s", location)
	}
	nobody := s.signedIn(t, "nobody@example.com", s.Organization.ID, nfse.RoleViewer)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.confirms(t, s.at("/people/"+nobody.id+"/remove"), form()).expect(t, http.StatusSeeOther)
	nobody.get(t, "/").expect(t, http.StatusForbidden, "Você não é de nenhuma organização")
}

// note issues a note and returns its id.
func (s *site) note(t *testing.T) string {
	t.Helper()
	return s.noteOf(t, s.TestKey, nfse.NewID(nfse.PrefixRequest))
}

func (s *site) noteOf(t *testing.T, key, reference string) string {
	t.Helper()
	service := s.Call(t, http.MethodPost, "/v1/services", key, testkit.Body{
		"name": "Consulta", "description": "Consulta médica", "municipality_code": "3550308",
		"default_amount_cents": 15000,
	}).JSON["id"].(string)
	return s.Call(t, http.MethodPost, "/v1/nfse", key, testkit.Issuance(service, reference)).JSON["id"].(string)
}

// addPasskey puts a passkey on record that nobody holds.
func (p *person) addPasskey(t *testing.T) {
	t.Helper()
	p.site.Exec(t, `INSERT INTO passkeys (id, user_id, credential_id, credential, label)
		VALUES ('psk_' || $1, $1, $1::bytea, '{}', 'laptop')`, p.id)
}
