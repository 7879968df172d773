package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"emissor/cmd/emissor/callers"
	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

// What is wrong with its settings is said before it serves.
func TestMCPCommand_Refusals(t *testing.T) {
	t.Parallel()
	s := callerSettingsOf("http://127.0.0.1:1", nfse.NewAPIKeyText(false))
	fails(t, s.with("EMISSOR_API_KEY", ""), "EMISSOR_API_KEY is not set", "mcp")
	fails(t, s, "--listen must be a loopback address", "mcp", "--listen", "0.0.0.0:8765")
	fails(t, s, "--listen must be a loopback address", "mcp", "--listen", "localhost:8765")
}

// A program is started by an agent's, and speaks on its standard input and output.
func TestMCPCommand_Stdio(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := callerSettingsOf(start(t, settingsOf(database).withoutTemporal(), "api").api, key)
	command := exec.Command(binary, "mcp")
	command.Env = s.environment()
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(),
		&mcp.CommandTransport{Command: command}, nil)
	must(t, err)
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "show_status"})
	must(t, err)
	status, _ := result.StructuredContent.(map[string]any)
	if result.IsError || status["key_accepted"] != true || status["environment"] != "test" {
		t.Errorf("the status is %v", result.StructuredContent)
	}
	if info := session.InitializeResult(); info.ServerInfo.Name != "emissor" || info.ServerInfo.Version != cli.Version() {
		t.Errorf("it says %+v", info.ServerInfo)
	}
	must(t, session.Close())
	if code := command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
}

// A line that is no message is answered and ends nothing; where the input ends, what it asked for is answered.
func TestMCPCommand_Lines(t *testing.T) {
	t.Parallel()
	command := exec.CommandContext(t.Context(), binary, "mcp")
	command.Env = callerSettingsOf("http://127.0.0.1:1", nfse.NewAPIKeyText(false)).environment()
	lines := []string{`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""}
	refused := map[string][]string{
		"-32700": {"hello", "{", `{"jsonrpc":"2.0",`, `"id":1,"method":"ping"}`, "{\"a\":\"\xff\"}"},
		"-32600": {"[]", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "1", "null", "{}", `{"jsonrpc":"2.0","id":1}`,
			`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, `{"jsonrpc":"2.0","id":[],"method":"ping"}`,
			`{"jsonrpc":"2.0","id":true,"method":"ping"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","id":1e300,"method":"ping"}`,
			`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":7}`},
	}
	expected := map[string]int{}
	for code, bad := range refused {
		lines, expected[code] = append(lines, bad...), len(bad)
	}
	// The last one has no end of its line, and is read when the input ends: it asks for what takes a while.
	lines = append(lines, `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`+"\r",
		`{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"show_status"}}`)
	command.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	output, err := command.Output()
	must(t, err)
	answered, codes := map[string]bool{}, map[string]int{}
	for line := range strings.Lines(string(output)) {
		var message struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   struct{ Code json.Number }
		}
		must(t, json.Unmarshal([]byte(line), &message))
		if message.JSONRPC != "2.0" || message.ID == nil {
			t.Errorf("it says %s", line)
		}
		if message.Result != nil {
			answered[string(message.ID)] = true
		} else {
			codes[message.Error.Code.String()]++
		}
	}
	if !answered[`"a"`] || !answered["9"] || !answered[`"last"`] || len(answered) != 3 || !maps.Equal(codes, expected) {
		t.Errorf("it answered %v, and refused %v, expected %v\n%s", answered, codes, expected, output)
	}
}

// Where live acts are allowed over HTTP, a client must bring the token that was printed.
func TestMCPCommand_Token(t *testing.T) {
	t.Parallel()
	live := callerSettingsOf("http://127.0.0.1:1", nfse.NewAPIKeyText(true))
	test := live.with("EMISSOR_API_KEY", nfse.NewAPIKeyText(false))
	for _, at := range []callers.ListeningAt{listeningTools(t, live), listeningTools(t, test, "--allow-live")} {
		if status := statusOfTools(t, at.URL, ""); at.Token != "" || status != http.StatusOK {
			t.Errorf("%+v answers %d", at, status)
		}
	}
	at, other := listeningTools(t, live, "--allow-live"), listeningTools(t, live, "--allow-live")
	for token, expected := range map[string]int{"": http.StatusUnauthorized, other.Token: http.StatusUnauthorized,
		at.Token: http.StatusOK} {
		if status := statusOfTools(t, at.URL, token); status != expected {
			t.Errorf("%q of %+v is answered %d", token, at, status)
		}
	}
}

