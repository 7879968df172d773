// Package deployment tests that the Temporal server understands what docker-compose.yml and deploy/ tell
// it, with the server's own code, and that Emissor's processes are given what they need and no more. It
// holds tests only.
package deployment
