package operate

import (
	"context"
	"math"
	"strconv"
	"time"

	"emissor/nfse"
	"emissor/store/postgres"
)

const (
	callPeriod    = 5 * time.Minute // the calls that are rolled up together
	periodsAtOnce = 300
	callsKept     = 7 * 24 * time.Hour  // how far back calls are rolled up, and are shown
	hoursKept     = 90 * 24 * time.Hour // how long the sums are kept
)

// callPeriods rolls up the calls of periods that are over, and long enough over for every call to have
// ended or to have been cut off. A period is counted in the statement that marks it as counted: once.
var callPeriods = postgres.RowLoop{
	Name: `calls to authorities`, ID: `period`,
	Due: `SELECT period AS key FROM generate_series(
			(SELECT floor(extract(epoch FROM greatest(started_at, now() - make_interval(secs => ` + inSeconds(callsKept) + `)))
				/ ` + inSeconds(callPeriod) + `)::bigint FROM fiscal_calls ORDER BY id LIMIT 1),
			floor((extract(epoch FROM now()) - ` + inSeconds(cutOffAfter) + `) / ` + inSeconds(callPeriod) + `)::bigint - 1
			) period
		WHERE NOT EXISTS (SELECT FROM authority_periods a WHERE a.period = period.period) AND %s LIMIT $1`,
	Do: `
		WITH due AS (%s), closed AS (
			INSERT INTO authority_periods (period) SELECT key FROM due ON CONFLICT DO NOTHING RETURNING period
		), calls AS (
			SELECT of.authority, of.production, of.municipality_code, date_trunc('hour', c.started_at, 'UTC') AS hour,
				` + endedAs + ` AS outcome,
				coalesce(ceil(ln(greatest(1, extract(epoch FROM ended_at - started_at) * 1000)) / ln(1.2)), 0)::int AS power
			FROM fiscal_calls c JOIN closed ON period = floor(extract(epoch FROM c.started_at) / ` +
		inSeconds(callPeriod) + `)::bigint
			CROSS JOIN LATERAL ` + exchangeOfCall + ` of
			WHERE c.started_at >= (SELECT to_timestamp(min(period) * ` + inSeconds(callPeriod) + `) FROM closed)
				AND c.started_at < (SELECT to_timestamp((max(period) + 1) * ` + inSeconds(callPeriod) + `) FROM closed)
		), added AS (
			INSERT INTO authority_hours AS h (authority, production, municipality_code, hour, outcome, power, calls)
			SELECT authority, production, coalesce(municipality_code, ''), hour, outcome, power, count(*) FROM calls
			GROUP BY GROUPING SETS ((authority, production, municipality_code, hour, outcome, power),
				(authority, production, hour, outcome, power))
			ORDER BY 3, 4, 1, 2, 5, 6
			ON CONFLICT (municipality_code, hour, authority, production, outcome, power) DO UPDATE
				SET calls = h.calls + excluded.calls
		)
		SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM closed)`,
}

const (
	// endedAs is how a call of fiscal_calls ended, as CallCount has it.
	endedAs = `CASE coalesce(outcome, 'unknown') WHEN 'unknown' THEN 'unknown'
		WHEN 'not_delivered' THEN 'not_delivered' ELSE 'answered' END`
	// exchangeOfCall is a lateral subquery: the exchange of the row c of fiscal_calls.
	exchangeOfCall = `(SELECT authority, production, municipality_code, tax_id FROM fiscal_exchanges
		WHERE note_id = c.note_id ORDER BY id DESC LIMIT 1)`
)

func inSeconds(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) }

// RollUpCalls adds to the sums by hours the calls that were made since it was last done, and removes
// sums that are old.
func (s *Store) RollUpCalls(ctx context.Context) error {
	for {
		looked, done, err := s.db.Counted(ctx, callPeriods, periodsAtOnce)
		if err == nil && done > 0 {
			err = s.forgetOldCalls(ctx)
		}
		if err != nil || looked < periodsAtOnce {
			return err
		}
	}
}

func (s *Store) forgetOldCalls(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `WITH hours AS (
			DELETE FROM authority_hours WHERE hour < now() - make_interval(secs => $1)
		)
		DELETE FROM authority_periods WHERE period < (extract(epoch FROM now()) - $2) / $3`,
		hoursKept.Seconds(), (callsKept + 24*time.Hour).Seconds(), callPeriod.Seconds())
	return err
}

