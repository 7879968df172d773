package doctor

import (
	"context"

	"emissor/nfse/fact"
)

// keyset checks that the keyset opens, and has the key of every secret on record.
func (d *Doctor) keyset(ctx context.Context) ([]Finding, error) {
	do := fact.DoctorDoKeyset.Fact()
	switch {
	case d.KeysetError != nil:
		return []Finding{problem(Keyset, fact.DoctorKeysetClosed.With("why", fact.OfError(d.KeysetError)), do)}, nil
	case d.Sealer == nil:
		return []Finding{problem(Keyset, fact.DoctorKeysetMissing.Fact(), do)}, nil
	case !d.readable(ctx):
		return []Finding{skipped(Keyset, fact.DoctorNeedsFirst.Fact())}, nil
	}
	sealed, err := d.Store.Operate.CountSealed(ctx)
	if err != nil {
		return nil, err
	}
	held := map[int64]bool{}
	for _, id := range d.Sealer.Keys().IDs() {
		held[int64(id)] = true
	}
	opens, closed := 0, 0
	for key, secrets := range sealed {
		if held[key] {
			opens += secrets
		} else {
			closed += secrets
		}
	}
	if closed > 0 {
		return []Finding{problem(Keyset, fact.DoctorKeysetLacks.With("secrets", closed), do)}, nil
	}
	return []Finding{good(Keyset, fact.DoctorKeysetGood.With("secrets", opens))}, nil
}