// statusOfTools is what a server of tools answers to a client that begins, with a token or none.
func statusOfTools(t *testing.T, url, token string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},`+
			`"clientInfo":{"name":"x","version":"1"}}}`))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	must(t, response.Body.Close())
	return response.StatusCode
}

// listeningTools starts a server of tools that listens, and returns what it says to connect with.
func listeningTools(t *testing.T, s settings, args ...string) (said callers.ListeningAt) {
	t.Helper()
	command := exec.Command(binary, append([]string{"mcp", "--json", "--listen", "127.0.0.1:0"}, args...)...)
	command.Env = s.environment()
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := command.StdoutPipe()
	must(t, err)
	must(t, command.Start())
	t.Cleanup(func() {
		must(t, command.Process.Signal(syscall.SIGTERM))
		if err := command.Wait(); err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
	must(t, json.NewDecoder(stdout).Decode(&said))
	return said
}

// npmClient is what the client of npm saw.
type npmClient struct {
	Tools     []string
	Server    string
	Questions []string
	XML       string
	Issued    npmWaited
	Rejected  npmWaited
	Cancelled npmWaited
	Explained struct{ Guidance struct{ Field, Then string } }
	Refused   npmRefused
	Created   struct{ Service nfse.Service }
	Declined  npmRefused
}

type npmWaited struct {
	Ended bool
	Note  nfse.Note
}

type npmRefused struct{ Error struct{ Code string } }

// mcpSDK is the npm package whose client is tried.
const mcpSDK = "@modelcontextprotocol/sdk@1.32.2"

// npmSDK is the folder of the package, which is fetched from npm once.
func npmSDK(t *testing.T) string {
	t.Helper()
	cache, err := filepath.Abs("../../.dev/mcp-sdk-1.32.2")
	must(t, err)
	folder := filepath.Join(cache, "node_modules/@modelcontextprotocol/sdk")
	if _, err := os.Stat(filepath.Join(folder, "dist/esm/client/index.js")); err == nil {
		return folder
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is missing, so that no other client is tried: on Debian apt-get install npm")
	}
	must(t, os.MkdirAll(cache, 0o755))
	install := exec.CommandContext(t.Context(), "npm", "install", "--silent", "--no-audit", "--no-fund",
		"--ignore-scripts", "--prefix", cache, mcpSDK)
	if said, err := install.CombinedOutput(); err != nil {
		t.Skipf("%s cannot be had from npm, so that no other client is tried: %v\n%s", mcpSDK, err, said)
	}
	return folder
}

// runsNPMClient runs the client, which starts or connects to a server.
func runsNPMClient(t *testing.T, sdk string, s settings, args ...string) (seen npmClient) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), "node", append([]string{"testdata/mcp_client.mjs", sdk}, args...)...)
	command.Env = append(s.environment(), "PATH="+os.Getenv("PATH"))
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("the client of npm fails: %v\n%s", err, stderr.String())
	}
	must(t, json.Unmarshal(stdout.Bytes(), &seen))
	return seen
}

// A client that is not ours does over both transports what ours does: its validation of schemas and
// results is another one.
func TestMCPCommand_NPMClient(t *testing.T) {
	long.Only(t, "has the MCP client of npm go through a note's life, over both transports")
	t.Parallel()
	sdk := npmSDK(t)
	database := testkit.NewDatabase(t)
	_, testKey, liveKey := database.NewOrganization(t, "Clínica Exemplo")
	api := start(t, settingsOf(database), "serve").api
	for _, transport := range []string{"stdio", "http"} {
		reach := func(key string, flags ...string) (settings, []string) {
			s := callerSettingsOf(api, key)
			if transport == "http" {
				at := listeningTools(t, s, flags...)
				return settings{}, []string{"http", at.URL, at.Token}
			}
			return s, append([]string{"stdio", binary, "mcp"}, flags...)
		}
		s, args := reach(testKey)
		seen := runsNPMClient(t, sdk, s, args...)
		if len(seen.Tools) != 13 || seen.Server != "emissor" || len(seen.Questions) != 0 {
			t.Errorf("%s: it sees %+v", transport, seen)
		}
		if seen.Issued.Note.Status != nfse.StatusIssued || !strings.HasPrefix(seen.XML, "<") ||
			seen.Rejected.Note.Status != nfse.StatusRejected || seen.Cancelled.Note.Status != nfse.StatusCancelled ||
			seen.Explained.Guidance.Then == "" || seen.Refused.Error.Code != string(nfse.CodeNoteNotFound) {
			t.Errorf("%s: it sees %+v", transport, seen)
		}
		s, args = reach(liveKey, "--allow-live")
		seen = runsNPMClient(t, sdk, s, args...)
		if seen.Created.Service.Name != "Suporte técnico" || seen.Declined.Error.Code != "not_confirmed" ||
			len(seen.Questions) != 2 {
			t.Errorf("%s: with a live key it sees %+v", transport, seen)
		}
		s, args = reach(liveKey)
		seen = runsNPMClient(t, sdk, s, args...)
		if seen.Declined.Error.Code != "live_acts_not_allowed" || len(seen.Questions) != 0 {
			t.Errorf("%s: where live acts are not allowed it sees %+v", transport, seen)
		}
	}
	if live := database.Count(t, `SELECT count(*) FROM services WHERE livemode`); live != 2 {
		t.Errorf("%d live services were made by two confirmations", live)
	}
}
