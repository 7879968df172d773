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

// And is one fact of two, of which either may be none.
func (f Fact) And(other Fact) Fact {
	switch {
	case f.None():
		return other
	case other.None() || other.Equal(f):
		return f
	}
	return Joined.With("facts", []Fact{f, other})
}
