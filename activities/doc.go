// Package activities is what workflows call, a file for each group that the
// Temporal UI shows: begin, number, sign, transmit, settle, cancel, deliver,
// e-mail, housekeeping. Every activity can run twice. Results and errors enter
// histories, so they hold ids and states only.
//
// A live note's exchange with its authority is moved by Sign, Transmit and
// Settle, for issuing and cancelling alike. What is done next, package fiscal
// decides (fiscal.Exchange); here it is executed. How long anything waits before
// it is tried again is in retry.go.
package activities
