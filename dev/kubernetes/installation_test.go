//go:build cluster

package kubernetes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"emissor/test/harness"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"

	"github.com/jmoiron/sqlx"
	_ "github.com/lib/pq"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/remotecommand"
	"sigs.k8s.io/yaml"
)

const namespace = "fiscal"

// installation is a release of the chart in a cluster, and the servers beside it.
type installation struct {
	*cluster
	database     *sqlx.DB // for what the tests want to see
	authority    *sefin.Simulator
	url          string // of the API's Service
	organization harness.Organization
}

// newInstallation makes the database's accounts and the Secrets; nothing is installed yet.
func newInstallation(t *testing.T, c *cluster) *installation {
	t.Helper()
	stack, err := harness.FindDevstack()
	must(t, err)
	i := &installation{cluster: c}
	i.database, err = sqlx.Open("postgres", stack.DatabaseURL)
	must(t, err)
	address, err := url.Parse(stack.DatabaseURL)
	must(t, err)
	// Pods reach them at the node's address.
	relay(t, nodeAddress+":5432", address.Host)
	relay(t, nodeAddress+":7233", stack.TemporalAddress)
	address.Host = nodeAddress + ":5432"

	_, err = c.client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	must(t, err)
	urls := map[string]string{"migrate": address.String()}
	for account, password := range i.accounts(t) {
		address.User = url.UserPassword(account, password)
		urls[strings.TrimSuffix(strings.TrimPrefix(account, "emissor_"), "_user")] = address.String()
	}
	i.secret(t, "emissor-database", urls)
	i.authority, err = sefin.Start(sefin.Options{Options: server.Options{Listen: nodeAddress + ":8443"}})
	must(t, err)
	t.Cleanup(func() { _ = i.authority.Close() })
	_, err = c.client.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "authority"},
		Data:       map[string]string{"roots.pem": string(i.authority.RootsPEM())}}, metav1.CreateOptions{})
	must(t, err)
	keyset := filepath.Join(t.TempDir(), "keyset.json")
	command := exec.Command(filepath.Join(c.programs, "emissor"), "keyset", "create", keyset)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	content, err := os.ReadFile(keyset)
	must(t, err)
	i.secret(t, "emissor-keyset", map[string]string{"keyset.json": string(content)})
	return i
}

// accounts makes the roles and accounts of the example's database as that says, and returns their passwords.
func (i *installation) accounts(t *testing.T) map[string]string {
	t.Helper()
	var example struct {
		Spec struct {
			Bootstrap struct {
				InitDB struct{ PostInitSQL, PostInitApplicationSQL []string }
			}
			Managed struct {
				Roles []struct {
					Name    string
					InRoles []string
				}
			}
		}
	}
	must(t, yaml.Unmarshal([]byte(readFile(t, "../../deploy/helm/examples/small/database.yaml")), &example))
	initial := example.Spec.Bootstrap.InitDB
	statements := append(initial.PostInitSQL, initial.PostInitApplicationSQL...)
	passwords := map[string]string{}
	for _, role := range example.Spec.Managed.Roles {
		if len(role.InRoles) == 1 {
			passwords[role.Name] = "of-" + role.Name
			statements = append(statements, fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s' IN ROLE %s", role.Name,
				passwords[role.Name], role.InRoles[0]))
		}
	}
	for _, statement := range statements {
		if _, err := i.database.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return passwords
}

func (i *installation) secret(t *testing.T, name string, content map[string]string) {
	t.Helper()
	_, err := i.client.CoreV1().Secrets(namespace).Create(t.Context(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name}, StringData: content}, metav1.CreateOptions{})
	must(t, err)
}

// upgrade installs the chart, or upgrades what is installed, to a tag, and waits until its pods are ready.
func (i *installation) upgrade(t *testing.T, tag string) {
	t.Helper()
	helmProgram = filepath.Join(i.programs, "helm")
	if output, err := helm("upgrade", "--install", "emissor", chart, "--namespace", namespace,
		"--kubeconfig", i.kubeconfig, "--values", "testdata/cluster.yaml", "--set", "image.tag="+tag, "--wait",
		"--timeout", "5m"); err != nil {
		i.describe(t)
		t.Fatalf("%v\n%s", err, output)
	}
}

// issuer is the CNPJ of the organization.
const issuer = "11222333000181"

// provision makes an organization that can issue live notes too, by commands in the operator's pod and through the API's
// Service.
func (i *installation) provision(t *testing.T) {
	t.Helper()
	service, err := i.client.CoreV1().Services(namespace).Get(t.Context(), "emissor-api", metav1.GetOptions{})
	must(t, err)
	i.url = "http://" + service.Spec.ClusterIP
	o := &i.organization
	i.command(t, o, "organization", "create", "--name", "Clínica Exemplo", "--json")
	for environment, key := range map[string]*string{"test": &o.TestKey, "live": &o.LiveKey} {
		var created struct{ Key string }
		i.command(t, &created, "key", "create", "--organization", o.ID, "--environment", environment, "--label", "cluster",
			"--json")
		*key = created.Key
	}
	must(t, o.NewServices(t.Context(), i.url))

	pfx, err := i.authority.NewPFX(sefin.Subject{TaxID: issuer}, "secret")
	must(t, err)
	pod := i.podsOf(t, "operator")[0].Name
	for file, content := range map[string]string{"company.pfx": string(pfx), "password": "secret"} {
		_, err := i.exec(t, namespace, pod, content, "sh", "-c", "cat >/tmp/"+file)
		must(t, err)
	}
	i.command(t, nil, "fiscal-profile", "set", "--organization", o.ID, "--document", issuer, "--simples", "none",
		"--series", "1", "--environment", "restricted", "--municipality", "3304557", "--tax-federal", "13.45",
		"--tax-state", "0", "--tax-municipal", "2.90")
	i.command(t, nil, "certificate", "add", "/tmp/company.pfx", "--organization", o.ID, "--password-file", "/tmp/password")
	i.command(t, nil, "service", "classify", o.LiveService, "--organization", o.ID, "--nbs", "115013000",
		"--cindop", "100301", "--cclasstrib", "000001")
}

