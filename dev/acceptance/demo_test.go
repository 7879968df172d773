package acceptance

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// make run issues a sandbox note and a live one, and leaves nothing behind; the next run finds its keys, its
// services, its certificate and the simulator's ledger again, and issues in São Paulo, too.
func TestDemo_IssuesALiveNote(t *testing.T) {
	t.Parallel()
	program, emissor := build(t, "../..", "./test/demo"), build(t, "../..", "./cmd/emissor")
	simulator, city := build(t, "../..", "./cmd/sefin-simulator"), build(t, "../..", "./cmd/saopaulo-simulator")
	state := filepath.Join(t.TempDir(), "state")
	var before demoRun
	for i, authority := range []string{"national", "both"} {
		run := i + 1
		d := startDemo(t, program, state, "-emissor", emissor, "-simulator", simulator, "-sao-paulo-simulator", city,
			"-authority", authority)
		s := d.stack
		s.pids = family(s.cmd.Process.Pid)
		s.child("sefin-simulator\x00--listen")
		s.child("emissor\x00serve")

		ledger := d.ledger()
		if len(ledger) != run || ledger[run-1] != d.accessKey {
			t.Fatalf("after run %d the ledger is %q; the note's access key is %q", run, ledger, d.accessKey)
		}
		status, contentType, body := d.get(s.env["EMISSOR_URL"]+"/v1/nfse/"+d.note+"/xml", s.env["EMISSOR_LIVE_KEY"])
		if status != http.StatusOK || !strings.HasPrefix(contentType, "application/xml") ||
			!strings.Contains(body, `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse"`) ||
			!strings.Contains(body, `Id="NFS`+d.accessKey+`"`) {
			t.Errorf("the XML of %s is answered with %d, %s: %.300s", d.note, status, contentType, body)
		}
		var certificates int
		err := open(t, s).QueryRow("SELECT count(*) FROM certificates").Scan(&certificates)
		if err != nil || certificates != run { // one for each authority
			t.Errorf("%d certificates, %v", certificates, err)
		}
		if (s.env["EMISSOR_SAO_PAULO_URL"] != "") != (run == 2) {
			t.Errorf("with %s the city is at %q", authority, s.env["EMISSOR_SAO_PAULO_URL"])
		}
		if run == 2 {
			d.issuedInSaoPaulo()
			for _, kept := range []string{
				"EMISSOR_TEST_KEY", "EMISSOR_LIVE_KEY", "EMISSOR_SERVICE_ID", "EMISSOR_LIVE_SERVICE_ID",
			} {
				if s.env[kept] == "" || s.env[kept] != before.stack.env[kept] {
					t.Errorf("%s was %q and is now %q", kept, before.stack.env[kept], s.env[kept])
				}
			}
			if ledger[0] != before.accessKey {
				t.Errorf("the ledger began with %s and begins now with %s", before.accessKey, ledger[0])
			}
		}
		signIn := regexp.MustCompile(`sign in +(http://localhost:\d+/link/\S+)`).FindStringSubmatch(d.printed)
		if signIn == nil || !strings.HasPrefix(signIn[1], s.env["EMISSOR_DASHBOARD_URL"]+"/link/") {
			t.Fatalf("no link into the dashboard at %s is printed:\n%s", s.env["EMISSOR_DASHBOARD_URL"], d.printed)
		}
		d.signsIn(signIn[1], "/notes/nfse_")
		before = d

		s.kill(syscall.SIGINT)
		if code := s.wait(); code != 0 {
			t.Errorf("exit code %d\n%s", code, s.output)
		}
		s.mustBeGone()
		if left, _ := filepath.Glob(filepath.Join(state, "certificate-*")); left != nil {
			t.Errorf("the certificate's file was left: %q", left)
		}
	}
}

