package trace

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
	otrace "go.opentelemetry.io/otel/trace"
)

const traceparent = "traceparent"

// Parent is the traceparent (W3C) of a context, for what is done later in another process; nil where there is no trace.
// It says also whether the trace is recorded, so that this is decided once.
func Parent(ctx context.Context) *string {
	if !otrace.SpanContextFromContext(ctx).IsValid() {
		return nil
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return new(carrier[traceparent])
}

// Apart is the context without its trace: what is begun in it has one of its own.
func Apart(ctx context.Context) context.Context {
	if !otrace.SpanContextFromContext(ctx).IsValid() {
		return ctx
	}
	return otrace.ContextWithSpan(ctx, nil)
}

// parse reads a traceparent; what is none, or empty, is not valid. A tracestate and baggage are never read.
func parse(text string) otrace.SpanContext {
	if text == "" {
		return otrace.SpanContext{}
	}
	carrier := propagation.MapCarrier{traceparent: text}
	return otrace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), carrier))
}
