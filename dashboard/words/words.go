// Package words has every text of the dashboard in each of its languages: Portuguese
// first, and English as a full translation.
//
// A message has a key and both of its texts side by side, in the file of its page. The
// compiler checks that both are there, and a test that no key is missing and none is
// unused. Both languages form plurals alike, so there is no library for them: the message
// for a count of one has a key of its own that ends in .one.
package words

import (
	"fmt"
	"maps"
	"strings"

	"golang.org/x/text/language"
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

// table is the messages of a page by their keys.
type table map[string]text

// all are the messages of every page.
var all = joined(
	frame, acts, problems, signIn, session, people, notes, messages, totals, taxation, registers, groups,
	issue, conversation, overview, integrations, webhooks, catalogue, classify, company, calendar, doctor, emails,
	ledger, closing, audit, auditFields, operations, oidc, start, requests, companies, statusOfAuthorities,
	batches, received, alerts, filters, search, emailTemplate, recurring,
)

func joined(tables ...table) table {
	all := table{}
	for _, one := range tables {
		for key := range one {
			if _, twice := all[key]; twice {
				panic("words: the key " + key + " is there twice")
			}
		}
		maps.Copy(all, one)
	}
	return all
}

// Has reports whether there is a message with this key.
func Has(key string) bool {
	_, has := all[key]
	return has
}

// Say returns a message with its arguments filled in.
func (l Language) Say(key string, args ...any) string {
	message, has := all[key]
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
	if !strings.Contains(l.of(all[key]), "%") { // it says one in letters, or in no way
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
