package rotation

import (
	"context"
	"time"

	"emissor/internal/panics"
	"emissor/internal/recent"
	"emissor/internal/seal"
	"emissor/store/operate"
)

const (
	resealBatch = 100 // how many secrets a process seals again at a time

	resealLongest = 2 * time.Second  // for one secret
	resealPause   = 10 * time.Minute // until one that failed is tried again
	mostResting   = 10_000
)

// resealing seals again what keys older than the primary one sealed. What fails with one secret stops no other.
type resealing struct {
	secrets sealedSecrets
	sealer  *seal.Sealer
	longest time.Duration // for one secret
	resting *recent.Set[string]
}

// sealedSecrets is where they stand.
type sealedSecrets interface {
	SealedUnder(ctx context.Context, keyIDs operate.KeyIDs, place string, limit int) ([]operate.SealedSecret, error)
	Reseal(ctx context.Context, secret operate.SealedSecret, resealed []byte) (done bool, err error)
}

func newResealing(secrets sealedSecrets, sealer *seal.Sealer) *resealing {
	return &resealing{secrets: secrets, sealer: sealer, longest: resealLongest,
		resting: recent.NewSet[string](resealPause, mostResting)}
}

// resealed is what came of sealing secrets again.
type resealed struct {
	done   int
	closed []string // those that do not open with the keyset
	failed []resealFailure
}

type resealFailure struct {
	place string
	err   error
}

// run seals up to a number of secrets again; 0 is all. It leaves out those that failed not long ago.
func (r *resealing) run(ctx context.Context, most int) (result resealed, err error) {
	older := numbers(r.sealer.Keys().BeforePrimary())
	if len(older) == 0 {
		return result, nil
	}
	for place := ""; most == 0 || result.done < most; {
		secrets, err := r.secrets.SealedUnder(ctx, older, place, resealBatch)
		if err != nil || len(secrets) == 0 {
			return result, err
		}
		for _, secret := range secrets {
			place = secret.Place()
			if r.resting.Has(place, time.Now()) {
				continue
			}
			err := panics.Within(ctx, r.longest, func(ctx context.Context) error {
				return r.reseal(ctx, secret, &result)
			})
			if ctx.Err() != nil {
				return result, ctx.Err()
			}
			if err != nil {
				r.resting.Add(place, time.Now())
				result.failed = append(result.failed, resealFailure{secret.Table + " " + place, err})
			}
		}
	}
	return result, nil
}

func (r *resealing) reseal(ctx context.Context, secret operate.SealedSecret, result *resealed) error {
	opened, err := r.sealer.Unseal(secret.Sealed, secret.OrganizationID, secret.ID)
	if err != nil {
		result.closed = append(result.closed, secret.Table+" "+secret.Place())
		return nil
	}
	sealed, err := r.sealer.Seal(opened, secret.OrganizationID, secret.ID)
	clear(opened)
	if err != nil {
		return err
	}
	done, err := r.secrets.Reseal(ctx, secret, sealed)
	if done {
		result.done++
	}
	return err
}
