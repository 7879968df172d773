package fact

// Word is the word for a value of a kind: in Portuguese, or else in English.
func Word(kind, value string, portuguese bool) string {
	l := inEnglish
	if portuguese {
		l = inPortuguese
	}
	return filled(value, kind, l)
}
