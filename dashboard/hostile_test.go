package dashboard_test

import (
	"encoding/csv"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/long"
	"emissor/test/testkit"
)

// hostileTexts are what somebody may put wherever a text is stored. Each has the mark.
var hostileTexts = map[string]string{
	"a script":          `</title></textarea>"'><script>alert("hostile")</script>'`,
	"an attribute":      `"><img src=x onerror=alert('hostile')>`,
	"another attribute": `' onfocus='alert("hostile")' autofocus x='`,
	"a template":        `{{.}}{{template "main" .}}${hostile}<%= hostile %>`,
	"an address":        `javascript:alert("hostile")//`,
	"another direction": "hostile\u202e\u2066gpj.exe",
	"a long word":       "hostile" + strings.Repeat("palavra", 10_000/7),
	"a formula":         `=HYPERLINK("http://evil.example/hostile";"clique")`,
}

const hostileMark = "hostile"

// hostileColumns are the stored texts that somebody else wrote or could have: callers,
// subscribers' servers, authorities, certificate authorities, browsers, mail servers.
var hostileColumns = map[string][]string{
	"api_keys":     {"label"},
	"certificates": {"subject", "issuer", "serial", "refused_reason"},
	"customers": {"name", "nickname", "email", "street_type", "street", "number", "district",
		"complement"},
	"deliveries":                   {"reason"},
	"distributions":                {"problem"},
	"emails":                       {"reason", "last_problem", "address"},
	"fiscal_calls":                 {"outcome", "reason"},
	"fiscal_series":                {"held_reason"},
	"keyset_reports":               {"process"},
	"recurrences":                  {"description"},
	"recurring_months":             {"description"},
	"municipal_parameters":         {"failure", "doubted_by"},
	"municipal_service_parameters": {"failure"},
	"delivery_attempts":            {"answer", "problem"},
	"note_steps":                   {"fact", "request_id"},
	"notes": {"request_id", "authority_number", "verification_code", "access_key", "cancellation_reason_text",
		"cancellation_request_id", "held_reason", "replacement_text"},
	"organizations":        {"name"},
	"paused_backlogs":      {"reason"},
	"outbox":               {"last_error", "reference"},
	"external_events":      {"title", "reason_text", "problem", "outcome"},
	"external_documents":   {"problem"},
	"received_notes":       {"issuer_name", "number", "service_code", "description", "place_code", "problem"},
	"received_events":      {"title", "reason_text", "replacement", "problem"},
	"passkeys":             {"label"},
	"saved_filters":        {"name"},
	"email_templates":      {"portuguese", "english"},
	"services":             {"name", "description"},
	"classification_links": {"email"},
	"webhook_endpoints":    {"url", "disabled_reason"},
	// By statements of their own: they are unique, only added to, JSON, or figures.
	"works": {"work"}, "cultural_events": {"event"},
	"users": {"email"}, "sessions": {"data"}, "fiscal_profiles": {"profile"},
	"audit_log":  {"actor_from", "request_id", "action", "subject_id", "before", "after"},
	"note_moves": {"rejection_code"}, "note_figures": {"name"},
}

