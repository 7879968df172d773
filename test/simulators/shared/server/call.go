package server

import (
	"io"
	"net/http"
	"strconv"
	"time"

	"emissor/test/simulators/shared/fault"
)

// largestBody is the most bytes that a request may carry.
const largestBody = 4 << 20

// Call is one request, and what goes wrong with it.
type Call struct {
	Request *http.Request
	Body    []byte
	Now     time.Time // by the authority's clock
	Faults  fault.Picked
}

// Receive reads a request, picks its faults and lets their latency pass. It returns nil
// where there is nothing to answer any more: what is too large was refused, or the client
// or the simulator ended. The answer's Date is by the authority's clock.
func (s *Server) Receive(w http.ResponseWriter, r *http.Request, scope fault.Scope) *Call {
	w.Header().Set("Date", s.Now().UTC().Format(http.TimeFormat))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
	if err != nil {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return nil
	}
	picked, latency := s.faults.Pick(scope)
	if !fault.Pause(w, r, s.closing, latency) {
		return nil
	}
	return &Call{Request: r, Body: body, Now: s.Now(), Faults: picked}
}

// Halved reports whether the answer ends in its middle.
func (c *Call) Halved() bool {
	_, found := c.Faults.Find(fault.HalfAnswer)
	return found
}

// Answer writes a status and what is behind the headers that w has already, of which
// a fault may leave half.
func (c *Call) Answer(w http.ResponseWriter, status int, content []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(status)
	if c.Halved() && len(content) > 0 {
		_, _ = w.Write(content[:len(content)/2])
		_ = http.NewResponseController(w).Flush()
		fault.Cut(w, false)
		return
	}
	_, _ = w.Write(content)
}

// Page is what a web server in front of the authority says of a status, in HTML.
func Page(status int) string {
	text := http.StatusText(status)
	return "<html><head><title>" + text + "</title></head><body><h1>" + text + "</h1></body></html>"
}
