package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"emissor/cmd/emissor/operate"
	"emissor/internal/seal"
	"emissor/test/long"
	"emissor/test/testkit"
)

func keysetStatus(t *testing.T, s settings) operate.PrintedKeyset {
	t.Helper()
	return printed[operate.PrintedKeyset](t, s, "keyset", "status")
}

// A rotation from the first step to the last, while a worker runs: at every moment
// the worker delivers, and secrets that were sealed before, during and after open.
func TestKeysetRotate_WhileAWorkerRuns(t *testing.T) {
	long.Only(t, "rotates the keyset under a worker")
	t.Parallel()
	database, as := newRoled(t)
	receiver := testkit.NewReceiver(t, nil)
	organization, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	before := addEndpoint(t, as.operator, organization.ID, receiver.URL)
	api := caller{start(t, as.api.withoutTemporal(), "api").api, key}
	service := api.newService(t)
	start(t, as.worker, "worker")
	delivers := func(when string) {
		t.Helper()
		arrived := len(receiver.Calls())
		api.post(t, "/v1/nfse", testkit.Issuance(service, when), http.StatusAccepted)
		testkit.Eventually(t, "the event arrives "+when, func() bool { return len(receiver.Calls()) > arrived })
	}
	// The command runs again when the worker has changed what it shows: a report, or a sealed secret.
	shows := func(what string, accepted func(operate.PrintedKeyset) bool) {
		t.Helper()
		var before string
		testkit.Eventually(t, what, func() bool {
			now := database.Text(t, `SELECT concat((SELECT array_agg((key_ids, primary_key_id)) FROM keyset_reports),
				(SELECT array_agg(md5(secret) ORDER BY id) FROM webhook_endpoints))`)
			if now == before {
				return false
			}
			before = now
			return accepted(keysetStatus(t, as.operator))
		})
	}
	next := func(words string) {
		t.Helper()
		shows("the next step is: "+words, func(status operate.PrintedKeyset) bool {
			return strings.Contains(status.Next, words)
		})
	}
	rotate := func(words string) {
		t.Helper()
		if said := succeeds(t, as.operator, "keyset", "rotate"); !strings.Contains(said, words) {
			t.Fatalf("it said %s, expected %q", said, words)
		}
	}
	shows("the worker reports", func(status operate.PrintedKeyset) bool { return len(status.Processes) == 1 })
	old := keysetStatus(t, as.operator).Keys[0]
	if old.Secrets != 1 || !old.Primary {
		t.Fatalf("the only key is %+v", old)
	}
	next("no rotation is under way")
	delivers("before the rotation")

	rotate("added the key")
	added := keysetStatus(t, as.operator).Keys[1]
	next("makes the key") // the worker has it
	delivers("with a key that was added")

	rotate("is the primary key now")
	during := addEndpoint(t, as.operator, organization.ID, receiver.URL)
	delivers("with a new primary key")

	next("removes the key") // the worker seals with the new one, and has resealed what the old one had sealed
	status := keysetStatus(t, as.operator)
	if status.Keys[0].Secrets != 0 || status.Keys[1].Secrets != 2 || status.Keys[1].ID != added.ID {
		t.Errorf("the secrets are under %+v", status.Keys)
	}
	rotate(fmt.Sprintf("removed the key %d", old.ID))
	next("no rotation is under way")
	shows("the worker gave up the old key", func(status operate.PrintedKeyset) bool {
		processes := status.Processes
		return len(processes) == 1 && len(processes[0].Keys) == 1 && processes[0].Keys[0] == int64(added.ID)
	})
	delivers("after the rotation")
	for _, endpoint := range []string{before.ID, during.ID} {
		succeeds(t, as.operator, "webhook", "test", endpoint)
	}
}

