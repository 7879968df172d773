// Package activities is what workflows call, a file for each group that the
// Temporal UI shows: begin, exchange, cancel, deliver, e-mail, maintenance. Every activity
// can run twice. Results and errors enter histories, so they hold ids and states only.
//
// One function (exchange.go) runs a live note's exchange with its authority as far as it can
// go, for issuing and for cancelling: its steps are in number.go, sign.go, call.go,
// ask_number.go and save.go, the turns of a series in turn.go. Package fiscal decides which
// step is next (fiscal.Exchange); here it is executed. How long anything waits before it is
// tried again is in retry.go.
package activities
