package nationaltest

import "os"

// Cases returns how many random cases a test looks at: few under the race
// detector, which makes each many times slower, unless LONG_TESTS is set.
func Cases(all, few int) int {
	if raceEnabled && os.Getenv("LONG_TESTS") == "" {
		return few
	}
	return all
}
