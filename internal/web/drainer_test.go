package web_test

import (
	"io"
	"log/slog"
	"net/http"
	"testing"

	"emissor/internal/web"
)

// While it drains a server answers as before, and says at each answer that nobody should come again: also to callers
// whose connection is kept otherwise.
func TestDrainer_AnswersAndSendsAway(t *testing.T) {
	listener, err := web.Listen(web.ListenOptions{Address: "127.0.0.1:0", Connections: 5, PerAddress: 5})
	must(t, err)
	drainer := web.NewDrainer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		web.KeepConnection(w, r)
		_, _ = io.WriteString(w, "done")
	}))
	server := web.NewServer(drainer, slog.New(slog.DiscardHandler))
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })

	expect := func(path string, status int, text string, closes bool) {
		t.Helper()
		response, err := http.Get("http://" + listener.Addr().String() + path)
		must(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		must(t, err)
		if response.StatusCode != status || string(body) != text || response.Close != closes {
			t.Errorf("%s is answered %d %q, and closes the connection: %t", path, response.StatusCode, body, response.Close)
		}
	}
	expect("/", http.StatusOK, "done", false)
	expect(web.AcceptingPath, http.StatusOK, "accepting\n", false)
	drainer.BeginDrain()
	expect("/", http.StatusOK, "done", true)
	expect(web.AcceptingPath, http.StatusServiceUnavailable, "draining\n", true)
}
