// Package engine carries traces through the workflow engine, by Temporal's own interceptor: in a header of the run and
// of each activity, never in inputs. It shows runs, activities and signals; that one was started is no span of its own.
package engine

import (
	"context"
	"errors"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	otrace "go.opentelemetry.io/otel/trace"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"emissor/internal/trace"
)

// Interceptors are what the client of the engine needs, for itself and for its workers; none for a nil tracer.
func Interceptors(tracer *trace.Tracer) ([]interceptor.ClientInterceptor, error) {
	if tracer == nil {
		return nil, nil
	}
	library, err := opentelemetry.NewTracer(opentelemetry.TracerOptions{
		Tracer:               tracer.Library(),
		DisableQueryTracing:  true,
		DisableUpdateTracing: true,
		DisableBaggage:       true,
		TextMapPropagator:    propagation.TraceContext{},
		SpanStarter:          start,
		// A header that cannot be read costs its trace, and never the run.
		AllowInvalidParentSpans: true,
	})
	if err != nil {
		return nil, err
	}
	return []interceptor.ClientInterceptor{interceptor.NewTracingInterceptor(tags{library})}, nil
}

// tags leaves out the workflow's id, which has the caller's reference in it.
type tags struct{ interceptor.Tracer }

const (
	libraryRun = "temporalRunID"
	keyRun     = "emissor.run_id"
)

// StartSpan implements interceptor.Tracer.
func (t tags) StartSpan(options *interceptor.TracerStartSpanOptions) (interceptor.TracerSpan, error) {
	run := options.Tags[libraryRun]
	options.Tags = nil
	if run != "" {
		options.Tags = map[string]string{keyRun: run}
	}
	return t.Tracer.StartSpan(options)
}

// start makes a span of what runs. What only starts something else passes the span on that it is in.
func start(ctx context.Context, tracer otrace.Tracer, name string, options ...otrace.SpanStartOption) otrace.Span {
	switch operation, _, _ := strings.Cut(name, ":"); operation {
	case "RunWorkflow", "RunActivity", "HandleSignal":
	default:
		return otrace.SpanFromContext(ctx)
	}
	_, span := tracer.Start(ctx, name, options...)
	if !span.IsRecording() {
		return span
	}
	return &coded{Span: span}
}

// coded is a span that says codes where the library says the words of errors.
type coded struct {
	otrace.Span
	failed bool
}

// RecordError implements otrace.Span.
func (c *coded) RecordError(err error, _ ...otrace.EventOption) {
	var goesOn *workflow.ContinueAsNewError
	if err == nil || errors.As(err, &goesOn) {
		return
	}
	c.failed = true
	c.SetAttributes(attribute.String("error.type", code(err)))
}

// SetStatus implements otrace.Span.
func (c *coded) SetStatus(status codes.Code, _ string) {
	if c.failed || status != codes.Error {
		c.Span.SetStatus(status, "")
	}
}

func code(err error) string {
	var failed *temporal.ApplicationError
	var late *temporal.TimeoutError
	switch {
	case errors.As(err, &failed) && failed.Type() != "":
		return failed.Type()
	case temporal.IsCanceledError(err):
		return "canceled"
	case errors.As(err, &late):
		return "out_of_time"
	}
	return trace.Code(err)
}
