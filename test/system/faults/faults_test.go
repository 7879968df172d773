//go:build faults

package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

// containsError finds the log lines that tell of a bug, not of an outage.
func containsError(line []byte) bool { return bytes.Contains(line, []byte(`"level":"ERROR"`)) }

// Every note is asked for until it is accepted, as a caller with a time-out
// would, and some are cancelled, while worker, PostgreSQL and Temporal are killed
// in turn. In the end each reference is one note, each note has reached one end,
// each end has one event, and the subscriber has heard of each.
func TestFaults_SandboxNotes(t *testing.T) {
	database := testkit.NewDatabase(t)
	organization, key, _ := database.NewOrganization(t, "Faults")
	subscriber, keyset := subscribe(t, database, nfse.Scope{OrganizationID: organization.ID})

	running := install(t, database, keyset, "EMISSOR_SLOW_SCENARIO=3s")
	url := running.url
	service := post(t, url+"/v1/services", key, map[string]any{
		"name": "Consulta", "description": "Consulta médica", "municipality_code": "3550308",
		"default_amount_cents": 15000,
	})["id"].(string)

	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var accepted atomic.Int64
	var issuing sync.WaitGroup
	for client := range clients {
		issuing.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(client)))
			for n := range sandbox.notes / clients {
				body := testkit.Issuance(service, fmt.Sprintf("note-%d-%d", client, n))
				body["sandbox_scenario"] = []string{"authorized", "authorized", "rejected", "slow"}[random.IntN(4)]
				id := issueUntilAccepted(t, url, key, body)
				accepted.Add(1)
				if random.IntN(3) == 0 {
					time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond) // at any moment of its life
					cancelUntilAnswered(t, url, key, id)
				}
			}
		})
	}

	random := rand.New(rand.NewPCG(seed, clients))
	for round := range sandbox.faults {
		// The next fault comes when another share of the notes is in.
		share := int64(sandbox.notes * round / sandbox.faults)
		testkit.Eventually(t, "more notes are accepted", func() bool { return accepted.Load() >= share })
		switch round % 4 {
		case 0:
			running.replaceWorker(t, random)
		case 1:
			control(t, "restart", "postgres")
		case 2:
			control(t, "restart", "temporal")
		case 3: // everything at once
			control(t, "kill", "temporal")
			for _, worker := range running.workers {
				worker.Kill()
			}
			control(t, "restart", "postgres")
			control(t, "start", "temporal")
			for i := range running.workers {
				running.workers[i] = running.worker(t)
			}
		}
	}
	issuing.Wait()

	total := sandbox.notes
	awaitEnd(t, database, total, `SELECT count(*) FROM notes
		WHERE status IN ('issued', 'rejected', 'cancelled') AND cancellation_status IS DISTINCT FROM 'pending'`)
	for what, query := range map[string]string{
		"notes":      `SELECT count(*) FROM notes`,
		"references": `SELECT count(DISTINCT reference) FROM notes`,
		"notes that ended as they should": `SELECT count(*) FROM notes WHERE status = CASE
			WHEN cancellation_status = 'accepted' THEN 'cancelled'
			WHEN scenario = 'rejected' THEN 'rejected' ELSE 'issued' END`,
		"notes with the events of their way": `SELECT count(*) FROM notes WHERE
			(SELECT array_agg(type ORDER BY type DESC) FROM events WHERE note_id = notes.id) =
			array_remove(ARRAY[
				CASE WHEN status = 'rejected' THEN 'nfse.rejected' END,
				CASE WHEN issued_at IS NOT NULL THEN 'nfse.issued' END,
				CASE WHEN status = 'cancelled' THEN 'nfse.cancelled' END], NULL)`,
	} {
		if n := database.Count(t, query); n != total {
			t.Errorf("%d %s, expected %d", n, what, total)
		}
	}
	t.Logf("%d cancelled, %d of them issued before",
		database.Count(t, `SELECT count(*) FROM notes WHERE status = 'cancelled'`),
		database.Count(t, `SELECT count(*) FROM notes WHERE status = 'cancelled' AND issued_at IS NOT NULL`))
	if missing := database.Count(t, `SELECT count(*) FROM notes FULL JOIN note_documents ON note_id = notes.id
		WHERE (issued_at IS NOT NULL) <> (note_id IS NOT NULL)`); missing != 0 {
		t.Errorf("%d notes and documents do not agree", missing)
	}
	awaitEnd(t, database, database.Count(t, `SELECT count(*) FROM events`),
		`SELECT count(*) FROM deliveries WHERE status = 'delivered'`)
	subscriber.expectAll(t, database)
	awaitNone(t, database, "outbox rows", `SELECT count(*) FROM outbox`)
}

// awaitNone waits for what is cleared away a moment after the notes have ended.
func awaitNone(t *testing.T, database *testkit.Database, what, query string) {
	t.Helper()
	testkit.Eventually(t, "no "+what, func() bool { return database.Count(t, query) == 0 })
}

// awaitEnd waits as long as leases, task time-outs and pauses may take: an attempt that has failed often comes again
// only after a quarter of an hour.
func awaitEnd(t *testing.T, database *testkit.Database, total int, ended string) {
	t.Helper()
	for range 15 { // each waits up to a minute
		done := false
		deadline := time.Now().Add(time.Minute)
		for !done && time.Now().Before(deadline) {
			done = database.Count(t, ended) == total
			time.Sleep(100 * time.Millisecond)
		}
		if done {
			return
		}
		t.Logf("%d of %d have ended", database.Count(t, ended), total)
	}
}

// issueUntilAccepted sends one note with the same reference until it is
// accepted: an answer may be lost, and an error may come after the commit.
func issueUntilAccepted(t *testing.T, url, key string, body testkit.Body) (id string) {
	status, answer := sendUntilAnswered(t, url+"/v1/nfse", key, body)
	var accepted struct{ ID string }
	if err := json.Unmarshal(answer, &accepted); err != nil || status != http.StatusAccepted {
		t.Errorf("%s: the answer is %d %s", body["reference"], status, answer)
	}
	return accepted.ID
}

// cancelUntilAnswered asks for a cancellation until it is recorded; a note that
// was rejected in the meantime cannot be cancelled, and one that another replaces is not
// cancelled by a request.
func cancelUntilAnswered(t *testing.T, url, key, id string) {
	status, answer := sendUntilAnswered(t, url+"/v1/nfse/"+id+"/cancel", key,
		map[string]any{"reason_code": "2", "reason_text": "serviço não prestado"})
	if status != http.StatusAccepted && status != http.StatusOK &&
		!bytes.Contains(answer, []byte("nfse_not_cancellable")) &&
		!bytes.Contains(answer, []byte("to replace this one")) {
		t.Errorf("cancelling %s: the answer is %d %s", id, status, answer)
	}
}

// sendUntilAnswered repeats a request until something other than "try again"
// comes back.
func sendUntilAnswered(t *testing.T, url, key string, body any) (status int, answer []byte) {
	deadline := time.Now().Add(2 * time.Minute)
	for time.Now().Before(deadline) {
		status, answer, err := send(url, key, body)
		if err == nil && status != http.StatusServiceUnavailable {
			return status, answer
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%s was never answered", url)
	return 0, nil
}

func post(t *testing.T, url, key string, body any) map[string]any {
	t.Helper()
	status, answer, err := send(url, key, body)
	if err != nil || status >= 300 {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	var decoded map[string]any
	if err := json.Unmarshal(answer, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

var client = http.Client{Timeout: 10 * time.Second}

func send(url, key string, body any) (status int, answer []byte, err error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(encoded))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}