// ourColumns are all other texts: ids, states and codes that only this program writes,
// or that no page shows. A column is a name in every table, or table.column.
var ourColumns = strings.Fields(`
	id organization_id user_id made_by
	note_id copy_of event_id endpoint_id service_id customer_id api_key_id delivery_id
	distribution_id certificate_id message_id failed_run_id subject_id token_hash status kind state role type what
	authority issuer layout digest correlation_id disposition municipality_code service_code tax_id zip_code asked_by
	production scenario
	loop row_id table_name edition source_name source_sha256 content actor_kind actor_id zip_start zip_end up_to was
		became
	effect reason_code linked_by
	method route path_id api_requests.error_code api_requests.error_field api_requests.fields webhook_endpoints.events
	webhook_endpoints.listener_key_id
	api_keys.last_four parts.name parts.key parts.prefix parts.part_name
	services.national_tax_code services.municipal_tax_code services.municipal_taxation
	notes.reference note_references.reference notes.service notes.service_description service_snapshots.service
	notes.customer notes.rejection notes.cancellation_refusal
	notes.municipality_source notes.cancellation_status notes.cancellation_reason_code notes.cancellation_api_key_id
	notes.classification notes.taxation notes.details notes.cancellation_origin notes.analysis authority_totals
	notes.replaces notes.replaced_by external_events.replacement
	closing_moves.city closing_moves.regime closing_figures.city closing_figures.regime archive_id
	archive_segments.key archive_segments.first_note archive_segments.last_note archive_state.token archive_state.problem
	service_taxations.taxation
	authority_hours.outcome alert_settings.how saved_filters.query alerts.alert_key alerts.mail_id
	alert_mails.last_problem fiscal_exchanges.mends fiscal_exchanges.doubted_code authority_drift.fingerprint
	authority_drift.call authority_drift.media authority_drift.news authority_drift.copy refusal_brakes.code learned_registrations.code
	customer_taxations.taxation service_classifications.classification passkeys.credential identities.subject
	municipal_parameters.city municipal_service_parameters.service
	fiscal_exchanges.profile exchange_profiles.profile fiscal_exchanges.request_id fiscal_exchanges.rejection fiscal_exchanges.access_key
	fiscal_exchanges.authority_number fiscal_exchanges.verification_code
	fiscal_series.registration fiscal_series.checked_in outbox.failure outbox.traceparent tax_id_claims.source
	external_documents.access_key external_events.access_key received_notes.access_key received_events.access_key
	received_notes.totals received_notes.issuer_tax_id
	recurrence_id recurring_months.reason wanted_by wanted_from recurrences.request_id
	recurring_months.request_id batch_id batches.accepted_by batches.accepted_from batches.request_id batch_lines.request batch_lines.code
	batch_lines.field
	checked_database.name fiscal_sequences.checked_in fiscal_sequences.noticed_in fiscal_sequences.check_problem
	recovered_documents.registration recovered_documents.access_key recovered_documents.authority_number
	recovered_documents.taker recovered_documents.taker_tax_id`)

