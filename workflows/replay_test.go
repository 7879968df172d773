package workflows_test

import (
	"log/slog"
	"path/filepath"
	"testing"

	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"emissor/internal/trace"
	"emissor/internal/trace/engine"
	"emissor/workflows"
)

// The histories in testdata/replay were recorded from the code of before. A change
// that cannot replay one of them would break the notes that are open while it
// is deployed: such a change needs workflow.GetVersion. Scenarios are added
// (go test ./worker -record), never edited.
func TestReplay(t *testing.T) {
	replayAll(t)
}

// Runs that read their notes more often than they may today go on as they went.
func TestReplay_BeyondTheBound(t *testing.T) {
	workflows.BoundLooks(t, 0)
	replayAll(t)
}

// A recorded run goes on the same way where there are traces.
func TestReplay_Traced(t *testing.T) {
	tracer, err := trace.New(trace.Options{URL: "http://127.0.0.1:1/v1/traces", Ratio: 1,
		Logger: slog.New(slog.DiscardHandler), Lost: func(string, int) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tracer.Close)
	interceptors, err := engine.Interceptors(tracer)
	if err != nil {
		t.Fatal(err)
	}
	replayAll(t, interceptors[0].(interceptor.WorkerInterceptor))
}

func replayAll(t *testing.T, around ...interceptor.WorkerInterceptor) {
	t.Helper()
	files, err := filepath.Glob("testdata/replay/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded histories: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			replayer, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{Interceptors: around})
			if err != nil {
				t.Fatal(err)
			}
			replayer.RegisterWorkflowWithOptions(workflows.Note, workflow.RegisterOptions{Name: workflows.NoteType})
			replayer.RegisterWorkflowWithOptions(workflows.Email, workflow.RegisterOptions{Name: workflows.EmailType})
			replayer.RegisterWorkflowWithOptions(workflows.Export, workflow.RegisterOptions{Name: workflows.ExportType})
			replayer.RegisterWorkflowWithOptions(workflows.Distribution,
				workflow.RegisterOptions{Name: workflows.DistributionType})
			replayer.RegisterWorkflowWithOptions(workflows.Delivery,
				workflow.RegisterOptions{Name: workflows.DeliveryType})
			replayer.RegisterWorkflowWithOptions(workflows.Maintenance,
				workflow.RegisterOptions{Name: workflows.MaintenanceType})
			replayer.RegisterWorkflowWithOptions(workflows.AcceptBatch,
				workflow.RegisterOptions{Name: workflows.BatchType})
			replayer.RegisterWorkflowWithOptions(workflows.RecurringNote,
				workflow.RegisterOptions{Name: workflows.RecurringNoteType})
			if err := replayer.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
				t.Error(err)
			}
		})
	}
}
