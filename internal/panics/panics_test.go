package panics_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"emissor/internal/panics"
)

func TestCaught(t *testing.T) {
	if err := panics.Caught(func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("an error became %v", err)
	}
	if err := panics.Caught(func() error { return nil }); err != nil {
		t.Errorf("a success became %v", err)
	}
	err := panics.Caught(func() error { panic("a poison row") })
	var caught *panics.Error
	if !errors.As(err, &caught) || caught.Value != "a poison row" ||
		!strings.Contains(string(caught.Stack), "panics_test.go") {
		t.Errorf("a panic became %v", err)
	}
}

func TestWithin(t *testing.T) {
	err := panics.Within(t.Context(), time.Millisecond, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("what takes for ever became %v", err)
	}
	var caught *panics.Error
	err = panics.Within(t.Context(), time.Hour, func(context.Context) error { panic("a poison row") })
	if !errors.As(err, &caught) {
		t.Errorf("a panic became %v", err)
	}
	if err := panics.Within(t.Context(), time.Hour, func(ctx context.Context) error { return ctx.Err() }); err != nil {
		t.Errorf("a success became %v", err)
	}
}
