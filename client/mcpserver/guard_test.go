package mcpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pipes is a listener whose connections stay in the process.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if connection, open := <-p; open {
		return connection, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8765} }

// A body that does not come is not waited for; a call that takes longer than a body may is.
func TestServe_TimeOfBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
		mcp.AddTool(server, &mcp.Tool{Name: "slow"},
			func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
				select {
				case <-time.After(3 * requestTimeout):
					return nil, map[string]string{"end": "regular"}, nil
				case <-ctx.Done():
					return nil, nil, ctx.Err()
				}
			})
		listener := make(pipes)
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, listener, server, "") }()
		exchange := func(session, body string, length int) (*http.Response, string) {
			here, there := net.Pipe()
			defer here.Close()
			listener <- there
			if session != "" {
				session = "Mcp-Session-Id: " + session + "\r\n"
			}
			_, err := fmt.Fprintf(here, "POST / HTTP/1.1\r\nHost: 127.0.0.1:8765\r\nContent-Type: application/json\r\n"+
				"Accept: application/json, text/event-stream\r\n%sContent-Length: %d\r\n\r\n%s", session, length, body)
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.ReadResponse(bufio.NewReader(here), nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, _ := io.ReadAll(response.Body)
			return response, string(answer)
		}
		begin := time.Now()
		const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
			`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
		if late, _ := exchange("", hello, len(hello)+1); late.StatusCode != http.StatusBadRequest ||
			time.Since(begin) != requestTimeout {
			t.Errorf("a late body is answered %s after %s", late.Status, time.Since(begin))
		}
		opened, _ := exchange("", hello, len(hello))
		const call = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{}}}`
		begin = time.Now()
		_, said := exchange(opened.Header.Get("Mcp-Session-Id"), call, len(call))
		if !strings.Contains(said, "regular") || time.Since(begin) < 3*requestTimeout {
			t.Errorf("a slow call is answered %q after %s", said, time.Since(begin))
		}
		for session := range server.Sessions() {
			_ = session.Close()
		}
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("it ended with %v", err)
		}
	})
}
