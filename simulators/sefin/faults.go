package sefin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Scope is which requests a fault is for.
type Scope string

// The scopes. An empty one is Any.
const (
	Any    Scope = "any"
	Issue  Scope = "issue"  // POST /nfse
	Query  Scope = "query"  // GET and HEAD of /dps and /nfse, and of an event
	Cancel Scope = "cancel" // POST /nfse/{key}/eventos
)

// Kind is what goes wrong.
type Kind string

// The kinds that happen instead of an answer. With After the request is first
// served: what it asks for is done, and the answer is lost.
const (
	Drop   Kind = "drop"   // the connection is closed
	Reset  Kind = "reset"  // the connection is reset
	Status Kind = "status" // Status and Body are answered
	Reject Kind = "reject" // Code is answered as the authority says no; nothing is done, After or not
)

// The kinds that spoil an answer after the request was served.
const (
	HalfAnswer     Kind = "half_answer"     // the connection is closed in the middle of it
	TruncatedGzip  Kind = "truncated_gzip"  // the document ends in the middle
	NotBase64      Kind = "not_base64"      // the document is not base64
	UnreadableXML  Kind = "unreadable_xml"  // the document unpacks to what is no XML
	MissingXML     Kind = "missing_xml"     // there is no document beside the access key
	WrongSignature Kind = "wrong_signature" // the document was changed after it was signed
	OtherDocument  Kind = "other_document"  // the answer is about another document
	Variant        Kind = "variant"         // the JSON is one of the odd ones: Variant
)

// The kinds that last.
const (
	Latency   Kind = "latency"    // Delay and up to Jitter pass before anything else
	ClockSkew Kind = "clock_skew" // the authority's clock is Delay ahead (or, negative, behind)
	Hide      Kind = "hide"       // for Delay after a note was issued, its DPS is not found
)

// The odd forms that JSON comes in (Variant).
const (
	ErroObject  = "erro_object" // erro, one object, instead of the list erros
	ErroArray   = "erro_array"  // erro, a list, instead of erros
	ErroString  = "erro_string" // erro, a string of some proxy
	EmptyErro   = "empty_erro"  // an empty list erro beside what was answered
	Capitalised = "capitalised" // Codigo, Descricao, ChaveAcesso: all keys with a capital
	TopList     = "list"        // the list of erros alone
	SwappedID   = "swapped_id"  // idDPS where idDps is usual, and the other way round
)

// Fault is an entry of the menu. Without Probability, Next and Every it applies
// to each request in its scope.
type Fault struct {
	Kind  Kind  `json:"kind"`
	Scope Scope `json:"scope,omitempty"`

	Probability float64 `json:"probability,omitempty"` // 0 to 1
	Next        int     `json:"next,omitempty"`        // it applies to so many requests more; then it is gone
	Every       int     `json:"every,omitempty"`       // it applies to each so-manieth request

	After      bool     `json:"after,omitempty"`       // Drop, Reset, Status: the request was served
	Delay      Duration `json:"delay,omitempty"`       // Latency, ClockSkew, Hide
	Jitter     Duration `json:"jitter,omitempty"`      // Latency: up to so much more
	Status     int      `json:"status,omitempty"`      // Status: of HTTP
	Body       string   `json:"body,omitempty"`        // Status: "" (none), "html", or "erros"
	RetryAfter string   `json:"retry_after,omitempty"` // Status: the header
	Code       string   `json:"code,omitempty"`        // Reject, and Status with erros
	Complement string   `json:"complement,omitempty"`  // beside Code
	Variant    string   `json:"variant,omitempty"`
}

// Faults is a menu. The same seed makes the same choices for the same sequence
// of requests.
type Faults struct {
	Seed uint64  `json:"seed,omitempty"`
	List []Fault `json:"faults"`
}

// WrongLayout is the rejection by which the authority says that it wants the
// layout of NT 009.
func WrongLayout() Fault {
	return Fault{Kind: Reject, Scope: Issue, Code: "E1235", Complement: "The element 'infDPS' in namespace '" + fiscalNamespace +
		"' has invalid child element 'cLocEmi' in namespace '" + fiscalNamespace +
		"'. List of possible elements expected: 'cMotivoEmisTI, finNFSe' in namespace '" + fiscalNamespace + "'."}
}

var kinds = []Kind{
	Drop, Reset, Status, Reject, HalfAnswer, TruncatedGzip, NotBase64, UnreadableXML, MissingXML, WrongSignature, OtherDocument,
	Variant, Latency, ClockSkew, Hide,
}

var variants = []string{ErroObject, ErroArray, ErroString, EmptyErro, Capitalised, TopList, SwappedID}

