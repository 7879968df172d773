//go:build !cluster

package kubernetes

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

// variants are files of values: what has to be said alone, everything that can be said, and installations between.
var variants = []string{
	"testdata/minimal.yaml", "testdata/everything.yaml", "testdata/temporal-cloud.yaml",
	"../../deploy/helm/examples/small/emissor.yaml",
}

// decode is the program that decodes as the oldest version of Kubernetes does.
var decode string

func TestMain(m *testing.M) {
	helmProgram, decode = tool(".", "helm"), tool("decode", "decode")
	if err := monitoringv1.AddToScheme(scheme.Scheme); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// tool builds a tool of a module, unless it was built before, and returns where it is.
func tool(folder, name string) string {
	command := exec.Command("go", "-C", folder, "tool", "-n", name)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	path, err := command.Output()
	if err != nil {
		panic(fmt.Sprintf("go tool %s: %v", name, err))
	}
	return strings.TrimSpace(string(path))
}

// render renders the chart as a release "emissor" in a namespace "fiscal".
func render(t *testing.T, arguments ...string) string {
	t.Helper()
	text, err := renderChart(chart, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func renderChart(chart string, arguments ...string) (string, error) {
	return helm(append([]string{"template", "emissor", chart, "--namespace", "fiscal"}, arguments...)...)
}

// resources are what a rendering consists of, decoded strictly by the types of the newest Kubernetes.
func resources(t *testing.T, text string) (all []runtime.Object) {
	t.Helper()
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		object, _, err := strict.Decode(document, nil, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		all = append(all, object)
	}
}

// of returns the resources of one type.
func of[T runtime.Object](all []runtime.Object) (some []T) {
	for _, object := range all {
		if one, ok := object.(T); ok {
			some = append(some, one)
		}
	}
	return some
}
