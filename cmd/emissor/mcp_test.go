package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	if info := session.InitializeResult(); info.ServerInfo.Name != "emissor" || info.ServerInfo.Version != version() {
		t.Errorf("it says %+v", info.ServerInfo)
	}
	must(t, session.Close())
	if code := command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
}

// listeningTools starts a server of tools that listens, and returns its URL.
func listeningTools(t *testing.T, s settings, args ...string) string {
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
	var said struct{ URL string }
	must(t, json.NewDecoder(stdout).Decode(&said))
	return said.URL
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
				return settings{}, []string{"http", listeningTools(t, s, flags...)}
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
