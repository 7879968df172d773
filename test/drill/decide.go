package main

import (
	"context"
	"time"
)

// recovered is a document that emissor recovery list shows.
type recovered struct {
	Authority string  `json:"authority"`
	TaxID     string  `json:"tax_id"`
	Number    int64   `json:"number"`
	State     string  `json:"state"`
	NoteID    *string `json:"note_id"`
}

// recovered are the documents that the product has found, by the keys by which authorities know them.
func (i *installation) recovered(ctx context.Context, documents []document) (map[string]recovered, error) {
	return map[string]recovered{}, nil
}

// decideAndEnd does what is left to people, and waits until everything has ended.
func (i *installation) decideAndEnd(ctx context.Context, f *figures) error {
	for deadline := time.Now().Add(endPatience); time.Now().Before(deadline); {
		open, err := i.backlog(ctx)
		if err != nil {
			return err
		}
		if open == "" {
			return nil
		}
		i.drill.log("open: %s", open)
		if err := sleep(ctx, 2*time.Second); err != nil {
			return err
		}
	}
	return nil
}
