package main

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"emissor/dashboard/listening"
	"emissor/dashboard/listening/forward"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/test/testkit"
)

// lasting is a command that runs until it is interrupted.
type lasting struct {
	command *exec.Cmd
	lines   chan string // that it prints; closed at the end
	stderr  strings.Builder
}

func lasts(t *testing.T, s settings, args ...string) *lasting {
	t.Helper()
	l := &lasting{command: exec.Command(binary, args...), lines: make(chan string, 1000)}
	l.command.Env, l.command.Stderr = s.environment(), &l.stderr
	l.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := l.command.StdoutPipe()
	must(t, err)
	must(t, l.command.Start())
	t.Cleanup(func() { _ = l.command.Process.Kill() })
	go func() {
		defer close(l.lines)
		for printed := bufio.NewScanner(stdout); printed.Scan(); {
			l.lines <- printed.Text()
		}
	}()
	return l
}

// line is the next line that it prints.
func (l *lasting) line(t *testing.T) string {
	t.Helper()
	line, more := <-l.lines
	if !more {
		t.Fatalf("it prints no more: %v\n%s", l.command.Wait(), l.stderr.String())
	}
	return line
}

// lineOf reads the next line as JSON.
func lineOf[T any](t *testing.T, l *lasting) (value T) {
	t.Helper()
	line := l.line(t)
	if err := json.Unmarshal([]byte(line), &value); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return value
}

// again is what a command says where the database was not heard yet.
var again = regexp.MustCompile(`(?m)^emissor: connecting again: .*\n`)

// ends waits for the end, and expects its status and what it says then.
func (l *lasting) ends(t *testing.T, status int, why string) {
	t.Helper()
	for range l.lines {
	}
	_ = l.command.Wait()
	said := again.ReplaceAllString(l.stderr.String(), "")
	if code := l.command.ProcessState.ExitCode(); code != status || !strings.Contains(said, why) || why == "" && said != "" {
		t.Errorf("it ended with %d and %q", code, l.stderr.String())
	}
}

// From an installed service to a verified webhook on localhost in three commands; an interruption ends the first one,
// and with it its endpoint. A key that is revoked ends both that wait.
func TestListenCommand(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, live := database.NewOrganization(t, "Clínica Exemplo")
	p := start(t, withKeyset(t, settingsOf(database)).withDashboard(), "serve")
	s := callerSettingsOf(p.api, key).with("EMISSOR_DASHBOARD_URL", "http://"+p.address(t, "the dashboard listens"))
	receiver := testkit.NewReceiver(t, nil)

	secret := strings.TrimSpace(succeeds(t, s, "listen", "--print-secret"))
	listens := lasts(t, s, "listen", "--forward-to", receiver.URL, "--events", "nfse.issued", "--json")
	if began := lineOf[map[string]any](t, listens); began["ready"] != true || began["secret"] != secret {
		t.Errorf("it begins with %v, and the secret is %s", began, secret)
	}
	text := lasts(t, s, "listen", "--forward-to", receiver.URL+"/text")
	if ready := text.line(t) + "\n" + text.line(t); !strings.Contains(ready, receiver.URL+"/text as whe_") ||
		!strings.HasSuffix(ready, secret) {
		t.Errorf("it begins with %s", ready)
	}
	follows := lasts(t, s, "logs", "tail", "--failed", "--json")

	note := printed[nfse.Note](t, s, "trigger", "nfse.issued")
	posted := lineOf[forward.Posted](t, listens)
	if posted.NoteID != note.ID || posted.EventType != nfse.EventIssued || posted.Status != 200 || posted.Problem != "" {
		t.Errorf("it posted %+v", posted)
	}
	if line := text.line(t); !strings.Contains(line, note.ID) || !strings.Contains(line, "  200 in ") {
		t.Errorf("it says %q", line)
	}
	for _, call := range receiver.Calls() {
		if !call.IsSigned(secret) {
			t.Errorf("the signature %q does not verify", call.Header.Get(webhook.SignatureHeader))
		}
	}
	must(t, listens.command.Process.Signal(syscall.SIGINT))
	listens.ends(t, 0, "")
	if present := database.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE deleted_at IS NULL`); present != 1 {
		t.Errorf("%d endpoints listen", present)
	}

	testkit.Eventually(t, "a request that failed is followed", func() bool { // from when on nothing says
		fails(t, s, "nfse_not_found", "client", "note", "show", nfse.NewID(nfse.PrefixNote))
		return len(follows.lines) > 0
	})
	request := lineOf[listening.Request](t, follows)
	if request.Status != 404 || request.ErrorCode != nfse.CodeNoteNotFound {
		t.Errorf("it follows %+v", request)
	}
	fails(t, s.with("EMISSOR_API_KEY", live), "only events of test notes", "listen", "--forward-to", receiver.URL)
	fails(t, s.with("EMISSOR_API_KEY", live), "only events of test notes", "listen", "--print-secret")
	misused(t, s, "[forward-to print-secret]", "listen", "--print-secret", "--forward-to", receiver.URL)
	fails(t, s, "forward_to", "listen", "--forward-to", "localhost:3000/hook")
	fails(t, s, "(events)", "listen", "--forward-to", receiver.URL, "--events", "nfse.paid")
	fails(t, s.with("EMISSOR_DASHBOARD_URL", p.api), "EMISSOR_DASHBOARD_URL", "listen", "--forward-to", receiver.URL)
	fails(t, s.with("EMISSOR_DASHBOARD_URL", p.api), "EMISSOR_DASHBOARD_URL", "logs", "tail")

	_, err := database.Changes().Access.RevokeAPIKey(t.Context(), database.Text(t,
		`SELECT id FROM api_keys WHERE hash = $1`,
		nfse.HashAPIKey(key)))
	must(t, err)
	text.ends(t, 1, "invalid_api_key")
	follows.ends(t, 1, "invalid_api_key")
}
