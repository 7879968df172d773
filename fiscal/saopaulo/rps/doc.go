// Package rps builds and signs what is sent to the city of São Paulo in layout 2
// (schemas v02-4): a provisional receipt (RPS), of which the city makes an NFS-e,
// the request to cancel one, and the questions about them.
//
// An RPS is signed twice: as a string of fixed width (Assinatura), and with the
// whole message as XML Signature. Both use RSA-SHA1: the city accepts nothing newer.
package rps
