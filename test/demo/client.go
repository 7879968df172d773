package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// client calls the API with one key, or, without one, the simulator's control address.
type client struct {
	base string
	key  string
}

// call sends body, if there is one, as JSON, and reads a successful answer into answer: the bytes as they
// are into a *[]byte, JSON into anything else. An answer that is not a success is no error: the caller looks
// at the status.
func (c *client) call(ctx context.Context, method, path string, body, answer any) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var payload io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		payload = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, payload)
	if err != nil {
		return 0, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		request.Header.Set("Authorization", "Bearer "+c.key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if answer == nil || response.StatusCode >= 300 {
		return response.StatusCode, nil
	}
	if raw, isRaw := answer.(*[]byte); isRaw {
		*raw, err = io.ReadAll(response.Body)
		return response.StatusCode, err
	}
	return response.StatusCode, json.NewDecoder(response.Body).Decode(answer)
}

// must is call for a request that has to succeed.
func (c *client) must(ctx context.Context, want int, method, path string, body, answer any) error {
	status, err := c.call(ctx, method, path, body, answer)
	if err == nil && status != want {
		err = fmt.Errorf("%s %s answered %d, not %d", method, path, status, want)
	}
	return err
}
