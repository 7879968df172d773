// Package fiorilli is the protocol of the family Fiorilli (IssWebWSNacional), by which the servers of some cities take
// the national declaration: SOAP 1.1 over mutual TLS, document/literal, with the XML of DPS and NFS-e in place. The
// company's certificate is all that it is known by where it has given no user and no password: of six clients of this
// service none sends any, which the same supplier's older service (ABRASF) wants. Where it has, they end each message.
//
// How the server says that of a DPS there is no note nobody has reported. So nothing is taken for it before the city's
// row says by what (not-found), and numbers are asked about before they are sent: until then notes wait, and what is in
// doubt is held. Nothing of it was tried against a real host by Emissor.
package fiorilli
