package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/store/postgres"
)

// Roles are the database's roles beside the owner of the schema, which migrates.
// They are groups: the accounts that processes log in with are members.
type Roles struct {
	API       string // of `emissor api`: it opens no secret and makes no key
	Worker    string // of `emissor worker`, and of `emissor serve` without the dashboard
	Dashboard string // of `emissor dashboard`; `emissor serve` with it is a member of both
	Operator  string // of the operator's commands
}

// all are the names of the roles.
func (r Roles) all() []string { return []string{r.API, r.Worker, r.Dashboard, r.Operator} }

// privileges are what each role may do with one table, in the words of GRANT.
// The worker's role may do what the API's may as well, because `serve` is both.
type privileges struct{ api, worker, dashboard, operator string }

const (
	canRead   = "SELECT"
	canAdd    = "SELECT, INSERT"
	canChange = "SELECT, INSERT, UPDATE"
	canDelete = "SELECT, INSERT, UPDATE, DELETE"
)

// grants are the privileges of every table. A migration that makes a table gives
// it a line here, and a table with secrets gives the API columns by name. What
// the API may read of tables that it does not work with is for the gauges.
var grants = map[string]privileges{
	// UPDATE lets the dashboard lock the row too: some changes are made one at a time.
	"organizations": {worker: canRead, dashboard: "SELECT, INSERT (id, name), UPDATE (name)", operator: canChange},
	"api_keys": {
		api: canRead + ", UPDATE (last_used_at)", worker: canRead, dashboard: canChange, operator: canChange,
	},
	"services":  {api: canChange, worker: canChange, dashboard: canChange, operator: canRead},
	"customers": {api: canChange, worker: canChange, dashboard: canChange, operator: canChange},

	"service_classifications": {api: canRead, worker: canRead, dashboard: canDelete, operator: canDelete},
	"classification_links":    {dashboard: canDelete, operator: "SELECT, DELETE"},
	"service_taxations":       {api: canRead, worker: canRead, dashboard: canDelete, operator: canDelete},
	"customer_taxations":      {api: canRead, worker: canRead, dashboard: canDelete, operator: canDelete},
	"works":                   {api: canRead, worker: canRead, dashboard: canChange, operator: canChange},
	"cultural_events":         {api: canRead, worker: canRead, dashboard: canChange, operator: canChange},
	"classification_editions": {worker: canRead, dashboard: canRead, operator: canAdd},
	"city_tables":             {api: canRead, worker: canRead, dashboard: canRead, operator: canAdd},

	"notes": {
		api: requestsNotes, worker: canChange,
		dashboard: requestsNotes + requestsAnalyses + replacesNotes + ", UPDATE (competence)",
		operator:  canChange,
	},
	"note_references":   {api: canAdd, worker: canAdd, dashboard: canAdd, operator: canAdd},
	"service_snapshots": {api: canAdd, worker: canAdd, dashboard: canAdd, operator: canAdd},
	"exchange_profiles": {worker: canAdd, dashboard: canRead, operator: canRead},
	"note_moves":        {api: "INSERT", worker: canDelete, dashboard: canDelete, operator: canAdd},
	"note_figures":      {worker: canChange, dashboard: canChange, operator: canRead},
	"closing_moves":     {worker: canDelete, dashboard: canDelete, operator: canAdd},
	"closing_figures":   {worker: canChange, dashboard: canChange, operator: canRead},
	"distributed_notes": {worker: canAdd, dashboard: canRead, operator: canRead},
	// An erasure removes them too; the worker clears their parts.
	"month_archives": {
		worker: "SELECT, UPDATE", dashboard: canAdd + ", UPDATE (status)", operator: "SELECT, UPDATE (status)",
	},
	"month_archive_parts":   {worker: canDelete, dashboard: canRead, operator: canRead},
	"document_dictionaries": {api: canRead, worker: canAdd, dashboard: canRead, operator: canAdd},
	"note_documents":        {api: canRead, worker: canAdd + ", DELETE", dashboard: canRead, operator: "SELECT, DELETE"},
	"archive_segments":      {api: canRead, worker: canDelete, dashboard: canRead, operator: canDelete},
	"archive_erasures":      {api: canRead, worker: canDelete, dashboard: canRead, operator: canDelete},
	"archive_state":         {api: canRead, worker: canChange, dashboard: canRead, operator: canChange},
	"note_steps":            {api: "INSERT", worker: canAdd, dashboard: canAdd, operator: canAdd},
	"paused_backlogs":       {api: canRead, worker: canChange, dashboard: canRead, operator: canRead},
	"outbox":                {api: canChange, worker: canDelete, dashboard: canChange, operator: canDelete},

	"events": {
		worker: canAdd + ", UPDATE (payload, payload_digest)", dashboard: canRead, operator: "SELECT, UPDATE (payload, payload_digest)",
	},
	"webhook_endpoints": {
		api:       "SELECT (disabled_at, deleted_at)",
		worker:    "SELECT, UPDATE, DELETE", // those of commands that listened
		dashboard: canChange, operator: canChange,
	},
	"deliveries": {api: "SELECT (status)", worker: canChange, dashboard: canChange, operator: canChange},
	"delivery_attempts": {
		worker: canAdd + ", DELETE", dashboard: canAdd, operator: "SELECT, DELETE",
	},
	"emails":          {api: "SELECT (id, status)", worker: canChange, dashboard: canChange, operator: canChange},
	"email_templates": {worker: canRead, dashboard: canChange, operator: canRead},
	"saved_filters":   {dashboard: canDelete, operator: "SELECT, DELETE"},
	"alerts":          {worker: canDelete, dashboard: canRead, operator: canRead},
	"alert_mails":     {worker: canDelete, dashboard: canRead, operator: canRead},
	"alert_settings":  {worker: canRead, dashboard: canChange, operator: canRead},
	"ledger_entries":  {worker: canAdd, dashboard: canRead, operator: canRead},
	"ledger_days":     {dashboard: canAdd, operator: canRead},

	"batches":          {worker: "SELECT, UPDATE, DELETE", dashboard: canDelete, operator: canRead},
	"recurrences":      {worker: "SELECT, UPDATE", dashboard: canChange, operator: "SELECT, UPDATE"},
	"recurring_months": {worker: canChange, dashboard: canChange, operator: "SELECT, UPDATE"},
	"batch_lines": {
		worker: "SELECT, UPDATE, DELETE", dashboard: "SELECT, INSERT, DELETE", operator: "SELECT, UPDATE",
	},

	"certificates": {
		api:    "SELECT (id, organization_id, not_after, removed_at, refused_at)",
		worker: "SELECT, UPDATE", dashboard: canChange, operator: canChange,
	},
	"city_logins":           {worker: "SELECT, UPDATE (sealed)", dashboard: canDelete, operator: canDelete},
	"tax_id_claims":         {worker: canRead, dashboard: canChange, operator: canDelete},
	"refusal_brakes":        {worker: canDelete, dashboard: canRead, operator: canRead},
	"learned_registrations": {worker: canChange, dashboard: "SELECT, DELETE", operator: "SELECT, DELETE"},

	"fiscal_profiles":  {worker: canRead, dashboard: canChange, operator: canChange},
	"fiscal_sequences": {worker: canChange, dashboard: canChange, operator: canChange},
	"checked_database": {worker: "SELECT, UPDATE", operator: "SELECT, UPDATE", dashboard: "SELECT, UPDATE"},
	"recovered_documents": {
		api: "SELECT (state)", worker: canChange, dashboard: "SELECT, UPDATE (state, taker, taker_tax_id, decided_at)",
		operator: canChange,
	},
	"fiscal_series": {worker: canChange, dashboard: canRead + releasesSeries, operator: canChange},
	"fiscal_exchanges": {
		api:    "SELECT (ambiguous, ambiguous_since, state)",
		worker: canChange, dashboard: canRead + ", UPDATE (disposition)",
		operator: "SELECT, UPDATE (xml, rejection, disposition)",
	},
	"fiscal_messages":   {worker: canAdd + ", UPDATE (xml, embedded)", dashboard: canRead, operator: "SELECT, UPDATE (xml, embedded)"},
	"fiscal_calls":      {worker: canChange, dashboard: canRead, operator: "SELECT, UPDATE (body)"},
	"authority_hours":   {worker: canDelete, dashboard: canDelete, operator: canRead},
	"authority_periods": {worker: canDelete, dashboard: canDelete, operator: canRead},
	"authority_drift":   {worker: canAdd, dashboard: canRead, operator: canRead},
	"authority_budgets": {worker: canChange, dashboard: canRead, operator: canRead},

	"municipal_parameters": {
		worker: canChange, dashboard: canAdd + ", UPDATE (next_fetch_at, used_at)",
		operator: canAdd + ", UPDATE (next_fetch_at, used_at)",
	},
	"city_cancellation_terms": {worker: canDelete, dashboard: canRead, operator: canRead},
	"municipal_service_parameters": {
		worker: canChange, dashboard: "SELECT, UPDATE (next_fetch_at)", operator: "SELECT, UPDATE (next_fetch_at)",
	},
	"distributions": {
		api:    "SELECT (production, created_at, succeeded_at, over_at)", // for the gauges
		worker: canChange, dashboard: canRead, operator: "SELECT, UPDATE (position, taken, other, start_after)",
	},
	"distribution_leases": {worker: canChange, dashboard: canRead, operator: canRead},
	"external_events": {
		worker: canChange, dashboard: canRead, operator: "SELECT, UPDATE (content, reason_text)",
	},
	"external_documents": {worker: canChange, dashboard: canRead, operator: "SELECT, UPDATE (xml)"},
	"received_notes": {
		worker: canChange, dashboard: canRead,
		operator: "SELECT, UPDATE (xml, issuer_name, issuer_tax_id, description)",
	},
	"received_events": {worker: canChange, dashboard: canRead, operator: "SELECT, UPDATE (content, reason_text)"},

	"zip_codes":       {api: canChange, worker: canChange, dashboard: canChange, operator: canRead},
	"zip_code_ranges": {api: canRead, worker: canRead, dashboard: canRead, operator: canDelete},

	// The time is the server's. Triggers too prevent that entries are changed or deleted.
	"audit_log": {api: addsEntries, dashboard: "SELECT, " + addsEntries, operator: "SELECT, " + addsEntries},

	// The worker tells people by e-mail of what needs them.
	"users": {
		worker: "SELECT (id, email, operator, created_at, removed_at)", dashboard: canChange, operator: canChange,
	},
	"memberships": {worker: canRead, dashboard: canDelete, operator: canDelete},
	"links":       {dashboard: canChange, operator: canChange},
	"passkeys":    {dashboard: canDelete, operator: "SELECT, DELETE"},
	"sessions":    {dashboard: canDelete, operator: "SELECT, UPDATE (ended_at)"},
	"identities":  {dashboard: "SELECT, INSERT, DELETE", operator: "SELECT, DELETE"},

	// The API only adds to the log: it reads nothing of it. Days are made and dropped by functions.
	"api_requests": {api: "INSERT", dashboard: canRead, operator: canRead},
	"refused_keys": {
		api:    "SELECT, INSERT, UPDATE (refusals)",
		worker: "SELECT, DELETE", dashboard: canRead, operator: canRead,
	},

	// The operator may have a row tried at once, and sets aside what emissor archive run cannot move; it deletes none:
	// retention has moved past its own.
	"row_failures": {
		api: canDelete, worker: canDelete, dashboard: canDelete, operator: canRead + ", INSERT, UPDATE (failures, retry_after)",
	},

	"retention_progress":  {worker: canChange, dashboard: canRead, operator: canRead},
	"keyset_reports":      {worker: canDelete, dashboard: canDelete, operator: canDelete},
	"parts":               {api: canRead, worker: canRead, dashboard: canRead, operator: canRead},
	postgres.VersionTable: {api: canRead, worker: canRead, dashboard: canRead, operator: canRead},
}

