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
