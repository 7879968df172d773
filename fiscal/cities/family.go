package cities

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Family is the protocol of a supplier of cities' servers. Which the program speaks, and what their rows may say,
// package cityserver knows.
type Family string

// A Quirk is in what the server of one city differs from what its family does by default.
type Quirk string

// The quirks that more than one family takes, or that are seen to for all of them. A family has its own beside.
const (
	// Series are the numbers of series that the city leaves to companies, as 10001-49999.
	Series Quirk = "series"
	// Paths names the paths of the calls, where they differ from the family's.
	Paths Quirk = "paths"
	// KeyInfo is full where a signature names its certificate by subject and serial number too.
	KeyInfo Quirk = "key-info"
	// Cancelling is off where the city takes no cancellation from programs, or the event by which it
	// takes one: e101101.
	Cancelling Quirk = "cancelling"
	// NotFounds is how many questions must find nothing before a declaration is sent again.
	NotFounds Quirk = "not-founds"
	// GracePeriod is how long after a sending a question that finds nothing proves nothing.
	GracePeriod Quirk = "grace-period"
	// SendTimeout and AskTimeout are the longest that a sending, and a question, may take.
	SendTimeout Quirk = "send-timeout"
	AskTimeout  Quirk = "ask-timeout"
	// Rate is how many calls a second all workers together make at most.
	Rate Quirk = "rate"
	// TLS is the highest version, and whether the server may renegotiate: 1.3, 1.2, 1.2-once
	// or 1.2-freely.
	TLS Quirk = "tls"
	// NotFoundCodes are the codes by which the question about a declaration finds nothing, as E212,E213.
	NotFoundCodes Quirk = "not-found"
)

// Meaning is what the value of a quirk must be, and what the quirk means, for people.
type Meaning struct {
	Check func(value string) error
	Means string
}

// common are the quirks that every family takes.
var common = map[Quirk]Meaning{
	Series: {Check: isSeries, Means: "the series that the city leaves to companies; others are held"},
	NotFounds: {Check: OneOf("1", "2", "3"),
		Means: "so many questions must find nothing before a declaration is sent again"},
	GracePeriod: {Check: isDuration(time.Hour),
		Means: "for so long after a sending a question that finds nothing proves nothing"},
	SendTimeout: {Check: isDuration(LongestCall), Means: "the longest that a sending may take"},
	AskTimeout:  {Check: isDuration(LongestCall), Means: "the longest that a question may take"},
	Rate:        {Check: isRate, Means: "calls a second, of all workers together"},
	TLS:         {Check: isTLS, Means: "the highest version of TLS, and whether the server may renegotiate"},
}

// CancellingBy is the meaning of Cancelling in a family whose cities are known by these words.
func CancellingBy(words ...string) Meaning {
	return Meaning{Check: OneOf(words...),
		Means: "whether, or by which event, the city takes cancellations from programs"}
}

// Families are those that are spoken, each with the quirks that it takes beside what every family does.
type Families map[Family]map[Quirk]Meaning

// Quirks are what a family takes.
func (f Families) Quirks(family Family) map[Quirk]Meaning {
	all := maps.Clone(common)
	maps.Copy(all, f[family])
	return all
}

// names returns the names of the families, sorted.
func (f Families) names() (names []string) {
	for family := range f {
		names = append(names, string(family))
	}
	slices.Sort(names)
	return names
}

// LongestCall is the longest that a row may let a call take: one attempt at an exchange has the time
// of at least two.
const LongestCall = 5 * time.Minute

// OneOf has a value be one of these words.
func OneOf(words ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(words, value) {
			return errors.New("must be " + strings.Join(words, " or "))
		}
		return nil
	}
}

func isDuration(most time.Duration) func(string) error {
	return func(value string) error {
		if duration, err := time.ParseDuration(value); err != nil || duration <= 0 || duration > most {
			return errors.New("must be a time as 180s, of at most " + most.String())
		}
		return nil
	}
}

func isRate(value string) error {
	if rate, err := strconv.ParseFloat(value, 64); err != nil || !(rate > 0 && rate <= 100) {
		return errors.New("must be calls a second, more than 0 and at most 100")
	}
	return nil
}

func isSeries(value string) error {
	_, err := parseSeries(value)
	return err
}