// command runs an operator's command in the operator's pod. Its answer is read into answer unless that is nil.
func (i *installation) command(t *testing.T, answer any, arguments ...string) {
	t.Helper()
	pod := i.podsOf(t, "operator")[0]
	output, err := i.exec(t, namespace, pod.Name, "", append([]string{"emissor"}, arguments...)...)
	must(t, err)
	if answer != nil {
		must(t, json.Unmarshal([]byte(output), answer))
	}
}

// exec runs a program in a pod, with an input unless that is empty, and returns what it printed.
func (i *installation) exec(t *testing.T, namespace, pod, input string, command ...string) (string, error) {
	t.Helper()
	request := i.client.CoreV1().RESTClient().Post().Resource("pods").Namespace(namespace).Name(pod).
		SubResource("exec").VersionedParams(&corev1.PodExecOptions{
		Command: command, Stdin: input != "", Stdout: true, Stderr: true,
	}, scheme.ParameterCodec)
	executor, err := remotecommand.NewWebSocketExecutor(i.rest, "GET", request.URL().String())
	must(t, err)
	var stdout, stderr bytes.Buffer
	streams := remotecommand.StreamOptions{Stdout: &stdout, Stderr: &stderr}
	if input != "" {
		streams.Stdin = strings.NewReader(input)
	}
	if err = executor.StreamWithContext(t.Context(), streams); err != nil {
		err = fmt.Errorf("%q: %w\n%s", command, err, stderr.String())
	}
	return stdout.String(), err
}

// podsOf are the pods of a process that are not being deleted.
func (i *installation) podsOf(t *testing.T, component string) (living []corev1.Pod) {
	t.Helper()
	pods, err := i.client.CoreV1().Pods(namespace).List(t.Context(),
		metav1.ListOptions{LabelSelector: "app.kubernetes.io/component=" + component})
	must(t, err)
	for _, pod := range pods.Items {
		if pod.DeletionTimestamp == nil {
			living = append(living, pod)
		}
	}
	return living
}

// everyPod are the pods of all processes.
func (i *installation) everyPod(t *testing.T) (all []corev1.Pod) {
	t.Helper()
	for _, component := range processes {
		all = append(all, i.podsOf(t, component)...)
	}
	return all
}

// awaitGone waits until these pods are no more.
func (i *installation) awaitGone(t *testing.T, old []corev1.Pod) {
	t.Helper()
	for _, pod := range old {
		await(t, patience, pod.Name+" is gone", func(ctx context.Context) bool {
			_, err := i.client.CoreV1().Pods(namespace).Get(ctx, pod.Name, metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		})
	}
}

// awaitReady waits until a process has as many pods as it should have, all of them ready.
func (i *installation) awaitReady(t *testing.T, component string) {
	t.Helper()
	await(t, patience, component+" is ready", func(ctx context.Context) bool {
		d, err := i.client.AppsV1().Deployments(namespace).Get(ctx, "emissor-"+component, metav1.GetOptions{})
		return err == nil && d.Status.ObservedGeneration == d.Generation && *d.Spec.Replicas == 2 &&
			d.Status.ReadyReplicas == 2 && d.Status.Replicas == 2
	})
}

// describe logs what there is of every pod.
func (i *installation) describe(t *testing.T) {
	pods, err := i.client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	must(t, err)
	for _, pod := range pods.Items {
		for _, container := range pod.Status.ContainerStatuses {
			t.Logf("%s: %s, %d restarts, %+v", pod.Name, pod.Status.Phase, container.RestartCount, container.State)
		}
		log, err := i.client.CoreV1().Pods(namespace).GetLogs(pod.Name, &corev1.PodLogOptions{}).DoRaw(t.Context())
		t.Logf("%s %v", log[max(0, len(log)-2000):], err)
	}
	events, err := i.client.CoreV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
	must(t, err)
	for _, event := range events.Items {
		t.Logf("%s %s: %s", event.InvolvedObject.Name, event.Reason, event.Message)
	}
}

// relay accepts connections at an address, and passes them on to another.
func relay(t *testing.T, at, to string) {
	t.Helper()
	listener, err := net.Listen("tcp", at)
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer from.Close()
				onward, err := net.Dial("tcp", to)
				if err != nil {
					return
				}
				defer onward.Close()
				go func() { _, _ = io.Copy(onward, from); onward.Close() }()
				_, _ = io.Copy(from, onward)
			}()
		}
	}()
}
