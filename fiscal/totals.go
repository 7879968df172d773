package fiscal

import (
	"slices"
	"strings"

	"emissor/nfse/fact"
)

// TotalsReader reads the amounts that a document states, an element at a time, and keeps which of them cannot be
// read. Those are nil, and stop nothing: a note is issued, no matter what is written beside its number.
type TotalsReader struct {
	// Cents reads an amount as the authority writes it.
	Cents  func(amount string) (cents int64, ok bool)
	unread []string
}

// Amount reads the amount of an element by all its texts: it is there once, or not at all, and
// then nil.
func (r *TotalsReader) Amount(element string, texts []string) *int64 {
	if len(texts) == 0 {
		return nil
	}
	cents, ok := r.Cents(strings.TrimSpace(texts[0]))
	if len(texts) > 1 || !ok {
		r.Unreadable(element)
		return nil
	}
	return &cents
}

// Filled is Amount where nothing is written as 0: it is nil then, as it states nothing.
func (r *TotalsReader) Filled(element string, texts []string) *int64 {
	cents := r.Amount(element, texts)
	if cents != nil && *cents == 0 {
		return nil
	}
	return cents
}

// Word reads an element of one of some words; it is empty where it is not there, and where it
// cannot be read.
func (r *TotalsReader) Word(element string, texts []string, words ...string) string {
	if len(texts) == 0 {
		return ""
	}
	word := strings.TrimSpace(texts[0])
	if len(texts) > 1 || !slices.Contains(words, word) {
		r.Unreadable(element)
		return ""
	}
	return word
}

// Unreadable records that an element cannot be read.
func (r *TotalsReader) Unreadable(element string) { r.unread = append(r.unread, element) }

// Reads reports whether none of some elements could not be read.
func (r *TotalsReader) Reads(elements ...string) bool {
	return !slices.ContainsFunc(r.unread, func(one string) bool { return slices.Contains(elements, one) })
}

// Alarm says which elements cannot be read; none where all can.
func (r *TotalsReader) Alarm() fact.Fact {
	if len(r.unread) == 0 {
		return fact.Fact{}
	}
	return fact.TotalsUnread.With("elements", strings.Join(r.unread, ", "))
}
