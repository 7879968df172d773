package main

import "emissor/store"

// What one organization may use in one environment, and one client of one process,
// beside the settings. Nobody has asked for others: what should differ for one
// organization belongs to its row, not to the environment.
const (
	// organizationRateFactor is how many keys' worth of requests the keys of an organization
	// have together.
	organizationRateFactor = 3

	organizationKeys      = 50 // that are valid
	organizationEndpoints = 20 // that were not removed
	emailRate             = 10 // e-mails to customers that are begun in a second

	zipCodeRate    = 5  // look-ups a second at on-line services of zip codes
	failedAuthRate = 10 // requests a second, of one address, without a key that was valid of late
	endpointSlots  = 8  // attempts to one endpoint at once
)

var organizationLimits = store.Limits{Keys: organizationKeys, Endpoints: organizationEndpoints}
