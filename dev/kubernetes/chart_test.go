//go:build !cluster

package kubernetes

import (
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

func TestChart_Lint(t *testing.T) {
	t.Parallel()
	for _, values := range variants {
		if output, err := helm("lint", "--strict", chart, "--values", values); err != nil {
			t.Errorf("%s: %v\n%s", values, err, output)
		}
	}
}

// Each rendering is understood, to the last field, by the oldest Kubernetes that the chart is for and by the newest.
func TestChart_TwoVersionsOfKubernetes(t *testing.T) {
	t.Parallel()
	for _, values := range variants {
		text := render(t, "--values", values)
		newest := resources(t, text)
		var core []string // the types of the Prometheus Operator have versions of their own
		for document := range strings.SplitSeq(text, "\n---\n") {
			if !strings.Contains(document, "apiVersion: monitoring.coreos.com/") {
				core = append(core, document)
			}
		}
		oldest := exec.Command(decode)
		oldest.Stdin = strings.NewReader(strings.Join(core, "\n---\n"))
		output, err := oldest.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", values, err, output)
		}
		operators := len(of[*monitoringv1.ServiceMonitor](newest)) + len(of[*monitoringv1.PrometheusRule](newest))
		if decoded := strings.TrimSpace(string(output)); decoded != strconv.Itoa(len(newest)-operators) {
			t.Errorf("%s: the oldest decoded %s of %d resources", values, decoded, len(newest))
		}
	}
}

// A wrong value is refused before anything is sent, and the message names it.
func TestChart_WrongValuesAreRefused(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]struct {
		arguments []string
		message   string
	}{
		"no image":  {[]string{"--set", "image.repository="}, "image.repository says where your image is"},
		"no engine": {[]string{"--set", "config.TEMPORAL_ADDRESS="}, "config.TEMPORAL_ADDRESS is required"},
		"no dashboard": {[]string{"--set", "config.EMISSOR_DASHBOARD_URL="},
			"config.EMISSOR_DASHBOARD_URL is required"},
		"an unknown value":   {[]string{"--set", "replicas=3"}, "additional properties 'replicas' not allowed"},
		"an unknown setting": {[]string{"--set", "config.EMISSOR_NATIONAL_URL=x"}, "'EMISSOR_NATIONAL_URL' not allowed"},
		"another's setting": {[]string{"--set", "api.config.EMISSOR_CITIES=true"},
			"api.config.EMISSOR_CITIES: this process does not read it"},
		"a secret": {[]string{"--set", "config.EMISSOR_DATABASE_URL=postgres://x"},
			"'EMISSOR_DATABASE_URL' not allowed"},
		"a secret's value": {[]string{"--set", "keyset.value=x"}, "additional properties 'value' not allowed"},
		"half a reference": {[]string{"--set", "secrets.smtpURL.name=mail"}, "/secrets/smtpURL"},
		"no worker":        {[]string{"--set", "worker.replicas=0"}, "/worker/replicas"},
		"no time for a call": {[]string{"--set", "worker.terminationGracePeriodSeconds=30"},
			"/worker/terminationGracePeriodSeconds"},
		"no time for answers": {[]string{"--set", "api.preStopSeconds=5"}, "/api/preStopSeconds"},
		"a digest":            {[]string{"--set", "image.digest=latest"}, "/image/digest"},
		"a port":              {[]string{"--set", "networkPolicy.database.ports={0}"}, "/networkPolicy/database/ports/0"},
		"a peer": {[]string{"--set", "networkPolicy.apiFrom[0].pods=x"},
			"additional properties 'pods' not allowed"},
		"an old Kubernetes": {[]string{"--kube-version", "1.33.0"}, "incompatible with Kubernetes v1.33.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := renderChart(chart, append([]string{"--values", "testdata/minimal.yaml"}, wrong.arguments...)...)
			if err == nil || !strings.Contains(err.Error(), wrong.message) {
				t.Errorf("it says %v, expected %q", err, wrong.message)
			}
		})
	}
}

