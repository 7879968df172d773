// Package harness runs Emissor as it is deployed: real processes, a real
// PostgreSQL and a real Temporal of a development stack, the simulator of the
// authority and receivers of webhooks. Programs that break or measure it (chaos,
// bench, faults) are written on top of it.
//
// It knows Emissor from outside only: its commands, its API, its metrics and its
// database. Nothing of it needs a testing.TB.
package harness
