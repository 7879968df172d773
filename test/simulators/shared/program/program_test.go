package program

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"emissor/test/simulators/shared/server"
)

// stub is a simulator that does nothing.
type stub struct{ closed *bool }

func (s stub) Control() http.Handler { return http.NotFoundHandler() }

func (s stub) Close() error {
	*s.closed = true
	return nil
}

// stubCommand is the command of a stub, which notes how it was started and whether it
// was closed.
func stubCommand(asked *server.Options, closed *bool) *cobra.Command {
	return Command(Description[stub]{
		Name: "stub", Notice: "A stub.", Listen: "127.0.0.1:1", Control: "127.0.0.1:0",
		Start: func(options server.Options) (stub, error) {
			*asked = options
			if options.Dir == "full" {
				return stub{}, errors.New("the directory is full")
			}
			return stub{closed}, nil
		},
		Addresses: func(stub) []Address { return []Address{{"issue and query", "https://stub"}} },
	})
}

// What is printed says where everything is; when it is told to stop, the simulator is
// closed.
func TestCommand(t *testing.T) {
	var asked server.Options
	closed := false
	command := stubCommand(&asked, &closed)
	ctx, stop := context.WithCancel(t.Context())
	var out strings.Builder
	command.SetOut(writer(func(text string) {
		if out.WriteString(text); strings.Contains(text, "roots.pem") {
			stop()
		}
	}))
	command.SetArgs([]string{"--dir", "kept"})
	if err := command.ExecuteContext(ctx); err != nil {
		t.Fatal(err)
	}
	if asked.Listen != "127.0.0.1:1" || asked.Dir != "kept" || asked.Logger == nil {
		t.Errorf("it was started with %+v", asked)
	}
	_, control, _ := strings.Cut(out.String(), "control          ")
	control, _, _ = strings.Cut(control, "\n")
	want := "A stub.\n" +
		"  issue and query  https://stub\n" +
		"  control          " + control + "\n" +
		"  kept in          kept, with the roots in roots.pem\n" +
		"  roots            " + control + "/roots.pem\n"
	if out.String() != want || !strings.HasPrefix(control, "http://127.0.0.1:") {
		t.Errorf("printed %s", out.String())
	}
	if !closed {
		t.Error("the simulator was not closed")
	}
}

// writer is called with each text that is written.
type writer func(string)

func (w writer) Write(text []byte) (int, error) {
	w(string(text))
	return len(text), nil
}

func TestCommand_DoesNotStart(t *testing.T) {
	command := stubCommand(new(server.Options), new(bool))
	command.SetOut(io.Discard)
	command.SetArgs([]string{"--dir", "full"})
	if err := command.ExecuteContext(t.Context()); err == nil || err.Error() != "the directory is full" {
		t.Errorf("it ends with %v", err)
	}
}

func TestCommand_IsControlledFromThisMachineOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1"} {
		command := stubCommand(new(server.Options), new(bool))
		command.SetArgs([]string{"--control", address})
		err := command.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), "--control") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
