package rulecatalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Coverage is what is done about a rule, and why. Tests prove it: an impossible rule
// by random messages, a checked one by a declaration that the check refuses.
type Coverage struct {
	Kind   CoverageKind
	Why    string
	Proofs []Proof
}

// CoverageKind is how a rule is covered.
type CoverageKind string

// The kinds of coverage.
const (
	Impossible CoverageKind = "impossible" // no message that we build can break it
	Checked    CoverageKind = "checked"    // what would break it is refused, or held, before it takes a number
	Left       CoverageKind = "left"       // only the authority can tell, or it is not about what we send
)

// Proof is what every message shows of an element, named by its path from the
// root: that it is always there, that it never is, or the only value it has.
type Proof struct {
	Path   string
	Always bool
	Only   string // empty when it is never there, or always
}

// parseCoverage reads "kind: why" and, in brackets, what every message shows of
// it: "[never PATH; always PATH; only PATH = VALUE]".
func parseCoverage(text string) (Coverage, error) {
	kind, rest, _ := strings.Cut(text, ": ")
	why, proofs, proven := strings.Cut(rest, " [")
	coverage := Coverage{Kind: CoverageKind(kind), Why: why}
	switch {
	case !slices.Contains([]CoverageKind{Impossible, Checked, Left}, coverage.Kind) || why == "":
		return coverage, fmt.Errorf("there is no coverage %q", text)
	case !proven:
		return coverage, nil
	}
	for proof := range strings.SplitSeq(strings.TrimSuffix(proofs, "]"), "; ") {
		what, path, _ := strings.Cut(proof, " ")
		path, value, valued := strings.Cut(path, " = ")
		if !slices.Contains([]string{"never", "always", "only"}, what) || valued != (what == "only") || path == "" {
			return coverage, fmt.Errorf("there is no proof %q", proof)
		}
		coverage.Proofs = append(coverage.Proofs, Proof{Path: path, Always: what == "always", Only: value})
	}
	return coverage, nil
}
