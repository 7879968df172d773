// Package issnet is the protocol of the family ISSNet (Nota Control), by which the servers of some
// cities take the national declaration: SOAP 1.1 over mutual TLS, with the XML of DPS, NFS-e and
// events in place. It sends messages, asks what became of them, and interprets the answers, which
// are read as liberally as the servers demand, and taken for no more than they prove.
//
// A DPS that comes twice makes no second note (manual 6.1.2), and by which code it is refused then is
// not known: so every refusal after a sending in doubt is asked about before it is believed.
//
// Nothing of it was tried against a real host by Emissor: what is known comes from the supplier's
// manual and schema and from others' reports, and each doubt is a quirk of the city's row.
package issnet
