// Package api is the HTTP API of Emissor: the contract's /v1 and its text at
// /llms-full.txt. There is one file per resource: a handler reads the request, calls
// package catalogue or store, and answers. body.go reads requests strictly, respond.go
// and errors.go write answers. The contract texts are openapi.yaml and llms-full.txt.
package api
