package api

// IsContractField is for tests.
var IsContractField = isContractField

// MostWaiting is how many requests may wait to be written.
const MostWaiting = requestsWaiting
