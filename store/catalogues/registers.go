package catalogues

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// Registered is a work or an event of an organization's register.
type Registered[T nfse.Work | nfse.CulturalEvent] struct {
	ID        string          `json:"id"`
	Record    T               `json:"record"`    // with its id
	ClosedAt  *nfse.Timestamp `json:"closed_at"` // nil: notes may refer to it
	CreatedAt nfse.Timestamp  `json:"created_at"`
}

// Errors of a register.
var (
	ErrNotRegistered = errors.New("store: the organization has no such work or event")
	ErrClosed        = errors.New("store: the work or event is closed")
)

// Register is a table of works or of events.
type Register[T nfse.Work | nfse.CulturalEvent] struct {
	table, column      string
	Prefix             nfse.Prefix // of its ids
	create, set, close audit.Action
	named              func(*T, string) // gives a record its id
	audited            func(T) auditedSite
}

// auditedSite is what the audit log has of a record: neither its name nor an address.
type auditedSite struct {
	MunicipalityCode string   `json:"municipality_code"`
	From             nfse.Day `json:"from,omitempty"`
	Through          nfse.Day `json:"through,omitempty"`
}

// The registers.
var (
	Works = Register[nfse.Work]{
		"works", "work", nfse.PrefixWork, audit.WorkCreate, audit.WorkSet, audit.WorkClose,
		func(work *nfse.Work, id string) { work.ID = id },
		func(work nfse.Work) auditedSite { return auditedSite{MunicipalityCode: work.MunicipalityCode} },
	}
	CulturalEvents = Register[nfse.CulturalEvent]{
		"cultural_events", "event", nfse.PrefixCulturalEvent, audit.CulturalEventCreate, audit.CulturalEventSet,
		audit.CulturalEventClose,
		func(event *nfse.CulturalEvent, id string) { event.ID = id },
		func(event nfse.CulturalEvent) auditedSite {
			return auditedSite{event.MunicipalityCode, event.From, event.Through}
		},
	}
)

// registeredRow is a row of a register's table.
type registeredRow struct {
	ID        string          `db:"id"`
	Content   []byte          `db:"content"`
	ClosedAt  *nfse.Timestamp `db:"closed_at"`
	CreatedAt nfse.Timestamp  `db:"created_at"`
}

func (r Register[T]) of(row registeredRow) (registered Registered[T], err error) {
	registered = Registered[T]{ID: row.ID, ClosedAt: row.ClosedAt, CreatedAt: row.CreatedAt}
	err = json.Unmarshal(row.Content, &registered.Record)
	r.named(&registered.Record, row.ID)
	return registered, err
}

func (r Register[T]) columns() string {
	return `id, ` + r.column + ` AS content, closed_at, created_at`
}

// List lists the scope's records, newest first: all, or those that notes may refer to.
func (r Register[T]) List(
	ctx context.Context, s *Store, scope nfse.Scope, open bool, page postgres.Page,
) (list []Registered[T], more bool, err error) {
	after, limit := page.Bounds()
	var rows []registeredRow
	err = sqlx.SelectContext(ctx, s.db, &rows, `SELECT `+r.columns()+` FROM `+r.table+`
		WHERE (closed_at IS NULL OR NOT $5) AND `+postgres.InPage, scope.OrganizationID, scope.Livemode, after, limit, open)
	if err != nil {
		return nil, false, err
	}
	rows, more = postgres.Cut(rows, page.Limit)
	for _, row := range rows {
		registered, err := r.of(row)
		if err != nil {
			return nil, false, err
		}
		list = append(list, registered)
	}
	return list, more, nil
}

// One reads a record of the scope; ErrNotRegistered where there is none.
func (r Register[T]) One(ctx context.Context, s *Store, scope nfse.Scope, id string) (Registered[T], error) {
	return r.read(ctx, s.db, scope, id, "")
}

func (r Register[T]) read(
	ctx context.Context, db sqlx.QueryerContext, scope nfse.Scope, id, lock string,
) (registered Registered[T], err error) {
	var row registeredRow
	err = sqlx.GetContext(ctx, db, &row, `SELECT `+r.columns()+` FROM `+r.table+`
		WHERE (organization_id, livemode, id) = ($1, $2, $3)`+lock, scope.OrganizationID, scope.Livemode, id)
	if err != nil {
		return registered, postgres.NoRow(err, ErrNotRegistered)
	}
	return r.of(row)
}