// A step that is too early is refused, says for whom, and changes nothing.
func TestKeysetRotate_TooEarly(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := withKeyset(t, settingsOf(database).withoutTemporal())
	file := s["EMISSOR_KEYSET_FILE"]
	refused := func(why string) {
		t.Helper()
		before, err := os.ReadFile(file)
		must(t, err)
		fails(t, s, why, "keyset", "rotate")
		if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
			t.Error("the refused step changed the keyset")
		}
	}
	old := keysetStatus(t, s).Keys[0].ID
	report := func(primary seal.KeyID, keys string) {
		database.Exec(t, `INSERT INTO keyset_reports VALUES (gen_random_uuid(), 'elsewhere/7', $1, $2)`, keys,
			int64(primary))
	}
	report(old, fmt.Sprintf("{%d}", old))
	step := printed[map[string]string](t, s, "keyset", "rotate")
	if !strings.HasPrefix(step["done"], "added the key ") {
		t.Errorf("a script reads %v", step)
	}
	added := keysetStatus(t, s).Keys[1].ID
	refused(fmt.Sprintf("too early: the key %d is not held yet by elsewhere/7", added))

	database.Exec(t, `UPDATE keyset_reports SET key_ids = key_ids || $1::bigint`, int64(added))
	succeeds(t, s, "keyset", "rotate")
	refused("too early: elsewhere/7")

	database.Exec(t, `UPDATE keyset_reports SET reported_at = now() - interval '6 minutes'`) // it was killed
	if said := succeeds(t, s, "keyset", "rotate"); !strings.Contains(said, "The rotation is complete") {
		t.Errorf("it said %s", said)
	}
}

// Without a worker the command seals the secrets again, and those that do not open keep the old key.
func TestKeysetRotate_SealsAnew(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := withKeyset(t, settingsOf(database).withoutTemporal())
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	receiver := testkit.NewReceiver(t, nil)
	endpoint := addEndpoint(t, s, organization.ID, receiver.URL)
	broken := addEndpoint(t, s, organization.ID, receiver.URL)
	succeeds(t, s, "webhook", "rotate", endpoint.ID) // which keeps the secret before
	database.Exec(t, `UPDATE webhook_endpoints SET secret = set_byte(secret, 20, get_byte(secret, 20) # 1)
		WHERE id = $1`, broken.ID)
	succeeds(t, s, "keyset", "rotate")
	succeeds(t, s, "keyset", "rotate")
	fails(t, s, "2 secrets were sealed anew; these do not open with the keyset, and keep the key", "keyset", "rotate")
	fails(t, s, "0 secrets were sealed anew; these do not open", "keyset", "rotate")
	succeeds(t, s, "webhook", "rotate", "--force", broken.ID)
	database.Exec(t, `UPDATE webhook_endpoints SET previous_secret = NULL, previous_secret_ends_at = NULL
		WHERE id = $1`, broken.ID)
	succeeds(t, s, "webhook", "test", endpoint.ID)
	if said := succeeds(t, s, "keyset", "rotate"); !strings.Contains(said, "The rotation is complete") {
		t.Errorf("it said %s", said)
	}
	succeeds(t, s, "webhook", "test", endpoint.ID)
}

// A command whose copy of the keyset is behind seals nothing that would be lost.
func TestKeyset_CommandWithAnotherKeyset(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	s := withKeyset(t, settingsOf(database).withoutTemporal())
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	add := []string{"webhook", "add", "http://127.0.0.1:9/hook", "--organization", organization.ID,
		"--environment", "test"}
	copied := filepath.Join(t.TempDir(), "copy.json")
	content, err := os.ReadFile(s["EMISSOR_KEYSET_FILE"])
	must(t, err)
	must(t, os.WriteFile(copied, content, 0o600))
	behind := s.with("EMISSOR_KEYSET_FILE", copied)
	succeeds(t, s, "keyset", "rotate")
	succeeds(t, s, "keyset", "rotate")
	keys := keysetStatus(t, s).Keys
	database.Exec(t, `INSERT INTO keyset_reports VALUES (gen_random_uuid(), 'elsewhere/7', $1, $2)`,
		fmt.Sprintf("{%d,%d}", keys[0].ID, keys[1].ID), int64(keys[1].ID))
	succeeds(t, s, add...)
	fails(t, behind, "these processes seal with a newer key: elsewhere/7", add...)
	fails(t, withKeyset(t, s), "which these processes do not hold: elsewhere/7", add...)
}

