// Package received is what authorities distribute: what happened to an issuer's notes elsewhere, and notes that others
// issued for it. A poll is leased (distributions.go), its batch is saved entry by entry (external_batches.go), and what
// concerns a note of ours is applied to it by package lifecycle.
package received
