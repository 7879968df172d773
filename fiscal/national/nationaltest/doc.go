// Package nationaltest has what the tests of the national system share:
// declarations that nothing is wrong with, plain and random ones, a certificate,
// and the programs that check messages by the official schema.
package nationaltest