// pods are the pod of each process of a rendering, by its component.
func pods(all []runtime.Object) map[string]corev1.PodSpec {
	found := map[string]corev1.PodSpec{}
	for _, d := range of[*appsv1.Deployment](all) {
		found[d.Labels["app.kubernetes.io/component"]] = d.Spec.Template.Spec
	}
	for _, job := range of[*batchv1.Job](all) {
		found[job.Labels["app.kubernetes.io/component"]] = job.Spec.Template.Spec
	}
	return found
}

// environment is what a pod's container is given: values, or Secret and key.
func environment(pod corev1.PodSpec) map[string]string {
	given := map[string]string{}
	for _, variable := range pod.Containers[0].Env {
		if variable.ValueFrom != nil {
			given[variable.Name] = "secret " + variable.ValueFrom.SecretKeyRef.Name + " " + variable.ValueFrom.SecretKeyRef.Key
		} else {
			given[variable.Name] = variable.Value
		}
	}
	return given
}

// With everything said, each process is given every setting that it reads, and none that it does not.
func TestChart_EachProcessGetsWhatItReads(t *testing.T) {
	t.Parallel()
	var readers map[string][]string
	if err := yaml.Unmarshal([]byte(readFile(t, chart+"/files/settings.yaml")), &readers); err != nil {
		t.Fatal(err)
	}
	found := pods(resources(t, render(t, "--values", "testdata/everything.yaml")))
	for component, reader := range map[string]string{
		"api": "api", "worker": "worker", "dashboard": "dashboard", "operator": "commands", "migrate": "migrate",
	} {
		var expected []string
		for name, by := range readers {
			if slices.Contains(by, reader) && name != "EMISSOR_KEYSET" && name != "EMISSOR_OPERATOR" {
				expected = append(expected, name)
			}
		}
		slices.Sort(expected)
		given := environment(found[component])
		if names := slices.Sorted(maps.Keys(given)); !reflect.DeepEqual(names, expected) {
			t.Errorf("%s is given\n%q\nand reads\n%q", component, names, expected)
		}
		for name, value := range given {
			if value == "" {
				t.Errorf("%s is given an empty %s", component, name)
			}
		}
		if want := "secret emissor-database " + component; component != "migrate" && given["EMISSOR_DATABASE_URL"] != want {
			t.Errorf("%s has the database's %q, expected %q", component, given["EMISSOR_DATABASE_URL"], want)
		}
	}
	for component, expected := range map[string]string{"api": "30", "worker": "40", "dashboard": "15"} {
		if n := environment(found[component])["EMISSOR_DATABASE_CONNECTIONS"]; n != expected {
			t.Errorf("%s has %s connections, expected %s", component, n, expected)
		}
	}
	if given := environment(found["worker"])["EMISSOR_EMAIL_DANFSE"]; given != "false" {
		t.Errorf("the worker's own false is %q", given)
	}
	if n := environment(found["api"])["EMISSOR_CONNECTIONS"]; n != "1000000" {
		t.Errorf("a large number became %q", n)
	}
}

// What is secret is not in a resource, and only who needs it has it.
func TestChart_SecretsOnlyWhereTheyAreNeeded(t *testing.T) {
	t.Parallel()
	text := render(t, "--values", "testdata/everything.yaml")
	all := resources(t, text)
	if len(of[*corev1.Secret](all)) > 0 {
		t.Error("the chart makes a Secret")
	}
	for component, expected := range map[string][]string{
		"api":       {"files", "tmp"},
		"worker":    {"files", "keyset", "temporal", "tmp"},
		"dashboard": {"files", "keyset", "tmp"},
		"operator":  {"files", "keyset", "tmp"},
		"migrate":   {"files", "temporal", "tmp"},
	} {
		pod := pods(all)[component]
		var volumes, mounts []string
		for _, volume := range pod.Volumes {
			volumes = append(volumes, volume.Name)
		}
		for _, mount := range pod.Containers[0].VolumeMounts {
			mounts = append(mounts, mount.Name)
			if !mount.ReadOnly && mount.Name != "tmp" {
				t.Errorf("%s can write to %s", component, mount.MountPath)
			}
		}
		slices.Sort(volumes)
		slices.Sort(mounts)
		if !reflect.DeepEqual(volumes, expected) || !reflect.DeepEqual(mounts, expected) {
			t.Errorf("%s has %q and mounts %q, expected %q", component, volumes, mounts, expected)
		}
		given := environment(pod)
		_, key := given["TEMPORAL_API_KEY"]
		if want := component == "worker" || component == "migrate"; key != want {
			t.Errorf("%s has the engine's key: %t", component, key)
		}
		if file, ok := given["EMISSOR_KEYSET_FILE"]; ok && file != "/etc/emissor/keyset/keyset.json" {
			t.Errorf("%s looks for its keyset in %s", component, file)
		}
	}
}

