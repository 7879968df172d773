package sefin_test

import (
	"net/http"
	"testing"
	"time"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
)

// BenchmarkIssue is one document after the other, over TLS.
func BenchmarkIssue(b *testing.B) {
	simulator, err := sefin.Start(sefin.Options{Options: server.Options{Clock: func() time.Time { return morning }}})
	if err != nil {
		b.Fatal(err)
	}
	defer simulator.Close()
	c := newClient(b, simulator, sefin.Subject{TaxID: issuer})
	documents := make([]string, b.N)
	for i := range documents {
		documents[i] = pack(c.dps(i + 1))
	}
	b.ResetTimer()
	for _, document := range documents {
		answer := c.must("POST", simulator.URL()+"/nfse", map[string]any{"dpsXmlGZipB64": document})
		if answer.status != http.StatusCreated {
			b.Fatalf("%d %s", answer.status, answer.text)
		}
	}
}
