package testkit

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// NewNamespace makes a namespace of the stack's engine, as an operator does: nothing of Emissor's is in it, and no
// search attribute. It stays until the stack ends.
func NewNamespace(t testing.TB) string {
	t.Helper()
	namespaces, err := client.NewNamespaceClient(client.Options{HostPort: environment(t, "TEMPORAL_ADDRESS")})
	must(t, err)
	defer namespaces.Close()
	ours, err := namespaces.Describe(t.Context(), environment(t, "TEMPORAL_NAMESPACE"))
	must(t, err)
	name := "test-" + strings.ReplaceAll(uuid.NewString(), "-", "")
	must(t, namespaces.Register(t.Context(), &workflowservice.RegisterNamespaceRequest{
		Namespace:                        name,
		WorkflowExecutionRetentionPeriod: ours.GetConfig().GetWorkflowExecutionRetentionTtl(),
	}))
	return name
}