const (
	// The columns are those that a request to cancel a note changes.
	requestsNotes = canAdd + `, UPDATE (cancellation_status, cancellation_reason_code, cancellation_reason_text,
		cancellation_requested_at, cancellation_resolved_at, cancellation_refusal, cancellation_request_id,
		cancellation_api_key_id, updated_at, requeue_after, requeues)`

	// requestsAnalyses is what a person's request of an analysis changes beside that.
	requestsAnalyses = `, UPDATE (analysis, analysis_since)`

	// replacesNotes is what a person's replacement of a note changes beside that.
	replacesNotes = `, UPDATE (replaced_by, replacement_text, replacement_at)`

	// releasesSeries is what a person's release of a held series changes.
	releasesSeries = `, UPDATE (held_reason, held_at, asked_from, asked_through, used_numbers, asked_at, checked_in)`

	addsEntries = `INSERT (id, organization_id, livemode, actor_kind, actor_id, actor_from, request_id, action,
		subject_id, before, after)`
)

// Granted says what Grant left undone.
type Granted struct {
	Missing  []string // roles that do not exist, and that this account may not make
	Problems []string // what the roles may do and should not, in words for an administrator
}

// Grant makes the roles where it may, and gives each exactly the privileges that it is to
// have. It is for the account that migrates, may be repeated, and is one transaction, so
// that running processes see all of it at once.
func (s *Store) Grant(ctx context.Context, roles Roles) (granted Granted, err error) {
	var present []string
	for _, role := range roles.all() {
		exists, err := s.makeRole(ctx, role)
		switch {
		case err != nil:
			return granted, fmt.Errorf("store: make the role %s: %w", role, err)
		case exists:
			present = append(present, role)
		default:
			granted.Missing = append(granted.Missing, role)
		}
	}
	err = s.InTransaction(ctx, func(tx *sqlx.Tx) error {
		// Two at once would change the same rows of PostgreSQL's catalogue, which is an error.
		_, err := tx.ExecContext(ctx, `SET LOCAL lock_timeout = 0`)
		if err == nil {
			_, err = tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('emissor grants'))`)
		}
		if err == nil {
			err = checkOwner(ctx, tx)
		}
		if err != nil {
			return err
		}
		for _, statement := range grantStatements(roles, present) {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("store: %s: %w", statement, err)
			}
		}
		granted.Problems, err = rolesThatCanCreate(ctx, tx, present)
		return err
	})
	return granted, err
}

// ErrNotOwner says that this account is not the one that migrates.
var ErrNotOwner = errors.New("store: only the account that owns the database and its tables may migrate it")

// checkOwner is needed because GRANT by an account that may not grant is a warning, not an
// error.
func checkOwner(ctx context.Context, tx *sqlx.Tx) error {
	var owns bool
	err := tx.GetContext(ctx, &owns, `SELECT bool_and(pg_has_role(relowner, 'USAGE')) FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relname = ANY($1)`, pq.Array(slices.Collect(maps.Keys(grants))))
	if err == nil && !owns {
		return ErrNotOwner
	}
	return err
}

// makeRole makes a role that cannot log in, unless it is there. exists is false
// when it is not there and this account may not make it.
func (s *Store) makeRole(ctx context.Context, role string) (exists bool, err error) {
	var mayMake bool
	err = s.DB.QueryRowxContext(ctx, `
		SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1),
			(SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user)`, role).
		Scan(&exists, &mayMake)
	if err != nil || exists || !mayMake {
		return exists, err
	}
	_, err = s.DB.ExecContext(ctx, `CREATE ROLE `+pq.QuoteIdentifier(role)+` NOLOGIN`)
	if pq.As(err, pqerror.DuplicateObject, pqerror.UniqueViolation) != nil {
		err = nil // another database of this server was migrated at the same time
	}
	return err == nil, err
}

// grantStatements take every privilege from the roles that are present, and give
// them those of the table above.
func grantStatements(roles Roles, present []string) (statements []string) {
	for _, role := range present {
		quoted := pq.QuoteIdentifier(role)
		statements = append(statements, `GRANT USAGE ON SCHEMA public TO `+quoted)
		for _, table := range slices.Sorted(maps.Keys(grants)) {
			statements = append(statements, `REVOKE ALL ON `+table+` FROM `+quoted)
		}
	}
	grant := func(table, words, role string) {
		if words != "" && slices.Contains(present, role) {
			statements = append(statements, `GRANT `+words+` ON `+table+` TO `+pq.QuoteIdentifier(role))
		}
	}
	for _, table := range slices.Sorted(maps.Keys(grants)) {
		words := grants[table]
		grant(table, words.api, roles.API)
		grant(table, words.api, roles.Worker)
		grant(table, words.worker, roles.Worker)
		grant(table, words.dashboard, roles.Dashboard)
		grant(table, words.operator, roles.Operator)
	}
	if slices.Contains(present, roles.Worker) {
		statements = append(statements, `GRANT EXECUTE ON FUNCTION add_request_day(date), drop_request_day(date),
			add_part(text, date), drop_part(text) TO `+pq.QuoteIdentifier(roles.Worker))
	}
	for _, role := range []string{roles.Worker, roles.Operator} {
		if slices.Contains(present, role) {
			statements = append(statements, `GRANT EXECUTE ON FUNCTION `+movingDocuments+` TO `+pq.QuoteIdentifier(role))
		}
	}
	// PostgreSQL 14 lets everybody make tables there. By an account that does not own the schema this is a warning.
	return append(statements, `REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
}

// movingDocuments are the functions that move documents into the archive and back.
const movingDocuments = `documents_into_segment(bigint, bigint, text[], bigint[], integer[], integer[], bytea[]),
	documents_out_of_segment(bigint, text[], bytea[])`

// rolesThatCanCreate says which roles could change the schema all the same, by privileges that this
// account did not give or may not take away.
func rolesThatCanCreate(ctx context.Context, tx *sqlx.Tx, roles []string) (problems []string, err error) {
	var able []string
	err = tx.SelectContext(ctx, &able, `SELECT rolname FROM pg_roles
		WHERE rolname = ANY($1) AND (rolsuper OR has_schema_privilege(rolname, 'public', 'CREATE')) ORDER BY rolname`,
		pq.Array(roles))
	if len(able) > 0 {
		problems = append(problems, "these roles may still make tables: "+strings.Join(able, ", ")+
			"; as an administrator: REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	}
	return problems, err
}
