// Package fiorilli simulates the server of a city of the family Fiorilli (IssWebWSNacional, SOAP 1.1), for development
// and tests only. What it issues has no fiscal value.
//
// It is the simulator of the national system, package sefin, with this protocol in front: rules, schema, registry,
// ledger, certificates and faults are those, and what is controlled there is controlled here. It shares no code with
// the client, package fiscal/national/fiorilli, whose mistakes it is to find.
//
// # What it does beside
//
//   - Without a certificate of the test ICP: 403, an HTML page. Any other path: 404.
//   - An action that it does not know, and a message that is not as the WSDL has it: a SOAP Fault with 500 and the
//     reason. What stands around documents is of the supplier's namespace, and documents of the national one.
//   - Where Behaviour has a password, a message without a user and that password at its end is a SOAP Fault that repeats
//     all that was sent; where it has none, one with them.
//   - A DPS of layout 1.00: N13. A signature that does not verify: E172; a request about a note must be signed in
//     exclusive canonical form, and infPedReg must say its namespace itself (E172).
//   - A DPS that was made a note of is refused by a code that Behaviour gives.
//   - A question is about a DPS (CNPJ or CPF, IM, NumeroDPS, SerieDPS) or about a note (IM, ChaveNFSe): CNPJ beside a
//     key is N10. That there is none is said by a code of Behaviour, or by an empty answer.
//   - A cancellation is answered by DataRecebimento and status, without its event; a note that is cancelled shows its
//     event only where Behaviour says so.
//   - Faults: status 500 without body is the Fault; other_document is the note of another DPS, missing_xml an answer
//     without a note, unreadable_xml ends in the middle of the envelope.
//
// Lots are not played: no lot is sent.
package fiorilli
