// Package fault describes what goes wrong at a simulator: the profile of its faults, and
// the Picker that picks from it for each request. What the kinds do is each simulator's own.
package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Scope is which requests a fault is for.
type Scope string

// Any is every request. An empty scope is Any.
const Any Scope = "any"

// Kind is what goes wrong.
type Kind string

// The kinds that every simulator knows. Drop, Reset, Status and Reject take the place
// of the response; with After the request is first served: what it asks for is done,
// and the response is lost.
const (
	Drop       Kind = "drop"        // the connection is closed
	Reset      Kind = "reset"       // the connection is reset
	Status     Kind = "status"      // Status and Body are answered
	Reject     Kind = "reject"      // Code is answered as by the authority; nothing is done, After or not
	HalfAnswer Kind = "half_answer" // the connection is closed in the middle of the answer
	Latency    Kind = "latency"     // Delay and up to Jitter pass before anything else
	ClockSkew  Kind = "clock_skew"  // the authority's clock is Delay ahead (or, negative, behind)
	Hide       Kind = "hide"        // for Delay after a note was issued, it is not found
)

// Fault is one thing that goes wrong. Without Probability, Next and Every it
// applies to each request in its scope.
type Fault struct {
	Kind  Kind  `json:"kind"`
	Scope Scope `json:"scope,omitempty"`

	Probability float64 `json:"probability,omitempty"` // 0 to 1
	Next        int     `json:"next,omitempty"`        // it applies to so many requests more; then it is gone
	Every       int     `json:"every,omitempty"`       // it applies to every nth request

	After      bool     `json:"after,omitempty"`       // Drop, Reset, Status: the request was served
	Delay      Duration `json:"delay,omitempty"`       // Latency, ClockSkew, Hide
	Jitter     Duration `json:"jitter,omitempty"`      // Latency: up to so much more
	Status     int      `json:"status,omitempty"`      // Status: of HTTP
	Body       string   `json:"body,omitempty"`        // Status: "" (none), "html", or one of the simulator's
	RetryAfter string   `json:"retry_after,omitempty"` // Status: the header
	Code       string   `json:"code,omitempty"`        // Reject, and Status with the authority's own body
	Complement string   `json:"complement,omitempty"`  // beside Code
	Variant    string   `json:"variant,omitempty"`     // which odd form an answer takes
}

// Profile is all that goes wrong. The same seed makes the same choices for the same
// sequence of requests.
type Profile struct {
	Seed   uint64  `json:"seed,omitempty"`
	Faults []Fault `json:"faults"`
}

// ParseProfile reads a profile from JSON. A field that does not exist is an error: a
// fault that never happens proves nothing.
func ParseProfile(text []byte) (Profile, error) {
	var profile Profile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&profile)
	return profile, err
}

// Known is which faults a simulator can make.
type Known struct {
	Kinds    []Kind
	Scopes   []Scope  // beside Any
	Bodies   []string // of Status, beside none and html
	Variant  Kind     // the kind that needs one of Variants
	Variants []string
	Code     func(string) error // what is wrong with a code of Reject; nil takes any but none
}

// validate returns an error that begins with the field that is wrong.
func (k Known) validate(f Fault) error {
	bodies := append([]string{"", "html"}, k.Bodies...)
	switch {
	case !slices.Contains(k.Kinds, f.Kind):
		return fmt.Errorf("kind: %q is not one of %q", f.Kind, k.Kinds)
	case f.Scope != "" && f.Scope != Any && !slices.Contains(k.Scopes, f.Scope):
		return fmt.Errorf("scope: %q is not any or one of %q", f.Scope, k.Scopes)
	case f.Kind == k.Variant && !slices.Contains(k.Variants, f.Variant):
		return fmt.Errorf("variant: %q is not one of %q", f.Variant, k.Variants)
	case f.Kind == Status && (f.Status < 200 || f.Status > 599):
		return errors.New("status: must be from 200 to 599")
	case f.Kind == Status && !slices.Contains(bodies, f.Body):
		return fmt.Errorf("body: %q is not one of %q", f.Body, bodies)
	case f.Kind == Reject && k.Code != nil && k.Code(f.Code) != nil:
		return fmt.Errorf("code: %w", k.Code(f.Code))
	case f.Kind == Reject && f.Code == "":
		return errors.New("code: must be given")
	case f.Probability < 0 || f.Probability > 1:
		return errors.New("probability: must be from 0 to 1")
	case f.Next < 0 || f.Every < 0 || f.Jitter < 0:
		return errors.New("next, every and jitter: must not be negative")
	}
	return nil
}

// Duration is a time.Duration that is written as text, such as 500ms.
type Duration time.Duration

// MarshalText writes it as text.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads it from text.
func (d *Duration) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	*d = Duration(value)
	return err
}
