package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"

	"emissor/cmd/emissor/company"
	"emissor/fiscal"
	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/privacy"
	"emissor/test/testkit"
)

// What becomes of each column that can hold something of a taker when she is erased.
const (
	// Of every note.
	goes = "goes"
	// Of notes that the law lets go; else it is the fiscal document, or what was exchanged with
	// the authority about it (CTN, art. 173, I; LGPD, art. 16, I).
	law = "stays while the law asks for the fiscal document"
)

// takersColumns are all columns in which something of a taker is, with what becomes of it.
var takersColumns = map[string]string{
	"customers.name": goes, "customers.nickname": goes, "customers.email": goes, "customers.street": goes,
	"customers.street_type": goes, "customers.number": goes, "customers.district": goes, "customers.complement": goes,
	"customers.tax_id": law, // by which the notes that stay are found
	"notes.customer":   law, "notes.service": law, "notes.service_description": law, "notes.rejection": law, "notes.cancellation_refusal": law,
	"notes.cancellation_reason_text": law, "notes.replacement_text": law, "notes.details": law, "notes.taxation": law,
	"note_documents.xml":   law,
	"fiscal_messages.xml":  law,
	"fiscal_exchanges.xml": law, "fiscal_exchanges.rejection": law,
	"external_events.content": law, "external_events.reason_text": law,
	"external_documents.xml": law,
	// Of a document whose note is not on record, until a person has decided about it.
	"recovered_documents.taker": goes, "recovered_documents.taker_tax_id": goes,
	// Of other issuers, of whom a taker may be one.
	"received_notes.xml": law, "received_notes.issuer_name": law, "received_notes.issuer_tax_id": law,
	"received_notes.description": law, "received_events.content": law, "received_events.reason_text": law,
	"fiscal_calls.body": goes,
	"events.payload":    goes, "delivery_attempts.answer": goes, "delivery_attempts.problem": goes,
	"emails.last_problem": goes, "month_archive_parts.content": goes,
	"emails.address": goes, "classification_links.email": goes,
	"saved_filters.name": goes, "saved_filters.query": goes,
	"recurrences.description": goes, "recurring_months.description": goes,
	"batch_lines.tax_id": goes, "batch_lines.request": goes,
}

