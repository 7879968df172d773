package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/serviceerror"
	taskqueuepb "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
)

// passwordVariable hands the database's password to the server.
const passwordVariable = "DEVSTACK_POSTGRES_PASSWORD"

// The namespace that is made, and how long it keeps finished workflows, as in production.
const (
	namespace = "emissor"
	retention = 72 * time.Hour
)

// temporalServer is the Temporal server, as seen from outside.
type temporalServer struct {
	*service
	address string
}

// newTemporalServer describes the server; it starts nothing.
func newTemporalServer(state *state, engine engine, postgres *postgres, ports ports) (*temporalServer, error) {
	log, err := state.log("temporal")
	if err != nil {
		return nil, err
	}
	t := &temporalServer{address: address(ports.frontend)}
	t.service = &service{
		name: "Temporal",
		log:  log,
		command: func() *exec.Cmd {
			cmd := engine.command(engine.program, log, "server",
				"-postgres-port", strconv.Itoa(ports.postgres),
				"-frontend-port", strconv.Itoa(ports.frontend),
				"-history-port", strconv.Itoa(ports.history),
				"-matching-port", strconv.Itoa(ports.matching),
				"-worker-port", strconv.Itoa(ports.worker),
				"-user", postgresUser, "-database", temporalDatabase, "-visibility", visibilityDatabase)
			cmd.Env = append(cmd.Environ(), passwordVariable+"="+postgres.password)
			return cmd
		},
		ready:      t.waitReady,
		retry:      startedLate,
		revive:     startedLate,
		stopSignal: syscall.SIGTERM,
		dropSignal: syscall.SIGKILL,
	}
	return t, nil
}

// startedLate recognizes a server that ended, although it answered already, because its own
// worker did not start in time, as happens on a busy machine.
func startedLate(log string) bool { return strings.Contains(log, "failed to start service worker") }

// waitReady waits until the namespace exists and can be used.
func (t *temporalServer) waitReady(ctx context.Context) error {
	conn, err := grpc.NewClient(t.address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close()
	client := workflowservice.NewWorkflowServiceClient(conn)
	for {
		err := probe(ctx, client)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w; the last answer was: %w", ctx.Err(), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// probe registers the namespace if it is missing and sends a request to every part that a workflow needs:
// the frontend, history (which workflow?), matching (who polls?) and visibility (how many?).
func probe(ctx context.Context, client workflowservice.WorkflowServiceClient) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()

	_, err := client.RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace:                        namespace,
		Description:                      "Emissor's workflows",
		WorkflowExecutionRetentionPeriod: durationpb.New(retention),
	})
	if exists := new(serviceerror.NamespaceAlreadyExists); err != nil && !isA(err, &exists) {
		return err
	}
	_, err = client.DescribeWorkflowExecution(ctx, &workflowservice.DescribeWorkflowExecutionRequest{
		Namespace: namespace,
		Execution: &commonpb.WorkflowExecution{WorkflowId: "is anybody there"},
	})
	if missing := new(serviceerror.NotFound); err != nil && !isA(err, &missing) {
		return err
	}
	if _, err = client.DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: namespace,
		TaskQueue: &taskqueuepb.TaskQueue{Name: "is-anybody-there"},
	}); err != nil {
		return err
	}
	_, err = client.CountWorkflowExecutions(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: namespace})
	return err
}

// isA is errors.As for an error of gRPC.
func isA[E error](err error, target *E) bool {
	return errors.As(serviceerror.FromStatus(status.Convert(err)), target)
}
