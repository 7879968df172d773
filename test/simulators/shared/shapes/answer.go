package shapes

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"strconv"

	"emissor/test/simulators/shared/fault"
)

// answer holds what a handler answers until it is sent.
type answer struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	gone   bool // its handler has cut the connection
}

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(part []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(part)
}

// Flush sends what is held, for a handler that cuts the connection afterwards.
func (a *answer) Flush() {
	a.WriteHeader(http.StatusOK)
	a.ResponseWriter.WriteHeader(a.status)
	_, _ = a.ResponseWriter.Write(a.body.Bytes())
	_ = http.NewResponseController(a.ResponseWriter).Flush()
	a.body.Reset()
}

// Hijack implements http.Hijacker.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.gone = true
	return http.NewResponseController(a.ResponseWriter).Hijack()
}

// send sends it whole: in chunks, or with its length.
func (a *answer) send(chunked bool) {
	a.WriteHeader(http.StatusOK)
	a.Header().Del("Content-Length")
	if !chunked {
		a.Header().Set("Content-Length", strconv.Itoa(a.body.Len()))
	}
	a.ResponseWriter.WriteHeader(a.status)
	if chunked {
		_ = http.NewResponseController(a.ResponseWriter).Flush()
	}
	_, _ = a.ResponseWriter.Write(a.body.Bytes())
}

// cut sends a part of it, and closes the connection.
func (a *answer) cut(part float64) {
	a.WriteHeader(http.StatusOK)
	a.Header().Set("Content-Length", strconv.Itoa(a.body.Len()+1))
	a.ResponseWriter.WriteHeader(a.status)
	_, _ = a.ResponseWriter.Write(a.body.Bytes()[:int(part*float64(a.body.Len()))])
	_ = http.NewResponseController(a.ResponseWriter).Flush()
	fault.Cut(a.ResponseWriter, false)
}
