// Package api is the HTTP face of Emissor: the contract's /v1 and its text at
// /llms-full.txt. One file per resource; body.go and rules.go read requests
// strictly, respond.go and errors.go write answers. The contract texts are
// openapi.yaml and llms-full.txt.
package api
