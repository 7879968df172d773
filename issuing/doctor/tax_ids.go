package doctor

import (
	"regexp"

	"emissor/nfse"
)

// English is what was seen and what is to be done, in sentences, for the reader of the report: a tax id in the words
// of others, such as a server's, is left out.
func (f Finding) English() (seen, do string) { return shown(f.Seen.English()), shown(f.Do.English()) }

// Portuguese is the same in Portuguese.
func (f Finding) Portuguese() (seen, do string) {
	return shown(f.Seen.Portuguese()), shown(f.Do.Portuguese())
}

func shown(text string) string { return sentence(hidden(text)) }

// mayBeTaxID are the forms of a tax id: as it is kept, and as people write it.
var mayBeTaxID = []*regexp.Regexp{
	regexp.MustCompile(`[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-[0-9]{2}`),
	regexp.MustCompile(`[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}`),
	regexp.MustCompile(`[0-9A-Z]+`),
}

// hidden leaves the tax ids out of a text.
func hidden(text string) string {
	for _, form := range mayBeTaxID {
		text = form.ReplaceAllStringFunc(text, func(found string) string {
			if _, err := nfse.ParseTaxID(found); err != nil {
				return found
			}
			return "…"
		})
	}
	return text
}
