//go:build upgrade

package upgrade

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"emissor/test/harness"
	"emissor/test/testkit"
	"emissor/workflows"
)

// ofOldForm is the last release that cannot read the new form of the database.
const ofOldForm = "1.0.0"

// That release works under load and is upgraded, and then its database gets the new form. This is refused as long as
// the release runs, or may, and names who. Under load it takes place afterwards: no request fails, each document of
// before is served as the same bytes, then and when the maintenance has packed it, and in the end all agree one to one.
func TestContract(t *testing.T) {
	before := findRelease(t, func(version string) bool { return version == ofOldForm })
	released := before.build(t)
	next, err := harness.Built(t.Context(), t.TempDir())
	check(t, err)
	i := install(t, released, next)
	engine := i.engine(t)
	defer func() {
		t.Logf("%d runs were read", engine.expectNoTaskFailed(t))
		i.expectNoneFailed(t)
	}()
	l := startLoad(t, i.balancer.URL, i.kinds())
	killed, err := i.emissor.NewWorker("worker-killed")
	check(t, err)
	t.Cleanup(killed.Kill)
	check(t, killed.StartReady(t.Context()))
	eventually(t, "notes of every kind are accepted", func() bool { return l.accepted() > 40 })

	i.emissor.Program = next.Emissor
	check(t, i.emissor.Prepare(t.Context()))
	running := []string{"version " + before.version} // as which APIs are connected, which report nothing
	for _, part := range append(slices.Clone(i.parts), killed) {
		if strings.HasPrefix(part.Name, "worker") {
			running = append(running, fmt.Sprint(part.PID()))
		}
	}
	i.expectNoContract(t, running...)
	killed.Kill() // its report stays
	i.replace(t, next.Emissor)
	i.expectNoContract(t, running[len(running)-1])
	i.exec(t, `UPDATE keyset_reports k SET reported_at = now() - interval '61 minutes'
		WHERE NOT EXISTS (SELECT FROM process_reports p WHERE p.process_id = k.process_id)`)
	engine.maintains(t, "nothing is left to do before", func() bool { return len(i.leftBeforeContract(t)) == 0 })

	documents := i.documents(t, l)
	accepted, began := l.accepted(), time.Now()
	steps, err := i.emissor.Command(t.Context(), "storage", "contract")
	check(t, err)
	t.Logf("%d notes were accepted in the %s of\n%s", l.accepted()-accepted, time.Since(began).Round(time.Millisecond),
		steps)
	i.expectDocuments(t, documents)
	accepted = l.accepted()
	eventually(t, "it goes on", func() bool { return l.accepted() > accepted+40 })
	engine.maintains(t, "documents and events are packed", func() bool { return i.count(t, plain) == 0 })
	i.expectDocuments(t, documents)

	l.stop()
	i.awaitEnd(t, engine)
	l.expectNoneFailed(t)
	i.expectNotes(t, l)
	i.expectEvents(t)
	i.expectLedgers(t)
}

// plain counts what is stored as it was before the new form.
const plain = `SELECT (SELECT count(*) FROM note_documents WHERE digest IS NULL OR substr(xml, 1, 4) <> '\x28b52ffd')
	+ (SELECT count(*) FROM events WHERE payload_digest IS NULL OR substr(payload, 1, 4) <> '\x28b52ffd')
	+ (SELECT count(*) FROM fiscal_exchanges WHERE kind = 'issue' AND state = 'accepted' AND xml <> '')`

// leftBeforeContract is what the program says has to be before the new form.
func (i *installation) leftBeforeContract(t *testing.T) []string {
	t.Helper()
	var status struct{ Left []string }
	check(t, i.emissor.Ask(t.Context(), &status, "storage", "status"))
	return status.Left
}

// expectNoContract fails the test unless the new form is refused, and everything named that is in the way.
func (i *installation) expectNoContract(t *testing.T, named ...string) {
	t.Helper()
	_, err := i.emissor.Command(t.Context(), "storage", "contract")
	if err == nil {
		t.Fatalf("the database gets its new form while %q run", named)
	}
	for _, name := range named {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the new form is refused without a word of %s: %v", name, err)
		}
	}
	t.Logf("it is refused: %v", err)
}

// maintains waits for what the maintenance does, and has it begin a round now and then.
func (e engine) maintains(t *testing.T, what string, done func() bool) {
	t.Helper()
	schedule := e.ScheduleClient().GetHandle(t.Context(), workflows.Queues{Prefix: e.queues}.MaintenanceSchedule())
	var asked time.Time
	eventually(t, what, func() bool {
		if done() {
			return true
		}
		if time.Since(asked) > 5*time.Second {
			asked = time.Now()
			testkit.AskEngine(t, "the maintenance", func() error {
				return schedule.Trigger(t.Context(), client.ScheduleTriggerOptions{})
			})
		}
		return false
	})
}

// documents reads the document of every note that is issued, as a caller does.
func (i *installation) documents(t *testing.T, l *load) map[issued][]byte {
	t.Helper()
	var ids []string
	check(t, i.database.SQL.SelectContext(t.Context(), &ids, `SELECT id FROM notes WHERE issued_at IS NOT NULL`))
	l.mu.Lock()
	notes := slices.Clone(l.notes)
	l.mu.Unlock()
	documents := map[issued][]byte{}
	for _, note := range notes {
		if slices.Contains(ids, note.id) {
			documents[note] = i.document(t.Context(), t, note)
		}
	}
	if len(documents) < 20 {
		t.Errorf("only %d notes have a document", len(documents))
	}
	return documents
}

func (i *installation) document(ctx context.Context, t *testing.T, note issued) []byte {
	t.Helper()
	api := harness.Client{Base: i.balancer.URL, Key: note.key}
	answer, err := api.Call(ctx, http.MethodGet, "/v1/nfse/"+note.id+"/xml", nil)
	check(t, err)
	if answer.Status != http.StatusOK || len(answer.Body) == 0 {
		t.Errorf("the document of %s (%s) is answered by %d %s", note.id, note.name, answer.Status, answer.Body)
	}
	return answer.Body
}

// expectDocuments fails the test unless each document is served byte for byte as it was.
func (i *installation) expectDocuments(t *testing.T, documents map[issued][]byte) {
	t.Helper()
	for note, was := range documents {
		if is := i.document(t.Context(), t, note); !bytes.Equal(is, was) {
			t.Errorf("the document of %s (%s) was\n%s\nand is\n%s", note.id, note.name, was, is)
		}
	}
	t.Logf("%d documents are as they were", len(documents))
}

func (i *installation) exec(t *testing.T, statement string) {
	t.Helper()
	_, err := i.database.SQL.ExecContext(t.Context(), statement)
	check(t, err)
}
