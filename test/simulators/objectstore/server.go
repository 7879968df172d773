// Package objectstore is a service with the S3 API for tests: it keeps objects in memory, and fails on demand as real
// ones do. It shares no code with the product. It knows what the archive needs: writing, reading a range and deleting
// one object.
package objectstore

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Faults are what the service does wrong. A fault lasts until the next SetFaults.
type Faults struct {
	Status    int                     // answered to everything that Only says; 0: none
	Cut       bool                    // answers end in the middle of the body
	Lies      bool                    // of what is read a byte is another, under a digest that is right
	Loses     bool                    // what is written is acknowledged and not kept
	Stale     bool                    // what is read is what the key had first
	Delay     time.Duration           // before every answer
	Only      string                  // the method that fails with Status; empty: all
	AfterPut  func(key string)        // called once an object was written
	BeforeGet func(key string, n int) // called before the n-th reading
}

// Server is the service. It asks for a signature, and for no right one.
type Server struct {
	mu      sync.Mutex
	objects map[string][][]byte // the versions of each
	faults  Faults
	gets    int
}

// New makes an empty service.
func New() *Server { return &Server{objects: map[string][][]byte{}} }

// SetFaults says what goes wrong from now on.
func (s *Server) SetFaults(faults Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
}

// Keys are the names of all objects.
func (s *Server) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects))
}

// Object is what a key has now; nil for nothing.
func (s *Server) Object(key string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	versions := s.objects[key]
	if len(versions) == 0 {
		return nil
	}
	return versions[len(versions)-1]
}

// Overwrite changes an object behind everybody's back.
func (s *Server) Overwrite(key string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[key] = append(s.objects[key], content)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	faults := s.faults
	s.mu.Unlock()
	if faults.Delay > 0 {
		select {
		case <-time.After(faults.Delay):
		case <-r.Context().Done():
			return
		}
	}
	switch {
	case !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential="):
		refuse(w, http.StatusForbidden, "AccessDenied")
		return
	case faults.Status != 0 && (faults.Only == "" || faults.Only == r.Method):
		refuse(w, faults.Status, map[int]string{403: "AccessDenied", 503: "SlowDown"}[faults.Status])
		return
	}
	key := strings.TrimPrefix(r.URL.Path, "/")
	switch r.Method {
	case http.MethodPut:
		s.put(w, r, key, faults)
	case http.MethodGet:
		s.get(w, r, key, faults)
	case http.MethodDelete:
		s.mu.Lock()
		delete(s.objects, key)
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	default:
		refuse(w, http.StatusNotImplemented, "NotImplemented")
	}
}

func (s *Server) put(w http.ResponseWriter, r *http.Request, key string, faults Faults) {
	content, err := io.ReadAll(r.Body)
	if err != nil || int64(len(content)) != r.ContentLength {
		refuse(w, http.StatusBadRequest, "IncompleteBody")
		return
	}
	if !faults.Loses {
		s.Overwrite(key, content)
	}
	w.Header().Set("ETag", `"00000000000000000000000000000000"`) // nobody is to believe it
	w.WriteHeader(http.StatusOK)
	if faults.AfterPut != nil {
		faults.AfterPut(key)
	}
}

func (s *Server) get(w http.ResponseWriter, r *http.Request, key string, faults Faults) {
	s.mu.Lock()
	s.gets++
	number := s.gets
	versions := s.objects[key]
	s.mu.Unlock()
	if faults.BeforeGet != nil {
		faults.BeforeGet(key, number)
		s.mu.Lock()
		versions = s.objects[key]
		s.mu.Unlock()
	}
	if len(versions) == 0 {
		refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	content := versions[len(versions)-1]
	if faults.Stale {
		content = versions[0]
	}
	var from, to int
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); err != nil {
		refuse(w, http.StatusNotImplemented, "NotImplemented")
		return
	}
	if from >= len(content) {
		refuse(w, http.StatusRequestedRangeNotSatisfiable, "InvalidRange")
		return
	}
	part := slices.Clone(content[from:min(to+1, len(content))])
	if faults.Lies {
		part[len(part)/2] ^= 1
	}
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, from+len(part)-1, len(content)))
	w.Header().Set("Content-Length", fmt.Sprint(len(part)))
	w.WriteHeader(http.StatusPartialContent)
	if faults.Cut {
		_, _ = w.Write(part[:len(part)/2])
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(part)
}

// refuse answers as the service does.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>simulated</Message></Error>`, code)
}
