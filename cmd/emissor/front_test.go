package main

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// front stands before a simulator: it keeps what was asked, and a test may have it answer otherwise.
type front struct {
	mu      sync.Mutex
	asked   []string // method and path, with the name of a SOAP operation
	instead func(w http.ResponseWriter, r *http.Request, next http.Handler)
}

// between is put before what a simulator serves.
func (f *front) between(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := r.Method + " " + r.URL.Path
		if action := strings.Trim(r.Header.Get("SOAPAction"), `"`); action != "" {
			asked += " " + action[strings.LastIndex(action, "/")+1:]
		}
		f.mu.Lock()
		f.asked = append(f.asked, asked)
		instead := f.instead
		f.mu.Unlock()
		if instead != nil {
			instead(w, r, next)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// answers has requests answered otherwise from now on; nil: as the simulator does.
func (f *front) answers(instead func(http.ResponseWriter, *http.Request, http.Handler)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.instead = instead
}

// taken returns what was asked since the last time.
func (f *front) taken() (asked []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked, f.asked = f.asked, nil
	return asked
}

// without are the words of a list that begin with none of some.
func without(list []string, begins ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(one string) bool {
		return slices.ContainsFunc(begins, func(with string) bool { return strings.HasPrefix(one, with) })
	})
}
