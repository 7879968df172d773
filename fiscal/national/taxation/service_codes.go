package taxation

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
)

//go:embed service_codes.txt
var serviceCodesText string

// serviceCodes is the national list of services (cTribNac).
var serviceCodes = func() map[string]bool {
	codes := map[string]bool{}
	for line := range strings.Lines(serviceCodesText) {
		if item := strings.Fields(line); item[0] != "#" {
			for _, code := range item[1:] {
				codes[item[0]+code] = true
			}
		}
	}
	return codes
}()

// ServiceCodes returns the codes of the national list, in order.
func ServiceCodes() []string { return slices.Sorted(maps.Keys(serviceCodes)) }

// KnownServiceCode reports whether a national tax code is on the list (E0310).
func KnownServiceCode(code string) bool { return serviceCodes[code] }

// NeedsWorks reports whether a code needs the group obra (E0370).
func NeedsWorks(code string) bool {
	switch code {
	case "070201", "070202", "070401", "070501", "070502", "070601", "070602", "070701", "070801", "071701", "071901",
		"141403", "141404":
		return true
	}
	return false
}

// NeedsEvent reports whether a code needs the group atvEvento (E0390).
func NeedsEvent(code string) bool { return strings.HasPrefix(code, "12") }
