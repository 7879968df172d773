// Package testkit starts the real parts for tests: a database of their own in
// the development stack's PostgreSQL, the real API behind a real HTTP server,
// and a worker on the stack's Temporal. Every answer that a test gets through
// Call is checked against api/openapi.yaml.
package testkit
