package mcpserver_test

import (
	"context"
	"encoding/json"
	"reflect"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"emissor/client"
	"emissor/client/mcpserver"
	"emissor/test/testkit"
)

// agent is a client of the server, as an agent's program has one.
type agent struct {
	*mcp.ClientSession

	mu    sync.Mutex
	asked []string // what a person was asked
}

// person answers what an agent's program asks; nil: the program cannot ask anybody.
type person func(question string) *mcp.ElicitResult

var (
	nobody    person
	confirms  person = answers("accept", true)
	declines  person = answers("decline", false)
	leavesOff person = answers("accept", false)
)

func answers(action string, confirm bool) person {
	return func(string) *mcp.ElicitResult {
		result := &mcp.ElicitResult{Action: action}
		if action == "accept" {
			result.Content = map[string]any{"confirm": confirm}
		}
		return result
	}
}

// connect connects an agent to a server of the key, in memory.
func connect(t *testing.T, address, key string, options mcpserver.Options, who person) *agent {
	t.Helper()
	api, err := client.New(client.Options{URL: address, Key: key})
	must(t, err)
	here, there := mcp.NewInMemoryTransports()
	_, err = mcpserver.New(api, options).Connect(t.Context(), there, nil)
	must(t, err)
	a := &agent{}
	var asking mcp.ClientOptions
	if who != nil {
		asking.ElicitationHandler = func(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.asked = append(a.asked, request.Params.Message)
			return who(request.Params.Message), nil
		}
	}
	a.ClientSession, err = mcp.NewClient(&mcp.Implementation{Name: "test"}, &asking).Connect(t.Context(), here, nil)
	must(t, err)
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// object is a result's data.
type object = map[string]any

// calls calls a tool and returns its data. Every tool's text must be that same data as JSON.
func (a *agent) calls(t *testing.T, tool string, arguments object) (data object, failed bool) {
	t.Helper()
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s has %d contents", tool, len(result.Content))
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if err := json.Unmarshal([]byte(text), &data); err != nil || !reflect.DeepEqual(data, result.StructuredContent) {
		t.Fatalf("the text of %s is not its data: %v\n%s", tool, err, text)
	}
	noControls(t, text)
	return data, result.IsError
}

// does calls a tool that must succeed.
func (a *agent) does(t *testing.T, tool string, arguments object) object {
	t.Helper()
	data, failed := a.calls(t, tool, arguments)
	if failed {
		t.Fatalf("%s fails: %v", tool, data)
	}
	return data
}

// awaits waits for a note's end, call by call.
func (a *agent) awaits(t *testing.T, id string) (ended object) {
	t.Helper()
	testkit.Eventually(t, "the note has ended", func() bool {
		ended = a.does(t, "wait_for_note", object{"id": id})
		return ended["ended"] == true
	})
	return ended
}

// isRefused calls a tool that must fail with a code, and returns the error.
func (a *agent) isRefused(t *testing.T, code, tool string, arguments object) object {
	t.Helper()
	data, failed := a.calls(t, tool, arguments)
	refusal, _ := data["error"].(object)
	if !failed || refusal["code"] != code {
		t.Errorf("%s of %v: %v, expected %s", tool, arguments, data, code)
	}
	for _, member := range []string{"code", "message", "field", "retryable", "request_id"} {
		if _, has := refusal[member]; !has {
			t.Errorf("%s of %v: the error has no %s: %v", tool, arguments, member, refusal)
		}
	}
	return refusal
}

// at is what data has at a path.
func at(data any, path ...string) any {
	for _, step := range path {
		members, _ := data.(object)
		data = members[step]
	}
	return data
}

func textAt(data any, path ...string) string {
	text, _ := at(data, path...).(string)
	return text
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
