package rotation

import (
	"context"
	"strings"
	"testing"

	"emissor/internal/seal"
	"emissor/store/operate"
)

// Where a rotation stands follows from keys, secrets and processes alone: what it says comes next is
// what the next step does, or why it does nothing.
func TestRotation_Next(t *testing.T) {
	t.Parallel()
	one := seal.Keys{{ID: 1, Primary: true}}
	added := seal.Keys{{ID: 1, Primary: true}, {ID: 2}}
	promoted := seal.Keys{{ID: 1}, {ID: 2, Primary: true}}
	holds := func(primary int64, ids ...int64) []operate.KeysetReport {
		return []operate.KeysetReport{{Process: "elsewhere/7", KeyIDs: ids, PrimaryKeyID: primary}}
	}
	for name, c := range map[string]struct {
		rotation Rotation
		next     string
		tooEarly string // the step's error; empty: it is not
	}{
		"none": {Rotation{Keys: one}, "no rotation is under way", ""},
		"a process lacks it": {Rotation{Keys: added, Processes: holds(1, 1)},
			"wait until every process holds the key 2", "the key 2 is not held yet by elsewhere/7"},
		"all hold it": {Rotation{Keys: added, Processes: holds(1, 1, 2)},
			"makes the key 2 the primary one", ""},
		"secrets under older": {Rotation{Keys: promoted, secrets: map[int64]int{1: 3}},
			"seals anew what older keys sealed", ""},
		"a process is behind": {Rotation{Keys: promoted, Processes: holds(1, 1, 2)},
			"wait until every process seals with the key 2", "elsewhere/7 (reported"},
		"nothing is under older": {Rotation{Keys: promoted, secrets: map[int64]int{2: 3}},
			"removes the key 1", ""},
	} {
		if next := c.rotation.Next(); !strings.Contains(next, c.next) {
			t.Errorf("%s: next is %q, expected %q", name, next, c.next)
		}
		if c.tooEarly == "" {
			continue
		}
		none := func(context.Context) (*seal.Sealer, error) { t.Errorf("%s: it seals", name); return nil, nil }
		_, err := c.rotation.step(t.Context(), nil, nil, none)
		if err == nil || !strings.Contains(err.Error(), "too early: ") || !strings.Contains(err.Error(), c.tooEarly) {
			t.Errorf("%s: the step says %v, expected that it is too early: %q", name, err, c.tooEarly)
		}
	}
}
