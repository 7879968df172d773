package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/operate"
	"emissor/test/testkit"
)

func aRequest(scope nfse.Scope, at time.Time) operate.APIRequest {
	return operate.APIRequest{ID: nfse.NewID(nfse.PrefixRequest), Scope: scope,
		At: nfse.Timestamp{Time: at}, APIKeyID: "key_1", Method: "GET", Route: "/v1/nfse", Status: 200}
}

// A request that cannot be written, for any reason, does not keep its neighbours from being written; and a batch that
// is written twice is there once.
func TestAddRequests_Poison(t *testing.T) {
	database := testkit.NewDatabase(t)
	api := testkit.OpenStore(t, database.As(testkit.Roles.API))
	scope := nfse.Scope{OrganizationID: "org_1"}
	rows := []operate.APIRequest{aRequest(scope, time.Now()), aRequest(scope, time.Now()), aRequest(scope, time.Now()),
		aRequest(scope, time.Now().AddDate(1, 0, 0))} // of a day without a table
	rows[1].Route = "\x00"
	var lost []string
	write := func() {
		must(t, api.Operate.AddRequests(t.Context(), rows, func(r operate.APIRequest,
			err error) {
			lost = append(lost, r.ID)
		}))
	}
	write()
	write()
	if expected := []string{rows[1].ID, rows[3].ID, rows[1].ID, rows[3].ID}; !slices.Equal(lost, expected) {
		t.Errorf("lost are %v, expected %v", lost, expected)
	}
	if n := database.Text(t, `SELECT count(*)::text FROM api_requests`); n != "2" {
		t.Errorf("%s requests are on record", n)
	}
	_, err := api.Operate.SearchRequests(t.Context(), scope, operate.RequestSearch{Limit: 1})
	if err == nil {
		t.Error("the API's role may read the log")
	}
}

// The worker's role makes the days that are missing and drops those that are past their time. A day
// that cannot be dropped, or made, keeps no other from it.
func TestKeepRequestDays_Poison(t *testing.T) {
	database := testkit.NewDatabase(t)
	worker := testkit.OpenStore(t, database.As(testkit.Roles.Worker))
	database.Exec(t, `DO $$ DECLARE name text; BEGIN
		FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'request_days'::regnamespace AND relkind = 'r' LOOP
			EXECUTE 'DROP TABLE request_days.' || name;
		END LOOP; END $$`)
	now := time.Now().UTC()
	day := func(ago int) string { return now.AddDate(0, 0, -ago).Format("20060102") }
	for _, ago := range []int{7, 8, 9, 20} {
		from := now.AddDate(0, 0, -ago)
		database.Exec(t, `CREATE TABLE request_days.day_`+day(ago)+` PARTITION OF api_requests FOR VALUES FROM ('`+
			from.Format(time.DateOnly)+` 00:00+00') TO ('`+from.AddDate(0, 0, 1).Format(time.DateOnly)+` 00:00+00')`)
	}
	database.Exec(t, `CREATE VIEW stubborn AS SELECT id FROM request_days.day_`+day(9))
	database.Exec(t, `CREATE TABLE request_days.day_`+day(-3)+` (id text)`)
	database.Exec(t, `INSERT INTO refused_keys SELECT 'org_1', false, 'key_1', current_date - ago, 1
		FROM unnest(ARRAY[0, 9]) ago`)
	days := func() string {
		return database.Text(t, `SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_inherits
			JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'api_requests'::regclass`)
	}
	expect := func(when string, ago ...int) {
		t.Helper()
		var names []string
		for _, one := range ago {
			names = append(names, "day_"+day(one))
		}
		if found := days(); found != strings.Join(names, " ") {
			t.Errorf("%s the days are %s, expected %v", when, found, names)
		}
	}
	_, err := worker.Operate.KeepRequestDays(t.Context())
	must(t, err)
	// CREATE TABLE IF NOT EXISTS is content with what is there under that name.
	expect("with two bad ones", 9, 7, 0, -1, -2, -4, -5, -6, -7)
	if n := database.Text(t, `SELECT count(*)::text FROM refused_keys`); n != "1" {
		t.Errorf("%s counts of refused keys are left", n)
	}
	database.Exec(t, `DROP VIEW stubborn`)
	database.Exec(t, `DROP TABLE request_days.day_`+day(-3))
	database.Exec(t, `UPDATE row_failures SET retry_after = now()`)
	_, err = worker.Operate.KeepRequestDays(t.Context())
	must(t, err)
	expect("once they are mended", 7, 0, -1, -2, -3, -4, -5, -6, -7)
	if n := database.Text(t, `SELECT count(*)::text FROM row_failures`); n != "0" {
		t.Errorf("%s days are still set aside", n)
	}
}

// The days that are still kept, and those far away, are out of the worker's reach.
func TestRequestDays_Guarded(t *testing.T) {
	database := testkit.NewDatabase(t)
	for _, statement := range []string{
		`SELECT drop_request_day((now() AT TIME ZONE 'UTC')::date)`,
		`SELECT drop_request_day((now() AT TIME ZONE 'UTC')::date - 7)`,
		`SELECT add_request_day((now() AT TIME ZONE 'UTC')::date + 30)`,
	} {
		if _, err := database.SQL.Exec(statement); err == nil {
			t.Errorf("%s is done", statement)
		}
	}
}

// A page looks at so many requests and no more: what is rare among many is found page by page.
func TestSearchRequests_Bounded(t *testing.T) {
	database := testkit.NewDatabase(t)
	scope := nfse.Scope{OrganizationID: "org_1"}
	database.Exec(t, `INSERT INTO api_requests (id, organization_id, livemode, at, api_key_id, method, route, status,
			microseconds, body_bytes, fields, other_fields)
		SELECT 'req_' || lpad(i::text, 26, '0'), CASE WHEN i % 2 = 0 THEN 'org_1' ELSE 'org_2' END, false, now(), 'key_1',
			CASE WHEN i = 4 THEN 'POST' ELSE 'GET' END, '/v1/nfse', CASE WHEN i % 50 = 0 THEN 500 ELSE 200 END, 1, 0,
			'[]', 0
		FROM generate_series(1, 50000) i`)
	database.Exec(t, `ANALYZE api_requests`)
	p := newPlanned(t, database)
	rare := operate.RequestSearch{Method: "POST", Route: "/v1/nfse", Limit: 50}
	found, pages := 0, 0
	for {
		var page operate.RequestPage
		p.expectTouches(t, "a rare one", 10_001, func() (err error) {
			page, err = p.Operate.SearchRequests(t.Context(), scope, rare)
			return err
		})
		found, pages = found+len(page.Requests), pages+1
		if page.Until == "" {
			break
		}
		rare.After = page.Until
	}
	if found != 1 || pages != 3 {
		t.Errorf("%d found on %d pages", found, pages)
	}
	for what, search := range map[string]operate.RequestSearch{
		"all": {Limit: 50}, "failed": {StatusClass: 5, Limit: 50},
		"older": {Limit: 50, After: "req_" + "00000000000000000000025000"},
		"newer": {Limit: 50, Before: "req_" + "00000000000000000000025000"},
	} {
		p.expectTouches(t, what, map[bool]int{true: 10_001, false: 60}[search.StatusClass != 0], func() error {
			page, err := p.Operate.SearchRequests(t.Context(), scope, search)
			if err == nil && len(page.Requests) != 50 {
				err = errors.New("the page is not full")
			}
			return err
		})
	}
}
