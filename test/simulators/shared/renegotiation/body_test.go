package renegotiation_test

import (
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/test/simulators/shared/renegotiation"
)

func TestBehaviour_ReadAhead(t *testing.T) {
	url, served := serveBehaviour(t, renegotiation.Behaviour{ReadAhead: 6 << 10})
	for _, size := range []int{6<<10 + 1, 100 << 10, 1 << 20} {
		status, _, _, err := exchange(newClient(t, clientTLS(rsaClient())), url, size)
		if err != nil || status != http.StatusRequestEntityTooLarge {
			t.Errorf("%d bytes: %d %v", size, status, err)
		}
	}
	chunked := io.MultiReader(strings.NewReader("of unknown length"))
	response, err := newClient(t, clientTLS(rsaClient())).Post(url, "text/plain", chunked)
	if err != nil || response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error(response, err)
	}
	if served.Load() {
		t.Error("a request was served")
	}
	client := newClient(t, clientTLS(rsaClient()))
	expect(t, client, url, 6<<10, "client sent 6144")
	expect(t, client, url, 100<<10, "client sent 102400") // now the host knows the client
}

func TestBehaviour_ReadAheadIsReadEachTime(t *testing.T) {
	var bound atomic.Int64
	options := renegotiation.Options{Behaviour: func() renegotiation.Behaviour {
		return renegotiation.Behaviour{ReadAhead: int(bound.Load())}
	}}
	url := serve(t, options, nil)
	for _, bytes := range []int64{5, 0} {
		bound.Store(bytes)
		status, _, _, err := exchange(newClient(t, clientTLS(rsaClient())), url, 10)
		if err != nil || (status == http.StatusOK) != (bytes == 0) {
			t.Error(bytes, status, err)
		}
	}
}

// counted is a body that knows how much of it was taken.
type counted struct {
	io.Reader
	taken atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.taken.Add(int64(n))
	return n, err
}

func TestServe_ExpectContinue(t *testing.T) {
	for _, readAhead := range []int{0, 10} {
		const size = 100 << 10
		body := &counted{Reader: bytes.NewReader(make([]byte, size))}
		early := int64(-1)
		options := renegotiation.Options{Behaviour: func() renegotiation.Behaviour {
			return renegotiation.Behaviour{ReadAhead: readAhead}
		}}
		url := serve(t, options, func(w http.ResponseWriter, r *http.Request) {
			early = body.taken.Load()
			whoIsIt(w, r)
		})
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
		if err != nil {
			t.Fatal(err)
		}
		request.ContentLength = size
		request.Header.Set("Expect", "100-continue")
		response, err := newClient(t, clientTLS(rsaClient())).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil || string(answer) != "client sent 102400" || early != 0 || body.taken.Load() != size {
			t.Errorf("%q %v; %d bytes before the client was known", answer, err, early)
		}
	}
}

// A client that writes on and on without reading gets no further than what is held.
func TestServe_TooMuchBeforeTheClientHello(t *testing.T) {
	url, served := serveBehaviour(t, renegotiation.Behaviour{})
	conn, err := tls.Dial("tcp", strings.TrimPrefix(url, "https://"), clientTLS(rsaClient()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	written, err := io.Copy(conn, io.LimitReader(zeros{}, 1_000_000_000))
	if err == nil || served.Load() {
		t.Errorf("%d bytes were taken, served: %t", written, served.Load())
	}
}

// zeros is a body without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