// fewestCalls is how many calls there must be for anything to be said of an authority.
const fewestCalls = 20

// fewestCompanies is for how many companies of a city there must have been calls for the city to be named.
const fewestCompanies = 3

// CallHealth is how calls ended and what they took. It says nothing where there were few (Known).
type CallHealth struct {
	Answered, NotDelivered, Unknown int64
	times                           map[int]int64 // of those that were answered, by powers of 1.2 of milliseconds
}

// Known reports whether there were enough calls to say anything.
func (h CallHealth) Known() bool { return h.calls() >= fewestCalls }

func (h CallHealth) calls() int64 { return h.Answered + h.NotDelivered + h.Unknown }

// Failed is the share of calls that were not answered, from 0 to 1.
func (h CallHealth) Failed() float64 { return 1 - float64(h.Answered)/float64(max(1, h.calls())) }

// Out reports whether most calls were not answered.
func (h CallHealth) Out() bool { return h.Known() && h.Failed() > 0.5 }

// Took is an upper bound of a quantile of what answered calls took, at most a fifth too high; 0 where
// none was answered.
func (h CallHealth) Took(quantile float64) time.Duration {
	took, _ := NoteFigures{times: h.times}.TimeToIssue(quantile)
	return took
}

func (h *CallHealth) add(outcome string, power int, calls int64) {
	switch outcome {
	case "answered":
		h.Answered += calls
		if h.times == nil {
			h.times = map[int]int64{}
		}
		h.times[power] += calls
	case "not_delivered":
		h.NotDelivered += calls
	default:
		h.Unknown += calls
	}
}

// Add counts all calls of another one too.
func (h *CallHealth) Add(other CallHealth) {
	for power, calls := range other.times {
		h.add("answered", power, calls)
	}
	h.NotDelivered += other.NotDelivered
	h.Unknown += other.Unknown
}

// AuthorityHealth is how an environment of an authority does.
type AuthorityHealth struct {
	Authority  string
	Production bool
	Now        CallHealth // of the last hour, or the newest calls of it
	Hours      []HourHealth
	Cities     []CityHealth // of the last 24 hours
}

// HourHealth is how it did in an hour.
type HourHealth struct {
	Hour nfse.Timestamp // its beginning
	CallHealth
}

// CityHealth is how it did for the issuers of a city.
type CityHealth struct {
	MunicipalityCode string
	CallHealth
}

// Since adds up the hours from a moment on.
func (a AuthorityHealth) Since(moment time.Time) (sum CallHealth) {
	for _, hour := range a.Hours {
		if !hour.Hour.Before(moment) {
			sum.Add(hour.CallHealth)
		}
	}
	return sum
}

// newestCalls bounds the calls of the last hour that are looked at.
const newestCalls = 5000

// citiesOfSeveral is a subquery: where there were calls of the last day for $1 companies or more. The sums name no
// company, so it is looked for at the newest notes of each, with ids from $2 on. A company without a call for any of
// these does not count: a city that could be named may be left out, and no other is named.
const citiesOfSeveral = `(
	SELECT company.authority, company.production, company.municipality_code
	FROM fiscal_profiles p CROSS JOIN LATERAL (
		SELECT of.* FROM (SELECT id FROM notes WHERE organization_id = p.organization_id AND livemode AND id >= $2
				ORDER BY organization_id DESC, livemode DESC, id DESC LIMIT 20) n
			CROSS JOIN LATERAL (SELECT note_id, started_at FROM fiscal_calls WHERE note_id = n.id
				ORDER BY id DESC LIMIT 1) c
			CROSS JOIN LATERAL ` + exchangeOfCall + ` of
		WHERE c.started_at > now() - interval '1 day' LIMIT 1) company
	GROUP BY 1, 2, 3 HAVING count(DISTINCT company.tax_id) >= $1)`

// callsOfHealth are calls, added up.
type callsOfHealth struct {
	Authority        string         `db:"authority"`
	Production       bool           `db:"production"`
	MunicipalityCode string         `db:"municipality_code"`
	Hour             nfse.Timestamp `db:"hour"`
	Outcome          string         `db:"outcome"`
	Power            int            `db:"power"`
	Calls            int64          `db:"calls"`
}

