// Package clients tests what people write who integrate: the pages of docs/integrating, whose code is taken from them
// and run against the running service; clients that generators make of api/openapi.yaml; and the collection for Bruno
// that is made of it.
package clients
