// Package testkit starts the real parts for tests: a database that no other test has at the time, in the development
// stack's PostgreSQL (see reused), the real API behind a real HTTP server, and a worker on the stack's Temporal. Every
// answer that a test gets through Call is checked against api/openapi.yaml.
package testkit
