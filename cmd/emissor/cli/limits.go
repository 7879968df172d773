package cli

import (
	"fmt"
	"strconv"
	"strings"

	"emissor/store/postgres"
)

// Limits of each process that are no settings: nobody would change them.
const (
	ZipCodeRate    = 5  // look-ups a second of one organization at on-line services of zip codes
	FailedAuthRate = 10 // requests a second of one address without a key that was valid recently
	EndpointSlots  = 8  // attempts to one endpoint at once
)

// OrganizationLimits are what one organization may use in one environment.
type OrganizationLimits struct {
	Requests   int // a second, of all its keys, in each process; 0 is no limit
	Keys       int // that are valid
	Endpoints  int // that were not removed
	Deliveries int // begun in a second, in each process; 0 is no limit
	Emails     int // likewise
}

// Decode implements envconfig.Decoder: name=number, comma separated. What is not named
// keeps its default.
func (l *OrganizationLimits) Decode(value string) error {
	*l = OrganizationLimits{Requests: 300, Keys: 50, Endpoints: 20, Deliveries: 50, Emails: 10}
	byName := map[string]struct {
		limit *int
		least int
	}{
		"requests": {&l.Requests, 0}, "keys": {&l.Keys, 1}, "endpoints": {&l.Endpoints, 1},
		"deliveries": {&l.Deliveries, 0}, "emails": {&l.Emails, 0},
	}
	for pair := range strings.SplitSeq(value, ",") {
		name, number, _ := strings.Cut(pair, "=")
		one, known := byName[strings.TrimSpace(name)]
		if !known {
			return fmt.Errorf("there is no limit %q", name)
		}
		limit, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || limit < one.least {
			return fmt.Errorf("%s must be a number from %d on", name, one.least)
		}
		*one.limit = limit
	}
	return nil
}

// ofStore are the limits that the store enforces.
func (l OrganizationLimits) ofStore() postgres.Limits {
	return postgres.Limits{Keys: l.Keys, Endpoints: l.Endpoints}
}
