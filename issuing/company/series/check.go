// Package series checks the series of a company whose numbers must not be sent twice: it asks the
// authority which numbers are used.
package series

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/numbers"
)

// mostOpen are the most numbers with an open outcome that are asked about.
const mostOpen = 1000

// Authority is asked which numbers are used.
type Authority interface {
	fiscal.NumberFinder
	Capabilities() fiscal.Capabilities
}

// State is what an authority says of a number.
type State string

// What an authority says of a number.
const (
	Free    State = "free"
	Used    State = "used"
	Unknown State = "unknown"
)

// Number is a number of a series that is used at the authority, or whose outcome is open here.
type Number struct {
	Number   int64  `json:"number"`
	State    State  `json:"state"`    // at the authority
	Document string `json:"document"` // the number of the authority's document, where it says it
	NoteID   string `json:"note_id"`  // the note that has taken the number here
	Here     string `json:"here"`     // the state of that note's exchange here
}

// Check is what an authority says of a series.
type Check struct {
	From, Through int64     // the next numbers
	Free          int       // of those
	Numbers       []Number  // open, used or unknown, as a person should know
	Unknown       fact.Fact // why some are; none when none is
	Held          fact.Fact // why nothing may be sent under the series; none when it may
}

// CheckTakesTurns refuses a profile whose authority takes a number once and for all.
func CheckTakesTurns(profile nfse.FiscalProfile) error {
	if by, _ := authorities.Named(profile.Authority); !by.TakesTurns {
		return fmt.Errorf("the organization issues by the authority %s, which takes a number once and for all: "+
			"there is nothing to check", profile.Authority)
	}
	return nil
}

// Ask asks an authority about the next numbers of a profile's series, as many as fit into one
// question, and about those of notes whose outcome is open. It changes nothing.
func Ask(
	ctx context.Context, db *store.Store, authority Authority, as fiscal.Access, profile nfse.FiscalProfile,
) (check Check, err error) {
	if check.From, err = db.Lifecycle.NextNumber(ctx, profile); err != nil {
		return check, err
	}
	most := authority.MaxNumbers()
	check.Through = min(check.From+int64(most)-1, profile.LastNumber(authority.Capabilities().NumberLimit()))
	taken, err := db.Numbers.OpenNumbers(ctx, profile, mostOpen)
	if err != nil {
		return check, err
	}
	var open, next []int64
	for _, one := range taken {
		open = append(open, one.Number)
	}
	for number := check.From; number <= check.Through; number++ {
		next = append(next, number)
	}
	questions := slices.Collect(slices.Chunk(open, most))
	if len(next) > 0 { // else no number is left
		questions = append(questions, next)
	}
	said, err := ask(ctx, authority, as, profile, questions)
	if err != nil {
		return check, err
	}
	check.Unknown = said.Reason
	shown := open
	for _, number := range next {
		if slices.Contains(said.Free, number) {
			check.Free++
		} else {
			shown = append(shown, number)
		}
	}
	if check.Numbers, err = onRecord(ctx, db, profile, shown, said); err != nil {
		return check, err
	}
	check.Held, err = db.Numbers.SeriesHeld(ctx, profile.SeriesKey())
	return check, err
}

// ask asks the questions and joins the answers. An answer that says nothing of any number is an
// error.
func ask(
	ctx context.Context, authority Authority, as fiscal.Access, profile nfse.FiscalProfile, questions [][]int64,
) (fiscal.Numbers, error) {
	all := fiscal.Numbers{Documents: map[int64]string{}}
	for _, some := range questions {
		said := authority.FindNumbers(ctx, as, profile, some)
		if !said.KnowsSomething() {
			return all, errors.New("the city did not say which numbers are used: " + said.Reason.English())
		}
		all.Free, all.Used = append(all.Free, said.Free...), append(all.Used, said.Used...)
		maps.Copy(all.Documents, said.Documents)
		if !said.Reason.None() {
			all.Reason = said.Reason
		}
	}
	return all, nil
}

// onRecord is what was said of some numbers, with what is on record of each.
func onRecord(
	ctx context.Context, db *store.Store, profile nfse.FiscalProfile, some []int64, said fiscal.Numbers,
) ([]Number, error) {
	taken, err := db.Numbers.TakenNumbers(ctx, profile.SeriesKey(), some)
	all := make([]Number, len(some))
	for i, number := range some {
		one := Number{Number: number, State: Unknown, Document: said.Documents[number]}
		switch {
		case slices.Contains(said.Used, number):
			one.State = Used
		case slices.Contains(said.Free, number):
			one.State = Free
		}
		if at := slices.IndexFunc(taken, func(t numbers.TakenNumber) bool { return t.Number == number }); at >= 0 {
			one.NoteID, one.Here = taken[at].NoteID, string(taken[at].State)
		}
		all[i] = one
	}
	return all, err
}
