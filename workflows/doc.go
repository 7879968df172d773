// Package workflows holds the deterministic code that Temporal runs: the workflows of notes,
// deliveries, e-mails and distributions, and the maintenance. It knows activities by name only. Names, ids and
// search attributes are in names.go, time-outs and retry policies in options.go.
//
// Nothing personal enters a history: inputs and results are ids and states.
package workflows
