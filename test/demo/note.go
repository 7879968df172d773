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
	ctx, cancel := context.WithTimeoutCause(ctx, noteTimeout, fmt.Errorf("it is not final after %s", noteTimeout))
	defer cancel()

	var n note
	began := time.Now()
	if err := api.must(ctx, http.StatusAccepted, http.MethodPost, "/v1/nfse", map[string]any{
		"reference":    generate.UsualReference(int(began.UnixMilli())), // as people in Brazil write them
		"service_id":   service,
		"amount_cents": 15000,
		"customer":     json.RawMessage(customer),
	}, &n); err != nil {
		return n, err
	}
	fmt.Fprintf(out, "\nA %s, %s\n", what, n.ID)
	report := func() { fmt.Fprintf(out, "  %8.1f ms  %s\n", float64(time.Since(began).Microseconds())/1000, n.Status) }
	report()
	for pause := 2 * time.Millisecond; !n.final(); pause = min(pause*5/4, 100*time.Millisecond) {
		select {
		case <-ctx.Done():
			return n, context.Cause(ctx)
		case <-time.After(pause):
		}
		before := n.Status
		if err := api.must(ctx, http.StatusOK, http.MethodGet, "/v1/nfse/"+n.ID, nil, &n); err != nil {
			return n, err
		}
		if n.Status != before {
			report()
		}
	}
	if n.Status != "issued" {
		return n, fmt.Errorf("it ended as %s: %s", n.Status, n.Rejection)
	}
	return n, nil
}

func (n note) final() bool {
	return n.Status == "issued" || n.Status == "rejected" || n.Status == "cancelled"
}