// No container can write to its own files, has capabilities, can get more or can talk to the cluster.
func TestChart_Hardened(t *testing.T) {
	t.Parallel()
	found := pods(resources(t, render(t, "--values", "testdata/everything.yaml")))
	if len(found) != 5 {
		t.Fatalf("there are %d kinds of pods, expected 5", len(found))
	}
	for component, pod := range found {
		for _, container := range pod.Containers {
			s := container.SecurityContext
			if s == nil || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || s.Privileged != nil ||
				!reflect.DeepEqual(s.Capabilities, &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}) {
				t.Errorf("%s may do too much: %+v", component, s)
			}
			if container.Resources.Limits.Memory().IsZero() || container.Resources.Requests.Cpu().IsZero() {
				t.Errorf("%s has no bounds: %+v", component, container.Resources)
			}
		}
		s := pod.SecurityContext
		if !*s.RunAsNonRoot || *s.RunAsUser != 10001 || s.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
			t.Errorf("%s runs as %+v", component, s)
		}
		if *pod.AutomountServiceAccountToken || pod.HostNetwork || pod.HostPID || pod.HostIPC {
			t.Errorf("%s reaches the cluster or the node", component)
		}
		for _, volume := range pod.Volumes {
			if volume.HostPath != nil {
				t.Errorf("%s has a folder of the node", component)
			}
		}
	}
}

// A process has time to end what it has begun, and nobody talks to it any more when it begins to stop.
func TestChart_TimeToStop(t *testing.T) {
	t.Parallel()
	found := pods(resources(t, render(t, "--values", "testdata/minimal.yaml")))
	var compose struct {
		Emissor struct {
			Grace string `json:"stop_grace_period"`
		} `json:"x-emissor"`
	}
	if err := yaml.Unmarshal([]byte(readFile(t, "../../docker-compose.yml")), &compose); err != nil {
		t.Fatal(err)
	}
	grace := strconv.FormatInt(*found["worker"].TerminationGracePeriodSeconds, 10) + "s"
	if grace != compose.Emissor.Grace {
		t.Errorf("a worker has %s to stop, and %s with Compose", grace, compose.Emissor.Grace)
	}
	for _, component := range []string{"api", "dashboard"} {
		pod := found[component]
		sleep := pod.Containers[0].Lifecycle.PreStop.Sleep.Seconds
		delay, err := time.ParseDuration(environment(pod)["EMISSOR_DRAIN_DELAY"])
		if err != nil || delay == 0 {
			t.Errorf("%s has the delay %v: %v", component, delay, err)
		}
		// 30 s: WriteTimeout; 35 s: shutdownTimeout, both of internal/web.
		if sleep <= 30 || *pod.TerminationGracePeriodSeconds <= sleep+int64(delay.Seconds())+35 {
			t.Errorf("%s sleeps %d of %d s", component, sleep, *pod.TerminationGracePeriodSeconds)
		}
	}
}