// otherColumns hold nothing of a taker, and why. A column is a name in every table, or
// table.column.
var otherColumns = map[string]string{
	"ids": `id organization_id user_id note_id event_id endpoint_id service_id customer_id api_key_id delivery_id
		distribution_id certificate_id message_id failed_run_id subject_id request_id row_id emails.copy_of
		fiscal_exchanges.profile
		notes.cancellation_request_id notes.cancellation_api_key_id notes.replaces notes.replaced_by
		municipal_parameters.asked_by alerts.alert_key alerts.mail_id batch_id batches.accepted_by
		recurrence_id wanted_by made_by
		api_requests.path_id external_documents.correlation_id
		recovered_documents.correlation_id passkeys.credential_id keyset_reports.key_ids
		archive_id month_archives.up_to month_archive_parts.directory
		archive_segments.key archive_segments.first_note archive_segments.last_note archive_state.token
		archive_state.up_to archive_state.problem`,
	"states, kinds and codes": `status kind state role type authority layout disposition municipality_code service_code
		effect reason_code linked_by scenario was became loop
		notes.municipality_source notes.cancellation_status notes.cancellation_reason_code notes.cancellation_origin
		notes.analysis alert_settings.how authority_hours.outcome
		notes.classification service_taxations.taxation customer_taxations.taxation note_moves.rejection_code
		batch_lines.code batch_lines.field recurring_months.reason
		note_figures.name outbox.failure outbox.traceparent closing_moves.city closing_moves.regime closing_figures.city
		closing_figures.regime
		api_requests.method api_requests.route api_requests.error_code webhook_endpoints.events
		fiscal_exchanges.mends fiscal_exchanges.doubted_code refusal_brakes.code learned_registrations.code
		tax_id_claims.source retention_progress.what
		retention_progress.up_to fiscal_calls.what fiscal_calls.outcome zip_codes.zip_code zip_code_ranges.zip_start
		zip_code_ranges.zip_end customers.zip_code schema_migrations.tstamp`,
	"numbers of documents, amounts and digests": `access_key external_events.replacement authority_totals
		authority_number verification_code digest document_dictionaries.certificates events.payload_digest received_notes.number received_notes.totals received_notes.xml_hash
		received_notes.place_code received_events.content_hash received_events.replacement
		payload_hash external_events.content_hash fiscal_series.used_numbers`,
	"the caller's name of a note, by which it is never issued twice": `reference
		month_archive_parts.lines`,
	"words of ours, with codes": `alert_mails.last_problem deliveries.reason
		emails.reason fiscal_calls.reason note_steps.fact notes.held_reason
		external_events.title external_events.problem external_events.outcome external_documents.problem
		received_notes.problem received_events.title received_events.problem
		outbox.last_error paused_backlogs.reason distributions.problem fiscal_series.held_reason
		fiscal_sequences.check_problem
		municipal_parameters.failure municipal_parameters.doubted_by municipal_service_parameters.failure
		certificates.refused_reason webhook_endpoints.disabled_reason`,
	"the issuer, its catalogue and its certificates": `issuer distributions.tax_id tax_id_claims.tax_id
		refusal_brakes.tax_id
		learned_registrations.tax_id fiscal_sequences.tax_id fiscal_exchanges.tax_id fiscal_series.tax_id
		fiscal_profiles.profile exchange_profiles.profile service_snapshots.service
		recovered_documents.tax_id recovered_documents.registration checked_database.name
		fiscal_sequences.checked_in fiscal_sequences.noticed_in
		fiscal_series.registration fiscal_series.checked_in services.name services.description
		services.national_tax_code services.municipal_tax_code services.municipal_taxation
		service_classifications.classification certificates.tax_id certificates.subject certificates.serial
		certificates.fingerprint organizations.name email_templates.portuguese email_templates.english email_templates.logo works.work cultural_events.event`,
	"people of the organization, and what they did": `users.email sessions.data sessions.token_hash
		batches.accepted_from wanted_from
		passkeys.credential passkeys.label identities.subject links.hash
		classification_links.hash api_keys.label api_keys.hash api_keys.last_four
		api_keys.allowed_networks audit_log.actor_kind audit_log.actor_id audit_log.actor_from audit_log.action
		audit_log.before audit_log.after webhook_endpoints.url
		webhook_endpoints.listener_key_id`,
	"names of the contract, and sizes": `api_requests.error_field api_requests.fields`,
	"sealed secrets":                   `webhook_endpoints.secret webhook_endpoints.previous_secret certificates.sealed`,
	"tables of authorities and cities": `classification_editions.table_name classification_editions.edition
		classification_editions.source_name classification_editions.source_sha256 classification_editions.content
		city_tables.source_name city_tables.source_sha256 city_tables.content
		municipal_parameters.city municipal_service_parameters.service`,
	"answers without their values": `authority_drift.fingerprint authority_drift.call authority_drift.media
		authority_drift.news authority_drift.copy`,
	"processes": `keyset_reports.process`,
}

// erasure is an organization with a taker whose data is in every column where a taker's
// can be.
type erasure struct {
	*testkit.System
	marks []string // of the taker
}

const (
	takersName  = "Zenaide Quaresma"
	takersEmail = "zenaide@quaresma.example"
)

