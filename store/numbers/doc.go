// Package numbers is the series of a company: whose turn it is to send (series.go), which numbers were taken and are
// open (open_numbers.go), and what must be asked of an authority before numbers go on after a recovery
// (sequence_check.go).
package numbers
