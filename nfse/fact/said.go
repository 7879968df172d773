package fact

// Said quotes the words of others, in whatever language they are: an operator's, a
// receiver's, a city's.
var Said = define("said", "“{words}”", "“{words}”")

// InWords is Said of these words; none where there are none.
func InWords(words string) Fact {
	if words == "" {
		return Fact{}
	}
	return Said.With("words", words)
}
