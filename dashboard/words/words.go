// Package words has every text of the dashboard in each of its languages: Portuguese
// first, and English as a full translation.
//
// A message has a key and both of its texts in a line of a table, in the file of its page; %s and its like stand for
// arguments, as fmt has them. A test checks that no key is missing and none is unused. Both languages form plurals
// alike, so there is no library for them: the message for a count of one has a key of its own that ends in .one.
package words

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"emissor/internal/tsv"
)

// Language is one of the dashboard's languages, by its tag.
type Language string

// The languages.
const (
	Portuguese Language = "pt-BR"
	English    Language = "en"
)

// Languages are all languages; the first one is the default.
var Languages = []Language{Portuguese, English}

// text is one message in each language.
type text struct{ portuguese, english string }

//go:embed *.tsv
var tables embed.FS

// messages are the messages of every page by their keys. Tests read them all, so what is wrong with a table is seen
// there.
var messages = sync.OnceValue(func() map[string]text {
	all := map[string]text{}
	for _, file := range tsv.Files(tables) {
		for _, row := range tsv.Must(tables, file) {
			if _, twice := all[row[0]]; twice {
				panic("words: the key " + row[0] + " is there twice")
			}
			all[row[0]] = text{row[1], row[2]}
		}
	}
	return all
})

// Has reports whether there is a message with this key.
func Has(key string) bool {
	_, has := messages()[key]
	return has
}

// Say returns a message with its arguments filled in.
func (l Language) Say(key string, args ...any) string {
	message, has := messages()[key]
	if !has {
		return key // a test checks that this does not happen
	}
	chosen := l.of(message)
	if len(args) == 0 {
		return chosen
	}
	return fmt.Sprintf(chosen, args...)
}

// of is the text of a message in this language.
func (l Language) of(message text) string {
	if l == English {
		return message.english
	}
	return message.portuguese
}

// Count returns a message that counts something.
func (l Language) Count(key string, n int) string {
	if n != 1 {
		return l.Say(key, n)
	}
	key += ".one"
	if !strings.Contains(l.of(messages()[key]), "%") { // it says one in letters, or in no way
		return l.Say(key)
	}
	return l.Say(key, n)
}

var matcher = language.NewMatcher([]language.Tag{language.BrazilianPortuguese, language.English})

// Choose finds the language for somebody who chose one, or else whose browser
// accepts some.
func Choose(chosen, acceptLanguage string) Language {
	for _, known := range Languages {
		if string(known) == chosen {
			return known
		}
	}
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return Portuguese
	}
	_, index, confidence := matcher.Match(tags...)
	if confidence == language.No {
		return Portuguese
	}
	return Languages[index]
}