// hostileSite has this text wherever somebody could have put one.
func newHostileSite(t *testing.T, text string) *site {
	t.Helper()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	s.NewCertificate(t)
	s.key(t)
	disabled, _ := s.NewEndpoint(t, "https://hooks.example.com/nfse", false)
	enabled, _ := s.NewEndpoint(t, "https://hooks.example.com/nfse", false)
	s.delivery(t, disabled, "failed", time.Now())
	s.delivery(t, enabled, "failed", time.Now())
	refused, live := s.note(t), s.noteOf(t, s.LiveKey, "viva")
	for _, status := range []string{"failed", "skipped"} {
		s.email(t, s.noteOf(t, s.LiveKey, status), status, fact.InWords("x"))
	}
	s.RefuseByTerm(t, s.noteOf(t, s.LiveKey, "vencida"))
	s.Exec(t, `UPDATE fiscal_exchanges SET profile = (SELECT profile FROM fiscal_profiles)
		WHERE access_key = 'KEY'`) // so that its page has the form of a replacement
	s.entry(t, live, "issued", 123456, time.Now())
	s.entry(t, live, "reversed", -123456, time.Now())
	said := nfse.Rejection{Source: nfse.RejectedByAuthority, Code: text, Message: text, Explanation: text, Action: text,
		Wording: nfse.Wording{Reason: fact.NoteBlockedBecause.With("words", text), Catalogue: text}}
	s.Exec(t, `UPDATE notes SET status = 'rejected', rejected_at = now(), cancellation_status = 'refused',
		cancellation_requested_at = now(), cancellation_resolved_at = now(), cancellation_reason_code = '1',
		rejection = $1, cancellation_refusal = $1 WHERE id = $2`, said, refused)
	day := said
	day.Code = "E0016" // of a day of competence, so that the page has the form for another
	must(t, s.workerStore(t).Operate.RollUp(t.Context()))
	s.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now() WHERE id = $1`, live)
	s.Exec(t, `UPDATE notes SET held_reason = '{}', held_since = now()`)
	s.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, disposition, rejection)
		VALUES ($1, 'issue', 'unsigned', 'national', true, '11222333000181', '3304557', 1, 1, '{}', 'needs_person',
			$2)`,
		live, day)
	s.Exec(t, `INSERT INTO fiscal_calls (note_id, what, outcome, status, reason, ended_at)
		VALUES ($1, 'issue', 'x', 503, '{}', now()), ($2, 'issue', 'x', 503, '{}', now())`, refused, live)
	s.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id, failures, problem, problem_since)
		VALUES ('dst_1', 'national', true, '11222333000181', 7, '{}', now())`)
	s.Exec(t, `INSERT INTO external_events (distribution_id, position, access_key, type, title, effect, reason_code,
		reason_text, happened_at, content, content_hash, note_id, applied_at, outcome, problem)
		SELECT 'dst_1', 1, id, 'e105102', $1, 'none', '1', 'x', now(), '', '', id, now(), $1, $1 FROM notes`,
		fact.InWords("x"))
	s.received(t, s.Organization.ID, receivedTestKey)
	s.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, failure, failed_at, city,
		fetched_at, doubted_by, doubted_at) VALUES ('national', true, '3550308', '{}', now(), '{}', now(), 'x', now())`)
	s.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
			held_reason, held_at)
		VALUES ('national', false, (SELECT profile ->> 'tax_id' FROM fiscal_profiles), '3304557', 1, '1', '{}', now())`)
	s.Exec(t, `INSERT INTO keyset_reports (process_id, process, key_ids, primary_key_id)
		VALUES (gen_random_uuid(), 'x', '{1}', 1)`)
	s.Exec(t, `INSERT INTO paused_backlogs (livemode, kind, organization_id, reason, paused_until)
		SELECT DISTINCT livemode, kind, '', '{}'::jsonb, now() + interval '1 hour' FROM outbox`)
	s.Exec(t, `UPDATE certificates SET refused_at = now()`)
	paused := s.recurrence(t)
	s.Exec(t, `UPDATE recurrences SET status = 'paused' WHERE id = $1`, paused)
	s.recurrence(t)
	s.Exec(t, `INSERT INTO email_templates (organization_id, portuguese, english) VALUES ($1, '', '')`, s.Organization.ID)
	s.Exec(t, `INSERT INTO service_classifications (service_id, organization_id, livemode, classification)
		SELECT id, organization_id, livemode, jsonb_build_object('NBS', $1::text) FROM services`, usualNBS)
	s.Exec(t, `UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $1`, fact.InWords("x"))
	for table, columns := range hostileColumns {
		switch table {
		case "works", "cultural_events", "users", "sessions", "audit_log", "fiscal_profiles", "note_moves",
			"note_figures":
			continue
		}
		for _, column := range columns {
			s.setEverywhere(t, table, column, fact.InWords(text))
		}
	}
	s.work(t)
	s.batch(t)
	s.Exec(t, `UPDATE recurrences SET description = $1`, text)
	s.Exec(t, `UPDATE recurring_months SET description = $1`, text)
	s.culturalEvent(t)
	s.Exec(t, `UPDATE works SET work = jsonb_build_object('name', $1::text, 'registration', $1::text, 'cib', $1::text,
		'property_number', $1::text, 'technical_document', $1::text, 'municipality_code', $1::text,
		'address', jsonb_build_object('x_lgr', $1::text), 'foreign', jsonb_build_object('city', $1::text))`, text)
	s.Exec(t, `UPDATE cultural_events SET event = jsonb_build_object('name', $1::text, 'identification', $1::text,
		'from', '2026-11-20', 'through', '2026-11-21', 'address', jsonb_build_object('x_lgr', $1::text))`, text)
	s.Exec(t, `UPDATE webhook_endpoints SET disabled_at = NULL, disabled_reason = NULL WHERE id = $1`, enabled)
	s.Exec(t, `UPDATE service_snapshots SET service = service || jsonb_build_object('name', $1::text)`, text)
	s.Exec(t, `UPDATE note_references SET reference = $1 || note_id`, text)
	s.Exec(t, `UPDATE notes SET reference = $1 || id, service = service || jsonb_build_object('name', $1::text,
		'description', $1::text), service_description = $1, customer = customer || jsonb_build_object('name', $1::text, 'email', $1::text,
		'address', jsonb_build_object('street_type', $1::text, 'street', $1::text, 'number', $1::text,
			'complement', $1::text, 'district', $1::text, 'zip_code', $1::text))`, text)
	s.Exec(t, `UPDATE notes SET details = jsonb_build_object('foreign_taker', jsonb_build_object('name', $1::text,
		'nif', $1::text, 'country', $1::text, 'city', $1::text, 'street', $1::text),
		'work', jsonb_build_object('name', $1::text), 'event', jsonb_build_object('name', $1::text),
		'iss', jsonb_build_object('kind', $1::text, 'process', $1::text),
		'intermediary', jsonb_build_object('name', $1::text, 'tax_id', $1::text))`, text)
	s.Exec(t, `UPDATE fiscal_profiles SET profile = profile || jsonb_build_object('municipal_registration', $1::text,
		'inactive_municipalities', jsonb_build_array($1::text))`, text)
	s.Exec(t, `INSERT INTO audit_log (id, organization_id, actor_kind, actor_id, actor_from, request_id, action,
		subject_id, before, after) SELECT 'aud_' || lpad(kind, 26, '0'), $1, kind, $2, $2, $2, $2, $2,
		jsonb_build_object('name', $2::text, 'list', jsonb_build_array($2::text)),
		jsonb_build_object('name', 'x' || $2::text, $2::text, $2::text)
		FROM unnest('{user,key,command}'::text[]) kind`, s.Organization.ID, text)
	return s
}

// setEverywhere puts a fact into every row of a column of facts, and into any other its words.
func (s *site) setEverywhere(t *testing.T, table, column string, said fact.Fact) {
	t.Helper()
	var value any = said
	if s.Text(t, `SELECT data_type FROM information_schema.columns WHERE table_schema = 'public'
		AND (table_name, column_name) = ($1, $2)`, table, column) != "jsonb" {
		value = said.Arguments["words"]
	}
	s.Exec(t, `UPDATE `+table+` SET `+column+` = $1`, value)
}

// hostileReader reads all pages of the site: an owner, and an operator.
func (s *site) hostileReader(t *testing.T, text string) *person {
	t.Helper()
	reader := s.signedIn(t, "reader@example.com", s.Organization.ID, nfse.RoleOwner)
	s.member(t, "reader@example.com", "", "")
	s.member(t, "colleague@example.com", s.Organization.ID, nfse.RoleViewer)
	s.invitation(t, "invited@example.com", s.Organization.ID, nfse.RoleEditor)
	reader.addPasskey(t)
	s.Exec(t, `UPDATE passkeys SET label = $1`, text)
	s.Exec(t, `INSERT INTO saved_filters (id, user_id, organization_id, livemode, name, query)
		VALUES ('flt_1', $1, $2, false, $3, jsonb_build_object('q', $3::text))`, reader.id, s.Organization.ID, text)
	s.Exec(t, `INSERT INTO classification_links (id, hash, organization_id, livemode, service_id, email, made_by,
			expires_at)
		SELECT 'lnk_' || id, convert_to(id, 'UTF8'), organization_id, livemode, id, $1, $2, now() + interval '1 day'
		FROM services`, text, reader.id)
	s.Exec(t, `UPDATE users SET email = lower($1 || id) WHERE id <> $2 AND length($1) < 2000`, text, reader.id)
	s.Exec(t, `UPDATE sessions SET data = jsonb_set(jsonb_set(data, '{values,browser}', to_jsonb($1::text)),
		'{values,address}', to_jsonb($1::text))`, text)
	return reader
}

// idOf is where an address takes an id from.
var idOf = map[string]string{
	"/notes/{id}": `SELECT id FROM notes`, "/integrations/keys/{id}": `SELECT id FROM api_keys`,
	"/integrations/endpoints/{id}":  `SELECT id FROM webhook_endpoints`,
	"/integrations/deliveries/{id}": `SELECT id FROM deliveries`,
	"/catalogue/services/{id}":      `SELECT id FROM services`,
	"/catalogue/customers/{id}":     `SELECT id FROM customers`,
	"/received/{key}":               `SELECT access_key AS id FROM received_notes`,
	"/catalogue/works/{id}":         `SELECT id FROM works`,
	"/catalogue/events/{id}":        `SELECT id FROM cultural_events`,
	"/batches/{id}":                 `SELECT id FROM batches`,
	"/recurring/{id}":               `SELECT id FROM recurrences`,
	"/operations/companies/{id}":    `SELECT id FROM organizations`,
}

// addresses lists the addresses of a route, in both environments and with everything on record.
func (s *site) addresses(t *testing.T, route string) (all []string) {
	t.Helper()
	paths := []string{strings.TrimSuffix(route, "{$}")}
	for prefix, query := range idOf {
		if after, is := strings.CutPrefix(route, prefix); is {
			paths = nil
			ids := s.Text(t, `SELECT coalesce(string_agg(id, ' '), '') FROM (`+query+`) x`)
			for _, id := range strings.Fields(ids) {
				paths = append(paths, strings.NewReplacer("{id}", id, "{key}", id).Replace(prefix)+after)
			}
		}
	}
	month := ""
	if strings.HasPrefix(route, "/closing") {
		month = "&month=" + thisMonth()
	}
	for _, path := range paths {
		all = append(all, s.at(path)+month, s.live(path)+month)
		if path == "/notes" { // only a list that is filtered has the form that saves its filter
			all = append(all, s.at(path)+"&month="+thisMonth())
		}
	}
	return all
}

// notPages are routes of GET that show no page of what is stored.
var notPages = []string{
	"/health", "/assets/{file}", "/link/{text}", "/classify/{text}",
	"/oidc/sign-in", "/oidc/callback", "/oidc/anew", "/oidc/confirm",
	"/oidc/link", "/notes/{id}/xml", "/notes/{id}/danfse", "/closing.xlsx", "/closing/archive/{id}", "/status",
	"/status.json", "/batches/template.csv", "/batches/template.xlsx", "/emails/template/logo", "/received.zip",
	"/received/{key}/xml", "/received/{key}/danfse", "/reference", "/openapi.yaml",
}

// filterFields are what the addresses of lists choose by.
var filterFields = []string{"q", "state", "since", "until", "reference", "taker", "amount", "service", "endpoint",
	"actor", "action", "month", "issuer", "number", "pay", "subject", "of", "from", "after", "before", "older",
	"newer", "organizations"}

var (
	addressOf     = regexp.MustCompile(`(?i)(href|src|action)=$`)
	activeAddress = regexp.MustCompile(`(?i)^\s*(javascript:|vbscript:|data:text/html)`)
	activeTag     = regexp.MustCompile(`(?i)<(img|iframe|object|embed|base|[a-z]+[^>]*\son[a-z]+\s*=)`)
	frameMark     = regexp.MustCompile(`<img src="/assets/[^"]+" alt="" width="24" height="24">`) // ours
	amountCell    = regexp.MustCompile(`^-?[0-9]+[.,][0-9]{2}$`)
)

