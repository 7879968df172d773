// Package apiclient is a caller of the API: what the commands for callers and the tools of
// package mcp know of an installation is what an API key shows them. It knows the contract
// and nothing else of the service: no database, no engine, no keyset.
//
//	client, err := apiclient.FromEnvironment()
//	note, err := client.Issue(ctx, apiclient.Issuance{Reference: "order-1001", ...})
//	end, err := client.Wait(ctx, note.ID)
//
// A Connection is the part that speaks HTTP: an address, a key, what is repeated and what an
// error is. A Client is a Connection to the API; another listener that takes the same key is
// reached through a Connection of its own.
package apiclient
