package received

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// Distribution is how far an authority's distribution of an issuer's documents was read.
type Distribution struct {
	ID string `db:"id" json:"id"`
	nfse.IssuerKey
	Position     int64           `db:"position" json:"position"`
	Taken        int64           `db:"taken" json:"taken"` // entries about other issuers' documents (received.go)
	Other        int64           `db:"other" json:"other"` // documents of series that are not numbered here
	AskedAt      *nfse.Timestamp `db:"asked_at" json:"asked_at"`
	SucceededAt  *nfse.Timestamp `db:"succeeded_at" json:"succeeded_at"`
	Failures     int             `db:"failures" json:"failures"` // since it succeeded last
	Problem      fact.Fact       `db:"problem" json:"problem"`
	ProblemSince *nfse.Timestamp `db:"problem_since" json:"problem_since"`
}

const distributionColumns = `d.id, d.authority, d.production, d.tax_id, d.position, d.taken, d.other, d.asked_at,
	d.succeeded_at, d.failures, d.problem, d.problem_since`

// ProfileOf joins the issuing profiles that a distribution d is for: of organizations that
// may use the issuer.
var ProfileOf = `(d.tells_of_all OR d.authority = p.authority)
	AND ` + companies.OfProduction + ` = d.production
	AND p.profile ->> 'tax_id' = d.tax_id AND ` + companies.ClaimedProfile

// restartAfter is when the run of a distribution that has not moved is started again:
// longer than it ever pauses.
const restartAfter = `now() + interval '2 hours'`

// ServedEnvironment is an environment of an authority that a process can ask.
type ServedEnvironment struct {
	Authority  string
	Production bool
	// TellsOfAll says that it distributes to an issuer what happens to all its documents,
	// whichever authority issued them.
	TellsOfAll bool
}

// StartDistributions puts a row into the outbox for each issuer whose distribution no run
// reads, because its fiscal profile is new or the run was lost, and counts them. Only
// distributions that the process can ask for are started.
func (s *Store) StartDistributions(ctx context.Context, served []ServedEnvironment) (started int, err error) {
	for _, environment := range served {
		n, err := s.startDistributions(ctx, environment)
		started += n
		if err != nil {
			return started, err
		}
	}
	return started, nil
}

