package operate

import (
	"context"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
)

// AuthorityStatus is how an environment of an authority does, by the calls that were made to it for
// live notes.
type AuthorityStatus struct {
	Authority  string    `db:"authority" json:"authority"`
	Production bool      `db:"production" json:"production"`
	Hour       CallCount `db:"hour" json:"hour"` // the last one
	Day        CallCount `db:"day" json:"day"`   // the last 24 hours

	// Median and Percentile95 are what calls took of the day that were answered, in milliseconds; null
	// where none was.
	Median       *float64 `db:"median_ms" json:"median_ms"`
	Percentile95 *float64 `db:"percentile95_ms" json:"percentile95_ms"`

	LastAnswered *nfse.Timestamp `db:"last_answered" json:"last_answered"`
	LastFailed   *nfse.Timestamp `db:"last_failed" json:"last_failed"`
	Failure      fact.Fact       `db:"failure" json:"failure"` // of the last that failed

	Held    int `db:"held" json:"held"`         // notes that wait for a person
	InDoubt int `db:"in_doubt" json:"in_doubt"` // exchanges of which it is not known whether they took effect
}

// CallCount are calls by how they ended. Calls that are under way are in none.
type CallCount struct {
	Answered     int `db:"answered" json:"answered"`
	NotDelivered int `db:"not_delivered" json:"not_delivered"` // none of it reached the authority
	Unknown      int `db:"unknown" json:"unknown"`             // no answer, none that says what became of it, or cut off
}

const (
	// mostCalls bounds the calls that are looked at, the newest.
	mostCalls = 100_000
	// cutOffAfter is after how long a call without an end counts as cut off with its worker: longer
	// than any call takes.
	cutOffAfter = 15 * time.Minute
)

// AuthorityStatuses says how authorities do, and since when calls are counted: for a day, unless there
// were more of them than are looked at. An environment without calls and without notes is not listed.
func (s *Store) AuthorityStatuses(ctx context.Context) (all []AuthorityStatus, since nfse.Timestamp, err error) {
	all = []AuthorityStatus{}
	err = s.db.Get(ctx, &since, `SELECT greatest(now() - interval '1 day',
		(SELECT min(started_at) FROM (SELECT started_at FROM fiscal_calls ORDER BY id DESC LIMIT $1) newest
			HAVING count(*) = $1))`, mostCalls)
	if err != nil {
		return nil, since, err
	}
	err = s.db.SelectContext(ctx, &all, `
		WITH newest AS (
			SELECT * FROM (SELECT id, note_id, started_at, ended_at, outcome, reason FROM fiscal_calls
				ORDER BY id DESC LIMIT $1) calls
			WHERE started_at > now() - interval '1 day'
				AND (ended_at IS NOT NULL OR started_at < now() - make_interval(secs => $2))
		), calls AS (
			SELECT of.authority, of.production, newest.*, started_at > now() - interval '1 hour' AS in_hour,
				coalesce(outcome, 'unknown') = 'unknown' AS unknown,
				coalesce(outcome, '') = 'not_delivered' AS not_delivered,
				coalesce(outcome, 'unknown') NOT IN ('unknown', 'not_delivered') AS answered,
				extract(epoch FROM ended_at - started_at) * 1000 AS ms
			FROM newest CROSS JOIN LATERAL (SELECT authority, production FROM fiscal_exchanges
				WHERE note_id = newest.note_id ORDER BY id DESC LIMIT 1) of
		), counted AS (
			SELECT authority, production,
				count(*) FILTER (WHERE in_hour AND answered) AS hour_answered,
				count(*) FILTER (WHERE in_hour AND not_delivered) AS hour_not_delivered,
				count(*) FILTER (WHERE in_hour AND unknown) AS hour_unknown,
				count(*) FILTER (WHERE answered) AS day_answered,
				count(*) FILTER (WHERE not_delivered) AS day_not_delivered,
				count(*) FILTER (WHERE unknown) AS day_unknown,
				percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) FILTER (WHERE answered) AS median_ms,
				percentile_cont(0.95) WITHIN GROUP (ORDER BY ms) FILTER (WHERE answered) AS percentile95_ms,
				max(ended_at) FILTER (WHERE answered) AS last_answered,
				max(started_at) FILTER (WHERE NOT answered) AS last_failed
			FROM calls GROUP BY authority, production
		), failed AS (
			SELECT DISTINCT ON (authority, production) authority, production, reason FROM calls WHERE NOT answered
			ORDER BY authority, production, started_at DESC
		), waiting AS (
			SELECT coalesce(of.authority, p.authority) AS authority,
				coalesce(of.production, `+companies.OfProduction+`) AS production, count(*) AS held
			FROM notes n LEFT JOIN fiscal_profiles p USING (organization_id)
				LEFT JOIN LATERAL (SELECT authority, production FROM fiscal_exchanges WHERE note_id = n.id
					ORDER BY id DESC LIMIT 1) of ON true
			WHERE n.held_reason IS NOT NULL AND coalesce(of.authority, p.authority) IS NOT NULL
			GROUP BY 1, 2
		), doubtful AS (
			SELECT authority, production, count(*) AS in_doubt FROM fiscal_exchanges
			WHERE ambiguous AND state IN ('unsigned', 'signed', 'in_doubt') GROUP BY authority, production
		)
		SELECT authority, production, coalesce(hour_answered, 0) AS "hour.answered",
			coalesce(hour_not_delivered, 0) AS "hour.not_delivered", coalesce(hour_unknown, 0) AS "hour.unknown",
			coalesce(day_answered, 0) AS "day.answered", coalesce(day_not_delivered, 0) AS "day.not_delivered",
			coalesce(day_unknown, 0) AS "day.unknown", median_ms, percentile95_ms, last_answered, last_failed,
			failed.reason AS failure, coalesce(held, 0) AS held, coalesce(in_doubt, 0) AS in_doubt
		FROM counted FULL JOIN waiting USING (authority, production) FULL JOIN doubtful USING (authority, production)
			LEFT JOIN failed USING (authority, production)
		ORDER BY authority, production`, mostCalls, cutOffAfter.Seconds())
	return all, since, err
}
