package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"emissor/test/generate"
)

// A note is issued in a fraction of a second; one that takes this long is stuck.
const noteTimeout = time.Minute

// customer is who receives the service: an invented person with a well-formed CPF.
var customer = fmt.Sprintf(`{"document":"529.982.247-25","name":%q,`+
	`"address":{"zip_code":"01310-100","street":"Avenida Paulista","number":"1578","district":"Bela Vista"}}`,
	generate.UsualName(4))

// note is as much of a note as the demo looks at.
type note struct {
	ID        string
	Reference string
	Status    string
	Authority *struct {
		Number           string
		AccessKey        string `json:"access_key"`
		VerificationCode string `json:"verification_code"`
	}
	Rejection json.RawMessage
}

// issue asks for one note with the client's key and prints its way to its end.
func issue(ctx context.Context, out io.Writer, what string, api *client, service string) (note, error) {
	accepted, err := accept(ctx, out, what, api, service)
	if err != nil {
		return note{}, err
	}
	return accepted.follow(ctx)
}

// acceptedNote is a note that is printed until its end.
type acceptedNote struct {
	note
	at  time.Time
	api *client
	out io.Writer
}

// accept asks for one note and prints that it was accepted.
func accept(ctx context.Context, out io.Writer, what string, api *client, service string) (*acceptedNote, error) {
	n := &acceptedNote{at: time.Now(), api: api, out: out}
	if err := api.must(ctx, http.StatusAccepted, http.MethodPost, "/v1/nfse", map[string]any{
		"reference":    generate.UsualReference(int(n.at.UnixMilli())), // as people in Brazil write them
		"service_id":   service,
		"amount_cents": 15000,
		"customer":     json.RawMessage(customer),
	}, &n.note); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "\nA %s, %s\n", what, n.ID)
	n.report()
	return n, nil
}

// report prints the state that the note has now.
func (n *acceptedNote) report() {
	fmt.Fprintf(n.out, "  %8.1f ms  %s\n", float64(time.Since(n.at).Microseconds())/1000, n.Status)
}

// follow prints each state until the note is issued.
func (n *acceptedNote) follow(ctx context.Context) (note, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, noteTimeout, fmt.Errorf("it is not final after %s", noteTimeout))
	defer cancel()
	for pause := 2 * time.Millisecond; !n.final(); pause = min(pause*5/4, 100*time.Millisecond) {
		select {
		case <-ctx.Done():
			return n.note, context.Cause(ctx)
		case <-time.After(pause):
		}
		before := n.Status
		if err := n.api.must(ctx, http.StatusOK, http.MethodGet, "/v1/nfse/"+n.ID, nil, &n.note); err != nil {
			return n.note, err
		}
		if n.Status != before {
			n.report()
		}
	}
	if n.Status != "issued" {
		return n.note, fmt.Errorf("it ended as %s: %s", n.Status, n.Rejection)
	}
	return n.note, nil
}

func (n note) final() bool {
	return n.Status == "issued" || n.Status == "rejected" || n.Status == "cancelled"
}
