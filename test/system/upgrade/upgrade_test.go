//go:build upgrade

package upgrade

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"emissor/workflows"
)

// The first version works under load, with runs of every kind open in the middle of their lives. The next version
// migrates the schema and takes its place process by process, then the release takes it back, the schema as it is. No
// request fails, what was open goes on under the other version, and in the end our database, the authorities' ledgers
// and the receiver agree one to one.
func TestUpgrade(t *testing.T) {
	before := firstRelease(t)
	released := before.build(t)
	next, schema := buildNext(t)
	i := install(t, released, next)
	engine := i.engine(t)
	defer func() { // also where something has failed before: they say why
		t.Logf("%d runs were read", engine.expectNoTaskFailed(t))
		i.expectNoneFailed(t)
	}()
	t.Logf("from %s of %s to schema %d", before.version, before.commit[:12], schema)
	i.expectVersion(t, before.version, 0)
	l := startLoad(t, i.balancer.URL, i.kinds())
	eventually(t, "notes of every kind are accepted", func() bool { return l.accepted() > 40 })

	i.holdNotes(t, l)
	open := i.openRuns(t, l, engine)
	i.expectRefused(t, next.Emissor)
	i.emissor.Program = next.Emissor
	check(t, i.emissor.Prepare(t.Context()))
	i.replace(t, next.Emissor)
	i.expectVersion(t, "", schema)
	check(t, i.emissor.Equip(t.Context(), i.national, i.waitingCompany, waitingIssuer))
	i.goOn(t, engine, open)

	open = i.openRuns(t, l, engine)
	i.emissor.Program = released
	check(t, i.emissor.Prepare(t.Context())) // as the compose file does at every start; it changes nothing
	i.replace(t, released)
	i.expectVersion(t, before.version, schema)
	i.goOn(t, engine, open)

	l.stop()
	i.awaitEnd(t, engine)
	l.expectNoneFailed(t)
	i.expectNotes(t, l)
	i.expectEvents(t)
	i.expectLedgers(t)
}

// holdNotes has notes of a company accepted that has no certificate yet.
func (i *installation) holdNotes(t *testing.T, l *load) {
	t.Helper()
	held := kind{name: "held", key: i.waitingCompany.LiveKey, service: i.waitingCompany.LiveService}
	for n := range 3 {
		l.issue(t.Context(), held, fmt.Sprint("held-", n), never)
	}
	eventually(t, "notes are held", func() bool {
		return i.count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) == 3
	})
}

// openRuns has the surroundings fail until notes, cancellations and deliveries wait, and returns the runs that are open
// then.
func (i *installation) openRuns(t *testing.T, l *load, engine engine) (runs openRuns) {
	t.Helper()
	i.surroundingsFail(t, true)
	for _, company := range []string{i.company.ID, i.cityCompany.ID} {
		var ids []string
		check(t, i.database.SQL.SelectContext(t.Context(), &ids,
			`SELECT id FROM notes WHERE organization_id = $1 AND livemode AND status = 'issued'`, company))
		l.cancelAny(t.Context(), ids, 2)
	}
	const waits = `SELECT count(*) FROM fiscal_exchanges
		WHERE kind = 'issue' AND state IN ('unsigned', 'signed', 'in_doubt') AND authority = `
	for what, query := range map[string]string{
		"notes wait for the national system": waits + `'national'`,
		"notes wait for the city":            waits + `'sao-paulo'`,
		"cancellations wait": `SELECT count(*) FROM notes
			WHERE livemode AND issued_at IS NOT NULL AND cancellation_status = 'pending'`,
		"sandbox notes wait": `SELECT count(*) FROM notes WHERE NOT livemode AND status = 'processing'`,
		"deliveries wait":    `SELECT count(*) FROM deliveries WHERE status = 'pending'`,
	} {
		eventually(t, what, func() bool { return i.count(t, query) >= 2 })
	}
	eventually(t, "their runs are open", func() bool {
		runs = engine.open(t)
		return len(runs[workflows.NoteType]) >= 10 && len(runs[workflows.DeliveryType]) >= 2
	})
	return runs
}

// goOn has the surroundings work again, and waits until what was open has ended.
func (i *installation) goOn(t *testing.T, engine engine, runs openRuns) {
	t.Helper()
	i.surroundingsFail(t, false)
	eventually(t, "the runs that were open have ended", func() bool { return engine.ended(t, runs) })
	engine.expectEndedBy(t, runs, i.parts)
}

// expectVersion fails the test unless this is the version of commands and the schema of the database. An empty version is
// any, and a schema of 0 is the program's own.
func (i *installation) expectVersion(t *testing.T, version string, schema int64) {
	t.Helper()
	var v struct {
		Version        string
		Schema         int64
		DatabaseSchema int64 `json:"database_schema"`
	}
	check(t, i.emissor.Ask(t.Context(), &v, "version", "--database"))
	if version != "" && v.Version != version || v.DatabaseSchema != cmp.Or(schema, v.Schema) {
		t.Errorf("it is %+v", v)
	}
}

// expectRefused fails the test unless a program refuses the schema as it is.
func (i *installation) expectRefused(t *testing.T, program string) {
	t.Helper()
	early := *i.emissor
	early.Program = program
	if _, err := early.Command(t.Context(), "worker"); err == nil ||
		!strings.Contains(err.Error(), "run `emissor migrate` first") {
		t.Errorf("before the migration it says %v", err)
	}
}
