//go:build cluster

package kubernetes

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// patience bounds what is waited for.
const patience = 5 * time.Minute

// processes are those that serve or work.
var processes = []string{"api", "worker", "dashboard"}

// The chart on a real API server: it installs, and accepted notes end, once, no matter what happens to its pods.
func TestCluster(t *testing.T) {
	c := newCluster(t)
	c.importImages(t, "1.0.0", "1.0.1")
	i := newInstallation(t, c)
	step := func(name string, test func(*testing.T)) {
		began := time.Now()
		if !t.Run(name, test) {
			i.describe(t)
			t.FailNow()
		}
		t.Logf("%s: %s", name, time.Since(began).Round(time.Second))
	}
	step("install", func(t *testing.T) { installs(t, i) })
	step("policies", func(t *testing.T) { kept(t, i) })
	step("commands", func(t *testing.T) { commands(t, i) })
	step("upgrade", func(t *testing.T) { upgrades(t, i) })
	step("kill", func(t *testing.T) { killed(t, i) })
	step("evict", func(t *testing.T) { evicted(t, i) })
	step("pressure", func(t *testing.T) { pressed(t, i) })
}

// installs: the schema is made before pods start, what the chart makes is accepted, and a note is issued.
func installs(t *testing.T, i *installation) {
	i.upgrade(t, "1.0.0")
	job, err := i.client.BatchV1().Jobs(namespace).Get(t.Context(), "emissor-migrate-1-0-0", metav1.GetOptions{})
	must(t, err)
	if job.Status.Succeeded != 1 {
		t.Errorf("the job of the schema: %+v", job.Status)
	}
	for _, component := range processes {
		i.awaitReady(t, component)
		for _, pod := range i.podsOf(t, component) {
			if pod.CreationTimestamp.Before(job.Status.CompletionTime) {
				t.Errorf("%s was made before the schema", pod.Name)
			}
		}
	}
	scalers, err := i.client.AutoscalingV2().HorizontalPodAutoscalers(namespace).List(t.Context(), metav1.ListOptions{})
	must(t, err)
	budgets, err := i.client.PolicyV1().PodDisruptionBudgets(namespace).List(t.Context(), metav1.ListOptions{})
	must(t, err)
	policies, err := i.client.NetworkingV1().NetworkPolicies(namespace).List(t.Context(), metav1.ListOptions{})
	must(t, err)
	if len(scalers.Items) != 2 || len(budgets.Items) != 3 || len(policies.Items) != 5 {
		t.Errorf("there are %d autoscalers, %d budgets and %d policies", len(scalers.Items), len(budgets.Items),
			len(policies.Items))
	}
	i.provision(t)
	f := newTraffic(t, i, "installed")
	f.awaitMore(t, 10)
	f.endUnnoticed(t)
}

// commands: those of the documents that need more than a word, in the operator's pod.
func commands(t *testing.T, i *installation) {
	pod := i.podsOf(t, "operator")[0].Name
	before, err := i.exec(t, namespace, pod, "", "cat", "/etc/emissor/keyset/keyset.json")
	must(t, err)
	_, err = i.exec(t, namespace, pod, "", "sh", "-c", "cd /tmp\n"+
		"[ -e keyset.json ] || cat /etc/emissor/keyset/keyset.json >keyset.json\n"+
		"EMISSOR_KEYSET_FILE=/tmp/keyset.json emissor keyset rotate")
	must(t, err)
	after, err := i.exec(t, namespace, pod, "", "cat", "/tmp/keyset.json")
	must(t, err)
	if len(after) <= len(before) {
		t.Errorf("the keyset has %d bytes, and had %d: no key was added", len(after), len(before))
	}
	if _, err := i.exec(t, namespace, pod, "", "sh", "-c", "echo >/usr/local/bin/another"); err == nil {
		t.Error("a container can write to its own files")
	}
}

// upgrades: another version under load, of which callers notice nothing.
func upgrades(t *testing.T, i *installation) {
	old := i.everyPod(t)
	f := newTraffic(t, i, "upgraded")
	f.awaitMore(t, 10)
	i.upgrade(t, "1.0.1")
	_, err := i.client.BatchV1().Jobs(namespace).Get(t.Context(), "emissor-migrate-1-0-1", metav1.GetOptions{})
	must(t, err)
	for _, component := range processes {
		i.awaitReady(t, component)
		for _, pod := range i.podsOf(t, component) {
			if image := pod.Spec.Containers[0].Image; image != productImage+":1.0.1" {
				t.Errorf("%s is of %s", pod.Name, image)
			}
		}
	}
	i.awaitGone(t, old) // until then they have connections
	f.awaitMore(t, 10)
	f.endUnnoticed(t)
}

