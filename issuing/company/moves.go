package company

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"emissor/nfse"
)

// Present is a profile as it holds for notes of today.
func Present(profile nfse.FiscalProfile) nfse.FiscalProfile {
	return profile.On(nfse.DayOf(time.Now()))
}

// NoMoves is what is given in place of moves to have none.
const NoMoves = "none"

var errMove = errors.New("must be DAY=AUTHORITY:SERIES, as 2027-01-01=national:2, with granted numbers " +
	"DAY=AUTHORITY:SERIES:FIRST-LAST, or none")

// ParseMoves reads moves as MoveWords prints them, in any order; NoMoves is none. The message of its
// error reads after the name of a field. Whether notes can be issued so CheckProfile says.
func ParseMoves(given []string) (moves []nfse.Move, err error) {
	if len(given) == 1 && strings.TrimSpace(given[0]) == NoMoves {
		return nil, nil
	}
	for _, words := range given {
		day, to, paired := strings.Cut(strings.TrimSpace(words), "=")
		authority, series, named := strings.Cut(to, ":")
		series, granted, grants := strings.Cut(series, ":")
		move := nfse.Move{Authority: strings.TrimSpace(authority)}
		if !paired || !named {
			return nil, errMove
		}
		if move.From, err = nfse.ParseDay(strings.TrimSpace(day)); err != nil {
			return nil, errMove
		}
		if move.Series, err = strconv.Atoi(strings.TrimSpace(series)); err != nil {
			return nil, errMove
		}
		if grants {
			numbers, err := nfse.ParseNumberRange(granted)
			if err != nil {
				return nil, errMove
			}
			move.GrantedNumbers = &numbers
		}
		moves = append(moves, move)
	}
	slices.SortStableFunc(moves, func(a, b nfse.Move) int { return cmp.Compare(a.From, b.From) })
	return moves, nil
}

// MoveWords prints a move: 2027-01-01=national:2, or 2027-01-01=brasilia:2:1-500.
func MoveWords(move nfse.Move) string {
	words := fmt.Sprintf("%s=%s:%d", move.From, move.Authority, move.Series)
	if move.GrantedNumbers != nil {
		words += ":" + move.GrantedNumbers.String()
	}
	return words
}

// ParseGrantedNumbers reads the range of numbers that a city has granted; nil where none is given. The
// message of its error reads after the name of a field.
func ParseGrantedNumbers(text string) (*nfse.NumberRange, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	granted, err := nfse.ParseNumberRange(text)
	if err != nil {
		return nil, err
	}
	return &granted, nil
}

// checkMoves refuses moves that are not in the order of distinct days, and those to an authority by
// whose rules the profile could not issue.
func checkMoves(profile nfse.FiscalProfile) error {
	for i, move := range profile.Moves {
		if _, err := nfse.ParseDay(string(move.From)); err != nil {
			return nfse.Invalid("moves", "has a day that %s", err)
		}
		if i > 0 && move.From <= profile.Moves[i-1].From {
			return nfse.Invalid("moves", "must be of distinct days, in their order")
		}
		err := checkByAuthority(profile.Periods()[i+1])
		var invalid *nfse.Error
		if errors.As(err, &invalid) {
			return nfse.Invalid("moves", "from %s on, %s: %s", move.From, invalid.Field, invalid.Message)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkByAuthority refuses a profile without moves by the rules of its authority.
func checkByAuthority(profile nfse.FiscalProfile) error {
	by, err := authorityOf(profile)
	if err != nil {
		return err
	}
	granted := profile.GrantedNumbers
	if granted != nil && (granted.First < 1 || granted.Last < granted.First || granted.Last > by.GreatestNumber) {
		return nfse.Invalid("granted_numbers", "must be from 1 to %d, the first before the last", by.GreatestNumber)
	}
	return by.ValidateProfile(profile)
}