// expectText expects that what is hostile in a page is text, and does nothing.
func (p page) expectText(t *testing.T, where, text string) {
	t.Helper()
	if p.status >= http.StatusInternalServerError {
		t.Errorf("%s is answered %d", where, p.status)
	}
	if html.EscapeString(text) != text && strings.Contains(p.body, text) {
		t.Errorf("%s has text as code\n%s", where, p.body)
	}
	parts := strings.Split(frameMark.ReplaceAllString(p.body, ""), `"`)
	if tag := activeTagIn(parts); tag != "" {
		t.Errorf("%s has %s", where, tag)
	}
	for i, value := range parts[1:] {
		if activeAddress.MatchString(value) && addressOf.MatchString(parts[i]) {
			t.Errorf("%s leads to %.60s", where, value)
		}
	}
	if scripts := strings.Count(p.body, "<script"); scripts > 1 {
		t.Errorf("%s has %d scripts", where, scripts)
	}
}

// activeTagIn finds a tag that does something in a page that was split at its quotation
// marks. Text has none that is not escaped, so that what is between two is an attribute's value.
func activeTagIn(parts []string) string {
	var outside strings.Builder
	for i, part := range parts {
		if i%2 == 0 || i == len(parts)-1 { // the last mark may have no other
			outside.WriteString(part + `"`)
		}
	}
	for piece := range strings.SplitSeq(outside.String(), ">") {
		if begin := strings.IndexByte(piece, '<'); begin >= 0 {
			if found := activeTag.FindString(piece[begin:]); found != "" {
				return found
			}
		}
	}
	return ""
}

