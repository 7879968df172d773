package fact

// First is the first of these facts that is not none; none where all are.
func First(facts ...Fact) Fact {
	for _, one := range facts {
		if !one.None() {
			return one
		}
	}
	return Fact{}
}
