package workflows_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"emissor/internal/trace"
	"emissor/internal/trace/engine"
	"emissor/workflows"
)

// The histories in testdata/replay were recorded from earlier code. A change that cannot replay one of them would
// break the notes that are open while it is deployed: such a change needs workflow.GetVersion. Scenarios are added
// (go test ./worker -record), never edited.
func TestReplay(t *testing.T) {
	replayAll(t)
}

// Runs that read their notes more often than they may today go on as they went.
func TestReplay_BeyondTheBound(t *testing.T) {
	workflows.BoundLooks(t, 0)
	replayAll(t)
}

// A workflow without a recorded history could be changed in a way that breaks its open runs, and no test would see it.
func TestReplay_EveryType(t *testing.T) {
	begun := map[string]bool{}
	for _, file := range recorded(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var past history.History
		if err := (temporalproto.CustomJSONUnmarshalOptions{}).Unmarshal(text, &past); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		begun[past.Events[0].GetWorkflowExecutionStartedEventAttributes().GetWorkflowType().GetName()] = true
	}
	for name := range workflows.Types() {
		if !begun[name] {
			t.Errorf("no history of %s is in testdata/replay: go test ./worker -record", name)
		}
	}
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

// recorded are the files of the recorded histories.
func recorded(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/replay/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded histories: %v", err)
	}
	return files
}

func replayAll(t *testing.T, around ...interceptor.WorkerInterceptor) {
	t.Helper()
	for _, file := range recorded(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			replayer, err := worker.NewWorkflowReplayerWithOptions(worker.WorkflowReplayerOptions{Interceptors: around})
			if err != nil {
				t.Fatal(err)
			}
			for name, function := range workflows.Types() {
				replayer.RegisterWorkflowWithOptions(function, workflow.RegisterOptions{Name: name})
			}
			if err := replayer.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
				t.Error(err)
			}
		})
	}
}
