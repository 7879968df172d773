package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"emissor/internal/trace"
	"emissor/test/testkit"
)

// BenchmarkRequest accepts notes one after the other, without a network between: what a request costs without traces,
// and where one in a hundred or each is recorded.
func BenchmarkRequest(b *testing.B) {
	for _, traces := range []struct {
		name  string
		ratio float64
	}{{"Off", -1}, {"OnePercent", 0.01}, {"All", 1}} {
		b.Run(traces.name, func(b *testing.B) {
			options := testkit.Options{}
			if traces.ratio >= 0 {
				options.Traces = trace.Options{URL: testkit.NewCollector(b).URL, Ratio: traces.ratio}
			}
			s := testkit.NewSystem(b, options)
			service, handler := s.NewService(b, s.TestKey), s.API.Handler()
			b.ReportAllocs()
			defer testkit.ReportCPU(b)()
			for i := 0; b.Loop(); i++ {
				body, err := json.Marshal(testkit.Issuance(service, fmt.Sprint("order-", i)))
				if err != nil {
					b.Fatal(err)
				}
				request := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/v1/nfse", bytes.NewReader(body))
				request.Header.Set("Authorization", "Bearer "+s.TestKey)
				request.Header.Set("Content-Type", "application/json")
				answer := httptest.NewRecorder()
				if handler.ServeHTTP(answer, request); answer.Code != http.StatusAccepted {
					b.Fatalf("%d %s", answer.Code, answer.Body)
				}
			}
		})
	}
}
