package imported

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"emissor/fiscal/national/classification"
	"emissor/store"
)

// NewSource makes the tables known to a process: those that are built in, until it has loaded
// what is on record.
func NewSource(db *store.Store, logger *slog.Logger) *classification.Source {
	return classification.NewSource(editionsOnRecord{db}, logger)
}

// editionsOnRecord is a classification.Loader.
type editionsOnRecord struct{ store *store.Store }

// Version implements classification.Loader.
func (e editionsOnRecord) Version(ctx context.Context) (string, error) {
	return e.store.Catalogues.ClassificationVersion(ctx)
}

// Imported implements classification.Loader.
func (e editionsOnRecord) Imported(ctx context.Context) ([]*classification.Edition, error) {
	recorded, err := e.store.Catalogues.ClassificationEditions(ctx)
	if err != nil {
		return nil, err
	}
	editions := make([]*classification.Edition, len(recorded))
	for i, one := range recorded {
		var records []classification.Record
		if err := json.Unmarshal(one.Content, &records); err != nil {
			return nil, fmt.Errorf("edition %s: %w", one.ID, err)
		}
		editions[i], err = classification.NewEdition(classification.Table(one.Table), one.Name, one.ValidFrom, records)
		if err != nil {
			return nil, fmt.Errorf("edition %s: %w", one.ID, err)
		}
	}
	return editions, nil
}
