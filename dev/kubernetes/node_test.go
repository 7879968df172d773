//go:build cluster

package kubernetes

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"emissor/test/harness"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// The addresses of the one node, of pods and of Services, in the network namespace of the tests.
const (
	nodeAddress = "10.77.0.1"
	podNetwork  = "10.244.0.0/24"
	services    = "10.96.0.0/16"
	apiServer   = "https://127.0.0.1:6443"
)

// cluster is a Kubernetes of one node: its own etcd, API server, controllers, scheduler, kubelet, proxy and containerd.
type cluster struct {
	folder     string // state, sockets, configurations and logs; in memory
	programs   string
	kubeconfig string
	client     *kubernetes.Clientset
	rest       *rest.Config
}

// newCluster starts one and waits until its node is ready. It ends with the test's process.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{folder: "/run/cluster", programs: os.Getenv("CLUSTER_PROGRAMS")}
	must(t, os.MkdirAll(c.folder, 0o755))
	c.network(t)
	c.credentials(t)
	c.control(t)
	c.containers(t)
	c.node(t)
	return c
}

// network makes the node's address, and lets it forward.
func (c *cluster) network(t *testing.T) {
	for _, command := range []string{
		"ip link add node0 type veth peer name node1", "ip address add " + nodeAddress + "/24 dev node0",
		"ip link set node0 up", "ip link set node1 up",
		"ip route add default dev node0", "sysctl -qw net.ipv4.ip_forward=1",
	} {
		words := strings.Fields(command)
		if output, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, output)
		}
	}
}