func (f Fault) check() error {
	switch {
	case !slices.Contains(kinds, f.Kind):
		return fmt.Errorf("kind: %q is not one of %q", f.Kind, kinds)
	case !slices.Contains([]Scope{"", Any, Issue, Query, Cancel}, f.Scope):
		return fmt.Errorf("scope: %q is not any, issue, query or cancel", f.Scope)
	case f.Kind == Variant && !slices.Contains(variants, f.Variant):
		return fmt.Errorf("variant: %q is not one of %q", f.Variant, variants)
	case f.Kind == Status && (f.Status < 200 || f.Status > 599):
		return errors.New("status: must be from 200 to 599")
	case f.Kind == Status && !slices.Contains([]string{"", "html", "erros"}, f.Body):
		return fmt.Errorf("body: %q is not html or erros, or empty", f.Body)
	case f.Kind == Reject && f.Code == "":
		return errors.New("code: must be given")
	case f.Probability < 0 || f.Probability > 1:
		return errors.New("probability: must be from 0 to 1")
	case f.Next < 0 || f.Every < 0 || f.Jitter < 0:
		return errors.New("next, every and jitter: must not be negative")
	}
	return nil
}

// menu chooses the faults of each request.
type menu struct {
	mu      sync.Mutex
	current Faults
	spent   []bool // those whose Next is used up
	seen    []int  // requests in scope, for Every
	random  *rand.Rand
}

// SetFaults replaces the menu; an empty one heals everything.
func (a *Authority) SetFaults(faults Faults) error {
	for i, fault := range faults.List {
		if err := fault.check(); err != nil {
			return fmt.Errorf("faults[%d].%w", i, err)
		}
	}
	a.menu.mu.Lock()
	defer a.menu.mu.Unlock()
	a.menu.current = Faults{Seed: faults.Seed, List: slices.Clone(faults.List)}
	a.menu.spent = make([]bool, len(faults.List))
	a.menu.seen = make([]int, len(faults.List))
	a.menu.random = rand.New(rand.NewPCG(faults.Seed, 0))
	return nil
}

// Faults is the menu as it stands: Next counts down, and what is used up is not
// listed.
func (a *Authority) Faults() Faults {
	a.menu.mu.Lock()
	defer a.menu.mu.Unlock()
	left := Faults{Seed: a.menu.current.Seed, List: []Fault{}}
	for i, fault := range a.menu.current.List {
		if !a.menu.spent[i] {
			left.List = append(left.List, fault)
		}
	}
	return left
}

// plan is what goes wrong with one request.
type plan []Fault

// draw chooses for a request, and returns how long it has to wait.
func (m *menu) draw(scope Scope) (plan, time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var chosen plan
	wait := time.Duration(0)
	for i := range m.current.List {
		fault := &m.current.List[i]
		if fault.Scope != "" && fault.Scope != Any && fault.Scope != scope || !m.applies(i) {
			continue
		}
		chosen = append(chosen, *fault)
		if fault.Kind == Latency {
			wait += time.Duration(fault.Delay)
			if fault.Jitter > 0 {
				wait += time.Duration(m.random.Int64N(int64(fault.Jitter)))
			}
		}
	}
	return chosen, wait
}

func (m *menu) applies(i int) bool {
	fault := &m.current.List[i]
	if m.spent[i] {
		return false
	}
	m.seen[i]++
	if fault.Every > 0 && m.seen[i]%fault.Every != 0 {
		return false
	}
	if fault.Probability > 0 && m.random.Float64() >= fault.Probability {
		return false
	}
	if fault.Next > 0 {
		fault.Next--
		m.spent[i] = fault.Next == 0
	}
	return true
}

// skew is how far the clock is ahead.
func (m *menu) skew() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	ahead := time.Duration(0)
	for _, fault := range m.current.List {
		if fault.Kind == ClockSkew {
			ahead += time.Duration(fault.Delay)
		}
	}
	return ahead
}

// kinds are the names of what applied.
func (p plan) kinds() []string {
	var names []string
	for _, fault := range p {
		if fault.Kind != ClockSkew {
			names = append(names, string(fault.Kind))
		}
	}
	return names
}

func (p plan) find(kind Kind) (Fault, bool) {
	i := slices.IndexFunc(p, func(f Fault) bool { return f.Kind == kind })
	if i < 0 {
		return Fault{}, false
	}
	return p[i], true
}

// instead is the first fault that takes the place of an answer, before or after
// the request is served.
func (p plan) instead(after bool) (Fault, bool) {
	for _, fault := range p {
		switch fault.Kind {
		case Reject:
			if !after {
				return fault, true
			}
		case Drop, Reset, Status:
			if fault.After == after {
				return fault, true
			}
		}
	}
	return Fault{}, false
}

// ParseFaults reads a menu from JSON. A field that does not exist is an error:
// a fault that never happens proves nothing.
func ParseFaults(text []byte) (Faults, error) {
	var faults Faults
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&faults)
	return faults, err
}
