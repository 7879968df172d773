package testkit

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"emissor/worker/dispatch"
)

// NewNamespace makes a namespace of the stack's engine, as an operator does: nothing of Emissor's is in it, and no
// search attribute. It stays until the stack ends.
func NewNamespace(t testing.TB) string {
	t.Helper()
	return NewNamespaceKeeping(t, dispatch.ClosedRunsKept)
}

// NewNamespaceKeeping makes one that keeps runs that have ended for so long.
func NewNamespaceKeeping(t testing.TB, retention time.Duration) string {
	t.Helper()
	name := "test-" + strings.ReplaceAll(uuid.NewString(), "-", "")
	must(t, newNamespaces(t).Register(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace: name, WorkflowExecutionRetentionPeriod: durationpb.New(retention),
	}))
	return name
}

// KeepRuns sets for how long a namespace keeps runs that have ended, as an operator does.
func KeepRuns(t testing.TB, name string, retention time.Duration) {
	t.Helper()
	must(t, newNamespaces(t).Update(t.Context(), &workflowservice.UpdateNamespaceRequest{
		Namespace: name,
		Config:    &namespace.NamespaceConfig{WorkflowExecutionRetentionTtl: durationpb.New(retention)},
	}))
}

// RunsKept is for how long a namespace keeps runs that have ended.
func RunsKept(t testing.TB, name string) time.Duration {
	t.Helper()
	described, err := newNamespaces(t).Describe(t.Context(), name)
	must(t, err)
	return described.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration()
}

func newNamespaces(t testing.TB) client.NamespaceClient {
	t.Helper()
	namespaces, err := client.NewNamespaceClient(client.Options{HostPort: environment(t, "TEMPORAL_ADDRESS")})
	must(t, err)
	t.Cleanup(namespaces.Close)
	return namespaces
}
