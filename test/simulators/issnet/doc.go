// Package issnet simulates the server of a city of the family ISSNet (SOAP 1.1), for development and
// tests only. What it issues has no fiscal value.
//
// It is the simulator of the national system, package sefin, with this protocol in front: rules,
// schema, registry, ledger, certificates and faults are those, and what is controlled there is
// controlled here. It shares no code with the client, package fiscal/national/issnet, whose
// mistakes it is to find.
//
// # What it does beside
//
//   - Without a certificate of the test ICP: 403, an HTML page. Any other path: 404.
//   - An operation that it does not know, or that Behaviour says it does not: a SOAP Fault "Error"
//     with 500. One that Behaviour has switched off: E999, and nothing is done.
//   - The header must have version 1.01 (E183). What stands in nfseCabecMsg and nfseDadosMsg must be XML in
//     place: escaped, in CDATA, or without the namespace on message and DPS it is E160.
//   - The elements of questions must be in the order of the grammar (E160).
//   - White space between the elements of what is signed, and a namespace that is declared on an ancestor
//     within the message: E0714, because they are part of what is looked at.
//   - IM, cTribMun and IBSCBS are wanted, and what this layout does not take is refused (E160): cObra,
//     cCIB, CEP without endNac, zeros of cNaoNIF and comExt, zeros before nDPS and cTribMun.
//   - E138 for issuers that Behaviour has not allowed; a number outside what was granted, and a cTribMun that
//     is not the issuer's, are refused in words.
//   - A DPS that was made a note of is refused in words, "DPS já existe", or by a code that Behaviour gives.
//   - Answers are literal, or escaped once, and have the names of 2026-10 or of 2026-02, as Behaviour says.
//   - Faults: status 500 without body is the Fault; other_document is the note of another DPS;
//     missing_xml a CompNfse without a note; unreadable_xml ends in the middle of the envelope.
//
// Lots, ranges and the pages of notes (ConsultarUrlNfse) are not played.
package issnet
