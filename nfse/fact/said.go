package fact

// InWords is Said of these words; none where there are none.
func InWords(words string) Fact {
	if words == "" {
		return Fact{}
	}
	return Said.With("words", words)
}
