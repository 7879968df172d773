package worker_test

import (
	"testing"
	"time"

	"emissor/activities"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// A note about which every question fails, panics or hangs, that the database does not let be
// changed, or whose profile cannot be read, is passed: what the city has decided about the one
// behind it is found. Mended, it is found of all.
func TestAnalysis_PoisonAnswer(t *testing.T) {
	t.Parallel()
	n := newNational(t, nil, nil)
	n.authority.SetRegistry(termOver)
	ids, keys := map[string]string{}, map[string]string{}
	poisons := []string{"is refused", "cannot be read"}
	for _, harmful := range testkit.Harms {
		poisons = append(poisons, string(harmful))
	}
	all := append(poisons, "healthy")
	for _, name := range all {
		ids[name] = n.order(t, name)
		keys[name] = n.Await(t, n.LiveKey, ids[name], nfse.StatusIssued).Text("authority", "access_key")
		n.refused(t, ids[name], "E0822")
		n.analyse(t, ids[name])
		n.withTheCity(t, ids[name])
		n.register(t, keys[name], "105105", sefin.EventDetails{})
	}
	h := harm(t, n.System, time.Second)
	for _, harmful := range testkit.Harms {
		h.add(keys[string(harmful)], harmful)
	}
	due := func() { // the healthy one last
		for i, name := range all {
			n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now() - interval '1 hour'
				+ $2 * interval '1 minute' WHERE note_id = $1 AND kind = 'analysis' AND poll_standing_at IS NOT NULL`,
				ids[name], i)
		}
	}
	due()
	n.Exec(t, `UPDATE fiscal_exchanges SET profile = '"no profile"' WHERE kind = 'analysis' AND note_id = $1`,
		ids["cannot be read"])
	n.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a poison row'; END $$`)
	n.Exec(t, `CREATE TRIGGER refuse BEFORE UPDATE ON fiscal_exchanges FOR EACH ROW
		WHEN (NEW.note_id = '`+ids["is refused"]+`') EXECUTE FUNCTION refuse()`)
	n.StartWorker(t)
	runMaintenance(t, n.System)
	n.awaitRefusal(t, ids["healthy"], "analysis_denied")
	if failed := rowsFailed(t, n.System, activities.LoopStandings); failed < 4 { // all but the one that fails
		t.Errorf("%v rows failed", failed)
	}
	h.mend()
	n.Exec(t, `DROP TRIGGER refuse ON fiscal_exchanges`)
	n.Exec(t, `UPDATE fiscal_exchanges SET profile = (SELECT profile FROM fiscal_profiles) WHERE kind = 'analysis'`)
	due()
	runMaintenance(t, n.System)
	for _, name := range poisons {
		n.awaitRefusal(t, ids[name], "analysis_denied")
	}
}
