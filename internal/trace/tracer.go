package trace

import (
	"context"
	"crypto/x509"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otrace "go.opentelemetry.io/otel/trace"
)

// Options say where traces go, and how many.
type Options struct {
	URL     string            // of the collector, for OTLP over HTTP; empty: there are no traces
	Headers map[string]string // of each call to it
	Roots   *x509.CertPool    // that sign its certificate; nil is the system's
	Ratio   float64           // of the traces that are recorded, from 0 to 1
	Process string            // what the process is: api, worker, ...
	Version string            // of the program
	Logger  *slog.Logger

	// Lost is called for spans that do not reach the collector, with one of the reasons below.
	Lost func(reason string, spans int)
}

// scope names this program as the one that made a span.
const scope = "emissor"

// stopTimeout is how long a stopping process still sends spans.
const stopTimeout = 2 * time.Second

// Tracer begins traces, and takes up those of other processes. A nil one does neither.
type Tracer struct {
	provider *sdk.TracerProvider
	spans    otrace.Tracer
}

// New makes a tracer; nil where no collector is configured. The collector may be away.
func New(options Options) (*Tracer, error) {
	if options.URL == "" {
		return nil, nil
	}
	if options.Ratio < 0 || options.Ratio > 1 {
		return nil, fmt.Errorf("trace: the ratio must be from 0 to 1, and is %v", options.Ratio)
	}
	queue, err := newQueue(options)
	if err != nil {
		return nil, err
	}
	// The library's own reports may name the collector's address.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {}))
	provider := sdk.NewTracerProvider(
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(options.Ratio))),
		sdk.WithSpanProcessor(queue),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", scope),
			attribute.String("service.version", options.Version),
			attribute.String("emissor.process", options.Process))))
	return &Tracer{provider, provider.Tracer(scope)}, nil
}

// Close sends what waits, for a short time, and ends the tracer.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // what is lost by it was counted
}

// Library is what other libraries make spans of this tracer with; nil of a nil one.
func (t *Tracer) Library() otrace.Tracer {
	if t == nil {
		return nil
	}
	return t.spans
}

// Begin begins a trace with the span of a request. caller is the traceparent that the request came with, or anything:
// it becomes a link, and decides nothing. The context carries the trace also where it is not recorded.
func (t *Tracer) Begin(ctx context.Context, caller string) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	ctx, span := t.spans.Start(ctx, "request", otrace.WithNewRoot(), otrace.WithSpanKind(otrace.SpanKindServer))
	begun := recorded(span)
	if linked := parse(caller); begun != nil && linked.IsValid() {
		// Of what a caller sends the two ids are all that is kept.
		span.AddLink(otrace.Link{SpanContext: otrace.NewSpanContext(otrace.SpanContextConfig{
			TraceID: linked.TraceID(), SpanID: linked.SpanID(), Remote: true})})
	}
	return ctx, begun
}

// Continue takes up a trace that another process has begun, with a span in it. Without a traceparent of ours it begins
// one.
func (t *Tracer) Continue(ctx context.Context, traceparent, name string) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	if parent := parse(traceparent); parent.IsValid() {
		ctx = otrace.ContextWithRemoteSpanContext(ctx, parent)
	}
	ctx, span := t.spans.Start(ctx, name, otrace.WithSpanKind(otrace.SpanKindConsumer))
	return ctx, recorded(span)
}
