package fact

// Said is what somebody else said, whose words are quoted in any language: an operator, a
// receiver, a city.
var Said = define("said", "“{words}”", "“{words}”")

// InWords is Said of these words; none where there are none.
func InWords(words string) Fact {
	if words == "" {
		return Fact{}
	}
	return Said.With("words", words)
}
