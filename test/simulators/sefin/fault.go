package sefin

import "emissor/test/simulators/shared/fault"

// What goes wrong, and how it is said.
type (
	Scope        = fault.Scope    // which requests a fault is for
	Kind         = fault.Kind     // what goes wrong
	Fault        = fault.Fault    // one thing that goes wrong
	FaultProfile = fault.Profile  // all that goes wrong
	Duration     = fault.Duration // a time.Duration that is written as text, such as 500ms
)

// The scopes. An empty one is Any.
const (
	Any          = fault.Any
	Issue  Scope = "issue"  // POST /nfse
	Query  Scope = "query"  // GET and HEAD of /dps and /nfse, and of an event
	Cancel Scope = "cancel" // POST /nfse/{key}/eventos

	Parameters   Scope = "parameters"   // GET of municipal parameters
	Distribution Scope = "distribution" // GET of the ADN: what it distributes
)

// The kinds that take the place of the response. With After the request is first
// served: what it asks for is done, and the response is lost.
const (
	Drop   = fault.Drop   // the connection is closed
	Reset  = fault.Reset  // the connection is reset
	Status = fault.Status // Status and Body are answered
	Reject = fault.Reject // Code is answered as by the authority; nothing is done, After or not
)

// The kinds that corrupt an answer after the request was served.
const (
	HalfAnswer          = fault.HalfAnswer  // the connection is closed in the middle of it
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

// The kinds by which the note that is issued states other totals than it should, signed like
// any.
const (
	WrongTotals Kind = "wrong_totals" // vLiq is a cent too high
	OddTotals   Kind = "odd_totals"   // vLiq is no amount
)

// The kinds that last.
const (
	Latency   = fault.Latency   // Delay and up to Jitter pass before anything else
	ClockSkew = fault.ClockSkew // the authority's clock is Delay ahead (or, negative, behind)
	Hide      = fault.Hide      // for Delay after a note was issued, its DPS is not found
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

// ParseFaultProfile reads a profile from JSON. A field that does not exist is an
// error: a fault that never happens proves nothing.
func ParseFaultProfile(text []byte) (FaultProfile, error) { return fault.ParseProfile(text) }

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

var knownFaults = fault.Known{
	Kinds: []Kind{
		Drop, Reset, Status, Reject, HalfAnswer, TruncatedGzip, NotBase64, UnreadableXML, ElementBomb, NestedBomb,
		MissingXML, WrongSignature, OtherDocument, Variant, WrongTotals, OddTotals, Latency, ClockSkew, Hide,
	},
	Scopes:  []Scope{Issue, Query, Cancel, Parameters, Distribution},
	Bodies:  []string{"erros"},
	Variant: Variant,
	Variants: []string{
		ErroObject, ErroArray, ErroString, EmptyErro, Capitalised, TopList, SwappedID,
	},
}
