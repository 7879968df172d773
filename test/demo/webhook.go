package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// webhookVariable asks make run for an endpoint: make run WEBHOOK_URL=http://127.0.0.1:9000/hook
const webhookVariable = "WEBHOOK_URL"

// endpoint is where the demo's events go.
type endpoint struct {
	ID          string
	URL         string
	Environment string
	Secret      string // only of one that was just made
}

// keyset makes the keyset that seals the endpoints' secrets, unless an earlier run did.
func (e *emissor) keyset(ctx context.Context) error {
	_, err := os.Stat(e.keysetPath)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = e.command(ctx, "keyset", "create", e.keysetPath)
	}
	return err
}

// endpoint finds the test endpoint with this URL, or adds it.
func (e *emissor) endpoint(ctx context.Context, organization, url string) (endpoint, error) {
	var all []endpoint
	if err := e.ask(ctx, &all, "webhook", "list", "--organization", organization); err != nil {
		return endpoint{}, err
	}
	for _, known := range all {
		if known.URL == url && known.Environment == "test" {
			return known, nil
		}
	}
	var added endpoint
	err := e.ask(ctx, &added, "webhook", "add", url, "--organization", organization, "--environment", "test")
	return added, err
}