// On a first start API and dashboard are there before the engine, say so, and accept: what was accepted is issued once
// the engine is built. The engine that is "built" here is there already: the build waits for a file.
func TestDemo_BeforeTheEngine(t *testing.T) {
	t.Parallel()
	program, emissor := build(t, "../..", "./test/demo"), build(t, "../..", "./cmd/emissor")
	simulator := build(t, "../..", "./cmd/sefin-simulator")
	dir := t.TempDir()
	state, printed, gate := filepath.Join(dir, "state"), filepath.Join(dir, "printed"), filepath.Join(dir, "gate")
	s := launch(t, "-state", state, "-engine-build", "while [ ! -e "+gate+" ]; do sleep 0.05; done", "--",
		"sh", "-c", `exec "$@" >`+printed, "sh", program, "-dir", state, "-emissor", emissor, "-simulator", simulator,
		"-authority", "national", "-api-port", freePort(t), "-dashboard-port", freePort(t), "-admin-port", freePort(t),
		"-authority-port", freePort(t), "-authority-control-port", freePort(t))
	text := s.awaitPrinted(printed, "  queued\n")
	first := regexp.MustCompile(`The engine \(Temporal\) is still being built, [^\n]+, as (http://127[^ ]+) says until ` +
		`then\.\n[^\n]+\n\nA sandbox note, (nfse_\w+)\n.+ ms  queued\n$`).FindStringSubmatch(text)
	if first == nil {
		t.Fatalf("it prints\n%s", text)
	}
	s.env = readEnv(t, filepath.Join(state, "env"))
	d := demoRun{stack: s, printed: text}
	if status, _, page := d.get(first[1], ""); status != http.StatusServiceUnavailable ||
		!strings.Contains(page, "Temporal is being built") {
		t.Errorf("the UI's address answers %d %s", status, page)
	}
	signIn := regexp.MustCompile(`sign in +(http://localhost:\d+/link/\S+)`).FindStringSubmatch(text)
	if signIn == nil {
		t.Fatalf("no link into the dashboard is printed:\n%s", text)
	}
	d.signsIn(signIn[1], "O motor (Temporal) ainda não responde")
	for _, url := range []string{s.env["EMISSOR_URL"] + "/v1/health", s.env["EMISSOR_DASHBOARD_URL"] + "/health"} {
		if status, _, body := d.get(url, ""); status != http.StatusOK {
			t.Errorf("%s answers %d %s", url, status, body)
		}
	}
	second := d.accept("EMISSOR_TEST_KEY", "EMISSOR_SERVICE_ID")
	live := d.accept("EMISSOR_LIVE_KEY", "EMISSOR_LIVE_SERVICE_ID")

	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	text = s.awaitPrinted(printed, "Ctrl-C stops everything.\n")
	if shown.FindStringSubmatch(text) == nil || !strings.Contains(text, "The engine is there") ||
		!strings.Contains(text, "  the first note is issued") {
		t.Errorf("it prints\n%s", text)
	}
	for note, key := range map[string]string{first[2]: "EMISSOR_TEST_KEY", second: "EMISSOR_TEST_KEY",
		live: "EMISSOR_LIVE_KEY"} {
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
			_, _, body := d.get(s.env["EMISSOR_URL"]+"/v1/nfse/"+note, s.env[key])
			if strings.Contains(body, `"status":"issued"`) {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s, which was accepted before the engine was there, is %s", note, body)
			}
		}
	}
	s.pids = family(s.cmd.Process.Pid)
	s.kill(syscall.SIGINT)
	if code := s.wait(); code != 0 {
		t.Errorf("exit code %d\n%s", code, s.output)
	}
	s.mustBeGone()
}

