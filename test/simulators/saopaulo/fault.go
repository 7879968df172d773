package saopaulo

import (
	"fmt"

	"emissor/test/simulators/shared/fault"
)

// What goes wrong, and how it is said.
type (
	Scope        = fault.Scope   // which requests a fault is for
	Kind         = fault.Kind    // what goes wrong
	Fault        = fault.Fault   // one thing that goes wrong
	FaultProfile = fault.Profile // all that goes wrong
)

// The scopes. An empty one is Any.
const (
	Any                = fault.Any
	Issue        Scope = "issue"        // EnvioRPS, EnvioLoteRPS
	Test         Scope = "test"         // TesteEnvioLoteRPS
	Query        Scope = "query"        // ConsultaNFe, ConsultaNFeEmitidas
	Cancel       Scope = "cancel"       // CancelamentoNFe
	Registration Scope = "registration" // ConsultaCNPJ
)

// The kinds that take the place of the response. With After the request is first
// served: what it asks for is done, and the response is lost.
const (
	Drop   = fault.Drop   // the connection is closed
	Reset  = fault.Reset  // the connection is reset
	Status = fault.Status // Status and Body are answered
	Reject = fault.Reject // Code is answered as an error of the city; nothing is done, After or not
)

// The bodies of Status, beside none and "html".
const (
	SOAPFault   = "soap_fault"   // a fault of the request's SOAP version
	SOAP11Fault = "soap11_fault" // a fault of SOAP 1.1, regardless of the request's version
)

// The kinds that corrupt an answer after the request was served.
const (
	HalfAnswer         = fault.HalfAnswer // the connection is closed in the middle of it
	TruncatedXML  Kind = "truncated_xml"  // RetornoXML ends in the middle
	UnreadableXML Kind = "unreadable_xml" // RetornoXML is no XML
	MissingXML    Kind = "missing_xml"    // there is no RetornoXML
	ElementBomb   Kind = "element_bomb"   // RetornoXML holds a million elements
	NestedBomb    Kind = "nested_bomb"    // RetornoXML holds a million elements within each other
	OtherDocument Kind = "other_document" // the answer is about the RPS and the note of the next number
	WrongTotals   Kind = "wrong_totals"   // of a note, ValorISS is a cent too high
	OddTotals     Kind = "odd_totals"     // of a note, ValorISS is no amount
	Variant       Kind = "variant"        // the answer has one of its odd forms: Variant
)

// The kinds that last.
const (
	Latency   = fault.Latency   // Delay and up to Jitter pass before anything else
	ClockSkew = fault.ClockSkew // the city's clock is Delay ahead (or, negative, behind)
	Hide      = fault.Hide      // for Delay after a note was issued, it is not found: late indexing
)

// The odd forms that answers come in (Variant).
const (
	Qualified   = "qualified"   // children without xmlns="": in the namespace of the root
	Declaration = "declaration" // RetornoXML begins with an XML declaration
	ByteOrder   = "byte_order"  // RetornoXML begins with a byte order mark
	CDATA       = "cdata"       // RetornoXML is CDATA, not escaped
	Indented    = "indented"    // with line breaks between elements
)

var knownFaults = fault.Known{
	Kinds: []Kind{
		Drop, Reset, Status, Reject, HalfAnswer, TruncatedXML, UnreadableXML, MissingXML, ElementBomb, NestedBomb,
		OtherDocument, WrongTotals, OddTotals, Variant, Latency, ClockSkew, Hide,
	},
	Scopes:   []Scope{Issue, Test, Query, Cancel, Registration},
	Bodies:   []string{SOAPFault, SOAP11Fault},
	Variant:  Variant,
	Variants: []string{Qualified, Declaration, ByteOrder, CDATA, Indented},
	Code: func(code string) error {
		if _, err := parseCode(code); err != nil {
			return fmt.Errorf("%q is not a number, such as 1110", code)
		}
		return nil
	},
}
