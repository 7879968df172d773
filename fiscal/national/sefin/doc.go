// Package sefin is the client of SEFIN Nacional: it sends messages, asks what became
// of them, and interprets the answers, which are read as liberally as the
// deployments of SEFIN demand, and taken for no more than they prove.
package sefin
