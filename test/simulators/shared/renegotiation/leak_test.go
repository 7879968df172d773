package renegotiation_test

import (
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/shared/renegotiation"
)

// Connections in every state are open when the server ends, and none leaves a goroutine.
func TestServe_LeavesNoGoroutine(t *testing.T) {
	t.Run("server", func(t *testing.T) {
		asked := make(chan struct{}, 2)
		url := serve(t, renegotiation.Options{Behaviour: func() renegotiation.Behaviour {
			asked <- struct{}{}
			return renegotiation.Behaviour{Hang: true}
		}}, nil)
		silent, err := net.Dial("tcp", strings.TrimPrefix(url, "https://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = silent.Close() }()
		for _, size := range []int{0, 10} {
			client := newClient(t, clientTLS(rsaClient()))
			go func() { _, _, _, _ = exchange(client, url, size) }()
		}
		<-asked
		<-asked
	})
	stacks := make([]byte, 1<<20)
	for end := time.Now().Add(10 * time.Second); ; runtime.Gosched() {
		running := string(stacks[:runtime.Stack(stacks, true)])
		if !strings.Contains(running, "renegotiation.(*Conn)") && !strings.Contains(running, "renegotiation.asking") {
			return
		}
		if time.Now().After(end) {
			t.Fatal(running)
		}
	}
}
