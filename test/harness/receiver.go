package harness

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Receiver is the server of subscribers: one path for each endpoint. It keeps
// what it was sent, and hangs or fails as Answer says.
type Receiver struct {
	URL string // of its paths, each an endpoint of its own: URL + "/a"

	server *http.Server

	mu       sync.Mutex
	received map[Receipt]*Received
	answer   func(path string) Reply
	calls    int
}

// Receipt names what was received: an event, at an endpoint.
type Receipt struct{ Path, EventID string }

// Received is what an endpoint got of one event.
type Received struct {
	Bodies [][]byte // each that differs from those before
	Calls  int
	Taken  int // calls that were answered with success
	First  time.Time
	Last   time.Time
}

// Reply is how a receiver treats a call. The zero Reply takes the event.
type Reply struct {
	Wait   time.Duration // before it answers
	Status int           // 0 is 200
}

// NewReceiver starts a receiver on loopback.
func NewReceiver() (*Receiver, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Receiver{URL: "http://" + listener.Addr().String(), received: map[Receipt]*Received{}}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = r.server.Serve(listener) }() // ends with Close
	return r, nil
}

// Close ends it and cuts what is under way.
func (r *Receiver) Close() { _ = r.server.Close() }

// Answer changes how it treats calls from now on, by path; nil takes all.
func (r *Receiver) Answer(answer func(path string) Reply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// Received is a copy of all that it has.
func (r *Receiver) Received() map[Receipt]Received {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make(map[Receipt]Received, len(r.received))
	for receipt, received := range r.received {
		all[receipt] = *received
	}
	return all
}

// Counts are the calls so far, and how many pairs of event and endpoint were
// taken.
func (r *Receiver) Counts() (calls, taken int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, received := range r.received {
		if received.Taken > 0 {
			taken++
		}
	}
	return r.calls, taken
}

// ServeHTTP implements http.Handler.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	var event struct{ ID string }
	if err != nil || json.Unmarshal(body, &event) != nil {
		return // the sender was killed in the middle of a call
	}
	reply := r.record(Receipt{request.URL.Path, event.ID}, body)
	if reply.Wait > 0 {
		select {
		case <-time.After(reply.Wait):
		case <-request.Context().Done():
			return
		}
	}
	if reply.Status != 0 {
		w.WriteHeader(reply.Status)
	}
}

func (r *Receiver) record(receipt Receipt, body []byte) (reply Reply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	if r.answer != nil {
		reply = r.answer(receipt.Path)
	}
	received := r.received[receipt]
	if received == nil {
		received = &Received{First: time.Now()}
		r.received[receipt] = received
	}
	received.Calls++
	received.Last = time.Now()
	if reply.Status < 300 {
		received.Taken++
	}
	for _, known := range received.Bodies {
		if bytes.Equal(known, body) {
			return reply
		}
	}
	received.Bodies = append(received.Bodies, body)
	return reply
}
