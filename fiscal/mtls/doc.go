// Package mtls sends HTTP requests to authorities that want a client's
// certificate, and tells for certain whether a byte of a request left: what did not
// leave may be sent again. What a call came to by transport and status alone is said for
// all of them here (outcome.go).
//
// Connections of one certificate never carry a request of another, answers are
// read whole and bounded, and nothing is ever sent twice by itself.
package mtls
