package admission

import (
	"context"
	"net"
	"slices"
	"testing"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// taking is an engine that takes starts, and answers nothing else.
type taking struct {
	workflowservice.UnimplementedWorkflowServiceServer
}

func (taking) StartWorkflowExecution(context.Context, *workflowservice.StartWorkflowExecutionRequest) (
	*workflowservice.StartWorkflowExecutionResponse, error) {
	return &workflowservice.StartWorkflowExecutionResponse{}, nil
}

// What the engine answers is told with its code, but for polls; and it is known when the engine is away.
func TestAdmission_EngineAnswered(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	workflowservice.RegisterWorkflowServiceServer(server, taking{})
	go func() { _ = server.Serve(listener) }() // ends with Stop
	t.Cleanup(server.Stop)

	var told []string
	a := New(DefaultLatency)
	a.Answered = func(operation, code string, took time.Duration) {
		if took <= 0 {
			t.Errorf("%s took %s", operation, took)
		}
		told = append(told, operation+" "+code)
	}
	if a.Connected() {
		t.Error("it is connected before the first call")
	}
	connection, err := grpc.NewClient(listener.Addr().String(),
		append(a.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	engine := workflowservice.NewWorkflowServiceClient(connection)
	_, err = engine.StartWorkflowExecution(t.Context(), &workflowservice.StartWorkflowExecutionRequest{})
	if err != nil || !a.Connected() {
		t.Errorf("after a start it is connected: %t, with %v", a.Connected(), err)
	}
	_, _ = engine.PollWorkflowTaskQueue(t.Context(), &workflowservice.PollWorkflowTaskQueueRequest{})
	_, _ = engine.DescribeNamespace(t.Context(), &workflowservice.DescribeNamespaceRequest{})
	server.Stop()
	for state := connection.GetState(); a.Connected(); state = connection.GetState() {
		connection.WaitForStateChange(t.Context(), state)
	}
	_, _ = engine.StartWorkflowExecution(t.Context(), &workflowservice.StartWorkflowExecutionRequest{})
	expected := []string{"StartWorkflowExecution OK", "DescribeNamespace Unimplemented",
		"StartWorkflowExecution Unavailable"}
	if !slices.Equal(told, expected) {
		t.Errorf("told %q, expected %q", told, expected)
	}
}
