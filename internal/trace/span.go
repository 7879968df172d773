package trace

import (
	"context"

	"go.opentelemetry.io/otel/codes"
	otrace "go.opentelemetry.io/otel/trace"
)

// Span is a step of a trace. A nil one, of a trace that is not recorded, takes everything and does nothing.
type Span struct{ span otrace.Span }

// recorded is a span of the library; nil where it is not recorded.
func recorded(span otrace.Span) *Span {
	if !span.IsRecording() {
		return nil
	}
	return &Span{span}
}

// Recorded reports whether what happens in a context is recorded.
func Recorded(ctx context.Context) bool { return otrace.SpanFromContext(ctx).IsRecording() }

// Of is the span of a context; nil where none is recorded.
func Of(ctx context.Context) *Span { return recorded(otrace.SpanFromContext(ctx)) }

// StartCall starts the span of a call to somebody else, within the span of the context; nil where that is not recorded.
func StartCall(ctx context.Context, name string) (context.Context, *Span) {
	parent := otrace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, nil
	}
	ctx, span := parent.TracerProvider().Tracer(scope).Start(ctx, name, otrace.WithSpanKind(otrace.SpanKindClient))
	return ctx, recorded(span)
}

// End ends the span. Of an error it says the code.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	if err != nil {
		s.Failed(Code(err))
	}
	s.span.End()
}

// Failed says that the step failed, by a code.
func (s *Span) Failed(code string) {
	if s == nil {
		return
	}
	s.text(keyError, code)
	s.span.SetStatus(codes.Error, "")
}