// Add puts a record into the register of the scope.
func (r Register[T]) Add(
	ctx context.Context, c *Changes, scope nfse.Scope, record T,
) (added Registered[T], err error) {
	r.named(&record, "")
	content, err := nfse.Marshal(record)
	if err != nil {
		return added, err
	}
	err = c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		var row registeredRow
		err := tx.GetContext(ctx, &row, `INSERT INTO `+r.table+` (id, organization_id, livemode, `+r.column+`)
			VALUES ($1, $2, $3, $4::jsonb) RETURNING `+r.columns(),
			nfse.NewID(r.Prefix), scope.OrganizationID, scope.Livemode, string(content))
		if err != nil {
			return audit.Record{}, err
		}
		added, err = r.of(row)
		return audit.Record{Action: r.create, SubjectID: added.ID, After: r.audited(added.Record)}.Of(scope), err
	})
	return added, err
}

// Set replaces what is on record of an open one, and wakes up the organization's notes that wait. Notes keep what
// they took. version is nfse.VersionOf of the record that is replaced, else it is ErrChanged; an empty version
// replaces any record. A closed record is ErrClosed.
func (r Register[T]) Set(
	ctx context.Context, c *Changes, scope nfse.Scope, id string, wanted T, version string,
) error {
	r.named(&wanted, id)
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		before, err := r.read(ctx, tx, scope, id, ` FOR NO KEY UPDATE`)
		switch {
		case err != nil:
			return nil, err
		case before.ClosedAt != nil:
			return nil, ErrClosed
		case nfse.VersionOf(before.Record) == nfse.VersionOf(wanted):
			return nil, nil
		case version != "" && version != nfse.VersionOf(before.Record):
			return nil, postgres.ErrChanged
		}
		stored := wanted
		r.named(&stored, "")
		content, err := nfse.Marshal(stored)
		if err != nil {
			return nil, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE `+r.table+` SET `+r.column+` = $2::jsonb WHERE id = $1`, id,
			string(content))
		if err != nil {
			return nil, err
		}
		record := audit.Record{Action: r.set, SubjectID: id, Before: r.audited(before.Record),
			After: r.audited(wanted)}.Of(scope)
		return []audit.Record{record}, outbox.ResumeHeld(ctx, tx, scope.OrganizationID)
	})
}

// Close ends that notes refer to a record: those that were accepted before keep it. It is once
// and for all; closing again changes nothing.
func (r Register[T]) Close(ctx context.Context, c *Changes, scope nfse.Scope, id string) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		before, err := r.read(ctx, tx, scope, id, ` FOR NO KEY UPDATE`)
		if err != nil || before.ClosedAt != nil {
			return nil, err
		}
		_, err = tx.ExecContext(ctx, `UPDATE `+r.table+` SET closed_at = now() WHERE id = $1`, id)
		return []audit.Record{audit.Record{Action: r.close, SubjectID: id}.Of(scope)}, err
	})
}

// mayName says whether notes may refer to a record of the register.
func (r Register[T]) mayName(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, id string) error {
	if id == "" {
		return nil
	}
	found, err := r.read(ctx, tx, scope, id, ` FOR SHARE`)
	if err == nil && found.ClosedAt != nil {
		err = ErrClosed
	}
	return err
}

// checkSites says whether a service or customer may refer to what it newly refers to.
func checkSites(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, before, wanted any) error {
	workBefore, eventBefore := sitesOf(before)
	work, event := sitesOf(wanted)
	if work != workBefore {
		if err := Works.mayName(ctx, tx, scope, work); err != nil {
			return siteInvalid("work_id", work, err)
		}
	}
	if event != eventBefore {
		if err := CulturalEvents.mayName(ctx, tx, scope, event); err != nil {
			return siteInvalid("event_id", event, err)
		}
	}
	return nil
}

// sitesOf are the ids of the work and the event that a taxation refers to.
func sitesOf(taxation any) (work, event string) {
	switch set := taxation.(type) {
	case nfse.ServiceTaxation:
		return set.WorkID, set.EventID
	case nfse.CustomerTaxation:
		return set.WorkID, ""
	}
	return "", ""
}

func siteInvalid(field, id string, err error) error {
	switch {
	case errors.Is(err, ErrNotRegistered):
		return nfse.Invalid(field, "names nothing that is registered: %s", id)
	case errors.Is(err, ErrClosed):
		return nfse.Invalid(field, "is closed: %s", id)
	}
	return err
}