func TestKeysetRotate_OnlyInAFile(t *testing.T) {
	t.Parallel()
	s := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	fails(t, s, "EMISSOR_KEYSET_FILE is not set", "keyset", "rotate")
	fails(t, s.with("EMISSOR_KEYSET_FILE", "/nowhere"), "change the keyset: open /nowhere", "keyset", "rotate")
	fails(t, s.with("EMISSOR_KEYSET_FILE", "/nowhere"), "read the keyset: open /nowhere", "keyset", "status")
	fails(t, s.with("EMISSOR_KEYSET_FILE", "/nowhere").with("EMISSOR_KEYSET_KEK", "vault://x"),
		"EMISSOR_KEYSET_KEK: the key of a KMS must look like aws-kms://",
		"keyset", "status")
}

// With a key of a KMS the file is of no use to who has only it. The service is
// played on loopback, where AWS's own variable leads.
func TestKeyset_UnderAKMS(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		var message struct{ Plaintext, CiphertextBlob []byte }
		must(t, json.NewDecoder(request.Body).Decode(&message))
		for _, content := range [][]byte{message.Plaintext, message.CiphertextBlob} {
			for i := range content {
				content[i] ^= 0x5a
			}
		}
		message.Plaintext, message.CiphertextBlob = message.CiphertextBlob, message.Plaintext
		must(t, json.NewEncoder(w).Encode(message))
	}))
	t.Cleanup(service.Close)
	file := filepath.Join(t.TempDir(), "keyset.json")
	plain := settingsOf(testkit.NewDatabase(t)).withoutTemporal().with("EMISSOR_KEYSET_FILE", file).
		with("EMISSOR_WEBHOOK_ALLOW_LOOPBACK", "true")
	s := plain.with("EMISSOR_KEYSET_KEK", "aws-kms://arn:aws:kms:sa-east-1:123456789012:key/1").
		with("AWS_ENDPOINT_URL_KMS", service.URL).with("AWS_ACCESS_KEY_ID", "AKIATEST").
		with("AWS_SECRET_ACCESS_KEY", "s3cret")
	organization := printed[struct{ ID string }](t, s, "organization", "create", "--name", "Clínica").ID

	type inFile struct {
		File      string
		Encrypted bool
	}
	if made := printed[inFile](t, plain, "keyset", "create", file); made != (inFile{file, false}) {
		t.Errorf("a script reads %+v", made)
	}
	endpoint := addEndpoint(t, plain, organization, testkit.NewReceiver(t, nil).URL)
	fails(t, plain, "EMISSOR_KEYSET_KEK is not set", "keyset", "encrypt", file)
	if encrypted := printed[inFile](t, s, "keyset", "encrypt", file); encrypted != (inFile{file, true}) {
		t.Errorf("a script reads %+v", encrypted)
	}
	fails(t, plain, "the keyset is encrypted: EMISSOR_KEYSET_KEK must name", "webhook", "test", endpoint.ID)
	for range 4 {
		succeeds(t, s, "keyset", "rotate")
		succeeds(t, s, "webhook", "test", endpoint.ID)
	}
	if keys := keysetStatus(t, s).Keys; len(keys) != 1 || keys[0].Secrets != 1 {
		t.Errorf("the keys are %+v", keys)
	}
	created := filepath.Join(t.TempDir(), "new.json")
	succeeds(t, s, "keyset", "create", created)
	for _, path := range []string{file, created} {
		content, err := os.ReadFile(path)
		must(t, err)
		if !strings.Contains(string(content), "encryptedKeyset") || strings.Contains(string(content), `"keyData"`) {
			t.Errorf("%s holds %s", path, content)
		}
	}
}
