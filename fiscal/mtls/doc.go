// Package mtls sends HTTP requests to authorities that want a client's
// certificate, and reports for certain whether any byte of a request was sent: if none
// was, it may be sent again. The outcome of a call by transport and status alone is
// decided here for all authorities (outcome.go).
//
// Connections of one certificate never carry a request of another, answers are
// read whole and bounded, and nothing is ever sent twice by itself.
package mtls
