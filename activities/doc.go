// Package activities is what workflows call: small structs with their
// dependencies, one file per concern. Every activity can run twice. Results and
// errors enter histories, so they hold ids and states only.
package activities