// accept has a note accepted, with the key and the service of these names.
func (d demoRun) accept(key, service string) (id string) {
	t, env := d.stack.t, d.stack.env
	t.Helper()
	body := fmt.Sprintf(`{"reference":"before the engine","service_id":%q,"amount_cents":15000,"customer":`+
		`{"document":"529.982.247-25","name":"Maria da Silva","address":{"zip_code":"01310-100",`+
		`"street":"Avenida Paulista","number":"1578","district":"Bela Vista"}}}`, env[service])
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, env["EMISSOR_URL"]+"/v1/nfse",
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+env[key])
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var accepted struct{ ID, Status string }
	if err := json.NewDecoder(response.Body).Decode(&accepted); err != nil || accepted.Status != "queued" ||
		response.StatusCode != http.StatusAccepted {
		t.Fatalf("a note without an engine is answered %s, %+v, %v", response.Status, accepted, err)
	}
	return accepted.ID
}

// A taken port is one clear line that names the variable.
func TestDemo_TakenPort(t *testing.T) {
	t.Parallel()
	program := build(t, "../..", "./test/demo")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	for flag, variable := range map[string]string{
		"-api-port": "API_PORT", "-dashboard-port": "DASHBOARD_PORT", "-admin-port": "ADMIN_PORT",
		"-authority-port": "AUTHORITY_PORT", "-authority-control-port": "AUTHORITY_CONTROL_PORT",
		"-sao-paulo-port": "SAO_PAULO_PORT", "-sao-paulo-control-port": "SAO_PAULO_CONTROL_PORT",
	} {
		args := []string{"-dir", t.TempDir()}
		for _, free := range []string{"-api-port", "-dashboard-port", "-admin-port", "-authority-port",
			"-authority-control-port", "-sao-paulo-port", "-sao-paulo-control-port"} {
			args = append(args, free, freePort(t))
		}
		out, err := exec.Command(program, append(args, flag, port)...).CombinedOutput()
		want := "demo: 127.0.0.1:" + port + " is taken: choose another port with make " + variable + "=... run\n"
		if err == nil || string(out) != want {
			t.Errorf("with a taken %s it ended with %v and %q, want %q", flag, err, out, want)
		}
	}
}

// demoRun is a demo that shows what it did. The environment of its stack is what it leaves for a shell.
type demoRun struct {
	stack     *stack
	note      string // the live one
	accessKey string
	printed   string
}

// signsIn uses the printed link as a browser does, and expects this on the first page.
func (d demoRun) signsIn(link, want string) {
	t := d.stack.t
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Jar: jar}).PostForm(link, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(page), want) {
		t.Errorf("the link leads to %s, %v:\n%s", response.Status, err, page)
	}
}

// shownInSaoPaulo is what it prints of one in São Paulo, after the check.
var shownInSaoPaulo = regexp.MustCompile(`  test +ok .*\n\nA live note in São Paulo, (nfse_\w+)\n(?:.+ ms  \w+\n)*` +
	`.+ ms  issued\n  number +1\n  verification +\w{8}\n  ledger +holds it once, not cancelled \(1 in all\)`)

// issuedInSaoPaulo expects a note that the city has made, and an account that may see it.
func (d demoRun) issuedInSaoPaulo() {
	t, env := d.stack.t, d.stack.env
	t.Helper()
	found := shownInSaoPaulo.FindStringSubmatch(d.printed)
	if found == nil {
		t.Fatalf("the demo shows no live note in São Paulo:\n%s", d.printed)
	}
	status, _, body := d.get(env["EMISSOR_URL"]+"/v1/nfse/"+found[1]+"/xml", env["EMISSOR_SAO_PAULO_LIVE_KEY"])
	if status != http.StatusOK || !strings.Contains(body, "<RetornoConsulta") {
		t.Errorf("its XML is answered with %d: %.300s", status, body)
	}
	var memberships int
	err := open(t, d.stack).QueryRow(`SELECT count(*) FROM memberships WHERE role = 'owner'`).Scan(&memberships)
	if err != nil || memberships != 2 {
		t.Errorf("the account is in %d organizations, %v", memberships, err)
	}
}

