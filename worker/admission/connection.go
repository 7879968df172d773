package admission

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"
)

// DialOptions returns the options of the connection to the engine: workflow tasks are
// observed on it, and it reconnects soon after the engine was away.
func (a *Admission) DialOptions() []grpc.DialOption {
	reconnect := backoff.DefaultConfig
	reconnect.BaseDelay, reconnect.MaxDelay = 100*time.Millisecond, time.Second
	return []grpc.DialOption{
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: reconnect, MinConnectTimeout: 5 * time.Second}),
		grpc.WithChainUnaryInterceptor(a.observe),
	}
}

// Connected reports whether there is a connection to the engine. Polls wait for one, so that it is
// known without a call, once a worker has begun to poll.
func (a *Admission) Connected() bool {
	connection := a.connection.Load()
	return connection != nil && connection.GetState() == connectivity.Ready
}

// observe sees each call to the engine.
func (a *Admission) observe(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn,
	call grpc.UnaryInvoker, options ...grpc.CallOption) error {
	switch request.(type) {
	case *workflowservice.PollWorkflowTaskQueueRequest, *workflowservice.PollActivityTaskQueueRequest,
		*workflowservice.RespondWorkflowTaskCompletedRequest:
		// Without a connection they wait for it. The SDK would back off, for up to ten seconds after it is back.
		options = append(options, grpc.WaitForReady(true))
	}
	a.connection.Store(connection)
	began := time.Now()
	err := call(ctx, method, request, reply, connection, options...)
	if operation := path.Base(method); a.Answered != nil && !strings.HasPrefix(operation, "Poll") {
		a.Answered(operation, status.Code(err).String(), time.Since(began))
	}
	permit, _ := ctx.Value(permitKey{}).(*Permit)
	if err != nil && permit != nil {
		return permit.failed(err)
	}
	switch request := request.(type) {
	case *workflowservice.StartWorkflowExecutionRequest:
		started := reply.(*workflowservice.StartWorkflowExecutionResponse)
		if first := started.GetEagerWorkflowTask(); permit.of(a) && len(first.GetTaskToken()) > 0 {
			a.began(permit, first.GetTaskToken(), started.GetRunId())
		}
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

// failed records whether an error is the engine's, and changes errors that the SDK would
// retry: the dispatch loop tries the row again, and records why it waits.
func (p *Permit) failed(err error) error {
	p.admission.mu.Lock()
	p.away = p.away || isAway(err)
	p.admission.mu.Unlock()
	switch status.Code(err) {
	case codes.Unavailable, codes.ResourceExhausted, codes.Aborted, codes.Internal, codes.Unknown:
		return status.Error(codes.FailedPrecondition, status.Convert(err).Message())
	}
	return err
}

// isAway reports whether an error means that the engine cannot be reached, or takes nothing
// from this installation: not only this one run.
func isAway(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.Unauthenticated, codes.PermissionDenied:
		return true
	}
	answer := serviceerror.FromStatus(status.Convert(err))
	var exhausted *serviceerror.ResourceExhausted
	if errors.As(answer, &exhausted) {
		switch exhausted.Cause {
		case enums.RESOURCE_EXHAUSTED_CAUSE_BUSY_WORKFLOW, enums.RESOURCE_EXHAUSTED_CAUSE_UNSPECIFIED:
			return false // because of this run, or of a message too large for the connection
		}
		return true
	}
	var noNamespace *serviceerror.NamespaceNotFound
	return errors.As(answer, &noNamespace)
}

// isFinal reports whether, after this error, an answer to a task need not be sent again.
func isFinal(err error) bool {
	switch status.Code(err) {
	case codes.NotFound, codes.InvalidArgument, codes.FailedPrecondition:
		return true
	}
	return false
}
