package nfse

import (
	"errors"
	"strconv"
	"strings"
)

// NumberRange are numbers that a city has granted for a series, of which Last is one. Others of the
// series a company does not use.
type NumberRange struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// ParseNumberRange reads a range as String prints it: 1-500. The message of its error reads after the
// name of a field.
func ParseNumberRange(text string) (NumberRange, error) {
	first, last, paired := strings.Cut(text, "-")
	var granted NumberRange
	var wrongFirst, wrongLast error
	granted.First, wrongFirst = strconv.ParseInt(strings.TrimSpace(first), 10, 64)
	granted.Last, wrongLast = strconv.ParseInt(strings.TrimSpace(last), 10, 64)
	if !paired || wrongFirst != nil || wrongLast != nil || granted.First < 1 || granted.Last < granted.First {
		return NumberRange{}, errors.New("must be the first and the last number, as 1-500")
	}
	return granted, nil
}

// String prints the first and the last number: 1-500.
func (r NumberRange) String() string {
	return strconv.FormatInt(r.First, 10) + "-" + strconv.FormatInt(r.Last, 10)
}

// few is how many numbers are few, of a large range and of a small one: then it is time to ask for
// more.
const few, fewPercent = 20, 10

// Left is how many numbers are left when next is the next one, and whether they are few: less than a
// tenth, or less than 20.
func (r NumberRange) Left(next int64) (left int64, isFew bool) {
	left = max(0, r.Last-max(next, r.First)+1)
	return left, left < few || left < (r.Last-r.First+1)*fewPercent/100
}

// NextNumber is the number that a series goes on from whose sequence is at next: none before those that
// were granted.
func (p FiscalProfile) NextNumber(next int64) int64 {
	if p.GrantedNumbers == nil {
		return next
	}
	return max(next, p.GrantedNumbers.First)
}

// LastNumber is the last number that a document of the profile may have, of an authority whose
// documents have none greater than limit.
func (p FiscalProfile) LastNumber(limit int64) int64 {
	if p.GrantedNumbers == nil {
		return limit
	}
	return min(limit, p.GrantedNumbers.Last)
}