// Every process is asked whether it lives and is ready at the port where it says so, and is replaced one by one.
func TestChart_ProbesBudgetsAndSpread(t *testing.T) {
	t.Parallel()
	all := resources(t, render(t, "--values", "testdata/minimal.yaml"))
	budgets := map[string]*policyv1.PodDisruptionBudget{}
	for _, budget := range of[*policyv1.PodDisruptionBudget](all) {
		budgets[budget.Labels["app.kubernetes.io/component"]] = budget
	}
	deployments := of[*appsv1.Deployment](all)
	if len(deployments) != 3 || len(budgets) != 3 {
		t.Fatalf("there are %d deployments and %d budgets", len(deployments), len(budgets))
	}
	for _, d := range deployments {
		component := d.Labels["app.kubernetes.io/component"]
		pod := d.Spec.Template.Spec
		c := pod.Containers[0]
		for path, probe := range map[string][]*corev1.Probe{
			"/livez": {c.StartupProbe, c.LivenessProbe}, "/readyz": {c.ReadinessProbe},
		} {
			for _, p := range probe {
				if p.HTTPGet.Path != path || p.HTTPGet.Port.StrVal != "metrics" {
					t.Errorf("%s is asked at %+v, expected %s", component, p.HTTPGet, path)
				}
			}
		}
		if environment(pod)["EMISSOR_ADMIN_LISTEN"] != ":9090" {
			t.Errorf("%s answers at %s", component, environment(pod)["EMISSOR_ADMIN_LISTEN"])
		}
		if d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue() != 0 || *d.Spec.Replicas != 2 {
			t.Errorf("%s is replaced by %+v", component, d.Spec.Strategy.RollingUpdate)
		}
		if len(pod.TopologySpreadConstraints) != 2 {
			t.Errorf("%s is spread over %+v", component, pod.TopologySpreadConstraints)
		}
		for _, selector := range []map[string]string{
			d.Spec.Selector.MatchLabels, budgets[component].Spec.Selector.MatchLabels,
			pod.TopologySpreadConstraints[0].LabelSelector.MatchLabels,
		} {
			if selector["app.kubernetes.io/component"] != component || !within(selector, d.Spec.Template.Labels) {
				t.Errorf("%s is looked for by %v", component, selector)
			}
		}
	}
}

func within(some, all map[string]string) bool {
	for name, value := range some {
		if all[name] != value {
			return false
		}
	}
	return true
}

// Services lead to the processes and ports that they are named for.
func TestChart_Services(t *testing.T) {
	t.Parallel()
	all := resources(t, render(t, "--values", "testdata/minimal.yaml"))
	services := map[string]*corev1.Service{}
	for _, service := range of[*corev1.Service](all) {
		services[service.Name] = service
	}
	if names := slices.Sorted(maps.Keys(services)); !reflect.DeepEqual(names,
		[]string{"emissor-api", "emissor-dashboard", "emissor-metrics"}) {
		t.Fatalf("the services are %q", names)
	}
	for _, d := range of[*appsv1.Deployment](all) {
		component := d.Labels["app.kubernetes.io/component"]
		ports := map[string]int32{}
		for _, port := range d.Spec.Template.Spec.Containers[0].Ports {
			ports[port.Name] = port.ContainerPort
		}
		given := environment(d.Spec.Template.Spec)
		for variable, name := range map[string]string{
			"EMISSOR_LISTEN": "http", "EMISSOR_DASHBOARD_LISTEN": "http", "EMISSOR_ADMIN_LISTEN": "metrics",
		} {
			if at, ok := given[variable]; ok && at != ":"+strconv.Itoa(int(ports[name])) {
				t.Errorf("%s listens at %s, and its port %s is %d", component, at, name, ports[name])
			}
		}
		for name, service := range services {
			chosen := within(service.Spec.Selector, d.Spec.Template.Labels)
			if expected := name == "emissor-metrics" || name == "emissor-"+component; chosen != expected {
				t.Errorf("the service %s leads to %s: %t", name, component, chosen)
			}
			if _, ok := ports[service.Spec.Ports[0].TargetPort.StrVal]; chosen && !ok {
				t.Errorf("the service %s leads to %s, which %s has not", name, service.Spec.Ports[0].TargetPort.StrVal, component)
			}
		}
	}
}

