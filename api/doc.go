// Package api is the HTTP face of Emissor: the contract's /v1 and its text at
// /llms-full.txt. One file per resource: a handler reads, has package
// catalogue or store decide, and answers. body.go reads requests strictly,
// respond.go and errors.go write answers. The contract texts are
// openapi.yaml and llms-full.txt.
package api
