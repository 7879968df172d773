// Package dps builds and signs what is sent to the national system: a
// declaration of services rendered (DPS), and a request to register a
// cancellation (pedRegEvento). What a message says is decided first; a layout
// then gives it its form.
package dps