func TestActiveTagIn(t *testing.T) {
	t.Parallel()
	for page, found := range map[string]string{
		`<p class="x">a &lt;img> b</p>`: "", `<p title="<img src=x onload=y">c</p> on=1`: "", "a < b onx=": "",
		`<p>c</p><IMG src="x">`: "<IMG", `<p class="x" onclick = "y">`: `<p class=" onclick =`,
		"<p>a < b<b\nonload=y":      "<b\nonload=",
		`<p title="x"><a "onload=y`: "", `<p title="x"><a " onload=y`: `<a " onload=`,
	} {
		if tag := activeTagIn(strings.Split(page, `"`)); tag != found {
			t.Errorf("in %s is %q, expected %q", page, tag, found)
		}
	}
}

// expectPlainCells expects that no cell of a file is a formula.
func (p page) expectPlainCells(t *testing.T, where string) {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(p.body, "\ufeff")))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	must(t, err)
	if len(rows) < 2 || !strings.Contains(p.body, hostileMark) {
		t.Errorf("%s shows nothing hostile", where)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r\n") && !amountCell.MatchString(cell) {
				t.Errorf("%s has the cell %.60s", where, cell)
			}
		}
	}
}

// Stored text of others is shown as text on every page, no matter what it is and where it stands; and what is typed
// into any form comes back as text. A route without such a page, and a form that no page has, fail. A text that
// leaves tags and attributes, one that is an address and one that is a formula are tried each time.
func TestHostile_EveryPageAndForm(t *testing.T) {
	t.Parallel()
	for name, text := range hostileTexts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !slices.Contains([]string{"a script", "an address", "a formula"}, name) {
				long.Only(t, "puts every hostile text on every page")
			}
			s := newHostileSite(t, text)
			reader := s.hostileReader(t, text)
			forms := map[string]sentForm{}
			for _, route := range dashboard.Routes(s.pages) {
				if route.Method != "GET" || slices.Contains(notPages, route.Path) {
					continue
				}
				reader.readHostile(t, route.Path, text, forms)
			}
			s.Exec(t, `UPDATE fiscal_profiles SET profile = profile || '{"authority": "arealva"}'`)
			s.Exec(t, `INSERT INTO city_logins (id, organization_id, municipality_code, sealed)
				SELECT 'lgn_1', organization_id, profile->>'municipality_code', '' FROM fiscal_profiles LIMIT 1`)
			for _, address := range []string{s.at("/company/city-login"),
				s.at("/notes") + "&q=a"} { // what is filtered can be saved
				for _, one := range formsOf(reader.get(t, address).body) {
					forms[one.action] = one
				}
			}
			s.stranger(t).get(t, "/sign-in?next="+url.QueryEscape("/"+text)).expectText(t, "/sign-in", text)
			if len(text) < 1000 { // a form has its limit
				reader.sendHostile(t, text, forms)
			}
		})
	}
}

