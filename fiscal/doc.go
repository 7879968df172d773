// Package fiscal is where the tax authorities live: the only room that knows
// XML. This file's neighbour authority.go is the interface that workflows and
// activities see; simulation plays the authority of the test environment,
// national is the national NFS-e system; certificate and xmldsig are what any
// authority needs.
package fiscal
