package workflows_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// recordedEvent is as much of an event as decides what Temporal Cloud bills for it.
type recordedEvent struct {
	EventID   string `json:"eventId"`
	EventType string
	Started   struct {
		Attempt int
	} `json:"activityTaskStartedEventAttributes"`
	Marker struct {
		Task string `json:"workflowTaskCompletedEventId"`
	} `json:"markerRecordedEventAttributes"`
	Completed struct {
		Metering struct {
			Retries int `json:"nonfirstLocalActivityExecutionAttempts"`
		} `json:"meteringMetadata"`
	} `json:"workflowTaskCompletedEventAttributes"`
}

// actions counts what Temporal Cloud bills for a run, by its page "Temporal Cloud Actions" of September 2026: a start,
// with its first signal, if it began with one; a signal; a timer; an activity, and each of its retries; all local
// activities of one workflow task, and each of their retries. Search attributes of a start cost nothing, nor do those
// that versions set. Heartbeats cost one each, and are in no history.
func actions(events []recordedEvent) (count int) {
	tasks := map[string]bool{}
	for _, event := range events {
		switch event.EventType {
		case "EVENT_TYPE_WORKFLOW_EXECUTION_STARTED", "EVENT_TYPE_TIMER_STARTED", "EVENT_TYPE_ACTIVITY_TASK_SCHEDULED":
			count++
		case "EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED":
			if event.EventID != "2" { // else it came with the start
				count++
			}
		case "EVENT_TYPE_ACTIVITY_TASK_STARTED":
			count += event.Started.Attempt - 1
		case "EVENT_TYPE_MARKER_RECORDED":
			tasks[event.Marker.Task] = true
		case "EVENT_TYPE_WORKFLOW_TASK_COMPLETED":
			count += event.Completed.Metering.Retries
		}
	}
	return count + len(tasks)
}

// What docs/operations/temporal-cloud.md says that runs cost is what recorded ones would have been billed.
func TestActions_Documented(t *testing.T) {
	text, err := os.ReadFile("../docs/operations/temporal-cloud.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\|.*\\| (\\d+) \\| `([a-z-]+)` \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 8 {
		t.Fatalf("the page has %d rows of what runs cost", len(rows))
	}
	for _, row := range rows {
		raw, err := os.ReadFile(filepath.Join("testdata/replay", row[2]+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var history struct{ Events []recordedEvent }
		if err := json.Unmarshal(raw, &history); err != nil || len(history.Events) < 7 {
			t.Errorf("%s: %d events, %v", row[2], len(history.Events), err)
		}
		if said, _ := strconv.Atoi(row[1]); said != actions(history.Events) {
			t.Errorf("the page says %d actions of %s; it has %d", said, row[2], actions(history.Events))
		}
	}
}
