// Command decode reads Kubernetes resources (YAML) from its input and decodes each strictly, as an API server of the
// oldest version that the chart is for would: an unknown resource, field or type ends it with an error. go.mod names
// that version.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run decodes what it reads, and says how much that was.
func run(in io.Reader, out io.Writer) error {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme,
		networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	strict := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(in))
	for decoded := 0; ; decoded++ {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			_, err := fmt.Fprintln(out, decoded)
			return err
		}
		if err != nil {
			return err
		}
		if _, _, err := strict.Decode(document, nil, nil); err != nil {
			return fmt.Errorf("%w in\n%s", err, document)
		}
	}
}