func (s *Store) startDistributions(ctx context.Context, served ServedEnvironment) (int, error) {
	var missing []string
	err := s.db.All(ctx, &missing, `
		SELECT DISTINCT p.profile ->> 'tax_id' FROM `+companies.IssuingProfiles+` p
		WHERE ($3 OR p.authority = $1) AND `+companies.OfProduction+` = $2
			AND `+companies.ClaimedProfile+` AND NOT EXISTS (
			SELECT FROM distributions d WHERE d.authority = $1 AND d.production = $2
				AND d.tax_id = p.profile ->> 'tax_id')`, served.Authority, served.Production, served.TellsOfAll)
	if err != nil {
		return 0, err
	}
	for _, taxID := range missing {
		if _, err := s.db.Exec(ctx, `INSERT INTO distributions (id, authority, production, tax_id, tells_of_all)
			VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, nfse.NewID(nfse.PrefixDistribution),
			served.Authority, served.Production, taxID, served.TellsOfAll); err != nil {
			return 0, err
		}
	}
	return s.db.Exec(ctx, `
		WITH due AS (
			UPDATE distributions d SET start_after = `+restartAfter+`, over_at = NULL
			WHERE d.start_after <= now() AND d.authority = $1 AND d.production = $2
				AND EXISTS (SELECT FROM `+companies.IssuingProfiles+` p WHERE `+ProfileOf+`)
			RETURNING d.*
		)
		INSERT INTO outbox (kind, subject_id, organization_id, livemode)
		SELECT 'distribution', d.id, (SELECT min(p.organization_id) FROM `+companies.IssuingProfiles+` p
			WHERE `+ProfileOf+`), true
		FROM due d ORDER BY d.id `+outbox.AskAgain, served.Authority, served.Production)
}

// Distribution reads a distribution, and the organizations that issue by it: none
// when no fiscal profile names it any more.
func (s *Store) Distribution(ctx context.Context, id string) (d Distribution, organizations []string, err error) {
	var row struct {
		Distribution
		Organizations pq.StringArray `db:"organizations"`
	}
	err = s.db.Get(ctx, &row, `SELECT `+distributionColumns+`,
			ARRAY(SELECT DISTINCT p.organization_id FROM `+companies.IssuingProfiles+` p
				WHERE `+ProfileOf+` ORDER BY 1) AS organizations
		FROM distributions d WHERE d.id = $1`, id)
	return row.Distribution, row.Organizations, err
}

// Distributions lists the distributions of an organization, or, with an empty one,
// all, and issuers without one yet.
func (s *Store) Distributions(ctx context.Context, organizationID string) ([]Distribution, error) {
	all := []Distribution{}
	err := s.db.SelectContext(ctx, &all, `
		SELECT DISTINCT `+distributionColumns+` FROM distributions d
			LEFT JOIN `+companies.IssuingProfiles+` p ON `+ProfileOf+`
		WHERE $1 = '' OR p.organization_id = $1
		UNION ALL
		SELECT DISTINCT '', p.authority, `+companies.OfProduction+`, p.profile ->> 'tax_id', 0, 0, 0,
			NULL::timestamptz, NULL::timestamptz, 0, `+postgres.FactSQL(fact.DistributionNotBegun)+`, p.created_at
		FROM `+companies.IssuingProfiles+` p WHERE ($1 = '' OR p.organization_id = $1) AND `+companies.ClaimedProfile+`
			AND NOT EXISTS (SELECT FROM distributions d WHERE `+ProfileOf+`)
		ORDER BY authority, production, tax_id`, organizationID)
	return all, err
}

// DistributionAsked reports whether an authority that tells of all documents of an issuer has ever
// answered for this one.
func (s *Store) DistributionAsked(ctx context.Context, issuer nfse.IssuerKey) (asked bool, err error) {
	err = s.db.Get(ctx, &asked, `SELECT EXISTS (SELECT FROM distributions d
		WHERE (d.tells_of_all OR d.authority = $1) AND d.production = $2 AND d.tax_id = $3
			AND d.succeeded_at IS NOT NULL AND d.over_at IS NULL)`, companies.IssuerArguments(issuer)...)
	return asked, err
}

// FailDistribution records why a distribution could not be read. fresh is false when the
// same problem is on record already.
func (s *Store) FailDistribution(ctx context.Context, id string, problem fact.Fact) (failures int, fresh bool,
	err error) {
	err = s.db.QueryRowxContext(ctx, `
		UPDATE distributions d SET problem = $2::jsonb, problem_since = coalesce(d.problem_since, now()),
			failures = d.failures + 1, asked_at = now(), start_after = `+restartAfter+`
		FROM (SELECT id, problem FROM distributions WHERE id = $1 FOR NO KEY UPDATE) before
		WHERE d.id = before.id
		RETURNING d.failures, before.problem IS DISTINCT FROM $2::jsonb`, id, problem).Scan(&failures, &fresh)
	return failures, fresh, err
}

// EndDistribution records that the run of a distribution ends, because no fiscal profile
// names it. It is started again as soon as one does.
func (s *Store) EndDistribution(ctx context.Context, id string) error {
	_, err := s.db.Exec(ctx, `UPDATE distributions SET start_after = now(), over_at = now() WHERE id = $1`, id)
	return err
}

// PollLease is the right to ask an authority for a distribution.
type PollLease struct {
	Authority  string
	Production bool
	exchanges.Lease
}

// TakePollLease takes the lease, of which there is one for all workers. Where another has
// it, or the authority has asked for a pause, it returns for how long.
func (s *Store) TakePollLease(ctx context.Context, lease PollLease) (leased, paused time.Duration, err error) {
	if _, err := s.db.Exec(ctx, `INSERT INTO distribution_leases (authority, production) VALUES ($1, $2)
		ON CONFLICT DO NOTHING`, lease.Authority, lease.Production); err != nil {
		return 0, 0, err
	}
	taken, err := s.db.Exec(ctx, `
		UPDATE distribution_leases SET token = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
		WHERE authority = $1 AND production = $2 AND coalesce(lease_until <= clock_timestamp(), true)
			AND coalesce(paused_until <= clock_timestamp(), true)`,
		lease.Authority, lease.Production, lease.Token, lease.For.Seconds())
	if err != nil || taken > 0 {
		return 0, 0, err
	}
	var wait struct {
		Leased float64 `db:"leased"`
		Paused float64 `db:"paused"`
	}
	err = s.db.Get(ctx, &wait, `
		SELECT greatest(0.001, extract(epoch FROM lease_until - clock_timestamp()))::float8 AS leased,
			coalesce(greatest(0, extract(epoch FROM paused_until - clock_timestamp())), 0)::float8 AS paused
		FROM distribution_leases WHERE authority = $1 AND production = $2`, lease.Authority, lease.Production)
	return postgres.Seconds(wait.Leased), postgres.Seconds(wait.Paused), err
}

// The first pause after an answer that asks for one; each further one is twice as
// long, up to an hour.
const (
	firstThrottle = 30 * time.Second
	maxThrottle   = time.Hour
)

// EndPollLease gives the lease back. When the authority has asked for a pause (throttled),
// nobody asks for at least that long.
func (s *Store) EndPollLease(ctx context.Context, lease PollLease, throttled bool, atLeast time.Duration) error {
	_, err := s.db.Exec(ctx, `
		UPDATE distribution_leases SET token = NULL, lease_until = NULL,
			throttled = CASE WHEN $4 THEN throttled + 1 ELSE 0 END,
			paused_until = CASE WHEN $4 THEN clock_timestamp() + make_interval(secs => greatest($5::float8,
				least($6::float8 * power(2, least(throttled, 20)), $7::float8))) END
		WHERE authority = $1 AND production = $2 AND token = $3`,
		lease.Authority, lease.Production, lease.Token, throttled, min(atLeast, maxThrottle).Seconds(),
		firstThrottle.Seconds(), maxThrottle.Seconds())
	return err
}

// NewPollLease makes a lease that nobody has.
func NewPollLease(authority string, production bool, lease time.Duration) PollLease {
	return PollLease{Authority: authority, Production: production, Lease: exchanges.Lease{Token: uuid.New(), For: lease}}
}

// RescanEvents has the distributions of an organization read again from their beginning.
// What is known already is neither stored nor applied again.
func (c *Changes) RescanEvents(ctx context.Context, organizationID string) (rescanned []Distribution, err error) {
	return c.readAgain(ctx, organizationID, 0, audit.EventsRescan)
}

// readAgain sets the distributions of an organization back to a position, where they have come
// farther, and returns all of them as they were.
func (c *Changes) readAgain(ctx context.Context, organizationID string, from int64, action audit.Action,
) (before []Distribution, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		before = nil
		err = tx.SelectContext(ctx, &before, `
			SELECT `+distributionColumns+` FROM distributions d
			WHERE EXISTS (SELECT FROM `+companies.IssuingProfiles+` p WHERE p.organization_id = $1 AND `+ProfileOf+`)
			ORDER BY d.id FOR NO KEY UPDATE`, organizationID)
		if err == nil && len(before) == 0 {
			err = nfse.NewError(nfse.CodeInvalidRequest, "organization",
				"nothing was asked yet for the organization %q: `emissor events status` says why", organizationID)
		}
		for _, d := range before {
			if err == nil {
				_, err = tx.ExecContext(ctx, `UPDATE distributions SET position = least(position, $2::bigint), taken = 0,
					other = 0, start_after = now() WHERE id = $1`, d.ID, from)
			}
			records = append(records, audit.Record{Action: action, SubjectID: d.ID,
				Before: map[string]any{"position": d.Position, "issuer": companies.AuditTaxID(d.TaxID)},
				After:  map[string]any{"position": min(d.Position, from)}}.OfOrganization(organizationID))
		}
		return records, err
	})
	return before, err
}

// errMovedOn says that the position of a distribution has changed since the batch was
// asked for.
var errMovedOn = errors.New("store: the position of the distribution has changed")
