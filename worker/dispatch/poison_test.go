package dispatch_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"emissor/nfse"
	"emissor/store/outbox"
	"emissor/test/testkit"
)

// poison stands between worker and engine: each start of a run whose id has the word is
// done badly, until it is mended.
type poison struct {
	word      string
	do        func(ctx context.Context) error
	corrected atomic.Bool
	met       atomic.Int64
}

func (p *poison) intercept(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	call grpc.UnaryInvoker, options ...grpc.CallOption) error {
	start, is := request.(*workflowservice.StartWorkflowExecutionRequest)
	if is && strings.Contains(start.WorkflowId, p.word) && !p.corrected.Load() {
		p.met.Add(1)
		if err := p.do(ctx); err != nil {
			return err
		}
	}
	return call(ctx, method, request, reply, connection, options...)
}

// Rows that the engine never takes, that panic, and that take for ever stop no other row, no matter whose it is and
// whether it came before or after. They say why they wait, and end once they are corrected.
func TestOutboxLoop_PoisonRows(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	for name, test := range map[string]struct {
		do      func(context.Context) error
		rows    int
		failure outbox.StartFailure // that all of them end up with; empty: it depends on what is tried meanwhile
	}{
		"Refused": {func(context.Context) error { return status.Error(codes.InvalidArgument, "poison") }, 4,
			outbox.StartRefused},
		"NotSendable": {func(context.Context) error { return status.Error(codes.Internal, "header") }, 4,
			outbox.StartRefused},
		"UnknownError": {func(context.Context) error { return status.Error(codes.Unknown, "poison") }, 4,
			outbox.StartRefused},
		"LikeAnEngineAway": {func(context.Context) error { return status.Error(codes.Unavailable, "poison") }, 4,
			outbox.EngineAway},
		"Panics": {func(context.Context) error { panic("poison") }, 4, outbox.StartInternal},
		"TimesOut": {func(context.Context) error { return status.Error(codes.DeadlineExceeded, "poison") }, 1,
			outbox.StartTimedOut},
		"SeveralTimeOut": {func(context.Context) error { return status.Error(codes.DeadlineExceeded, "poison") }, 4,
			""},
		"TakesForEver": {func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return status.FromContextError(ctx.Err()).Err()
			case <-released:
				return nil
			}
		}, 4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := &poison{word: "/test/poison", do: test.do}
			s := testkit.NewSystem(t, testkit.Options{Worker: true, Engine: bad.intercept})
			service := s.NewService(t, s.TestKey)
			neighbour := *s
			neighbour.Organization, neighbour.TestKey, _ = s.NewOrganization(t, "Vizinha")
			neighboursService := s.NewService(t, neighbour.TestKey)

			var poisoned, healthy []string
			for i := range 3 {
				healthy = append(healthy,
					s.Issue(t, s.TestKey, testkit.Issuance(service, fmt.Sprint("before-", i))))
			}
			for i := range test.rows {
				poisoned = append(poisoned,
					s.Issue(t, s.TestKey, testkit.Issuance(service, fmt.Sprint("poison-", i))))
			}
			testkit.Eventually(t, "every bad row was tried", func() bool { return bad.met.Load() >= int64(test.rows) })
			for i := range 3 {
				healthy = append(healthy,
					s.Issue(t, s.TestKey, testkit.Issuance(service, fmt.Sprint("after-", i))),
					s.Issue(t, neighbour.TestKey, testkit.Issuance(neighboursService, fmt.Sprint("other-", i))))
			}
			testkit.Eventually(t, "all others are issued", func() bool {
				return s.Count(t, `SELECT count(*) FROM notes WHERE status = 'issued'`) == len(healthy)
			})
			if queued := s.Count(t, `SELECT count(*) FROM notes WHERE status = 'queued'`); queued != len(poisoned) {
				t.Errorf("%d notes are queued", queued)
			}
			if test.failure != "" {
				testkit.Eventually(t, "every bad row says why it waits", func() bool {
					return s.Count(t, `SELECT count(*) FROM outbox WHERE failure = $1 AND (failures > 0) = $2`,
						test.failure, test.failure.Own()) == len(poisoned)
				})
				for _, id := range poisoned {
					testkit.Eventually(t, "its note says so", func() bool { // between two tries, where the engine was busy
						history, err := s.Store.Lifecycle.NoteHistory(t.Context(), id)
						return err == nil && history.StartFailure != nil && *history.StartFailure == test.failure
					})
				}
			}

			bad.corrected.Store(true)
			if name == "TakesForEver" {
				close(released)
			}
			for _, id := range poisoned {
				if err := s.Changes().Lifecycle.RedriveNote(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				s.Await(t, s.TestKey, id, nfse.StatusIssued)
			}
			testkit.Eventually(t, "the outbox is empty",
				func() bool { return s.Count(t, `SELECT count(*) FROM outbox`) == 0 })
		})
	}
}
