package words

import (
	"strings"
	"unicode/utf8"

	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/nfse/fact"
)

// Fact is the text of a fact in the reader's language; empty where there is none.
func (l Language) Fact(f fact.Fact) string {
	if l == English {
		return f.English()
	}
	return f.Portuguese()
}

// Sentence is the text of a fact as a sentence of its own.
func (l Language) Sentence(f fact.Fact) string {
	said := l.Fact(f)
	_, first := utf8.DecodeRuneInString(said)
	return strings.ToUpper(said[:first]) + strings.TrimSuffix(said[first:], ".") + "."
}

// Detail is what follows the name of a step, in the reader's language.
func (l Language) Detail(f fact.Fact) string {
	if l == English {
		return f.EnglishDetail()
	}
	return f.PortugueseDetail()
}

// Word is the word for a value of a kind, such as the name of a call, in the reader's
// language.
func (l Language) Word(kind, value string) string {
	return fact.Word(kind, value, l != English)
}

// Authority is the name of an authority for people, by its name on record.
func (l Language) Authority(name string) string {
	if by, known := authorities.Named(name); known {
		return l.Of(by)
	}
	return name
}

// Of is the name of an authority for people.
func (l Language) Of(by description.Authority) string {
	if l == English {
		return by.English
	}
	return by.Portuguese
}