// The schema is brought up to date before pods are, by a Job with an end, and each version has one of its own.
func TestChart_MigratesBefore(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, tag := range []string{"1.0.0", "1.0.1", "1.1.0-rc.1_b"} {
		all := resources(t, render(t, "--values", "testdata/minimal.yaml", "--set", "image.tag="+tag))
		job := of[*batchv1.Job](all)[0]
		names[job.Name] = true
		if job.Annotations["helm.sh/hook"] != "pre-install,pre-upgrade" {
			t.Errorf("it runs %s", job.Annotations["helm.sh/hook"])
		}
		if *job.Spec.ActiveDeadlineSeconds != 3600 || *job.Spec.TTLSecondsAfterFinished != 604800 {
			t.Errorf("it is given up after %d s", *job.Spec.ActiveDeadlineSeconds)
		}
		pod := job.Spec.Template.Spec
		// What the release makes is not there yet.
		if pod.ServiceAccountName != "" || !reflect.DeepEqual(pod.Containers[0].Args, []string{"migrate"}) {
			t.Errorf("it runs %q as %s", pod.Containers[0].Args, pod.ServiceAccountName)
		}
		if image := pod.Containers[0].Image; image != "registry.example.com/emissor:"+tag {
			t.Errorf("it runs %s", image)
		}
	}
	if len(names) != 3 {
		t.Errorf("three versions have the jobs %v", names)
	}
}

// Only who calls is let in, only to the port that is for it; and only what a process needs is let out.
func TestChart_NetworkPolicies(t *testing.T) {
	t.Parallel()
	all := resources(t, render(t, "--values", "testdata/everything.yaml"))
	policies := of[*networkingv1.NetworkPolicy](all)
	if len(policies) != 5 {
		t.Fatalf("there are %d policies", len(policies))
	}
	expected := map[string]struct{ in, out []int }{
		"api":       {[]int{8080, 9090}, []int{53, 53, 443, 465, 587, 6432, 8443}},
		"worker":    {[]int{9090}, []int{53, 53, 80, 443, 465, 587, 6432, 7233, 8443}},
		"dashboard": {[]int{8090, 9090}, []int{53, 53, 443, 465, 587, 6432, 8443}},
		"operator":  {nil, []int{53, 53, 443, 465, 587, 6432, 8443}},
		"migrate":   {nil, []int{53, 53, 6432, 7233}},
	}
	for _, policy := range policies {
		component := policy.Spec.PodSelector.MatchLabels["app.kubernetes.io/component"]
		if len(policy.Spec.PolicyTypes) != 2 {
			t.Errorf("%s: %v", component, policy.Spec.PolicyTypes)
		}
		var in, out []int
		for _, rule := range policy.Spec.Ingress {
			if len(rule.From) == 0 {
				t.Errorf("%s lets in everybody", component)
			}
			for _, port := range rule.Ports {
				in = append(in, port.Port.IntValue())
			}
		}
		for _, rule := range policy.Spec.Egress {
			if len(rule.To) == 0 {
				t.Errorf("%s is let out to everybody at %v", component, rule.Ports)
			}
			for _, port := range rule.Ports {
				out = append(out, port.Port.IntValue())
			}
			for _, to := range rule.To {
				if to.IPBlock != nil && to.IPBlock.CIDR == "0.0.0.0/0" && !slices.Contains(to.IPBlock.Except, "10.0.0.0/8") {
					t.Errorf("%s reaches private networks", component)
				}
			}
		}
		slices.Sort(in)
		slices.Sort(out)
		if want := expected[component]; !reflect.DeepEqual(in, want.in) || !reflect.DeepEqual(out, want.out) {
			t.Errorf("%s lets in %v and out %v, expected %+v", component, in, out, want)
		}
	}
	if none := of[*networkingv1.NetworkPolicy](resources(t, render(t, "--values", "testdata/minimal.yaml", "--set",
		"networkPolicy.enabled=false"))); len(none) != 0 {
		t.Errorf("there are %d policies that nobody wanted", len(none))
	}
}

