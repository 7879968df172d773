package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/internal/metrics"
	"emissor/internal/web"
)

// answered answers a request by a handler, and returns the answer and the lines of the log. ctx ends
// when the caller leaves.
func answered(
	ctx context.Context, t *testing.T, handle http.HandlerFunc,
) (*httptest.ResponseRecorder, []map[string]any) {
	t.Helper()
	var log bytes.Buffer
	requests := web.Requests{Name: "page", Metrics: metrics.New(), Logger: slog.New(slog.NewJSONHandler(&log, nil))}
	w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "BREW", "/pot", nil)
	answer, r := requests.Begin(w, r)
	answer.Give(ctx, func() { handle(answer, r) },
		func() { answer.WriteHeader(http.StatusInternalServerError) })
	answer.Record(ctx, "/{any}", web.KnownMethod(r.Method), "user_id", "usr_1")
	var lines []map[string]any
	for line := range strings.Lines(log.String()) {
		one := map[string]any{}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, one)
	}
	return w, lines
}

func TestAnswer_IsRecorded(t *testing.T) {
	there := t.Context()
	gone, leave := context.WithCancel(there)
	leave()
	nothing := func(http.ResponseWriter, *http.Request) {}
	for _, test := range []struct {
		caller context.Context
		handle http.HandlerFunc
		status float64
	}{
		{there, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("tea")) }, 200},
		{there, http.NotFound, 404},
		{gone, http.NotFound, 404},
		{there, nothing, 200},
		{gone, nothing, 0},
	} {
		w, lines := answered(test.caller, t, test.handle)
		if len(lines) != 1 {
			t.Fatalf("the log has %d lines", len(lines))
		}
		line := lines[0]
		if line["msg"] != "page" || line["status"] != test.status || line["method"] != "other" ||
			line["route"] != "/{any}" || line["client"] != "192.0.2.1" || line["user_id"] != "usr_1" {
			t.Errorf("logged is %v, expected the status %v", line, test.status)
		}
		if id := w.Header().Get("X-Request-Id"); !strings.HasPrefix(id, "req_") || line["request_id"] != id {
			t.Errorf("the id is %q, and logged is %v", id, line)
		}
	}
}

// A bug is one answer and one line, which the answer's id leads to.
func TestAnswer_Panic(t *testing.T) {
	w, lines := answered(t.Context(), t, func(http.ResponseWriter, *http.Request) { panic("a bug") })
	if w.Code != http.StatusInternalServerError || len(lines) != 2 || lines[0]["level"] != "ERROR" ||
		lines[0]["cause"] != "a bug" || lines[0]["request_id"] != w.Header().Get("X-Request-Id") ||
		!strings.Contains(lines[0]["stack"].(string), "answer_test.go") || lines[1]["status"] != 500.0 {
		t.Errorf("answered is %d, logged %v", w.Code, lines)
	}
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("a request that is not to be answered was answered")
		}
	}()
	answered(t.Context(), t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
}
