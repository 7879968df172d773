package sefin_test

import (
	"net/http"
	"testing"
	"time"

	"emissor/simulators/sefin"
)

// BenchmarkIssue is one document after the other, over TLS.
func BenchmarkIssue(b *testing.B) {
	authority, err := sefin.Start(sefin.Options{Clock: func() time.Time { return morning }})
	if err != nil {
		b.Fatal(err)
	}
	defer authority.Close()
	c := newClient(b, authority, sefin.Subject{Document: issuer})
	documents := make([]string, b.N)
	for i := range documents {
		documents[i] = pack(c.dps(i + 1))
	}
	b.ResetTimer()
	for _, document := range documents {
		answer := c.must("POST", authority.URL()+"/nfse", map[string]any{"dpsXmlGZipB64": document})
		if answer.status != http.StatusCreated {
			b.Fatalf("%d %s", answer.status, answer.text)
		}
	}
}
