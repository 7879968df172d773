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

// ManyCases is Cases of a test that goes through the simulator: ten times all with LONG_TESTS.
func ManyCases(all, few int) int {
	if os.Getenv("LONG_TESTS") != "" {
		return 10 * all
	}
	return Cases(all, few)
}
