// Package lifecycle is a note's life, a file for each step: it is accepted (accept.go), begun (begin.go), takes a
// number (exchange_number.go), is sent under a lease (exchange_call.go), and settled as issued or rejected
// (settle.go), which in the same transaction stores its event, deliveries, e-mail and ledger entry (ended.go). It may
// be held (hold.go), repaired (repair.go), cancelled (cancel.go, analysis.go), replaced (replace.go), or changed by
// what happened elsewhere (external.go). Each change of state is one guarded statement that names the state it
// expects, so that it may be repeated.
package lifecycle
