package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Client calls the API with one key, or another JSON server without one.
type Client struct {
	Base string // as http://127.0.0.1:8080
	Key  string
	HTTP *http.Client // nil: one with a time-out of ten seconds
}

// Answer is what a server answered.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Decode reads the answer's JSON.
func (a Answer) Decode(into any) error { return json.Unmarshal(a.Body, into) }

// Error is the error code of an answer of the API that refuses, else empty.
func (a Answer) Error() string {
	var envelope struct{ Error struct{ Code string } }
	_ = json.Unmarshal(a.Body, &envelope) // anything else has no code
	return envelope.Error.Code
}

// defaultHTTP keeps a connection for each of many callers.
var defaultHTTP = &http.Client{
	Timeout:   10 * time.Second,
	Transport: &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: time.Minute},
}

// Call sends a request, its body as JSON unless nil. An answer that refuses is no
// error: the caller looks at the status.
func (c *Client) Call(ctx context.Context, method, path string, body any) (Answer, error) {
	var payload io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return Answer{}, err
		}
		payload = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, payload)
	if err != nil {
		return Answer{}, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.Key != "" {
		request.Header.Set("Authorization", "Bearer "+c.Key)
	}
	sender := c.HTTP
	if sender == nil {
		sender = defaultHTTP
	}
	response, err := sender.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return Answer{Status: response.StatusCode, Header: response.Header, Body: content}, err
}

// Must is Call for a request that has to succeed; its answer is read into answer
// unless that is nil.
func (c *Client) Must(ctx context.Context, method, path string, body, answer any) error {
	got, err := c.Call(ctx, method, path, body)
	if err != nil {
		return err
	}
	if got.Status >= 300 {
		return fmt.Errorf("%s %s answered %d: %s", method, path, got.Status, got.Body)
	}
	if answer == nil {
		return nil
	}
	return got.Decode(answer)
}
