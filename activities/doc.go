// Package activities is what workflows call, a file for each group that the
// Temporal UI shows: begin, cancel, deliver, e-mail, exports, maintenance; what talks with
// an authority is package exchange in it. Every activity can run twice. Results and errors
// enter histories, so they hold ids and states only. How long anything waits before it is
// tried again is in retry.go.
package activities
