package municipality

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Range is a range of zip codes that belong to one municipality, both ends included.
type Range struct {
	Start string // eight digits
	End   string // eight digits
	Code  string // IBGE code of the municipality
}

// builtInCode returns the municipality of the built-in range around a zip code, or
// "" when there is none.
func builtInCode(zip string) string {
	ranges := builtInRanges()
	i, _ := slices.BinarySearchFunc(ranges, zip, func(r Range, zip string) int {
		return strings.Compare(r.End, zip)
	})
	if i < len(ranges) && ranges[i].Start <= zip {
		return ranges[i].Code
	}
	return ""
}

//go:embed data/ranges.txt
var ranges string

var builtInRanges = sync.OnceValue(func() []Range {
	parsed, err := ParseRanges(strings.NewReader(ranges))
	if err != nil {
		panic(fmt.Sprintf("municipality: built-in ranges: %v", err))
	}
	return parsed
})

// zipCodes is how many zip codes the built-in ranges have of a municipality, which tells the large ones from others.
func zipCodes() map[string]int {
	count := map[string]int{}
	for _, one := range builtInRanges() {
		start, _ := strconv.Atoi(one.Start)
		end, _ := strconv.Atoi(one.End)
		count[one.Code] += end - start + 1
	}
	return count
}
