//go:build !cluster

package kubernetes

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

const example = "../../deploy/helm/examples/small/"

func parse(t *testing.T, path string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(readFile(t, path)), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// The ingress leads to Services that the chart makes.
func TestExample_Ingress(t *testing.T) {
	t.Parallel()
	services := of[*corev1.Service](resources(t, render(t, "--values", example+"emissor.yaml")))
	ingress := of[*networkingv1.Ingress](resources(t, readFile(t, example+"ingress.yaml")))
	for _, rule := range ingress[0].Spec.Rules {
		backend := rule.HTTP.Paths[0].Backend.Service
		if !slices.ContainsFunc(services, func(s *corev1.Service) bool {
			return s.Name == backend.Name && s.Spec.Ports[0].Name == backend.Port.Name
		}) {
			t.Errorf("%s leads to %+v, which is not there", rule.Host, backend)
		}
	}
}

// The adapter serves the metric that workers are scaled by.
func TestExample_Adapter(t *testing.T) {
	t.Parallel()
	var adapter struct {
		Rules struct {
			External []struct{ Name struct{ As string } }
		}
	}
	parse(t, example+"prometheus-adapter.yaml", &adapter)
	scalers := of[*autoscalingv2.HorizontalPodAutoscaler](resources(t, render(t, "--values", example+"emissor.yaml")))
	if len(scalers) != 1 || scalers[0].Spec.Metrics[0].External.Metric.Name != adapter.Rules.External[0].Name.As {
		t.Errorf("the adapter serves %+v, and %d are scaled", adapter, len(scalers))
	}
}

// Temporal is set as elsewhere, in the namespace and at the address where Emissor looks for it.
func TestExample_Temporal(t *testing.T) {
	t.Parallel()
	var dynamic map[string]any
	parse(t, "../../deploy/temporal/dynamicconfig.yaml", &dynamic)
	var temporal struct {
		Server struct {
			DynamicConfig map[string]any
			Config        struct {
				Namespaces struct{ Namespace []struct{ Name string } }
			}
		}
	}
	parse(t, example+"temporal.yaml", &temporal)
	if !reflect.DeepEqual(temporal.Server.DynamicConfig, dynamic) {
		t.Errorf("its dynamic settings are\n%v\nand elsewhere\n%v", temporal.Server.DynamicConfig, dynamic)
	}
	var values struct{ Config map[string]any }
	parse(t, example+"emissor.yaml", &values)
	if name := temporal.Server.Config.Namespaces.Namespace[0].Name; values.Config["TEMPORAL_NAMESPACE"] != name {
		t.Errorf("its namespace is %s, and Emissor's %v", name, values.Config["TEMPORAL_NAMESPACE"])
	}
}

// Every account that database-accounts.md asks for is made, in its role; roles are made as elsewhere.
func TestExample_Database(t *testing.T) {
	t.Parallel()
	var database struct {
		Spec struct {
			Bootstrap struct {
				InitDB struct{ PostInitSQL []string }
			}
			Managed struct {
				Roles []struct {
					Name    string
					InRoles []string
				}
			}
		}
	}
	parse(t, example+"database.yaml", &database)
	made := map[string]string{}
	for _, role := range database.Spec.Managed.Roles {
		made[role.Name] = strings.Join(role.InRoles, " ")
	}
	if expected := map[string]string{
		"emissor_api_user": "emissor_api", "emissor_worker_user": "emissor_worker",
		"emissor_dashboard_user": "emissor_dashboard", "emissor_operator_user": "emissor_operator", "temporal": "",
	}; !reflect.DeepEqual(made, expected) {
		t.Errorf("the accounts are %v, expected %v", made, expected)
	}
	elsewhere := readFile(t, "../../deploy/postgres/roles.sql")
	for _, statement := range database.Spec.Bootstrap.InitDB.PostInitSQL {
		if !strings.Contains(elsewhere, statement+";") {
			t.Errorf("%s: not so in roles.sql", statement)
		}
	}
}
