package saopaulo_test

import (
	"testing"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
)

// What one message costs the simulator, with the client's signatures.
func BenchmarkIssue(b *testing.B) {
	simulator, err := saopaulo.Start(saopaulo.Options{Options: server.Options{Clock: new(clock).Now}})
	if err != nil {
		b.Fatal(err)
	}
	defer simulator.Close()
	c := newClient(b, simulator, saopaulo.Subject{TaxID: issuer})
	number := 0
	for b.Loop() {
		number++
		c.issue(number)
	}
}