// readHostile reads all addresses of a route, and collects the forms that are there.
func (p *person) readHostile(t *testing.T, route, text string, forms map[string]sentForm) {
	t.Helper()
	shown := false
	for _, address := range p.site.addresses(t, route) {
		page := p.get(t, address)
		kind := page.header.Get("Content-Type")
		switch {
		case strings.HasPrefix(kind, "text/csv") && strings.Contains(address, "env=live"):
			page.expectPlainCells(t, address)
			shown = true
		case strings.HasPrefix(kind, "text/html"):
			page.expectText(t, address, text)
			shown = shown || strings.Contains(strings.ToLower(page.body), hostileMark)
			for _, one := range formsOf(page.body) {
				forms[one.action] = one
			}
			asked := url.Values{}
			for _, field := range filterFields {
				asked.Set(field, text)
			}
			if len(text) < 1000 {
				separator := map[bool]string{true: "&", false: "?"}[strings.Contains(address, "?")]
				p.get(t, address+separator+asked.Encode()).expectText(t, address+" with filters", text)
			}
		}
	}
	silent := []string{"/sign-in", "/session/passkeys/new", "/integrations/receiver"}
	if !shown && !slices.Contains(silent, route) {
		t.Errorf("%s shows nothing that is hostile: it is not tested", route)
	}
}

// sendHostile sends every form, twice at once, with the text in every field that is not hidden.
func (p *person) sendHostile(t *testing.T, text string, forms map[string]sentForm) {
	t.Helper()
	sent := map[string]bool{}
	for action, one := range forms {
		address, err := url.Parse(action)
		must(t, err)
		if address.Path == "/session/sign-out" || strings.HasPrefix(address.Path, "/session/sessions/") {
			continue // which would end what follows
		}
		p.verifiedAt(t, time.Now())
		values := one.values
		for _, field := range one.typed {
			values.Set(field, text)
		}
		for _, answer := range p.postAtOnce(t, 2, action, values) { // as a double click does
			answer.expectText(t, "POST "+action, text)
		}
		sent[routeOf(p.site, address.Path)] = true
	}
	for _, route := range dashboard.Routes(p.site.pages) {
		if scripted := probes["POST "+route.Path].json; route.Method == "POST" && !sent[route.Path] && !scripted &&
			!slices.Contains(formless, route.Path) {
			t.Errorf("no page has the form of POST %s: it is not tested", route.Path)
		}
	}
}