// killed: the process of each pod is killed under load, one after the other.
func killed(t *testing.T, i *installation) {
	f := newTraffic(t, i, "killed")
	f.awaitMore(t, 10)
	for _, pod := range i.everyPod(t) {
		if !kill(t, pod) {
			t.Fatalf("%s has no process", pod.Name)
		}
		await(t, patience, pod.Name+" was started again", func(ctx context.Context) bool {
			now, err := i.client.CoreV1().Pods(namespace).Get(ctx, pod.Name, metav1.GetOptions{})
			return err == nil && len(now.Status.ContainerStatuses) == 1 &&
				now.Status.ContainerStatuses[0].RestartCount > pod.Status.ContainerStatuses[0].RestartCount
		})
		i.awaitReady(t, pod.Labels["app.kubernetes.io/component"])
	}
	f.awaitMore(t, 10)
	accepted, failed := f.end(t)
	t.Logf("%d notes were accepted and issued, %d requests were repeated", accepted, len(failed))
}

// evicted: each pod is evicted under load, as by a drain of its node, which waits where a budget says so.
func evicted(t *testing.T, i *installation) {
	f := newTraffic(t, i, "evicted")
	f.awaitMore(t, 10)
	old := i.everyPod(t)
	refused := 0
	for _, pod := range old {
		await(t, patience, pod.Name+" may be evicted", func(ctx context.Context) bool {
			err := i.client.PolicyV1().Evictions(namespace).Evict(ctx,
				&policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: namespace}})
			if apierrors.IsTooManyRequests(err) {
				refused++
			}
			return err == nil
		})
	}
	if refused == 0 {
		t.Error("no budget made an eviction wait")
	}
	i.awaitGone(t, old)
	for _, component := range processes {
		i.awaitReady(t, component)
	}
	f.awaitMore(t, 10)
	f.endUnnoticed(t)
}

// pressed: the node, the only one, throws out every pod at once under load, and kills them as it has no memory left; a
// while later it takes them again.
func pressed(t *testing.T, i *installation) {
	f := newTraffic(t, i, "pressed")
	f.awaitMore(t, 10)
	old := i.everyPod(t)
	i.taint(t, []corev1.Taint{{Key: "test/pressure", Effect: corev1.TaintEffectNoExecute}})
	for _, pod := range old {
		kill(t, pod) // unless it has stopped already
	}
	i.awaitGone(t, old)
	i.taint(t, nil)
	for _, component := range processes {
		i.awaitReady(t, component)
	}
	f.awaitMore(t, 10)
	accepted, failed := f.end(t)
	t.Logf("%d notes were accepted and issued, %d requests were repeated", accepted, len(failed))
	if len(failed) == 0 {
		t.Error("no request failed although nobody was there")
	}
}

// taint gives the node these taints.
func (i *installation) taint(t *testing.T, taints []corev1.Taint) {
	t.Helper()
	await(t, patience, "the node is tainted", func(ctx context.Context) bool {
		node, err := i.client.CoreV1().Nodes().Get(ctx, "node", metav1.GetOptions{})
		if err != nil {
			return false
		}
		node.Spec.Taints = taints
		_, err = i.client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{}) // a conflict is tried again
		return err == nil
	})
}

// kill kills the processes of a pod's container, which are of our own process namespace, and says whether it had any.
func kill(t *testing.T, pod corev1.Pod) (killed bool) {
	t.Helper()
	id := strings.TrimPrefix(pod.Status.ContainerStatuses[0].ContainerID, "containerd://")
	groups, err := filepath.Glob("/proc/[0-9]*/cgroup")
	must(t, err)
	for _, file := range groups {
		group, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(group), id) { // it may have ended
			continue
		}
		process, err := strconv.Atoi(strings.Split(file, "/")[2])
		must(t, err)
		killed = syscall.Kill(process, syscall.SIGKILL) == nil || killed
	}
	return killed
}
