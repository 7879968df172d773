package fact

// First is the first of these that is a fact; none where none is.
func First(facts ...Fact) Fact {
	for _, one := range facts {
		if !one.None() {
			return one
		}
	}
	return Fact{}
}