// formless are routes whose form is on no page of what is hostile here, and those that
// would end the session that tests.
var formless = []string{"/session/sign-out", "/session/sessions/{id}/end", "/link/{text}", "/classify/{text}",
	"/oidc/unlink", "/oidc/anew", "/notes/{id}/deliveries/{delivery}/retry"}

// routeOf is the route of a path.
func routeOf(s *site, path string) string {
	parts := strings.Split(path, "/")
	for _, route := range dashboard.Routes(s.pages) {
		pattern := strings.Split(route.Path, "/")
		fits := route.Method == "POST" && len(pattern) == len(parts)
		for i := 0; fits && i < len(parts); i++ {
			fits = pattern[i] == parts[i] || strings.HasPrefix(pattern[i], "{")
		}
		if fits {
			return route.Path
		}
	}
	return ""
}

// sentForm is a form of a page: its hidden values, and the fields that are typed.
type sentForm struct {
	action string
	values url.Values
	typed  []string
}

var (
	formTag  = regexp.MustCompile(`(?s)<form[^>]*method="post"[^>]*action="([^"]*)"[^>]*>(.*?)</form>`)
	fieldTag = regexp.MustCompile(`<(input|select|textarea)([^>]*)>`)
	nameOf   = regexp.MustCompile(`\sname="([^"]*)"`)
	valueOf  = regexp.MustCompile(`\svalue="([^"]*)"`)
)

func formsOf(body string) (forms []sentForm) {
	for _, found := range formTag.FindAllStringSubmatch(body, -1) {
		form := sentForm{action: html.UnescapeString(found[1]), values: url.Values{}}
		for _, field := range fieldTag.FindAllStringSubmatch(found[2], -1) {
			name, value := nameOf.FindStringSubmatch(field[2]), valueOf.FindStringSubmatch(field[2])
			switch {
			case name == nil:
			case strings.Contains(field[2], `type="hidden"`) && value != nil:
				form.values.Set(name[1], html.UnescapeString(value[1]))
			default:
				form.typed = append(form.typed, html.UnescapeString(name[1]))
			}
		}
		forms = append(forms, form)
	}
	return forms
}

// Every text that is stored is either somebody else's, and then tested, or ours.
func TestHostile_EveryColumn(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	for _, column := range strings.Fields(database.Text(t, `SELECT string_agg(table_name || '.' || column_name, ' ')
		FROM information_schema.columns WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb')
		AND table_name <> 'schema_migrations'`)) {
		table, name, _ := strings.Cut(column, ".")
		hostile := slices.Contains(hostileColumns[table], name)
		ours := slices.Contains(ourColumns, column) || slices.Contains(ourColumns, name)
		if !hostile && !ours {
			t.Errorf("%s is new: is it a text of ours, or hostile (hostile_test.go)?", column)
		}
	}
}

// In a browser nothing hostile runs, and no word is wider than a small screen.
func TestBrowser_Hostile(t *testing.T) {
	long.Only(t, "looks at hostile text in a browser")
	t.Parallel()
	for _, name := range []string{"a script", "a long word", "another direction"} {
		t.Run(name, func(t *testing.T) {
			s := newHostileSite(t, hostileTexts[name])
			w := &walker{site: s, browser: newBrowser(t, s)}
			w.signUp(t, "dona@example.com")
			s.hostileReader(t, hostileTexts[name])
			w.member(t, "dona@example.com", "", "")
			w.looks(t, 360, "dark")
			for _, route := range dashboard.Routes(s.pages) {
				if route.Method != "GET" || slices.Contains(notPages, route.Path) ||
					strings.HasSuffix(route.Path, ".csv") {
					continue
				}
				for _, address := range s.addresses(t, route.Path)[:2] {
					w.open(t, address)
					w.fits(t, address)
					if found := w.answer(t, `[...document.querySelectorAll("img:not([src^='/assets/']), iframe, [onerror], [onfocus], "+
						"script:not([src]), a[href^='javascript:']")].map(e => e.outerHTML).join("\n")`); found != "" {
						t.Errorf("%s has %s", address, found)
					}
				}
			}
		})
	}
}
