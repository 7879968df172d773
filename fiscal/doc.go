// Package fiscal is the interface between a live note and the tax authorities,
// and the rules by which exactly one document comes to exist.
//
// Issuing a document and cancelling one are the same exchange with an authority:
// a message is signed and stored, sent, perhaps in doubt, asked about, and
// settled. An Exchange is where one of them stands; its methods are the only
// place that decides what follows from an answer. They return a Decision: the
// exchange as it is to be stored, the Action that comes next, and an alarm where
// a person should look. They know no database and no network; package store
// keeps exchanges and package activities executes the actions.
//
// An Authority is what an exchange is made with. The national NFS-e system is
// fiscal/national; fiscal/simulation takes the place of an authority in the test
// environment; fiscal/certificate and fiscal/xmldsig are what any authority
// needs. Only the packages below this one know XML, and package danfse, which
// prints it.
package fiscal
