package saopaulo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// taxClassTable holds the cClassTrib of 2026-10-01. A line is a CST with the last three
// digits of its codes: those for services, and behind the bar those that only other
// documents have.
const taxClassTable = `
000 001 006 | 002-005
010 001-002 |
011 003 | 001-002 004-005
200 001 004-008 016-017 019-021 025-031 037-046 048 051-052 054-056
200 | 002-003 009-015 018 022-024 032-036 047 049-050 053
220 | 001-003
221 001 | 002-004
222 | 001
400 001 | 002-004
410 001 003-010 012 014-015 026-027 033 035 999 | 002 011 013 016-025 028-032 034 036-037
510 | 001
515 001 |
550 016 022 | 001-015 017-021 023-029
620 | 001-007
800 001-002 |
810 | 001
811 001-003 |
820 001-004 006-007 009 | 005 008
830 | 001
`

// suspended is the CST whose codes need to know what they would be without suspension.
const suspended = "550"

// Of other CST two codes do, and three are not in force any more.
var (
	alsoSuspended = []string{"200022", "200024"}
	lastDays      = map[string]string{"220001": "2026-01-01", "220002": "2026-01-01", "220003": "2026-01-01"}
)

// firstDay is from when the codes are in force.
const firstDay = "2026-01-01"

// taxClass is what is known of a cClassTrib.
type taxClass struct {
	Period
	ofServices bool
	suspends   bool // needs cClassTribReg, which no other may have
}

// taxClasses are the table by CST and code.
var taxClasses = sync.OnceValue(func() map[string]map[string]taxClass {
	situations := map[string]map[string]taxClass{}
	for line := range strings.Lines(strings.TrimSpace(taxClassTable)) {
		words := strings.Fields(line)
		situation, ofServices := words[0], true
		if situations[situation] == nil {
			situations[situation] = map[string]taxClass{}
		}
		for _, word := range words[1:] {
			if word == "|" {
				ofServices = false
				continue
			}
			for _, ending := range span(word) {
				code := situation + ending
				situations[situation][code] = taxClass{
					Period: Period{From: firstDay, To: lastDays[code]}, ofServices: ofServices,
					suspends: situation == suspended || slices.Contains(alsoSuspended, code),
				}
			}
		}
	}
	return situations
})

// span is the endings from one to another, as in 004-008.
func span(word string) (endings []string) {
	first, last, several := strings.Cut(word, "-")
	if !several {
		return []string{word}
	}
	from, _ := strconv.Atoi(first)
	to, _ := strconv.Atoi(last)
	for ending := from; ending <= to; ending++ {
		endings = append(endings, fmt.Sprintf("%03d", ending))
	}
	return endings
}

// supplyPlace says where a supply takes place, as far as an RPS says it.
type supplyPlace string

const (
	asSaid      supplyPlace = "said"      // where cLocPrestacao or cPaisPrestacao says
	atProvider  supplyPlace = "provider"  // where who issues is established: in São Paulo
	atRecipient supplyPlace = "recipient" // where the recipient lives
	atProperty  supplyPlace = "property"  // where the property of imovelobra lies
	atEvent     supplyPlace = "event"     // where the event of atvEvento is
)

// supplyTable holds the cIndOp of Annex VII, v1.02.00, that are for NFS-e, by where each
// takes place.
const supplyTable = `
said      010102 010103 010106 030102 050102 050201 060101 070101 070102
provider  010101 030101 050101
recipient 100101 100102 100201 100301 100302 100401
property  020101 020201 020202 020301 020401
event     040101
`

// supplies are the table by code.
var supplies = sync.OnceValue(func() map[string]supplyPlace {
	places := map[string]supplyPlace{}
	for line := range strings.Lines(strings.TrimSpace(supplyTable)) {
		words := strings.Fields(line)
		for _, code := range words[1:] {
			places[code] = supplyPlace(words[0])
		}
	}
	return places
})
