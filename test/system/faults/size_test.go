//go:build faults

package faults

import "emissor/test/long"

// size is how much a run does: by default enough for each kind of fault once,
// with LONG_TESTS (make test-long) more notes under more of them.
type size struct{ notes, faults int }

func sizeOf(few, many size) size {
	if long.Asked() {
		return many
	}
	return few
}

var (
	sandbox    = sizeOf(size{notes: 180, faults: 4}, size{notes: 360, faults: 8})
	live       = sizeOf(size{notes: 120, faults: 5}, size{notes: 300, faults: 7})
	inCity     = sizeOf(size{notes: 36, faults: 3}, size{notes: 360, faults: 8})
	everywhere = sizeOf(size{notes: 72, faults: 4}, size{notes: 72, faults: 4})
)

// clients send the notes side by side.
const clients = 6
