package companies

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// CityKey names the parameters of a city at an authority.
type CityKey struct {
	Authority        string `db:"authority" json:"authority"`
	Production       bool   `db:"production" json:"production"`
	MunicipalityCode string `db:"municipality_code" json:"municipality_code"`
}

// CityRecord is what is known of a city.
type CityRecord struct {
	CityKey
	City        *fiscal.City    `json:"city"` // nil: never fetched
	FetchedAt   *nfse.Timestamp `db:"fetched_at" json:"fetched_at"`
	NextFetchAt nfse.Timestamp  `db:"next_fetch_at" json:"next_fetch_at"`
	AskedBy     *string         `db:"asked_by" json:"asked_by"` // the organization with whose certificate
	Failure     fact.Fact       `db:"failure" json:"failure"`
	FailedAt    *nfse.Timestamp `db:"failed_at" json:"failed_at"`
	DoubtedBy   *string         `db:"doubted_by" json:"doubted_by"` // the rejection since which it does not count
	DoubtedAt   *nfse.Timestamp `db:"doubted_at" json:"doubted_at"`

	Counts   bool `db:"counts" json:"counts"` // it was fetched, is not doubted, and not too old
	Due      bool `db:"due" json:"-"`
	Overdue  bool `db:"overdue" json:"-"`  // by more than a day
	Fetching bool `db:"fetching" json:"-"` // a worker is asking for it
	Unused   bool `db:"unused" json:"-"`   // that it is used was last recorded half a day ago
}

// Wanted reports whether it is to be fetched for a note before its number is taken.
func (r CityRecord) Wanted() bool { return r.Due && (!r.Counts || r.Overdue) }

type cityRow struct {
	CityRecord
	Content []byte `db:"city"`
}

// refreshed is a condition of what counts: parameters that were refreshed within a week.
const refreshed = `fetched_at > now() - interval '7 days'`

const cityColumns = `authority, production, municipality_code, city, fetched_at, next_fetch_at, asked_by, failure,
	failed_at, doubted_by, doubted_at,
	(` + refreshed + `) IS TRUE AND doubted_at IS NULL AS counts,
	next_fetch_at <= now() AS due, next_fetch_at <= now() - interval '1 day' AS overdue,
	fetching_until > now() IS TRUE AS fetching, used_at < now() - interval '12 hours' AS unused`

const ofCity = `(authority, production, municipality_code) = ($1, $2, $3)`

func (r cityRow) record() (CityRecord, error) {
	if r.Content == nil {
		return r.CityRecord, nil
	}
	return r.CityRecord, json.Unmarshal(r.Content, &r.City)
}

// City reads what is known of a city. A city that is not on record is due.
func (s *Store) City(ctx context.Context, key CityKey) (CityRecord, error) {
	var row cityRow
	err := s.db.Get(ctx, &row, `SELECT `+cityColumns+` FROM municipal_parameters WHERE `+ofCity,
		key.Authority, key.Production, key.MunicipalityCode)
	if errors.Is(err, sql.ErrNoRows) {
		return CityRecord{CityKey: key, Due: true}, nil
	}
	if err != nil {
		return CityRecord{}, err
	}
	record, err := row.record()
	if err != nil { // unreadable parameters count as none, and are fetched again
		record = CityRecord{CityKey: key, Due: true, Fetching: record.Fetching}
		_, err = s.db.Exec(ctx, `UPDATE municipal_parameters SET next_fetch_at = least(next_fetch_at, now())
			WHERE `+ofCity,
			key.Authority, key.Production, key.MunicipalityCode)
	}
	return record, err
}

// Cities lists what is known of a city at every authority and in both environments.
func (s *Store) Cities(ctx context.Context, municipalityCode string) ([]CityRecord, error) {
	var rows []cityRow
	err := s.db.SelectContext(ctx, &rows, `SELECT `+cityColumns+` FROM municipal_parameters
		WHERE municipality_code = $1 ORDER BY authority, production`, municipalityCode)
	records := make([]CityRecord, len(rows))
	for i, row := range rows {
		record, undecoded := row.record()
		records[i], err = record, errors.Join(err, undecoded)
	}
	return records, err
}

