package taxation

import "slices"

// atTaker are the indicators whose place is the taker's, or a recipient's who is the
// taker in what we write (E0187, E0234).
var atTaker = []string{
	"030102", "030103", "050102", "050103",
	"100101", "100102", "100201", "100301", "100302", "100401", "100501", "100502", "100601",
}

// PlacedAtTaker reports whether the place of an operation is the taker's address,
// by its cIndOp.
func PlacedAtTaker(cIndOp string) bool { return slices.Contains(atTaker, cIndOp) }
