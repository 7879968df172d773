package worker_test

import (
	"testing"

	"emissor/activities"
	"emissor/test/testkit"
)

// Cities of which every question fails, panics or hangs, or whose row the database does not
// take, and one of which what is known cannot be read, stop no other city from being
// refreshed, behind them in the same round; and are behind the others in the next.
func TestCities_Poison(t *testing.T) {
	t.Parallel()
	for _, harmful := range testkit.Harms {
		t.Run(string(harmful), func(t *testing.T) {
			n := newNationalWithCities(t)
			n.Await(t, n.LiveKey, n.issue(t), "issued") // so that one city is known, and can be asked about
			h := harm(t, n.System, longestCall(t, harmful))
			const poison, refused, unread = "1100015", "1100023", "1100031"
			n.Exec(t, `DELETE FROM municipal_service_parameters`)
			n.Exec(t, `UPDATE municipal_parameters SET next_fetch_at = now() - interval '3 days'`)
			for i, city := range []string{poison, refused, unread, campinas} {
				n.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, next_fetch_at)
					VALUES ('national', false, $1, now() - interval '2 days' + $2 * interval '1 minute')`, city, i)
			}
			n.Exec(t, `UPDATE municipal_parameters SET city = '"no city"', fetched_at = now()
				WHERE municipality_code = $1`,
				unread)
			n.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
				BEGIN RAISE 'a poison row'; END $$`)
			n.Exec(t, `CREATE TRIGGER refuse BEFORE UPDATE ON municipal_parameters FOR EACH ROW
				WHEN (NEW.municipality_code = '`+refused+`') EXECUTE FUNCTION refuse()`)
			h.add(poison, harmful)
			n.StartWorker(t)
			fetched := func(city string) bool {
				return n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE municipality_code = $1
					AND jsonb_typeof(city) = 'object' AND next_fetch_at > now() + interval '12 hours'`, city) == 1
			}
			runMaintenance(t, n.System)
			for _, neighbour := range []string{rio, unread, campinas} {
				testkit.Eventually(t, "the neighbour "+neighbour+" is refreshed",
					func() bool { return fetched(neighbour) })
			}
			if h.times(poison) != 1 || fetched(poison) || fetched(refused) {
				t.Errorf("the poison city was asked about %d times", h.times(poison))
			}
			if behind := n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE municipality_code = $1
				AND failure IS NOT NULL AND next_fetch_at > now()`, poison); behind != 1 {
				t.Error("the poison city is not behind the others")
			}
			if rowsFailed(t, n.System, activities.LoopCities) == 0 {
				t.Error("it is not counted")
			}
			h.autoFix()
			n.Exec(t, `DROP TRIGGER refuse ON municipal_parameters`)
			n.refresh(t, poison)
			runMaintenance(t, n.System)
			for _, corrected := range []string{poison, refused} {
				testkit.Eventually(t, "the mended city is refreshed", func() bool { return fetched(corrected) })
			}
		})
	}
}

// Several cities that cannot be had, one after the other, do not end a round in which the
// authority answers about others.
func TestCities_PoisonSeveral(t *testing.T) {
	n := newNationalWithCities(t)
	n.Await(t, n.LiveKey, n.issue(t), "issued")
	h := harm(t, n.System, longestCall(t, testkit.Fails))
	n.Exec(t, `DELETE FROM municipal_service_parameters`)
	n.Exec(t, `UPDATE municipal_parameters SET next_fetch_at = now() - interval '3 days'`)
	for i, city := range []string{"1100015", "1100023", "1100031", "1100049", campinas} {
		n.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, next_fetch_at)
			VALUES ('national', false, $1, now() - interval '2 days' + $2 * interval '1 minute')`, city, i)
		if city != campinas {
			h.add(city, testkit.Fails)
		}
	}
	n.StartWorker(t)
	runMaintenance(t, n.System)
	testkit.Eventually(t, "those behind them are refreshed", func() bool {
		return n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE municipality_code = $1 AND city IS NOT NULL`,
			campinas) == 1
	})
	if behind := n.Count(t, `SELECT count(*) FROM municipal_parameters WHERE failure IS NOT NULL
		AND next_fetch_at > now()`); behind != 4 {
		t.Errorf("%d are behind the others", behind)
	}
}