// credentials makes one token, with which every part may do everything: who may what in a cluster is not tested here.
func (c *cluster) credentials(t *testing.T) {
	token := rand.Text()
	c.write(t, "tokens.csv", token+`,admin,admin,"system:masters"`)
	c.kubeconfig = c.write(t, "kubeconfig", fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: %s}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
current-context: c
`, apiServer, token))
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	c.write(t, "accounts.key", string(pem.EncodeToMemory(
		&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})))
	c.rest, err = clientcmd.BuildConfigFromFlags("", c.kubeconfig)
	must(t, err)
	c.rest.QPS, c.rest.Burst = 100, 200
	c.client, err = kubernetes.NewForConfig(c.rest)
	must(t, err)
}

// control starts etcd, the API server, the controllers and the scheduler.
func (c *cluster) control(t *testing.T) {
	c.start(t, "etcd", "--data-dir", c.path("etcd"), "--unsafe-no-fsync", "--log-level", "warn")
	c.start(t, "kube-apiserver", "--etcd-servers", "http://127.0.0.1:2379", "--advertise-address", nodeAddress,
		"--service-cluster-ip-range", services, "--cert-dir", c.path("certificates"),
		"--token-auth-file", c.path("tokens.csv"), "--authorization-mode", "RBAC", "--allow-privileged=true",
		"--kubelet-preferred-address-types", "InternalIP",
		"--service-account-issuer", "https://kubernetes.default.svc",
		"--service-account-key-file", c.path("accounts.key"),
		"--service-account-signing-key-file", c.path("accounts.key"))
	await(t, 2*time.Minute, "the API server is ready", func(ctx context.Context) bool {
		return c.client.RESTClient().Get().AbsPath("/readyz").Do(ctx).Error() == nil
	})
	c.start(t, "kube-controller-manager", "--kubeconfig", c.kubeconfig, "--leader-elect=false",
		"--service-account-private-key-file", c.path("accounts.key"), "--node-monitor-grace-period", "5m")
	c.start(t, "kube-scheduler", "--kubeconfig", c.kubeconfig, "--leader-elect=false")
}

// containers starts containerd, with a bridge for the pods.
func (c *cluster) containers(t *testing.T) {
	must(t, os.MkdirAll(c.path("cni"), 0o755))
	c.write(t, "cni/pods.conflist", fmt.Sprintf(`{"cniVersion": "1.0.0", "name": "pods", "plugins": [
		{"type": "bridge", "bridge": "pods0", "isGateway": true, "hairpinMode": true,
		 "ipam": {"type": "host-local", "ranges": [[{"subnet": "%s"}]], "routes": [{"dst": "0.0.0.0/0"}],
		          "dataDir": "%s"}},
		{"type": "portmap", "capabilities": {"portMappings": true}}]}`, podNetwork, c.path("addresses")))
	c.write(t, "containerd.toml", fmt.Sprintf(`version = 3
root = %q
state = %q
disabled_plugins = ["io.containerd.nri.v1.nri", "io.containerd.internal.v1.opt"]
[grpc]
address = %q
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = %q
[plugins."io.containerd.cri.v1.runtime"]
restrict_oom_score_adj = true
[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = [%q]
conf_dir = %q
`, c.path("containerd"), c.path("containerd-state"), c.path("containerd.sock"), pauseImage, c.programs,
		c.path("cni")))
	c.start(t, "containerd", "--config", c.path("containerd.toml"))
	await(t, time.Minute, "containerd answers", func(context.Context) bool {
		_, err := c.ctr("version")
		return err == nil
	})
}

// ctr runs containerd's own command.
func (c *cluster) ctr(arguments ...string) (string, error) {
	output, err := exec.Command(filepath.Join(c.programs, "ctr"), append([]string{
		"--address", c.path("containerd.sock"), "--namespace", "k8s.io"}, arguments...)...).CombinedOutput()
	return string(output), err
}

// node starts kubelet and proxy.
func (c *cluster) node(t *testing.T) {
	c.write(t, "kubelet.yaml", fmt.Sprintf(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix://%s
podLogsDir: %s
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
failCgroupV1: false
failSwapOn: false
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 10Mi}
shutdownGracePeriod: 0s
`, c.path("containerd.sock"), c.path("pod-logs")))
	c.start(t, "kubelet", "--config", c.path("kubelet.yaml"), "--kubeconfig", c.kubeconfig,
		"--root-dir", c.path("kubelet"), "--cert-dir", c.path("kubelet-certificates"),
		"--hostname-override", "node", "--node-ip", nodeAddress)
	c.start(t, "kube-proxy", "--kubeconfig", c.kubeconfig, "--hostname-override", "node", "--proxy-mode", "iptables",
		"--conntrack-max-per-core", "0", "--conntrack-tcp-timeout-established", "0",
		"--conntrack-tcp-timeout-close-wait", "0")
	await(t, 2*time.Minute, "the node is ready", func(ctx context.Context) bool {
		node, err := c.client.CoreV1().Nodes().Get(ctx, "node", metav1.GetOptions{})
		if err != nil {
			return false
		}
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady {
				return condition.Status == corev1.ConditionTrue
			}
		}
		return false
	})
	// The bridge enforces no NetworkPolicy: this does.
	c.start(t, "kube-router", "--kubeconfig", c.kubeconfig, "--hostname-override", "node", "--run-firewall=true",
		"--run-router=false", "--run-service-proxy=false", "--service-cluster-ip-range", services)
}

func (c *cluster) path(name string) string { return filepath.Join(c.folder, name) }

func (c *cluster) write(t *testing.T, name, content string) string {
	t.Helper()
	must(t, os.WriteFile(c.path(name), []byte(content), 0o600))
	return c.path(name)
}

// start starts one of the cluster's programs. The end of its log is shown when the test fails.
func (c *cluster) start(t *testing.T, program string, arguments ...string) {
	t.Helper()
	log, err := os.Create(c.path(program + ".log"))
	must(t, err)
	command := exec.Command(filepath.Join(c.programs, program), arguments...)
	command.Env = append(os.Environ(), "PATH="+c.programs+":"+os.Getenv("PATH"))
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	must(t, command.Start())
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() {
		select {
		case err := <-ended:
			t.Errorf("%s ended: %v", program, err)
		default:
		}
		if t.Failed() {
			content, _ := os.ReadFile(log.Name())
			t.Logf("%s:\n%s", program, content[max(0, len(content)-3000):])
		}
		_ = command.Process.Kill()
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// await waits until a condition holds.
func await(t *testing.T, bound time.Duration, what string, condition func(context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	must(t, harness.Await(ctx, what, condition))
}
