package testkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// EngineTexts are all texts that the engine has of a run: those of its history's events, with inputs, results,
// markers, headers, failures, summaries, memo and search attributes, and those by which it is listed.
func EngineTexts(t testing.TB, engine client.Client, run *workflow.WorkflowExecutionInfo) []string {
	t.Helper()
	var texts []string
	collect(reflect.ValueOf(run), &texts)
	for _, event := range EngineHistory(t, engine, run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId()) {
		collect(reflect.ValueOf(event), &texts)
	}
	return texts
}

// EngineHistory are all events of a run's history; without an id of the run, of the workflow's last one.
func EngineHistory(t testing.TB, engine client.Client, workflowID, runID string) (events []*history.HistoryEvent) {
	t.Helper()
	AskEngine(t, "the history of "+workflowID, func() error {
		events = nil
		iterator := engine.GetWorkflowHistory(t.Context(), workflowID, runID, false,
			enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for iterator.HasNext() {
			event, err := iterator.Next()
			if err != nil {
				return err
			}
			events = append(events, event)
		}
		return nil
	})
	return events
}

// AskEngine asks again where the engine is too busy to answer, or to take a connection.
func AskEngine(t testing.TB, of string, ask func() error) {
	t.Helper()
	Eventually(t, "the engine answers for "+of, func() bool {
		err := ask()
		var busy *serviceerror.ResourceExhausted
		var late *serviceerror.DeadlineExceeded
		var away *serviceerror.Unavailable
		if errors.As(err, &busy) || errors.As(err, &late) || errors.As(err, &away) ||
			errors.Is(err, context.DeadlineExceeded) {
			return false
		}
		must(t, err)
		return true
	})
}

// EngineRuns are the runs on a task queue that the engine lists.
func EngineRuns(t testing.TB, engine client.Client, queue string) (runs []*workflow.WorkflowExecutionInfo) {
	t.Helper()
	request := &workflowservice.ListWorkflowExecutionsRequest{PageSize: 100,
		Query: fmt.Sprintf("TaskQueue = '%s'", queue)}
	for {
		var page *workflowservice.ListWorkflowExecutionsResponse
		AskEngine(t, "the runs on "+queue, func() (err error) {
			page, err = engine.ListWorkflow(t.Context(), request)
			return err
		})
		runs = append(runs, page.GetExecutions()...)
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 {
			return runs
		}
	}
}

// collect walks through a message of the engine's and adds every text in it. Payloads are texts as they are, and what
// is JSON in them also as what it says, without its escapes.
func collect(value reflect.Value, texts *[]string) {
	if payload, is := value.Interface().(*common.Payload); is && payload != nil {
		*texts = append(*texts, string(payload.GetData()))
		var said any
		if json.Unmarshal(payload.GetData(), &said) == nil {
			*texts = append(*texts, fmt.Sprint(said))
		}
	}
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			collect(value.Elem(), texts)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				collect(value.Field(i), texts)
			}
		}
	case reflect.Map:
		for entries := value.MapRange(); entries.Next(); {
			collect(entries.Key(), texts)
			collect(entries.Value(), texts)
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			*texts = append(*texts, string(value.Bytes()))
			return
		}
		for i := range value.Len() {
			collect(value.Index(i), texts)
		}
	case reflect.String:
		*texts = append(*texts, value.String())
	}
}
