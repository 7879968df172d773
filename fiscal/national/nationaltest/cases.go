package nationaltest

import "emissor/test/long"

// Cases returns how many random cases a test looks at: all with LONG_TESTS.
func Cases(all, few int) int { return long.Cases(all, few) }

// ManyCases is Cases of a test that goes through the simulator: ten times all with LONG_TESTS.
func ManyCases(all, few int) int { return long.Cases(10*all, few) }
