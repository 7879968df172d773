// Package exchanges is what is said with an authority about a note: an exchange is one request, to issue, cancel or
// analyse, with its number, its state and the lease of the process that talks; its messages are stored before they
// are sent.
package exchanges
