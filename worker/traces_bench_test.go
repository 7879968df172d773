package worker_test

import (
	"log/slog"
	"testing"

	common "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	"emissor/activities"
	"emissor/internal/trace"
	"emissor/internal/trace/engine"
	"emissor/nfse"
	"emissor/test/testkit"
	"emissor/workflows"
)

// BenchmarkActivity runs an activity of one statement, as a run of a trace does: without traces, and where one trace in
// a hundred or each is recorded.
func BenchmarkActivity(b *testing.B) {
	s := testkit.NewSystem(b, testkit.Options{})
	id := s.Issue(b, s.TestKey, testkit.Issuance(s.NewService(b, s.TestKey), "order"))
	s.Exec(b, `UPDATE notes SET status = 'processing', processing_at = now()`)
	notes := activities.Notes{Store: s.Store, Metrics: s.Metrics, Logger: slog.New(slog.DiscardHandler)}
	rows := &activities.RowGuard{Metrics: s.Metrics, Logger: notes.Logger, Loops: map[string]activities.Loop{
		workflows.ActivityBeginNote: {Name: activities.LoopNotes, ID: "note_id"}}}
	for _, traces := range []struct {
		name  string
		ratio float64
	}{{"Off", -1}, {"OnePercent", 0.01}, {"All", 1}} {
		b.Run(traces.name, func(b *testing.B) {
			tracer, around := tracing(b, traces.ratio)
			suite := &testsuite.WorkflowTestSuite{}
			suite.SetLogger(discard{})
			environment := suite.NewTestActivityEnvironment()
			environment.SetWorkerOptions(worker.Options{Interceptors: append(around, rows)})
			environment.RegisterActivityWithOptions(notes.BeginNote,
				activity.RegisterOptions{Name: workflows.ActivityBeginNote})
			b.ReportAllocs()
			defer testkit.ReportCPU(b)()
			for b.Loop() {
				ctx, span := tracer.Begin(b.Context(), "")
				environment.SetHeader(headerWith(b, trace.Parent(ctx)))
				span.End(nil)
				result, err := environment.ExecuteActivity(workflows.ActivityBeginNote, id)
				var state workflows.NoteState
				if err != nil || result.Get(&state) != nil || state.Status != nfse.StatusProcessing {
					b.Fatalf("%+v, %v", state, err)
				}
			}
		})
	}
}

// tracing makes a tracer and its interceptor; none of a negative ratio.
func tracing(b *testing.B, ratio float64) (*trace.Tracer, []interceptor.WorkerInterceptor) {
	b.Helper()
	if ratio < 0 {
		return nil, nil
	}
	tracer, err := trace.New(trace.Options{URL: testkit.NewCollector(b).URL, Ratio: ratio,
		Logger: slog.New(slog.DiscardHandler), Lost: func(string, int) {}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(tracer.Close)
	interceptors, err := engine.Interceptors(tracer)
	if err != nil {
		b.Fatal(err)
	}
	return tracer, []interceptor.WorkerInterceptor{interceptors[0].(interceptor.WorkerInterceptor)}
}

// headerWith is the header of an activity in a trace; none without one.
func headerWith(b *testing.B, traceparent *string) *common.Header {
	b.Helper()
	header := &common.Header{}
	if traceparent != nil {
		payload, err := converter.GetDefaultDataConverter().ToPayload(map[string]string{"traceparent": *traceparent})
		if err != nil {
			b.Fatal(err)
		}
		header.Fields = map[string]*common.Payload{"_tracer-data": payload}
	}
	return header
}

// discard logs nothing.
type discard struct{}

func (discard) Debug(string, ...any) {}
func (discard) Info(string, ...any)  {}
func (discard) Warn(string, ...any)  {}
func (discard) Error(string, ...any) {}
