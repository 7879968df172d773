// Package deployment tests, with the Temporal server's own code, that it understands its settings in
// docker-compose.yml and deploy/, and that Emissor's processes are given what they need and no more. It
// has tests only.
package deployment
