// Package exchange is the activities that talk with an authority.
//
// One function (exchange.go) runs a live note's exchange as far as it can go, for issuing and
// for cancelling: its steps are in number.go, sign.go, call.go, ask_number.go and save.go, the
// turns of a series in turn.go. Package fiscal decides which step is next (fiscal.Exchange);
// here it is executed, once a gate (gate.go) grants the call. What authorities distribute is
// asked for in distribution.go and late_events.go, which documents still stand in standing.go, what
// cities have set in refresh_cities.go, and which numbers are used after a recovery in recovery.go.
package exchange
