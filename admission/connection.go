package admission

import (
	"context"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// DialOptions returns the options of the connection to the engine: it is watched
// for workflow tasks, and comes back soon after the engine was away.
func (a *Admission) DialOptions() []grpc.DialOption {
	reconnect := backoff.DefaultConfig
	reconnect.BaseDelay, reconnect.MaxDelay = 100*time.Millisecond, time.Second
	return []grpc.DialOption{
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: reconnect, MinConnectTimeout: 5 * time.Second}),
		grpc.WithChainUnaryInterceptor(a.watch),
	}
}

// watch sees each call to the engine.
func (a *Admission) watch(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	call grpc.UnaryInvoker, options ...grpc.CallOption) error {
	switch request.(type) {
	case *workflowservice.PollWorkflowTaskQueueRequest, *workflowservice.PollActivityTaskQueueRequest,
		*workflowservice.RespondWorkflowTaskCompletedRequest:
		// Without a connection they wait for it. The SDK would back off, for up to ten seconds after it is there.
		options = append(options, grpc.WaitForReady(true))
	}
	err := call(ctx, method, request, reply, connection, options...)
	switch request := request.(type) {
	case *workflowservice.StartWorkflowExecutionRequest:
		if err != nil {
			return failFast(err)
		}
		started := reply.(*workflowservice.StartWorkflowExecutionResponse)
		permit, _ := ctx.Value(permitKey{}).(*Permit)
		if first := started.GetEagerWorkflowTask(); permit.of(a) && len(first.GetTaskToken()) > 0 {
			a.began(permit, first.GetTaskToken(), started.GetRunId())
		}
	case *workflowservice.SignalWithStartWorkflowExecutionRequest:
		return failFast(err)
	case *workflowservice.PollWorkflowTaskQueueRequest:
		if task := reply.(*workflowservice.PollWorkflowTaskQueueResponse); err == nil && len(task.GetTaskToken()) > 0 {
			a.polled(task.GetTaskToken(), task.GetWorkflowExecution().GetRunId())
		}
	case *workflowservice.RespondWorkflowTaskCompletedRequest:
		if err == nil || isFinal(err) {
			a.answered(string(request.GetTaskToken()))
		}
	case *workflowservice.RespondWorkflowTaskFailedRequest:
		a.answered(string(request.GetTaskToken()))
	case *workflowservice.RespondQueryTaskCompletedRequest:
		a.answered(string(request.GetTaskToken()))
	}
	return err
}

// failFast keeps the SDK from hiding an engine that is away behind retries: what
// could not be begun is tried again by the outbox, which says why it waits.
func failFast(err error) error {
	if status.Code(err) == codes.Unavailable {
		return status.Error(codes.FailedPrecondition, status.Convert(err).Message())
	}
	return err
}

// isFinal reports that an answer to a task need not be sent again.
func isFinal(err error) bool {
	switch status.Code(err) {
	case codes.NotFound, codes.InvalidArgument, codes.FailedPrecondition:
		return true
	}
	return false
}