// An authority that there is not is refused before anything is started.
func TestDemo_UnknownAuthority(t *testing.T) {
	t.Parallel()
	program := build(t, "../..", "./test/demo")
	out, err := exec.Command(program, "-dir", t.TempDir(), "-authority", "rio").CombinedOutput()
	want := "demo: AUTHORITY is \"rio\": it must be national, sao-paulo, both, brasilia, campinas, ribeirao-preto, " +
		"teresina\n"
	if err == nil || string(out) != want {
		t.Errorf("it ended with %v and %q, want %q", err, out, want)
	}
}

// shown is what the demo prints of a live note that went well.
var shown = regexp.MustCompile(`A live note, (nfse_\w+)\n(?:.+ ms  \w+\n)*.+ ms  issued\n` +
	`  number +\d+\n  access key +(\d{50})\n  ledger +holds it once`)

// startDemo runs the demo in a devstack, as make run does, and waits until it has said everything.
func startDemo(t *testing.T, program, state string, flags ...string) demoRun {
	t.Helper()
	printed := filepath.Join(t.TempDir(), "printed")
	s := launch(t, slices.Concat([]string{"-no-ui", "-state", state, "--", "sh", "-c", `exec "$@" >` + printed, "sh",
		program, "-dir", state,
		"-api-port", freePort(t), "-dashboard-port", freePort(t), "-admin-port", freePort(t),
		"-authority-port", freePort(t), "-authority-control-port", freePort(t),
		"-sao-paulo-port", freePort(t), "-sao-paulo-control-port", freePort(t)}, flags)...)
	text := s.awaitPrinted(printed, "Ctrl-C stops everything.\n")
	found := shown.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("the demo shows no live note:\n%s", text)
	}
	s.env = readEnv(t, filepath.Join(state, "env"))
	return demoRun{stack: s, note: found[1], accessKey: found[2], printed: text}
}

// awaitPrinted waits until what the demo prints into a file ends with this.
func (s *stack) awaitPrinted(file, end string) string {
	s.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		if strings.HasSuffix(string(text), end) {
			return string(text)
		}
		if s.hasEnded() || time.Now().After(deadline) {
			s.kill(syscall.SIGTERM)
			s.wait()
			s.t.Fatalf("the demo did not come so far:\n%s%s", text, s.output)
		}
	}
}

// readEnv reads the file that the demo leaves, by a shell, as its users do.
func readEnv(t *testing.T, file string) map[string]string {
	t.Helper()
	cmd := exec.Command("sh", "-c", `. "$1" && env`, "sh", file)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env[name] = value
	}
	return env
}

// ledger is the access keys of what the authority has issued.
func (d demoRun) ledger() []string {
	d.stack.t.Helper()
	_, _, body := d.get(d.stack.env["EMISSOR_AUTHORITY_CONTROL_URL"]+"/ledger", "")
	var ledger struct {
		Issued []struct {
			AccessKey string `json:"access_key"`
		}
	}
	if err := json.Unmarshal([]byte(body), &ledger); err != nil {
		d.stack.t.Fatal(err)
	}
	keys := make([]string, len(ledger.Issued))
	for i, entry := range ledger.Issued {
		keys[i] = entry.AccessKey
	}
	return keys
}

func (d demoRun) get(url, key string) (status int, contentType, body string) {
	t := d.stack.t
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header.Get("Content-Type"), string(text)
}

// build builds a program of a module and returns its path.
func build(t *testing.T, module, program string) string {
	t.Helper()
	built := filepath.Join(t.TempDir(), filepath.Base(program))
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", built, program)
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", program, err, out)
	}
	return built
}

// given are the ports that freePort has given out: a program takes its own a moment later.
var given sync.Map

// freePort finds one below those that devstack chooses for servers, and that Linux hands out for outgoing connections:
// another each time.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		port := strconv.Itoa(2000 + rand.IntN(8000))
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			continue
		}
		_ = listener.Close()
		if _, known := given.LoadOrStore(port, true); !known {
			return port
		}
	}
}
