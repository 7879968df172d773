// Package nfse is the domain of Emissor: the note (NFS-e) and what it is made
// of, the catalogue's services and customers, documents (CPF, CNPJ), ids, API
// keys, events and the one error type. It knows no database, no HTTP, no
// workflow engine and no XML, and imports no other package of the project.
package nfse
