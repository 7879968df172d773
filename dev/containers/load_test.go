//go:build containers

package containers

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// callers post notes, each as soon as its last one is answered and a moment later, and do not repeat what failed.
type callers struct {
	m    machine
	url  string
	body func(reference string) []byte
	key  string
	name string // the beginning of each reference

	stop context.CancelFunc
	all  sync.WaitGroup

	mu       sync.Mutex
	accepted []string // ids of notes
	failed   []string
	longest  time.Duration
}

const (
	callersAtOnce = 4
	callersPause  = 200 * time.Millisecond
)

// call starts callers of the API at a URL. Half of them keep their connections, and half make a new one each time.
func (i *installation) call(t *testing.T, url string) *callers {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	i.loads++
	c := &callers{m: i.machine, url: url, key: i.handbook.seen["svc_test_"], name: fmt.Sprintf("load-%d", i.loads), stop: stop}
	service := i.handbook.seen["srv_"]
	c.body = func(reference string) []byte {
		body, _ := json.Marshal(map[string]any{
			"reference": reference, "service_id": service, "amount_cents": 15000,
			"customer": map[string]any{"document": "529.982.247-25", "name": "Maria da Silva",
				"address": map[string]any{"zip_code": "01310-100", "street": "Avenida Paulista", "number": "1578",
					"district": "Bela Vista"}},
		})
		return body
	}
	for number := range callersAtOnce {
		client := i.client(number%2 == 0)
		c.all.Go(func() {
			for count := 0; ctx.Err() == nil; count++ {
				c.post(client, fmt.Sprintf("%s-%d-%d", c.name, number, count))
				select {
				case <-ctx.Done():
				case <-time.After(callersPause):
				}
			}
		})
	}
	t.Cleanup(func() { c.end() })
	return c
}

// client is an HTTP client in the machine's network, which trusts what the machine was told to trust.
func (i *installation) client(keeps bool) *http.Client {
	return &http.Client{Timeout: 90 * time.Second, Transport: &http.Transport{
		DialContext: i.machine.dial, DisableKeepAlives: !keeps, ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{VerifyConnection: i.verify, InsecureSkipVerify: true}, // VerifyConnection does
	}}
}

// verify is how a client verifies certificates, by the roots that are known at that moment.
func (i *installation) verify(state tls.ConnectionState) error {
	intermediates := x509.NewCertPool()
	for _, certificate := range state.PeerCertificates[1:] {
		intermediates.AddCert(certificate)
	}
	_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{
		DNSName: state.ServerName, Roots: i.roots.Load(), Intermediates: intermediates,
	})
	return err
}

func (c *callers) post(client *http.Client, reference string) {
	began := time.Now()
	id, err := c.postOnce(client, reference)
	took := time.Since(began)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.longest = max(c.longest, took)
	if err != nil {
		c.failed = append(c.failed, fmt.Sprintf("%s %s after %s: %v", began.Format(time.TimeOnly), reference,
			took.Round(time.Millisecond), err))
		return
	}
	c.accepted = append(c.accepted, id)
}

func (c *callers) postOnce(client *http.Client, reference string) (id string, err error) {
	request, err := http.NewRequest(http.MethodPost, c.url+"/v1/nfse", bytes.NewReader(c.body(reference)))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	var note struct{ ID string }
	if err := json.Unmarshal(text, &note); err != nil || response.StatusCode != http.StatusAccepted {
		return "", fmt.Errorf("%s: %s", response.Status, text)
	}
	return note.ID, nil
}

// end stops the callers once each has its last answer.
func (c *callers) end() {
	c.stop()
	c.all.Wait()
}

// expectNoFailure stops the callers, and fails if a request did.
func (c *callers) expectNoFailure(t *testing.T) {
	t.Helper()
	c.end()
	t.Logf("%d requests, %d failed, the longest took %s", len(c.accepted)+len(c.failed), len(c.failed),
		c.longest.Round(time.Millisecond))
	if len(c.failed) > 0 {
		t.Errorf("%d requests failed, of %d: %s", len(c.failed), len(c.failed)+len(c.accepted),
			strings.Join(c.failed[:min(len(c.failed), 10)], "\n"))
	}
	if len(c.accepted) == 0 {
		t.Error("no request was accepted")
	}
}

// expectIssued waits until each note that was accepted is issued, once.
func (i *installation) expectIssued(t *testing.T, c *callers) {
	t.Helper()
	c.end()
	count := `SELECT count(*), count(DISTINCT reference) FROM notes WHERE status = 'issued' AND reference LIKE '` + c.name + `-%'
		AND id IN ('` + strings.Join(c.accepted, "','") + `')`
	want := fmt.Sprintf("%d|%[1]d", len(c.accepted))
	var got string
	i.eventually(t, 10*time.Minute, func() string {
		if got = i.machine.sql(t, count); got != want {
			return fmt.Sprintf("of %d accepted notes, these are issued: %s", len(c.accepted), got)
		}
		return ""
	})
	t.Logf("all %d notes that were accepted are issued; %d requests failed, the longest took %s", len(c.accepted),
		len(c.failed), c.longest.Round(time.Millisecond))
	if unique := slices.Compact(slices.Sorted(slices.Values(c.accepted))); len(unique) != len(c.accepted) {
		t.Errorf("%d requests have %d notes", len(c.accepted), len(unique))
	}
}
