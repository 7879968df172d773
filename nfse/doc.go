// Package nfse is the domain of Emissor: the words that every other package uses.
// It knows no database, no HTTP, no workflow engine and no XML, and imports no
// other package of the project.
//
// An Organization issues notes. A Note is one NFS-e (nota fiscal de serviço
// eletrônica, Brazil's service invoice) from the request to its final state:
// queued, processing, and then issued, rejected or cancelled. It is asked for with
// an Issuance, which names a Service of the organization's catalogue and a
// Customer (the taker); the note keeps a snapshot of both, so that later changes of
// the catalogue do not reach it. What the tax authority gave an issued note is its
// Authorization; a rejected note has a Rejection, and a request to cancel a note a
// Cancellation.
//
// Everything of an organization belongs to a Scope: the live environment, whose
// notes have fiscal value, or the test environment, whose notes are simulated.
//
// Each kind of record has ids of its own (NewID), companies and people are identified
// by their TaxID (CNPJ or CPF), and subscribers are told of a note's terminal state by
// an Event. What a caller did wrong is an *Error, whose Code the API shows.
package nfse
