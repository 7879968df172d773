package rulecatalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Handling is what is done about a rule, and why. Tests prove it: an impossible rule
// by random messages, a checked one by a declaration that the check refuses.
type Handling struct {
	Kind   HandlingKind
	Why    string
	Proofs []Proof
}

// HandlingKind is how a rule is handled.
type HandlingKind string

// The kinds of handling.
const (
	Impossible HandlingKind = "impossible" // no message that we build can break it
	Checked    HandlingKind = "checked"    // what would break it is refused, or held, before it takes a number
	Left       HandlingKind = "left"       // only the authority can tell, or it is not about what we send
)

// Proof is what every message shows of an element, named by its path from the
// root: that it is always there, that it never is, or the only value it has.
type Proof struct {
	Path   string
	Always bool
	Only   string // empty when it is never there, or always
}

// parseHandling reads "kind: why" and, in brackets, what every message shows of
// it: "[never PATH; always PATH; only PATH = VALUE]".
func parseHandling(text string) (Handling, error) {
	kind, rest, _ := strings.Cut(text, ": ")
	why, proofs, proven := strings.Cut(rest, " [")
	handling := Handling{Kind: HandlingKind(kind), Why: why}
	switch {
	case !slices.Contains([]HandlingKind{Impossible, Checked, Left}, handling.Kind) || why == "":
		return handling, fmt.Errorf("there is no handling %q", text)
	case !proven:
		return handling, nil
	}
	for proof := range strings.SplitSeq(strings.TrimSuffix(proofs, "]"), "; ") {
		what, path, _ := strings.Cut(proof, " ")
		path, value, valued := strings.Cut(path, " = ")
		if !slices.Contains([]string{"never", "always", "only"}, what) || valued != (what == "only") || path == "" {
			return handling, fmt.Errorf("there is no proof %q", proof)
		}
		handling.Proofs = append(handling.Proofs, Proof{Path: path, Always: what == "always", Only: value})
	}
	return handling, nil
}
