package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"emissor/test/testkit"
)

// BenchmarkAccept accepts notes through HTTP, each of a customer of its own, as
// many at a time as a busy client would.
func BenchmarkAccept(b *testing.B) {
	s := testkit.NewSystem(b, testkit.Options{})
	service := s.NewService(b, s.TestKey)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	var made atomic.Int64
	b.SetParallelism(16) // of each processor
	b.ResetTimer()
	b.RunParallel(func(loop *testing.PB) {
		for loop.Next() {
			i := int(made.Add(1))
			body, err := json.Marshal(with(testkit.Issuance(service, fmt.Sprint("order-", i)),
				Body{"customer.document": cpf(i)}))
			if err != nil {
				b.Fatal(err)
			}
			accept(b, client, s, body)
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "notes/s")
}

func accept(b *testing.B, client *http.Client, s *testkit.System, body []byte) {
	request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, s.URL+"/v1/nfse", bytes.NewReader(body))
	if err != nil {
		b.Error(err)
		return
	}
	request.Header.Set("Authorization", "Bearer "+s.TestKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		b.Error(err)
		return
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusAccepted {
		b.Errorf("%d %s, %v", response.StatusCode, answer, err)
	}
}
