package received

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse/fact"
	"emissor/store/postgres"
)

// patience is how often in a row a batch may take too long before one of its entries is
// taken for the cause, and not the database.
const patience = 3

// mayBeOneEntrys reports whether one of the entries can be the cause that a batch was not
// stored.
func mayBeOneEntrys(d Distribution, err error) bool {
	switch {
	case err == nil, errors.Is(err, errMovedOn):
		return false
	case postgres.TookTooLong(err):
		return d.Failures >= patience
	}
	return !postgres.IsUnavailable(err)
}

// apart is the batchSaver of a batch that failed: an entry that the database does not take
// does not stop the others.
type apart struct{}

// entry stores an entry as it is or, where that is refused, flagged, with its bytes: for
// the note that it is about, or at least for the issuer.
func (apart) entry(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed,
	stored *StoredBatch) (other int, err error) {
	refused, err := trySaving(ctx, tx, stored, func() (err error) {
		other, err = together{}.entry(ctx, tx, d, item, stored)
		return err
	})
	if err != nil || refused == nil {
		return other, err
	}
	reason := fmt.Errorf("the entry at the position %d is not stored as what it is: %w", item.Position, refused)
	flagged := fiscal.Distributed{
		Position: item.Position, Title: fact.ExternalEntry.Fact(), Content: append([]byte{}, item.Content...),
		Problem: fact.ExternalNotStored.With("why", whyRefused(refused)),
	}
	for _, flagged.AccessKey = range []string{item.AccessKey, ""} {
		refused, err = trySaving(ctx, tx, stored, func() error { return saveEvent(ctx, tx, d, flagged, stored) })
		if err != nil || refused == nil {
			break
		}
	}
	if err == nil {
		err = refused // nothing of it could be stored: the position must not move
	}
	stored.Refused = append(stored.Refused, reason)
	return 0, err
}

// link links events to their notes one by one: one that cannot be linked is tried again
// with every batch.
func (apart) link(ctx context.Context, tx *sqlx.Tx, d Distribution, batch fiscal.Batch, stored *StoredBatch) error {
	var events []int64
	err := tx.SelectContext(ctx, &events, `SELECT e.id FROM external_events e, notes n WHERE `+linkable+`
		UNION SELECT id FROM external_events WHERE `+applicable+` ORDER BY 1`,
		d.ID, d.Production, batch.Full, pq.Array(keysOf(batch)))
	if err != nil {
		return err
	}
	for _, event := range events {
		refused, err := trySaving(ctx, tx, stored, func() error {
			woken, err := linkEvents(ctx, tx, d, batch, []int64{event})
			stored.Woken += woken
			return err
		})
		if err != nil {
			return err
		}
		if refused != nil {
			stored.Refused = append(stored.Refused,
				fmt.Errorf("the event outside %d is not given to its note: %w", event, refused))
		}
	}
	return nil
}

// trySaving does something within a transaction, or undoes it and returns why it was
// refused. After err the transaction cannot go on.
func trySaving(ctx context.Context, tx *sqlx.Tx, stored *StoredBatch, save func() error) (refused, err error) {
	before := *stored
	refused, err = postgres.InSavepoint(ctx, tx, save)
	switch {
	case refused == nil || err != nil:
		return refused, err
	case postgres.IsUnavailable(refused) && !postgres.TookTooLong(refused):
		return nil, refused
	}
	*stored = before
	return refused, nil
}

// withStorableKeys is a batch of which every access key can be looked for in the database:
// an entry with another key becomes a flagged one without.
func withStorableKeys(batch fiscal.Batch) fiscal.Batch {
	batch.Items = slices.Clone(batch.Items)
	for i, item := range batch.Items {
		if !utf8.ValidString(item.AccessKey) || strings.ContainsRune(item.AccessKey, 0) {
			batch.Items[i] = fiscal.Distributed{Position: item.Position, Title: fact.ExternalEntry.Fact(),
				Content: item.Content, Problem: fact.ExternalNotStored.With("why", fact.RefusedByAccessKey.Fact())}
		}
	}
	return batch
}

// whyRefused says why an entry is not stored, without any of its content.
func whyRefused(err error) fact.Fact {
	var server *pq.Error
	if errors.As(err, &server) {
		return fact.RefusedByDatabase.With("code", string(server.Code))
	}
	return fact.RefusedByProgram.Fact()
}