// newErasure makes it with a test note, a rejected one, and live notes that the law lets
// go; with one that it does not where stays says so.
func newErasure(t *testing.T, stays bool) erasure {
	t.Helper()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	e := erasure{s, []string{takersName, takersEmail, takerDocument, "529.982.247-25"}}
	words := strings.Join(e.marks, " ")
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte(words)) })
	s.NewEndpoint(t, receiver.URL, false)
	s.NewProfile(t, "national")
	certificate := s.NewCertificate(t)

	issue := func(key, reference string, more testkit.Body) string {
		customer := s.Call(t, http.MethodPost, "/v1/customers", key, testkit.Body{
			"document": takerDocument, "name": takersName, "email": takersEmail, "nickname": takersName,
			"address": testkit.Body{"zip_code": "01310-100", "street_type": takersName, "street": takersName,
				"number": takersName, "district": takersName, "complement": takersName},
		})
		body := testkit.Issuance(s.NewService(t, key), reference)
		delete(body, "customer")
		body["customer_id"], body["service"] = customer.Text("id"), testkit.Body{"description": words}
		for name, value := range more {
			body[name] = value
		}
		return s.Issue(t, key, body)
	}
	s.Await(t, s.TestKey, issue(s.TestKey, "test", nil), nfse.StatusIssued)
	s.Exec(t, `INSERT INTO batches (id, organization_id, livemode, user_id, digest, lines, amount_cents)
		VALUES ('bat_x', $1, false, 'usr_sheet', 'x', 1, 1)`, s.Organization.ID)
	s.Exec(t, `INSERT INTO batch_lines (batch_id, line, tax_id, request)
		VALUES ('bat_x', 2, $1, jsonb_build_object('Customer', $2::text))`, takerDocument, words)
	s.Exec(t, `INSERT INTO users (id, email) VALUES ('usr_filter', 'f@example.com')`)
	s.Exec(t, `INSERT INTO saved_filters (id, user_id, organization_id, livemode, name, query)
		VALUES ('flt_1', 'usr_filter', $1, true, $2, jsonb_build_object('q', $2::text)),
			('flt_2', 'usr_filter', $1, true, 'emitidas', '{"state": "issued"}')`, s.Organization.ID, words)
	s.Exec(t, `INSERT INTO classification_links (id, hash, organization_id, livemode, service_id, email, made_by,
			expires_at)
		SELECT 'lnk_x', '', organization_id, livemode, id, $1, 'usr_filter', now() FROM services LIMIT 1`, takersEmail)
	s.Exec(t, `INSERT INTO recurrences (id, organization_id, livemode, customer_id, service_id, amount_cents, description,
			iss_withheld, email_customer, register_ledger, confirm_municipal_operation, day, next_month, wanted_by,
			wanted_from, request_id)
		SELECT 'rec_x', organization_id, livemode, customer_id, service_id, 1, $1, false, false, false, false, 1,
			'2099-01-01', 'usr_x', 'x', 'x' FROM notes WHERE reference = 'test'`, words)
	s.Exec(t, `INSERT INTO recurring_months (id, recurrence_id, organization_id, livemode, month, day, status, reason,
			service_id, amount_cents, description, iss_withheld, email_customer, register_ledger,
			confirm_municipal_operation, wanted_by, wanted_from, request_id)
		SELECT 'rec_x-2026-01', id, organization_id, livemode, '2026-01-01', '2026-01-01', 'missed', 'away', service_id,
			1, description, false, false, false, false, 'usr_x', 'x', 'x' FROM recurrences`)
	rejected := issue(s.TestKey, "rejected", testkit.Body{"sandbox_scenario": "rejected"})
	s.Await(t, s.TestKey, rejected, nfse.StatusRejected)
	testkit.Eventually(t, "the events are delivered", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 2
	})
	live := []string{issue(s.LiveKey, "old", nil)}
	if stays {
		live = append(live, issue(s.LiveKey, "live", nil))
	}
	for _, id := range live {
		e.settleLive(t, id)
	}
	e.exchange(t, live, certificate, words)
	e.say(t, live, rejected, words)
	s.Exec(t, `UPDATE notes SET issued_at = issued_at - interval '7 years' WHERE reference = 'old'`)
	e.distribute(t, live, stays, words)
	s.Exec(t, `INSERT INTO month_archives (id, organization_id, livemode, month, status)
		SELECT 'zip_1', organization_id, livemode, date_trunc('month', competence)::date, 'ready' FROM notes
		WHERE reference = 'old'`)
	s.Exec(t, `INSERT INTO month_archive_parts (archive_id, number, position, content)
		VALUES ('zip_1', 0, 0, convert_to($1::text, 'UTF8'))`, words)
	s.Exec(t, `UPDATE notes SET service_description = service ->> 'description'`) // as of notes that share their service
	return e
}

