package worker_test

import (
	"testing"

	"emissor/activities"
	"emissor/nfse"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
)

// A note about which every question fails, panics or hangs, that the database does not let be
// changed, or whose profile cannot be read, is passed: what the city has decided about the one
// behind it is found. AutoFixed, it is found of all.
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
	h := harm(t, n.System, hangTime)
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
	h.autoFix()
	n.confirmsBesidePoison(t)
	n.Exec(t, `DROP TRIGGER refuse ON fiscal_exchanges`)
	n.Exec(t, `UPDATE fiscal_exchanges SET profile = (SELECT profile FROM fiscal_profiles) WHERE kind = 'analysis'`)
	due()
	runMaintenance(t, n.System)
	for _, name := range poisons {
		n.awaitRefusal(t, ids[name], "analysis_denied")
	}
}

// confirmsBesidePoison expects that a replacement is seen to be confirmed although the database does
// not let another be changed, which is confirmed too.
func (n nationally) confirmsBesidePoison(t *testing.T) {
	t.Helper()
	confirmed := map[string]string{}
	for _, name := range []string{"poison", "sound"} {
		id := n.order(t, "replaced "+name)
		n.Await(t, n.LiveKey, id, nfse.StatusIssued)
		confirmed[name] = n.replace(t, id, name)
		n.Await(t, n.LiveKey, confirmed[name], nfse.StatusIssued)
		n.Exec(t, `INSERT INTO external_events (position, access_key, type, sequence, title, effect, happened_at,
			content, content_hash, note_id) SELECT 0, access_key, '105102', 1, '{"code": "effect_none"}', 'replaces',
			now(), 'x', 'x', id FROM notes WHERE id = $1`, id)
		n.Exec(t, `UPDATE fiscal_exchanges SET poll_standing_at = now() - interval '2 hours'
			WHERE note_id = $1 AND poll_standing_at IS NOT NULL`, confirmed[name])
	}
	n.Exec(t, `CREATE TRIGGER refuse_confirmed BEFORE UPDATE ON fiscal_exchanges FOR EACH ROW
		WHEN (NEW.note_id = '`+confirmed["poison"]+`') EXECUTE FUNCTION refuse()`)
	runMaintenance(t, n.System)
	testkit.Eventually(t, "the confirmed one is asked for no more", func() bool {
		return n.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE note_id = $1 AND poll_standing_at IS NOT NULL`,
			confirmed["sound"]) == 0
	})
	n.Exec(t, `DROP TRIGGER refuse_confirmed ON fiscal_exchanges`)
}