// LeaseCity makes the caller the only one that asks for a city, with the certificate of an
// organization, if the city is due and nobody else asks for it.
func (s *Store) LeaseCity(ctx context.Context, key CityKey, organizationID string,
	lease time.Duration) (leased bool, err error) {
	rows, err := s.db.Exec(ctx, `
		INSERT INTO municipal_parameters (authority, production, municipality_code, asked_by, fetching_until)
		VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
		ON CONFLICT (authority, production, municipality_code) DO UPDATE SET asked_by = EXCLUDED.asked_by,
			fetching_until = EXCLUDED.fetching_until
		WHERE municipal_parameters.next_fetch_at <= now()
			AND coalesce(municipal_parameters.fetching_until, now()) <= now()`,
		key.Authority, key.Production, key.MunicipalityCode, organizationID, lease.Seconds())
	return rows > 0, err
}

// SaveCity stores what an authority answered of a city, which is fetched again after next.
// Where it has changed, notes that are held because of it are woken up.
func (s *Store) SaveCity(ctx context.Context, key CityKey, city fiscal.City, next time.Duration) error {
	content, err := json.Marshal(city)
	if err != nil {
		return err
	}
	return postgres.RetriedDeadlock(ctx, func() error {
		return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
			var changed bool
			err := tx.GetContext(ctx, &changed, `
				WITH before AS (
					SELECT city IS DISTINCT FROM $4::jsonb OR doubted_at IS NOT NULL AS changed,
						city IS NOT DISTINCT FROM $4::jsonb AND doubted_at IS NOT NULL AS confirmed
					FROM municipal_parameters WHERE `+ofCity+` FOR NO KEY UPDATE
				)
				UPDATE municipal_parameters SET city = $4::jsonb, fetched_at = now(),
					next_fetch_at = now() + make_interval(secs => $5), fetching_until = NULL, failure = NULL,
					failed_at = NULL, doubted_by = NULL, doubted_at = NULL,
					confirmed_at = CASE WHEN before.confirmed THEN now() ELSE confirmed_at END
				FROM before WHERE `+ofCity+`
				RETURNING before.changed`,
				key.Authority, key.Production, key.MunicipalityCode, string(content), next.Seconds())
			if err != nil || !changed {
				return err
			}
			return resumeHeldOver(ctx, tx, key.MunicipalityCode)
		})
	})
}

// resumeHeldOver wakes up the live notes that are held because of what a city has set: it
// is the municipality of their reason, or of a fact within it.
func resumeHeldOver(ctx context.Context, tx *sqlx.Tx, municipalityCode string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE held_reason IS NOT NULL AND livemode AND jsonb_path_exists(held_reason,
			'$.**.municipality ? (@ == $code)', jsonb_build_object('code', $1::text))
		ORDER BY id `+outbox.AskAgain, municipalityCode)
	return err
}

// FailCity records that a city's parameters could not be fetched, and are asked for again
// after rest. What was known stays; once it is too old to count, the notes that were held
// because of it are woken up.
func (s *Store) FailCity(ctx context.Context, key CityKey, reason fact.Fact, rest time.Duration) error {
	return postgres.RetriedDeadlock(ctx, func() error {
		return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
			var tooOld bool
			err := tx.GetContext(ctx, &tooOld, `UPDATE municipal_parameters SET failure = $4, failed_at = now(),
					fetching_until = NULL, next_fetch_at = now() + make_interval(secs => $5)
				WHERE `+ofCity+` RETURNING (`+refreshed+`) IS FALSE`,
				key.Authority, key.Production, key.MunicipalityCode, reason, rest.Seconds())
			switch {
			case errors.Is(err, sql.ErrNoRows):
				return nil
			case err != nil || !tooOld:
				return err
			}
			return resumeHeldOver(ctx, tx, key.MunicipalityCode)
		})
	})
}

// DoubtCity records a rejection that contradicts what is known of a city: that does not
// count until it was fetched again, which is due at once. What was confirmed after a doubt
// is not doubted again for an hour.
func (s *Store) DoubtCity(ctx context.Context, key CityKey, rejection string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE municipal_parameters SET doubted_by = $4, doubted_at = now(),
			next_fetch_at = least(next_fetch_at, now())
		WHERE `+ofCity+` AND city IS NOT NULL AND doubted_at IS NULL
			AND coalesce(confirmed_at, '-infinity') < now() - interval '1 hour'`,
		key.Authority, key.Production, key.MunicipalityCode, rejection)
	return err
}

// ReleaseCity ends a lease during which every certificate was refused, which says nothing
// of the city: another organization may ask at once.
func (s *Store) ReleaseCity(ctx context.Context, key CityKey) error {
	_, err := s.db.Exec(ctx, `UPDATE municipal_parameters SET fetching_until = NULL WHERE `+ofCity,
		key.Authority, key.Production, key.MunicipalityCode)
	return err
}