// settleLive issues a live note without an authority.
func (e erasure) settleLive(t *testing.T, id string) {
	t.Helper()
	_, err := e.Store.Lifecycle.BeginNote(t.Context(), id)
	must(t, err)
	note, _, err := e.Store.Lifecycle.NoteToSettle(t.Context(), id)
	must(t, err)
	authority, xml, err := simulation.Issue(note, nfse.Timestamp{Time: time.Now()})
	must(t, err)
	_, err = e.Store.Lifecycle.SettleIssued(t.Context(), id, authority, xml)
	must(t, err)
}

// exchange puts on record what is exchanged with an authority about notes.
func (e erasure) exchange(t *testing.T, notes []string, certificate, words string) {
	t.Helper()
	e.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, message_id, access_key, issued_at, xml, rejection)
		SELECT id, 'issue', 'accepted', 'national', true, '11222333000181', '3550308', 1, row_number() OVER (), '{}',
			'DPS' || id, 'NFS' || id, now(), convert_to($2::text, 'UTF8'), $3
		FROM notes WHERE id = ANY($1)`,
		pq.Array(notes), words, fiscal.Blocked(words))
	e.Exec(t, `INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
		SELECT id, message_id, '1.01', '', xml, $1 FROM fiscal_exchanges`, certificate)
	e.Exec(t, `INSERT INTO fiscal_calls (note_id, what, ended_at, outcome, body)
		SELECT id, 'issue', now(), 'unknown', convert_to($2::text, 'UTF8') FROM notes WHERE id = ANY($1)`,
		pq.Array(notes),
		words)
	e.Exec(t, `INSERT INTO emails (id, organization_id, livemode, note_id, status, reason, last_problem,
			resolved_at)
		SELECT replace(id, 'nfse_', 'eml_'), organization_id, true, id, 'failed', $3, $2, now()
		FROM notes WHERE id = ANY($1)`, pq.Array(notes), fact.InWords(words), fact.InWords("given up"))
	for _, note := range notes {
		e.Exec(t, `INSERT INTO emails (id, organization_id, livemode, copy_of, address, status, resolved_at)
			SELECT $2, organization_id, true, id, $3, 'sent', now() FROM notes WHERE id = $1`,
			note, nfse.NewID(nfse.PrefixEmail), words)
	}
}

// say lets authority and receiver say what they said in words that name the taker.
func (e erasure) say(t *testing.T, live []string, rejected, words string) {
	t.Helper()
	e.Exec(t, `UPDATE notes SET cancellation_status = 'refused', cancellation_requested_at = now(),
		cancellation_resolved_at = now(), cancellation_reason_code = '1', cancellation_reason_text = $2,
		cancellation_refusal = $3, replacement_text = $2 WHERE id = ANY($1)`,
		pq.Array(live), words, fiscal.Blocked(words))
	e.Exec(t, `UPDATE notes SET details = jsonb_build_object('intermediary', jsonb_build_object('name', $2::text)),
		taxation = jsonb_build_object('work', jsonb_build_object('name', $2::text)) WHERE id = ANY($1)`,
		pq.Array(live), words)
	e.Exec(t, `UPDATE notes SET rejection = rejection || $2::jsonb WHERE id = $1`, rejected, fiscal.Blocked(words))
	e.Exec(t, `UPDATE delivery_attempts SET problem = $1`, fact.InWords(words))
}

// distribute puts on record what an authority distributes about notes, and about none
// that are known: of a time that the law lets go, and of this year where that stays.
func (e erasure) distribute(t *testing.T, notes []string, stays bool, words string) {
	t.Helper()
	e.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id)
		SELECT 'dst_1', authority, true, profile ->> 'tax_id' FROM fiscal_profiles`)
	received := map[string]string{"": "7 years"} // by the note
	for i, id := range notes {
		received[id] = []string{"7 years", "0"}[i]
	}
	if stays {
		received["-"] = "0"
	}
	position := 0
	for note, ago := range received {
		position++
		id := strings.Trim(note, "-")
		e.Exec(t, `INSERT INTO external_events (distribution_id, position, access_key, type, title, effect, reason_text,
				happened_at, content, content_hash, note_id, received_at)
			VALUES ('dst_1', $1::int, 'NFS' || $1::int, 'e105102', '{"code": "external_cancelled"}', 'none',
				$2::text, now(), convert_to($2::text, 'UTF8'), '', nullif($3, ''), now() - $4::interval)`,
			position, words, id, ago)
		e.Exec(t, `INSERT INTO external_documents (distribution_id, position, access_key, message_id, series, number,
				digest, correlation_id, note_id, linked_by, xml, received_at)
			VALUES ('dst_1', $1::int, 'NFS' || $1::int, 'DPS', 1, $1::int, '', '', nullif($3, ''),
				CASE WHEN $3 <> '' THEN 'digest' END, convert_to($2::text, 'UTF8'), now() - $4::interval)`,
			position, words, id, ago)
	}
	e.Exec(t, `INSERT INTO recovered_documents (authority, production, tax_id, municipality_code, series, number,
			registration, state, correlation_id, access_key, authority_number, taker, taker_tax_id)
		SELECT authority, production, tax_id, '3304557', 1, 9, '', 'missing', '', '', '', $1, $2 FROM tax_id_claims`,
		words, takerDocument)
	for i, ago := range slices.Compact([]string{"7 years", received["-"]}) {
		if ago == "" {
			continue
		}
		e.Exec(t, `INSERT INTO received_notes (organization_id, livemode, production, distribution_id, position,
				access_key, role, issuer_tax_id, issuer_name, number, competence, issued_at, service_code, description,
				place_code, iss_withheld_by, xml, xml_hash, received_at)
			SELECT id, true, true, 'dst_1', $1::int, 'NFS' || $1::int, 'taker', $2, $3::text, '1', now(), now(), '', $3,
				'', 0, convert_to($3, 'UTF8'), '', now() - $4::interval FROM organizations`, i, takerDocument, words, ago)
		e.Exec(t, `INSERT INTO received_events (organization_id, livemode, production, distribution_id, position,
				access_key, type, title, effect, reason_text, happened_at, content, content_hash, received_at)
			SELECT id, true, true, 'dst_1', $1::int, 'NFS' || $1::int, '305101', '{"code": "external_cancelled"}', 'none',
				$2::text, now(), convert_to($2, 'UTF8'), '', now() - $3::interval FROM organizations`, i, words, ago)
	}
}

