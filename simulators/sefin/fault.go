package sefin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Scope is which requests a fault is for.
type Scope string

// The scopes. An empty one is Any.
const (
	Any    Scope = "any"
	Issue  Scope = "issue"  // POST /nfse
	Query  Scope = "query"  // GET and HEAD of /dps and /nfse, and of an event
	Cancel Scope = "cancel" // POST /nfse/{key}/eventos

	Parameters   Scope = "parameters"   // GET of municipal parameters
	Distribution Scope = "distribution" // GET of the ADN: what it distributes
)

// Kind is what goes wrong.
type Kind string

// The kinds that take the place of the response. With After the request is first
// served: what it asks for is done, and the response is lost.
const (
	Drop   Kind = "drop"   // the connection is closed
	Reset  Kind = "reset"  // the connection is reset
	Status Kind = "status" // Status and Body are answered
	Reject Kind = "reject" // Code is answered as by the authority; nothing is done, After or not
)

// The kinds that corrupt an answer after the request was served.
const (
	HalfAnswer     Kind = "half_answer"     // the connection is closed in the middle of it
	TruncatedGzip  Kind = "truncated_gzip"  // the document ends in the middle
	NotBase64      Kind = "not_base64"      // the document is not base64
	UnreadableXML  Kind = "unreadable_xml"  // the document unpacks to what is no XML
	ElementBomb    Kind = "element_bomb"    // the document unpacks to millions of elements
	NestedBomb     Kind = "nested_bomb"     // the document unpacks to millions of elements within each other
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
	Body       string   `json:"body,omitempty"`        // Status: "" (none), "html", or "erros"
	RetryAfter string   `json:"retry_after,omitempty"` // Status: the header
	Code       string   `json:"code,omitempty"`        // Reject, and Status with erros
	Complement string   `json:"complement,omitempty"`  // beside Code
	Variant    string   `json:"variant,omitempty"`
}

// FaultProfile is all that goes wrong. The same seed makes the same choices for
// the same sequence of requests.
type FaultProfile struct {
	Seed   uint64  `json:"seed,omitempty"`
	Faults []Fault `json:"faults"`
}

// ParseFaultProfile reads a profile from JSON. A field that does not exist is an
// error: a fault that never happens proves nothing.
func ParseFaultProfile(text []byte) (FaultProfile, error) {
	var profile FaultProfile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&profile)
	return profile, err
}

// WrongLayout returns the rejection by which the authority says that it wants the
// layout of NT 009.
func WrongLayout() Fault {
	const in = " in namespace '" + fiscalNamespace + "'"
	return Fault{
		Kind: Reject, Scope: Issue, Code: "E1235",
		Complement: "The element 'infDPS'" + in + " has invalid child element 'cLocEmi'" + in +
			". List of possible elements expected: 'cMotivoEmisTI, finNFSe'" + in + ".",
	}
}

var kinds = []Kind{
	Drop, Reset, Status, Reject, HalfAnswer, TruncatedGzip, NotBase64, UnreadableXML, ElementBomb, NestedBomb,
	MissingXML, WrongSignature,
	OtherDocument, Variant, Latency, ClockSkew, Hide,
}

var variants = []string{ErroObject, ErroArray, ErroString, EmptyErro, Capitalised, TopList, SwappedID}

// validate returns an error that begins with the field that is wrong.
func (f Fault) validate() error {
	switch {
	case !slices.Contains(kinds, f.Kind):
		return fmt.Errorf("kind: %q is not one of %q", f.Kind, kinds)
	case !slices.Contains([]Scope{"", Any, Issue, Query, Cancel, Parameters, Distribution}, f.Scope):
		return fmt.Errorf("scope: %q is not any, issue, query, cancel, parameters or distribution", f.Scope)
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
