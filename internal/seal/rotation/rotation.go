package rotation

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"emissor/internal/seal"
	"emissor/store"
	"emissor/store/operate"
)

// Rotation is where a rotation stands.
type Rotation struct {
	Keys      seal.Keys
	Processes []operate.KeysetReport // that run, and which keys each holds

	secrets map[int64]int
}

// Read reads where the rotation of a keyset with these keys stands.
func Read(ctx context.Context, db *store.Store, keys seal.Keys) (r Rotation, err error) {
	r.Keys = keys
	if r.secrets, err = db.Operate.CountSealed(ctx); err != nil {
		return r, err
	}
	r.Processes, err = db.Operate.KeysetReports(ctx)
	return r, err
}

// Secrets is how many secrets a key sealed.
func (r Rotation) Secrets(key seal.KeyID) int { return r.secrets[int64(key)] }

// Next says what the next step is, or waits for.
func (r Rotation) Next() string {
	newest, older := r.Keys.Newest(), r.Keys.BeforePrimary()
	switch {
	case len(r.Keys) == 1:
		return "nothing: no rotation is under way"
	case r.Keys.Primary() != newest && len(processesWithout(r.Processes, newest)) > 0:
		return fmt.Sprintf("wait until every process holds the key %d", newest)
	case r.Keys.Primary() != newest:
		return fmt.Sprintf("`emissor keyset rotate` makes the key %d the primary one", newest)
	case r.sealedUnder(older) > 0:
		return "`emissor keyset rotate` seals anew what older keys sealed; the processes do so as well"
	case len(r.processesBehind()) > 0:
		return fmt.Sprintf("wait until every process seals with the key %d", newest)
	}
	return "`emissor keyset rotate` removes " + keyNames(older)
}

// Opener opens the keyset, for the step that seals secrets again.
type Opener func(context.Context) (*seal.Sealer, error)

// Rotate takes the next step of the rotation of the keyset in the file, and says what was done. A
// step that is too early is an error which says for whom, and changes nothing.
func Rotate(
	ctx context.Context, db *store.Store, by *store.Changes, file seal.File, open Opener,
) (done string, err error) {
	err = file.Change(func(keyset *seal.Keyset) error {
		r, err := Read(ctx, db, keyset.Keys())
		if err != nil {
			return err
		}
		if done, err = r.step(ctx, db, keyset, open); err != nil {
			return err
		}
		return by.Operate.KeysetRotated(ctx, numbers(r.Keys.IDs()), numbers(keyset.Keys().IDs()), done)
	})
	return done, err
}

// step takes the next step and says what was done.
func (r Rotation) step(
	ctx context.Context, db *store.Store, keyset *seal.Keyset, open Opener,
) (done string, err error) {
	newest, older := r.Keys.Newest(), r.Keys.BeforePrimary()
	switch {
	case len(r.Keys) == 1:
		added, err := keyset.AddKey()
		return fmt.Sprintf("added the key %d, which does not seal yet; "+
			"run the command again when every process holds it (`emissor keyset status`)", added), err
	case r.Keys.Primary() != newest:
		if without := processesWithout(r.Processes, newest); len(without) > 0 {
			return "", fmt.Errorf("too early: the key %d is not held yet by %s", newest, strings.Join(without, ", "))
		}
		return fmt.Sprintf("the key %d is the primary key now; "+
			"run the command again to seal anew what older keys sealed", newest), keyset.MakePrimary(newest)
	case r.sealedUnder(older) > 0:
		return resealAll(ctx, db, open, older)
	}
	if late := r.processesBehind(); len(late) > 0 {
		return "", fmt.Errorf("too early: %s may still seal with an older key than %d",
			strings.Join(late, ", "), newest)
	}
	return fmt.Sprintf("removed %s: nothing is sealed under it any more. The rotation is complete", keyNames(older)),
		keyset.Remove(older...)
}

func resealAll(ctx context.Context, db *store.Store, open Opener, older []seal.KeyID) (done string, err error) {
	sealer, err := open(ctx)
	if err != nil {
		return "", err
	}
	result, err := newResealing(db.Operate, sealer).run(ctx, 0)
	for _, failure := range result.failed {
		err = errors.Join(err, fmt.Errorf("%s: %w", failure.place, failure.err))
	}
	if err != nil {
		return "", err
	}
	if len(result.closed) > 0 {
		return "", fmt.Errorf("%d secrets were sealed anew; these do not open with the keyset, and keep %s from being "+
			"removed: %s", result.done, keyNames(older), strings.Join(result.closed, ", "))
	}
	return fmt.Sprintf("%d secrets were sealed anew; run the command again to remove %s",
		result.done, keyNames(older)), nil
}

// processesBehind are those that may still seal with an older key than the newest.
func (r Rotation) processesBehind() []string {
	return processesWhere(r.Processes, func(report operate.KeysetReport) bool {
		return report.PrimaryKeyID != int64(r.Keys.Newest())
	})
}

func (r Rotation) sealedUnder(keys []seal.KeyID) (count int) {
	for _, key := range keys {
		count += r.Secrets(key)
	}
	return count
}

func keyNames(keys []seal.KeyID) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = fmt.Sprint(key)
	}
	if len(names) == 1 {
		return "the key " + names[0]
	}
	return "the keys " + strings.Join(names, ", ")
}
