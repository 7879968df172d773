package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"emissor/client"
	"emissor/client/mcpserver"
	"emissor/nfse"
)

// inSession has a server of a key read lines until they end, and returns the messages that it writes, by their ids as
// they are written; those without one by the name of their method.
func inSession(t *testing.T, api, key string, options mcpserver.Options, input string) map[string]object {
	t.Helper()
	caller, err := client.New(client.Options{URL: api, Key: key})
	must(t, err)
	var out bytes.Buffer
	server := mcpserver.New(caller, options)
	must(t, server.Run(t.Context(), mcpserver.Lines(strings.NewReader(input), &out)))
	said := map[string]object{}
	for decoder := json.NewDecoder(&out); ; {
		var message struct {
			ID     json.RawMessage
			Method string
			Result object
			Error  object
		}
		if err := decoder.Decode(&message); err == io.EOF {
			return said
		} else {
			must(t, err)
		}
		name := string(message.ID)
		if message.Method != "" {
			name = message.Method
		}
		said[name] = object{"result": message.Result, "error": message.Error}
	}
}

// A question that nobody can answer any more is not waited for: the act is not done, and its call is answered.
func TestLines_EndDuringAQuestion(t *testing.T) {
	t.Parallel()
	arguments, err := json.Marshal(newService)
	must(t, err)
	said := inSession(t, answeringAPI(t, 200, `{"data":[],"next_cursor":null}`), nfse.NewAPIKeyText(true),
		mcpserver.Options{AllowLive: true},
		strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1)+"\n"+
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_service","arguments":`+
			string(arguments)+`}}`)
	if said["elicitation/create"] == nil ||
		textAt(said["2"], "result", "structuredContent", "error", "code") != "confirmation_failed" {
		t.Errorf("said is %v", said)
	}
}

// A message has a bound, and one beyond it ends nothing.
func TestLines_LongMessage(t *testing.T) {
	t.Parallel()
	said := inSession(t, "http://127.0.0.1:1", nfse.NewAPIKeyText(false), mcpserver.Options{},
		strings.Repeat("x", 300<<10)+"\n"+hello+strings.Repeat(" ", 100<<10)+"\n")
	if at(said["null"], "error", "code") != -32600.0 || at(said["1"], "result", "serverInfo") == nil {
		t.Errorf("said is %v", said)
	}
}
