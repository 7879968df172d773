//go:build cluster

package kubernetes

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// kept: who may not talk to somebody does not get through, and who may does.
func kept(t *testing.T, i *installation) {
	const database, engine, authority = nodeAddress + ":5432", nodeAddress + ":7233", nodeAddress + ":8443"
	api, worker, operator := i.podsOf(t, "api")[0], i.podsOf(t, "worker")[0], i.podsOf(t, "operator")[0]
	stranger, monitor := i.visitor(t, "elsewhere"), i.visitor(t, "monitoring")
	for _, way := range []struct {
		from corev1.Pod
		to   string
		may  bool
	}{
		{stranger, api.Status.PodIP + ":8080", true},
		{stranger, api.Status.PodIP + ":9090", false},
		{stranger, worker.Status.PodIP + ":9090", false},
		{monitor, api.Status.PodIP + ":9090", true},
		{monitor, worker.Status.PodIP + ":9090", true},
		{api, database, true},
		{api, engine, false},
		{api, worker.Status.PodIP + ":9090", false},
		{worker, database, true},
		{worker, engine, true},
		{worker, authority, true},
		{api, authority, false},
		{operator, database, true},
		{operator, engine, false},
	} {
		host, port, _ := strings.Cut(way.to, ":")
		_, err := i.exec(t, way.from.Namespace, way.from.Name, "", "nc", "-w", "3", host, port, "-e", "/bin/env")
		if got := err == nil; got != way.may {
			t.Errorf("%s reaches %s: %t (%v)", way.from.Name, way.to, got, err)
		}
	}
}

// visitor is a running pod of another namespace, with the programs of the product's image.
func (i *installation) visitor(t *testing.T, namespace string) corev1.Pod {
	t.Helper()
	_, err := i.client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must(t, err)
	var pod *corev1.Pod
	// Its account is made a moment after its namespace.
	await(t, patience, namespace+" takes a pod", func(ctx context.Context) bool {
		pod, err = i.client.CoreV1().Pods(namespace).Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "visitor"},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{
				Name: "visitor", Image: productImage + ":1.0.0", ImagePullPolicy: corev1.PullNever,
				Command: []string{"sleep", "infinity"},
			}}},
		}, metav1.CreateOptions{})
		return err == nil
	})
	await(t, patience, "the visitor runs", func(ctx context.Context) bool {
		pod, err = i.client.CoreV1().Pods(namespace).Get(ctx, "visitor", metav1.GetOptions{})
		return err == nil && pod.Status.Phase == corev1.PodRunning && pod.Status.PodIP != ""
	})
	return *pod
}
