// Package serve is the commands that run the product: serve, api, worker and dashboard run its parts (serve.go), which
// share a process (process.go); migrate, healthcheck and doctor are for who runs them.
package serve
