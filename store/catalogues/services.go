package catalogues

import (
	"context"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

const (
	ServiceColumns = `id, name, description, municipality_code, default_amount_cents, national_tax_code,
		municipal_tax_code, municipal_taxation, iss_rate_hundredths, active, created_at`
	// An expired test service is left out at once; maintenance marks it later, which takes it out of the index.
	serviceAlive = `retired_at IS NULL AND (expires_at IS NULL OR expires_at > now())`
)

// CreateService puts a service into the catalogue of the scope.
func (s *Store) CreateService(
	ctx context.Context, scope nfse.Scope, service nfse.Service,
) (created nfse.Service, err error) {
	return createService(ctx, s.db, scope, service)
}

func createService(
	ctx context.Context, db postgres.Named, scope nfse.Scope, service nfse.Service,
) (created nfse.Service, err error) {
	service.ID = nfse.NewID(nfse.PrefixService)
	var lifetime *float64 // seconds
	if !scope.Livemode {
		lifetime = new(nfse.TestServiceLifetime.Seconds())
	}
	err = postgres.GetNamed(ctx, db, &created, `
		INSERT INTO services (id, organization_id, livemode, name, description, municipality_code,
			default_amount_cents, national_tax_code, municipal_tax_code, municipal_taxation,
			iss_rate_hundredths, active, expires_at)
		VALUES (:id, :organization_id, :livemode, :name, :description, :municipality_code,
			:default_amount_cents, :national_tax_code, :municipal_tax_code, :municipal_taxation,
			:iss_rate_hundredths, :active, now() + make_interval(secs => :lifetime))
		RETURNING `+ServiceColumns,
		struct {
			nfse.Scope
			nfse.Service
			Lifetime *float64 `db:"lifetime"`
		}{scope, service, lifetime})
	return created, err
}

// Service reads one service of the scope.
func (s *Store) Service(ctx context.Context, scope nfse.Scope, id string) (nfse.Service, error) {
	var service nfse.Service
	err := s.db.Get(ctx, &service, selectService, scope.OrganizationID, scope.Livemode, id)
	return service, serviceFound(err)
}

const selectService = `SELECT ` + ServiceColumns + ` FROM services
	WHERE organization_id = $1 AND livemode = $2 AND id = $3 AND ` + serviceAlive

func serviceFound(err error) error {
	return postgres.NoRow(err, nfse.NotFound(nfse.CodeServiceNotFound, ""))
}

// ServicesCalled lists active services of the scope whose names and descriptions have
// all of these words, newest first, at most limit of them.
func (s *Store) ServicesCalled(
	ctx context.Context, scope nfse.Scope, words []string, limit int,
) (services []nfse.Service, err error) {
	services = []nfse.Service{}
	err = s.db.SelectContext(ctx, &services, `SELECT `+ServiceColumns+` FROM services
		WHERE `+serviceAlive+` AND active AND NOT EXISTS (SELECT FROM unnest($5::text[]) AS word
			WHERE position(lower(word) IN lower(name || ' ' || description)) = 0) AND `+postgres.InPage,
		scope.OrganizationID, scope.Livemode, "~", limit, pq.Array(words))
	return services, err
}

// Services lists the scope's catalogue, newest first.
func (s *Store) Services(
	ctx context.Context, scope nfse.Scope, page postgres.Page,
) (services []nfse.Service, more bool, err error) {
	after, rows := page.Bounds()
	services = []nfse.Service{}
	err = s.db.SelectContext(ctx, &services,
		`SELECT `+ServiceColumns+` FROM services WHERE `+serviceAlive+` AND `+postgres.InPage,
		scope.OrganizationID, scope.Livemode, after, rows)
	services, more = postgres.Cut(services, page.Limit)
	return services, more, err
}

// UpdateService applies change to a service under a lock, so that two partial
// updates never undo each other. The lock delays no note that refers to it.
func (s *Store) UpdateService(
	ctx context.Context, scope nfse.Scope, id string, change func(*nfse.Service) error,
) (service nfse.Service, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		service, err = updateService(ctx, tx, scope, id, change)
		return err
	})
	return service, err
}

func updateService(
	ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, id string, change func(*nfse.Service) error,
) (service nfse.Service, err error) {
	err = tx.GetContext(ctx, &service, selectService+` FOR NO KEY UPDATE`, scope.OrganizationID, scope.Livemode, id)
	if err := serviceFound(err); err != nil {
		return service, err
	}
	if err := change(&service); err != nil {
		return service, err
	}
	if err := outbox.ResumeRefused(ctx, tx, scope, id); err != nil {
		return service, err
	}
	return service, postgres.GetNamed(ctx, tx, &service, `
		UPDATE services SET
			name = :name,
			description = :description,
			municipality_code = :municipality_code,
			default_amount_cents = :default_amount_cents,
			national_tax_code = :national_tax_code,
			municipal_tax_code = :municipal_tax_code,
			municipal_taxation = :municipal_taxation,
			iss_rate_hundredths = :iss_rate_hundredths,
			active = :active
		WHERE id = :id
		RETURNING `+ServiceColumns, service)
}

// RetireExpiredServices marks expired test services, at most limit of them. They stay on
// record because notes refer to them.
func (s *Store) RetireExpiredServices(ctx context.Context, limit int) (looked, retired int, err error) {
	return s.db.Counted(ctx, expiredServices, limit)
}

var expiredServices = postgres.RowLoop{
	Name: `test services`, ID: `id`,
	Due: `SELECT id AS key FROM services WHERE retired_at IS NULL AND expires_at <= now() AND %s
		ORDER BY expires_at LIMIT $1`,
	Lock: `FOR NO KEY UPDATE`,
	Do: `WITH retired AS (UPDATE services SET retired_at = now() WHERE id = ANY(ARRAY(%s)) RETURNING id)
		SELECT count(*), count(*) FROM retired`,
}

// ServiceName is what finds a service in a list that a person made.
type ServiceName struct {
	ID          string `db:"id"`
	Name        string `db:"name"`
	AmountCents int64  `db:"default_amount_cents"`
}

// mostServiceNames bounds what is read of services.
const mostServiceNames = 5000

// ServiceNames are the active services of the scope, newest first.
func (s *Store) ServiceNames(ctx context.Context, scope nfse.Scope) (names []ServiceName, err error) {
	err = s.db.SelectContext(ctx, &names, `SELECT id, name, default_amount_cents FROM services
		WHERE organization_id = $1 AND livemode = $2 AND active AND `+serviceAlive+` ORDER BY id DESC LIMIT $3`,
		scope.OrganizationID, scope.Livemode, mostServiceNames)
	return names, err
}
