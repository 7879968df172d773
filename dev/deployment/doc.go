// Package deployment tests that the Temporal server understands what docker-compose.yml and deploy/ tell
// it, with the server's own code. It holds tests only.
package deployment
