package web_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"emissor/internal/web"
)

// A request that is under way when the door is closed is answered; a new one is not taken.
func TestServe_Drains(t *testing.T) {
	listener, err := web.Listen(web.ListenOptions{Address: "127.0.0.1:0", Connections: 5, PerAddress: 5})
	must(t, err)
	begun, finish := make(chan struct{}), make(chan struct{})
	var first atomic.Bool
	server := web.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if first.CompareAndSwap(false, true) {
			close(begun)
			<-finish
		}
		_, _ = io.WriteString(w, "done")
	}), slog.New(slog.DiscardHandler))
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- web.Serve(ctx, listener, server, func() error { return web.Drain(server, 0) })
	}()
	address := "http://" + listener.Addr().String()
	answer := make(chan string, 1)
	go func() {
		response, err := http.Get(address)
		if err != nil {
			answer <- err.Error()
			return
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		answer <- string(text)
	}()
	<-begun
	end()
	for closed := false; !closed; time.Sleep(time.Millisecond) {
		response, err := (&http.Client{Transport: &http.Transport{}, Timeout: time.Second}).Get(address)
		if closed = err != nil; !closed {
			response.Body.Close()
		}
	}
	select {
	case err := <-ended:
		t.Fatalf("it ended with a request under way: %v", err)
	default:
	}
	close(finish)
	if text := <-answer; text != "done" {
		t.Errorf("the request was answered %q", text)
	}
	must(t, <-ended)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
