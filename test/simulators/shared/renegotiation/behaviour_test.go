package renegotiation_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/test/simulators/shared/renegotiation"
)

// serveBehaviour serves with a behaviour, and says whether its handler was called.
func serveBehaviour(t *testing.T, behaviour renegotiation.Behaviour) (url string, served *atomic.Bool) {
	t.Helper()
	served = new(atomic.Bool)
	options := renegotiation.Options{Behaviour: func() renegotiation.Behaviour { return behaviour }}
	return serve(t, options, func(w http.ResponseWriter, r *http.Request) {
		served.Store(true)
		whoIsIt(w, r)
	}), served
}

func TestBehaviour_Fails(t *testing.T) {
	other := otherServer()
	// Where a connection is closed while the client still writes, the client's error depends on who is first.
	closed := []string{"EOF", "connection reset by peer", "broken pipe", "use of closed network connection"}
	for name, test := range map[string]struct {
		behaviour renegotiation.Behaviour
		want      []string
	}{
		"cut after hello":    {renegotiation.Behaviour{Cut: renegotiation.AfterHello}, closed},
		"cut after flight":   {renegotiation.Behaviour{Cut: renegotiation.AfterFlight}, closed},
		"cut after finished": {renegotiation.Behaviour{Cut: renegotiation.AfterFinished}, closed},
		"bad certificate":    {renegotiation.Behaviour{Refuse: 42}, []string{"remote error: tls: bad certificate"}},
		"unknown authority": {
			renegotiation.Behaviour{Refuse: 48}, []string{"remote error: tls: unknown certificate authority"},
		},
		"another identity": {
			renegotiation.Behaviour{Other: &other}, []string{"tls: server's identity changed during renegotiation"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, served := serveBehaviour(t, test.behaviour)
			for _, size := range []int{0, 10, 6 << 10, 100 << 10} {
				_, _, _, err := exchange(newClient(t, clientTLS(rsaClient())), url, size)
				// A client that still writes may see only that its own reading has closed the connection.
				if !endsWithAny(err, test.want) && (size == 0 || !endsWithAny(err, closed)) {
					t.Errorf("%d bytes: %v", size, err)
				}
			}
			if served.Load() {
				t.Error("the request was served")
			}
		})
	}
}

func endsWithAny(err error, ends []string) bool {
	for _, end := range ends {
		if err != nil && strings.HasSuffix(err.Error(), end) {
			return true
		}
	}
	return false
}

// The client ends the wait when it got the HelloRequest and asks for its certificate, or later.
func TestBehaviour_Hang(t *testing.T) {
	listening := make(chan struct{}, 1)
	options := renegotiation.Options{Behaviour: func() renegotiation.Behaviour {
		listening <- struct{}{}
		return renegotiation.Behaviour{Hang: true}
	}}
	url := serve(t, options, func(http.ResponseWriter, *http.Request) { t.Error("the request was served") })
	for _, size := range []int{0, 10, 100 << 10} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-listening
			cancel()
		}()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(make([]byte, size)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = newClient(t, clientTLS(rsaClient())).Do(request); !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestBehaviour_HangEndsWithTheServer(t *testing.T) {
	asked := make(chan struct{})
	var failed chan error
	t.Run("server", func(t *testing.T) {
		options := renegotiation.Options{Behaviour: func() renegotiation.Behaviour {
			close(asked)
			return renegotiation.Behaviour{Hang: true}
		}}
		url := serve(t, options, nil)
		failed = make(chan error)
		client := newClient(t, clientTLS(rsaClient()))
		go func() {
			_, _, _, err := exchange(client, url, 10)
			failed <- err
		}()
		<-asked
	})
	if err := <-failed; err == nil {
		t.Error("the client got an answer")
	}
}
