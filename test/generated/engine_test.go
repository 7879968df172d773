package generated

import (
	"fmt"
	"testing"

	"go.temporal.io/api/workflowservice/v1"

	"emissor/test/testkit"
	"emissor/workflows"
)

// checkEngine holds that the engine lists the run of every note, which operators look
// for there, and that none is open any longer.
func (s *system) checkEngine(t *testing.T, callers []*caller) {
	wanted := map[string]string{} // references by workflow id
	for _, c := range callers {
		for _, n := range c.notes {
			wanted[workflows.NoteID(c.scope.Scope, n.reference)] = n.reference
		}
	}
	testkit.Eventually(t, fmt.Sprintf("the engine lists %d notes, and none as open", len(wanted)), func() bool {
		listed, open, err := s.listed(t)
		if err != nil { // as where those reads are used up
			t.Log("the engine's list:", err)
			return false
		}
		missing := 0
		for id := range wanted {
			if !listed[id] {
				missing++
			}
		}
		return missing == 0 && open == 0
	})
}

// listed are the ids of the runs of notes, and how many of them are open.
func (s *system) listed(t *testing.T) (ids map[string]bool, open int, err error) {
	t.Helper()
	ids = map[string]bool{}
	// Small pages: in the development stack each row has the engine read the search attributes again, of which it allows
	// 2,000 reads a second.
	request := &workflowservice.ListWorkflowExecutionsRequest{PageSize: 100,
		Query: fmt.Sprintf("TaskQueue = '%s'", s.Queues.Notes())}
	for {
		page, err := s.Temporal.ListWorkflow(t.Context(), request)
		if err != nil {
			return nil, 0, err
		}
		for _, run := range page.GetExecutions() {
			ids[run.GetExecution().GetWorkflowId()] = true
			if run.GetCloseTime() == nil {
				open++
			}
		}
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 {
			return ids, open, nil
		}
	}
}
