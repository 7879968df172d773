// Package client calls the API of an installation with a key. It is a package of this source, for its own commands and
// tools and for programs in Go beside it: it knows the contract and nothing else of the service, and needs Go alone.
//
//	api, err := client.New(client.Options{URL: "https://api.notas.example.com", Key: key})
//	accepted, err := api.Issue(ctx, client.CreateNfse{Reference: "order-1001", ...})
//	note, err := api.WaitForEnd(ctx, accepted.ID)
//
// types.go has the records of api/openapi.yaml, as oapi-codegen makes them. The calls that it makes are not taken: they
// are 10,000 lines, need a library to write a path, and leave open what a caller has to get right: what is repeated,
// when, with which bytes, and what an error is. A Connection does that once, below a method for each operation. Another
// listener that takes the same key is reached through a Connection of its own.
package client

//go:generate ../dev/generate-client.sh