// AuthorityHealths says how authorities do, by the calls of the last week, in the order of their names.
// A city is among them only where there were calls for several companies, so that none of them is told of.
func (s *Store) AuthorityHealths(ctx context.Context) (all []AuthorityHealth, err error) {
	var hours, cities, now []callsOfHealth
	if err := s.db.SelectContext(ctx, &hours, `
		SELECT authority, production, '' AS municipality_code, hour, outcome, power, calls FROM authority_hours
		WHERE municipality_code = '' AND hour > now() - make_interval(secs => $1)
		ORDER BY authority, production, hour`, callsKept.Seconds()); err != nil {
		return nil, err
	}
	if err := s.db.SelectContext(ctx, &cities, `
		SELECT authority, production, municipality_code, now() AS hour, outcome, power, sum(calls)::bigint AS calls
		FROM authority_hours JOIN `+citiesOfSeveral+` several USING (authority, production, municipality_code)
		WHERE hour > now() - interval '1 day'
		GROUP BY authority, production, municipality_code, outcome, power
		ORDER BY authority, production, municipality_code`, fewestCompanies,
		nfse.FirstID(nfse.PrefixNote, time.Now().Add(-24*time.Hour))); err != nil {
		return nil, err
	}
	if err := s.db.SelectContext(ctx, &now, `
		SELECT of.authority, of.production, '' AS municipality_code, now() AS hour, c.outcome, c.power, count(*) AS calls
		FROM (SELECT note_id, `+endedAs+` AS outcome,
				coalesce(ceil(ln(greatest(1, extract(epoch FROM ended_at - started_at) * 1000)) / ln(1.2)), 0)::int AS power
			FROM (SELECT * FROM fiscal_calls ORDER BY id DESC LIMIT $1) newest
			WHERE started_at > now() - interval '1 hour'
				AND (ended_at IS NOT NULL OR started_at < now() - make_interval(secs => $2))) c
		CROSS JOIN LATERAL `+exchangeOfCall+` of
		GROUP BY 1, 2, 5, 6 ORDER BY 1, 2`, newestCalls, cutOffAfter.Seconds()); err != nil {
		return nil, err
	}
	return healthsOf(hours, cities, now), nil
}

// healthsOf puts sums together by authority.
func healthsOf(hours, cities, now []callsOfHealth) (all []AuthorityHealth) {
	of := func(row callsOfHealth) *AuthorityHealth {
		for i := range all {
			if all[i].Authority == row.Authority && all[i].Production == row.Production {
				return &all[i]
			}
		}
		all = append(all, AuthorityHealth{Authority: row.Authority, Production: row.Production})
		return &all[len(all)-1]
	}
	for _, row := range hours {
		one := of(row)
		if last := len(one.Hours) - 1; last < 0 || !one.Hours[last].Hour.Equal(row.Hour.Time) {
			one.Hours = append(one.Hours, HourHealth{Hour: row.Hour})
		}
		one.Hours[len(one.Hours)-1].add(row.Outcome, row.Power, row.Calls)
	}
	for _, row := range now {
		of(row).Now.add(row.Outcome, row.Power, row.Calls)
	}
	for _, row := range cities {
		one := of(row)
		if last := len(one.Cities) - 1; last < 0 || one.Cities[last].MunicipalityCode != row.MunicipalityCode {
			one.Cities = append(one.Cities, CityHealth{MunicipalityCode: row.MunicipalityCode})
		}
		one.Cities[len(one.Cities)-1].add(row.Outcome, row.Power, row.Calls)
	}
	return all
}

// Outage is a time in which most calls to an authority were not answered.
type Outage struct {
	From, Until nfse.Timestamp // whole hours
}

// Outages lists the outages in the hours on record, the newest first.
func (a AuthorityHealth) Outages() (all []Outage) {
	for _, hour := range a.Hours {
		if !hour.Out() {
			continue
		}
		until := nfse.Timestamp{Time: hour.Hour.Add(time.Hour)}
		if len(all) > 0 && all[0].Until.Equal(hour.Hour.Time) {
			all[0].Until = until
			continue
		}
		all = append([]Outage{{hour.Hour, until}}, all...)
	}
	return all
}

// Milliseconds is a time in whole milliseconds.
func Milliseconds(took time.Duration) int64 {
	return int64(math.Round(float64(took) / float64(time.Millisecond)))
}