// UseCity records that a city is in use, so that it is refreshed.
func (s *Store) UseCity(ctx context.Context, key CityKey) error {
	_, err := s.db.ExecContext(ctx, `UPDATE municipal_parameters SET used_at = now() WHERE `+ofCity,
		key.Authority, key.Production, key.MunicipalityCode)
	return err
}

// UseProfileCities puts the city of every fiscal profile on record at an authority, by whichever the
// company issues, and records that it is in use.
func (s *Store) UseProfileCities(ctx context.Context, authority string) error {
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO municipal_parameters (authority, production, municipality_code)
		SELECT DISTINCT $1, `+OfProduction+`, profile->>'municipality_code'
		FROM fiscal_profiles p WHERE profile->>'municipality_code' IS NOT NULL
		ON CONFLICT (authority, production, municipality_code) DO UPDATE SET used_at = now()
		WHERE municipal_parameters.used_at < now() - interval '12 hours'`, authority)
	return err
}

// DueCity is a city whose parameters are to be refreshed, and an organization that
// may ask for them. Service is empty for those of the city itself.
type DueCity struct {
	CityKey
	Service        string `db:"service_code"`
	OrganizationID string `db:"organization_id"`
}

// dueCities chooses what has been due the longest, at most limit, and then for each the
// organization whose certificate asks. Candidates have a profile whose issuer they may use, and a
// certificate that was not shut out just now. The one that asked before is preferred, after a failure
// any other; then one of the city. The choice is made after the limit, as all cities of the country may
// be due, for thousands of organizations.
func (s *Store) dueCities(ctx context.Context, due, authority string, limit int) (cities []DueCity, err error) {
	err = s.db.SelectContext(ctx, &cities, `
		WITH askers AS MATERIALIZED (
			SELECT organization_id, `+OfProduction+` AS production, profile->>'municipality_code' AS municipality_code
			FROM fiscal_profiles p
			WHERE `+ClaimedProfile+`
				AND EXISTS (SELECT FROM certificates c WHERE c.organization_id = p.organization_id
					AND removed_at IS NULL AND refused_at IS NULL AND not_after > now() AND NOT `+shutOut+`)
		), due AS MATERIALIZED (
			SELECT * FROM (`+due+`) d WHERE next_fetch_at <= now() AND used_at > now() - interval '30 days'
				AND production IN (SELECT production FROM askers)
			ORDER BY next_fetch_at LIMIT $2
		)
		SELECT authority, production, municipality_code, service_code, (
			SELECT organization_id FROM askers WHERE askers.production = due.production
			ORDER BY coalesce(organization_id = asked_by, false) = (failure IS NULL) DESC,
				askers.municipality_code = due.municipality_code DESC, organization_id LIMIT 1) AS organization_id
		FROM due ORDER BY next_fetch_at`, authority, limit)
	return cities, err
}

// CitiesDue lists the cities in use whose parameters are due, the longest first.
func (s *Store) CitiesDue(ctx context.Context, authority string, limit int) ([]DueCity, error) {
	return s.dueCities(ctx, `
		SELECT authority, production, municipality_code, '' AS service_code, next_fetch_at, used_at, asked_by, failure
		FROM municipal_parameters WHERE authority = $1`, authority, limit)
}

// ServicesDue lists the services in use whose parameters are due, the longest first.
func (s *Store) ServicesDue(ctx context.Context, authority string, limit int) ([]DueCity, error) {
	return s.dueCities(ctx, `
		SELECT authority, production, municipality_code, s.service_code, s.next_fetch_at, s.used_at, p.asked_by,
			p.failure
		FROM municipal_service_parameters s JOIN municipal_parameters p USING (authority, production, municipality_code)
		WHERE authority = $1`, authority, limit)
}

// RefreshCity makes the parameters of a city and its services overdue, as commands have no
// certificate to fetch them with. The maintenance fetches them, or the next note before its
// number.
func (c *Changes) RefreshCity(ctx context.Context, key CityKey) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO municipal_parameters (authority, production, municipality_code) VALUES ($1, $2, $3)
			ON CONFLICT (authority, production, municipality_code)
				DO UPDATE SET next_fetch_at = now() - interval '1 day', used_at = now()`,
			key.Authority, key.Production, key.MunicipalityCode)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE municipal_service_parameters SET next_fetch_at = now() WHERE `+ofCity,
				key.Authority, key.Production, key.MunicipalityCode)
		}
		return audit.Record{Action: audit.CityRefresh, SubjectID: key.MunicipalityCode, After: key}, err
	})
}