// Who scales decides how many there are.
func TestChart_Autoscalers(t *testing.T) {
	t.Parallel()
	all := resources(t, render(t, "--values", "testdata/everything.yaml"))
	scalers := of[*autoscalingv2.HorizontalPodAutoscaler](all)
	if len(scalers) != 2 {
		t.Fatalf("there are %d autoscalers", len(scalers))
	}
	for _, scaler := range scalers {
		metric := scaler.Spec.Metrics[0]
		switch scaler.Spec.ScaleTargetRef.Name {
		case "notas-api":
			if metric.Resource.Name != corev1.ResourceCPU {
				t.Errorf("the API is scaled by %+v", metric)
			}
		case "notas-worker":
			if metric.External.Metric.Name != "emissor_outbox_oldest_seconds" || metric.External.Target.Value.Value() != 30 {
				t.Errorf("workers are scaled by %+v", metric)
			}
		default:
			t.Errorf("%s is scaled", scaler.Spec.ScaleTargetRef.Name)
		}
	}
	for _, d := range of[*appsv1.Deployment](all) {
		if scaled := d.Name == "notas-api" || d.Name == "notas-worker"; scaled != (d.Spec.Replicas == nil) {
			t.Errorf("%s has %v replicas", d.Name, d.Spec.Replicas)
		}
	}
}

// Every file of rules and dashboards in the chart becomes a resource with that content.
func TestChart_RulesAndDashboards(t *testing.T) {
	t.Parallel()
	all := resources(t, render(t, "--values", "testdata/everything.yaml"))
	monitor := of[*monitoringv1.ServiceMonitor](all)[0]
	metrics := slices.IndexFunc(of[*corev1.Service](all), func(s *corev1.Service) bool {
		return within(monitor.Spec.Selector.MatchLabels, s.Labels) && s.Spec.Ports[0].Name == monitor.Spec.Endpoints[0].Port
	})
	job := monitor.Spec.Endpoints[0].RelabelConfigs[0]
	if metrics < 0 || monitor.Labels["release"] != "prometheus" || job.TargetLabel != "job" ||
		*job.Replacement != "emissor" {
		t.Errorf("the monitor is %+v", monitor)
	}
	rule := slices.IndexFunc(of[*monitoringv1.PrometheusRule](all), func(r *monitoringv1.PrometheusRule) bool {
		return r.Name == "notas-alerts" && slices.ContainsFunc(r.Spec.Groups[0].Rules, func(one monitoringv1.Rule) bool {
			return one.Alert == "EmissorRowFailures" &&
				one.Annotations["summary"] == "The loop {{ $labels.loop }} could not handle a row."
		})
	})
	if rule < 0 {
		t.Error("the rules are not there as they were written")
	}
	overview := readFile(t, "../../deploy/grafana/emissor-overview.json")
	board := slices.IndexFunc(of[*corev1.ConfigMap](all), func(m *corev1.ConfigMap) bool {
		return m.Name == "notas-dashboard-emissor-overview" && m.Data["emissor-overview.json"] == overview &&
			m.Labels["grafana_dashboard"] == "1"
	})
	if board < 0 {
		t.Error("the dashboard is not there as it was written")
	}
}

// The chart's rules and dashboards are deploy's files: Kubernetes is watched as every other installation is.
func TestChart_HasTheRulesAndDashboardsOfDeploy(t *testing.T) {
	t.Parallel()
	for ours, theirs := range map[string]string{
		"files/rules/*.yml":       "../../deploy/prometheus/emissor-*.yml",
		"files/dashboards/*.json": "../../deploy/grafana/*.json",
	} {
		inChart, err := filepath.Glob(filepath.Join(chart, ours))
		if err != nil {
			t.Fatal(err)
		}
		inDeploy, err := filepath.Glob(theirs)
		if err != nil {
			t.Fatal(err)
		}
		content := func(files []string) map[string]string {
			read := map[string]string{}
			for _, file := range files {
				read[filepath.Base(file)] = readFile(t, file)
			}
			return read
		}
		if !reflect.DeepEqual(content(inChart), content(inDeploy)) {
			t.Errorf("the chart has %q, and deploy has %q, or they differ", inChart, inDeploy)
		}
	}
}
