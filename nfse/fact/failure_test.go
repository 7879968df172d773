package fact

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestFailure(t *testing.T) {
	made := sample.With("operation", "find", "why", "x")
	err := Failure(made)
	if err.Error() != made.English() {
		t.Errorf("it says %q", err)
	}
	for name, c := range map[string]struct {
		err  error
		fact Fact
	}{
		"none":          {nil, Fact{}},
		"made of it":    {err, made},
		"wrapped":       {fmt.Errorf("RPS: %w", err), made},
		"with another":  {errors.Join(io.EOF, err), made},
		"somebody's":    {io.EOF, InWords("EOF")},
		"without words": {errors.New(""), Said.With("words", "")},
	} {
		if found := OfError(c.err); !found.Equal(c.fact) {
			t.Errorf("%s: %s", name, found)
		}
	}
	if other := Failure(made); errors.Is(err, other) || !errors.Is(fmt.Errorf("x: %w", err), err) {
		t.Error("one failure is taken for another")
	}
}

func TestFirst(t *testing.T) {
	if first := First(Fact{}, InWords("a"), InWords("b")); !first.Equal(InWords("a")) {
		t.Errorf("the first is %s", first)
	}
	if first := First(Fact{}, Fact{}); !first.None() {
		t.Errorf("the first of none is %s", first)
	}
}
