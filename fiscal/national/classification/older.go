package classification

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Lacks lists what another edition lists and this does not, in order.
func (e *Edition) Lacks(other *Edition) (codes []string) {
	for code := range other.codes {
		if !e.Has(code) {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// IsOlder reports whether an edition is older than another of the same table, or must be taken for older: its name,
// or the name of the file that it is from, says an earlier day or version, or it lacks codes, regardless of what the
// names say.
func (e *Edition) IsOlder(other *Edition, file string) bool {
	return compareNames(e.Name, other.Name) < 0 || compareNames(file, other.Name) < 0 || len(e.Lacks(other)) > 0
}

var (
	dayInName     = regexp.MustCompile(`(?:^|[^0-9.])(20[0-9]{2})-?(0[1-9]|1[0-2])(?:-?([0-3][0-9]))?(?:[^0-9.]|$)`)
	versionInName = regexp.MustCompile(`(?i)(?:^|[^a-z])v([0-9]+)[.-]([0-9]+)(?:[.-]([0-9]+))?`)
)

// compareNames orders editions by the days in their names, or the versions; 0 where these
// are the same, as far as both say, or one has neither.
func compareNames(a, b string) int {
	for _, form := range []*regexp.Regexp{dayInName, versionInName} {
		one, other := form.FindStringSubmatch(a), form.FindStringSubmatch(b)
		if one == nil || other == nil {
			continue
		}
		if order := slices.CompareFunc(one[1:], other[1:], compareNumbers); order != 0 {
			return order
		}
	}
	return 0
}

// compareNumbers counts a number that is not given as equal.
func compareNumbers(a, b string) int {
	if a == "" || b == "" {
		return 0
	}
	one, _ := strconv.Atoi(strings.TrimLeft(a, "0"))
	other, _ := strconv.Atoi(strings.TrimLeft(b, "0"))
	return cmp.Compare(one, other)
}