// places are the columns in which something of the taker is.
func (e erasure) places(t *testing.T) (places []string) {
	t.Helper()
	for _, mark := range e.marks {
		places = append(places, placesOf(t, e.Database, mark)...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// column is a column of the schema that can hold text, in any form.
type column struct {
	Table string `db:"table_name"`
	Name  string `db:"column_name"`
	Type  string `db:"data_type"`
}

// textColumns are all columns but those of figures, moments and truths.
func textColumns(t *testing.T, database *testkit.Database) (columns []column) {
	t.Helper()
	must(t, database.SQL.Select(&columns, `SELECT c.table_name, c.column_name, c.data_type
		FROM information_schema.columns c JOIN information_schema.tables USING (table_schema, table_name)
		WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND c.data_type NOT IN ('boolean', 'smallint',
			'integer', 'bigint', 'numeric', 'double precision', 'date', 'timestamp with time zone', 'uuid')
		ORDER BY 1, 2`))
	return columns
}

// placesOf are the columns that hold a text, in any letter case.
func placesOf(t *testing.T, database *testkit.Database, text string) (places []string) {
	t.Helper()
	database.UnpackAll(t)
	for _, c := range textColumns(t, database) {
		value := c.Name + `::text`
		if c.Type == "bytea" {
			value = `encode(` + c.Name + `, 'escape')`
		}
		if database.Count(t, `SELECT count(*) FROM `+c.Table+` WHERE `+value+` ILIKE '%' || $1 || '%'`, text) > 0 {
			places = append(places, c.Table+"."+c.Name)
		}
	}
	return places
}

// Every column of the schema has a decision about what of a taker may be in it.
func TestErasure_EveryColumnIsDecided(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	others := map[string]bool{}
	for _, names := range otherColumns {
		for _, name := range strings.Fields(names) {
			others[name] = false
		}
	}
	found := map[string]bool{}
	for _, c := range textColumns(t, database) {
		name := c.Table + "." + c.Name
		found[name] = true
		_, takers := takersColumns[name]
		_, byName := others[c.Name]
		_, alone := others[name]
		switch {
		case takers && alone:
			t.Errorf("%s is decided twice", name)
		case alone:
			others[name] = true
		case takers:
		case byName:
			others[c.Name] = true
		default:
			t.Errorf("%s (%s): what becomes of a taker's data in it is not decided", name, c.Type)
		}
	}
	for name, seen := range others {
		if !seen {
			t.Errorf("%s is decided, and no column", name)
		}
	}
	for name := range takersColumns {
		if !found[name] {
			t.Errorf("%s is decided, and no column", name)
		}
	}
}

// Of a taker whose notes the law lets go nothing is left in any column.
func TestErasure_ReachesEveryCopy(t *testing.T) {
	t.Parallel()
	e := newErasure(t, false)
	e.expectPlaces(t, "before", func(string) bool { return true })
	e.erase(t)
	e.expectPlaces(t, "afterwards", func(string) bool { return false })
}

// Beside a note of this year only what the law asks for is left, and nothing of the others.
func TestErasure_LeavesWhatTheLawAsksFor(t *testing.T) {
	t.Parallel()
	e := newErasure(t, true)
	e.expectPlaces(t, "before", func(string) bool { return true })
	e.erase(t)
	// The rejected note was one of test.
	e.expectPlaces(t, "afterwards", func(column string) bool {
		return takersColumns[column] == law && column != "notes.rejection"
	})
	for _, table := range []string{
		"notes", "note_documents", "fiscal_exchanges", "external_events", "external_documents",
	} {
		if left := e.Count(t, `SELECT count(*) FROM `+table+` x WHERE strpos(encode(convert_to(x::text, 'UTF8'), 'hex'),
			encode(convert_to($1, 'UTF8'), 'hex')) > 0 OR strpos(x::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
			takerDocument); left != map[bool]int{true: 2, false: 1}[strings.HasPrefix(table, "external")] {
			t.Errorf("in %d rows of %s the taker is left", left, table)
		}
	}
	if found := e.Text(t, `SELECT coalesce(customer ->> 'email', 'none') || ' ' || (customer ->> 'name') FROM notes
		WHERE reference = 'live'`); found != "none "+takersName {
		t.Errorf("the taker of the note that stays is %s", found)
	}
}

// Who was never a customer, and has only issued notes to the organization, is exported and erased like one.
func TestErasure_OnlySupplier(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	organization := newOrganization(t, database)
	database.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id)
		VALUES ('dst_1', 'national', true, '11222333000181')`)
	for i, ago := range []string{"7 years", "0"} {
		database.Exec(t, `INSERT INTO received_notes (organization_id, livemode, production, distribution_id, position,
				access_key, role, issuer_tax_id, issuer_name, number, competence, issued_at, service_code, description,
				place_code, iss_withheld_by, xml, xml_hash, received_at)
			VALUES ($1, true, true, 'dst_1', $2::int, 'NFS' || $2::int, 'taker', $3, $4, '1', now(), now(), '', $4, '',
				0, convert_to($3 || $4, 'UTF8'), '', now() - $5::interval)`,
			organization.ID, i, takerDocument, takersName, ago)
		database.Exec(t, `INSERT INTO received_events (organization_id, livemode, production, distribution_id, position,
				access_key, type, title, effect, reason_text, happened_at, content, content_hash, received_at)
			VALUES ($1, true, true, 'dst_1', $2::int, 'NFS' || $2::int, '305101', '{"code": "external_cancelled"}', 'none',
				$4, now(), convert_to($3 || $4, 'UTF8'), '', now() - $5::interval)`,
			organization.ID, i, takerDocument, takersName, ago)
	}
	asOperator := settingsOf(database).withoutTemporal().with("EMISSOR_DATABASE_URL", database.As(testkit.Roles.Operator))
	about := []string{"--organization", organization.ID, "--document", takerDocument}
	exported := succeeds(t, asOperator, append([]string{"customer", "export"}, about...)...)
	var export struct {
		Customers []privacy.RecordedCustomer
		Received  []privacy.ExportedReceived `json:"received_notes"`
	}
	must(t, json.Unmarshal([]byte(exported), &export))
	if export.Customers == nil || len(export.Customers) > 0 || len(export.Received) != 2 ||
		len(export.Received[0].Events) != 1 {
		t.Errorf("exported is %s", exported)
	}

	erase := append([]string{"customer", "erase"}, about...)
	if dry := printed[company.PrintedErasure](t, asOperator, erase...); dry.Erased || dry.ReceivedErased != 1 ||
		dry.ReceivedStay != 1 {
		t.Errorf("it would erase %+v", dry)
	}
	if table := succeeds(t, asOperator, erase...); !strings.Contains(table, "NOTES RECEIVED FROM THEM: 1 ") ||
		!strings.Contains(table, "1 that stay") {
		t.Errorf("it says\n%s", table)
	}
	left := func() int {
		return database.Count(t, `SELECT (SELECT count(*) FROM received_notes WHERE (issuer_name, description) = ($2, $2)
				AND issuer_tax_id = $1 AND octet_length(xml) > 0)
			+ (SELECT count(*) FROM received_events WHERE reason_text = $2 AND octet_length(content) > 0)`,
			takerDocument, takersName)
	}
	if left() != 4 {
		t.Error("it was erased without --yes")
	}
	succeeds(t, asOperator, append(erase, "--yes")...)
	if left() != 2 || database.Count(t, `SELECT count(*) FROM received_notes
		WHERE received_at < now() - interval '1 year' AND octet_length(xml) > 0`) != 0 {
		t.Errorf("%d rows are left", left())
	}
	for _, action := range []string{"customer.export", "customer.erase"} {
		entries := printed[[]audit.Entry](t, asOperator, "audit", "list", "--action", action)
		if len(entries) != 1 || entries[0].SubjectID != organization.ID ||
			strings.Contains(string(entries[0].After), takerDocument) {
			t.Errorf("of %s the audit log says %+v", action, entries)
		}
	}
}

// expectPlaces expects the taker in those of her columns, and nowhere else.
func (e erasure) expectPlaces(t *testing.T, when string, isThere func(column string) bool) {
	t.Helper()
	places := e.places(t)
	for column := range takersColumns {
		if found := slices.Contains(places, column); found != isThere(column) {
			t.Errorf("%s: that the taker is in %s is %v", when, column, found)
		}
	}
	for _, column := range places {
		if takersColumns[column] == "" {
			t.Errorf("%s: the taker is in %s, about which nothing is decided", when, column)
		}
	}
}

func (e erasure) settings() settings { return settingsOf(e.Database).withoutTemporal() }

// erase erases as an operator does, in the operator's own role. What it leaves to the maintenance, a round of
// that removes.
func (e erasure) erase(t *testing.T) {
	t.Helper()
	settings := e.settings().with("EMISSOR_DATABASE_URL", e.As(testkit.Roles.Operator))
	succeeds(t, settings, "customer", "erase", "--organization", e.Organization.ID, "--document", takerDocument,
		"--yes")
	if ready := e.Count(t, `SELECT count(*) FROM month_archives WHERE status <> 'removed'`); ready != 0 {
		t.Errorf("%d ZIPs with the taker's notes can be downloaded", ready)
	}
	_, _, err := testkit.OpenStore(t, e.As(testkit.Roles.Worker)).Books.RemoveArchives(t.Context(), 500)
	must(t, err)
}
