//go:build upgrade

package upgrade

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/test/harness"
	"emissor/test/simulators/shared/fault"
)

// installation is two APIs, two workers and a dashboard, with authorities and a receiver around them.
type installation struct {
	stack    harness.Devstack
	database *harness.Database
	national *harness.Simulator
	saoPaulo *harness.SaoPaulo
	receiver *harness.Receiver

	emissor  *harness.Emissor
	queues   string          // what the names of its task queues begin with
	parts    []*harness.Part // in the order in which they are replaced
	balancer *balancer       // in front of the APIs

	company, cityCompany harness.Organization
	waitingCompany       harness.Organization // without a certificate: its live notes are held
}

// The tax ids of the companies.
const (
	nationalIssuer = "11222333000181"
	cityIssuer     = "11222333000262"
	waitingIssuer  = "11222333000343"
)

// install starts an installation of a program on an empty database.
func install(t *testing.T, program string, simulators harness.Programs) *installation {
	t.Helper()
	ctx, logs := t.Context(), t.TempDir()
	i := &installation{queues: "upgrade-" + uuid.NewString()}
	var err error
	i.stack, err = harness.FindDevstack()
	check(t, err)
	i.database, err = i.stack.NewDatabase(ctx)
	check(t, err)
	t.Cleanup(func() { _ = i.database.Drop(context.Background()) })
	i.national, err = harness.StartSimulator(ctx, simulators.Simulator, logs, harness.Simulation{Described: true})
	check(t, err)
	t.Cleanup(i.national.Kill)
	i.saoPaulo, err = harness.StartSaoPaulo(ctx, simulators.SaoPaulo, logs, harness.Simulation{})
	check(t, err)
	t.Cleanup(i.saoPaulo.Kill)
	i.receiver, err = harness.NewReceiver()
	check(t, err)
	t.Cleanup(i.receiver.Close)

	i.emissor = &harness.Emissor{Program: program, LogDir: logs, Environment: append(i.national.Environment(),
		"EMISSOR_DATABASE_URL="+i.database.URL, "EMISSOR_TASK_QUEUE="+i.queues,
		"EMISSOR_RATE_LIMIT=0", "EMISSOR_ORGANIZATION_LIMITS=requests=0", "EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true",
		"EMISSOR_SLOW_SCENARIO=20s", "EMISSOR_DRAIN_DELAY=5s",
		"EMISSOR_SAO_PAULO_URL="+i.saoPaulo.URL(),
		"EMISSOR_AUTHORITY_CA="+i.national.Roots()+","+i.saoPaulo.Roots(),
		"EMISSOR_NATIONAL_RATE=1000", "EMISSOR_SAO_PAULO_RATE=1000",
		"EMISSOR_AUTHORITY_TIMEOUT=5s", "EMISSOR_AUTHORITY_GRACE_PERIOD=2s")}
	check(t, i.emissor.Prepare(ctx))
	check(t, i.emissor.NewKeyset(ctx))
	i.startParts(t)
	i.provision(t)
	return i
}

func (i *installation) startParts(t *testing.T) {
	t.Helper()
	dashboard, err := i.emissor.NewDashboard("dashboard")
	check(t, err)
	var apis []*harness.Part
	for _, n := range []string{"1", "2"} {
		api, err := i.emissor.NewAPI("api-" + n)
		check(t, err)
		worker, err := i.emissor.NewWorker("worker-" + n)
		check(t, err)
		apis = append(apis, api)
		i.parts = append(i.parts, api, worker)
	}
	i.parts = append(i.parts, dashboard)
	for _, part := range i.parts {
		t.Cleanup(part.Kill)
		check(t, part.StartReady(t.Context()))
	}
	i.balancer = newBalancer(t, apis)
	for _, api := range apis {
		i.balancer.sees(t, api)
	}
}

func (i *installation) provision(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	for name, o := range map[string]*harness.Organization{
		"National": &i.company, "City": &i.cityCompany, "Waiting": &i.waitingCompany,
	} {
		var err error
		*o, err = i.emissor.NewOrganization(ctx, name)
		check(t, err)
		check(t, o.NewServices(ctx, i.balancer.URL))
	}
	check(t, i.emissor.Equip(ctx, i.national, i.company, nationalIssuer))
	check(t, i.emissor.EquipInSaoPaulo(ctx, i.saoPaulo, i.balancer.URL, &i.cityCompany, cityIssuer, "31000000"))
	for _, environment := range []string{"test", "live"} {
		_, err := i.emissor.NewEndpoint(ctx, i.company, environment, i.receiver.URL+"/"+environment)
		check(t, err)
	}
}

// kinds are the ways by which notes are issued.
func (i *installation) kinds() []kind {
	return []kind{
		{"sandbox", i.company.TestKey, i.company.TestService, "authorized"},
		{"sandbox, rejected", i.company.TestKey, i.company.TestService, "rejected"},
		{"sandbox, slow", i.company.TestKey, i.company.TestService, "slow"},
		{"national", i.company.LiveKey, i.company.LiveService, ""},
		{"São Paulo", i.cityCompany.LiveKey, i.cityCompany.LiveService, ""},
	}
}

// replace stops the parts one after the other, and starts each again as another program at the same address. The next
// one goes only when that one has work.
func (i *installation) replace(t *testing.T, program string) {
	t.Helper()
	i.emissor.Program = program
	for _, part := range i.parts {
		began := time.Now()
		check(t, part.Stop(2*time.Minute))
		stopped := time.Since(began)
		part.Replace(program)
		check(t, part.StartReady(t.Context()))
		i.balancer.sees(t, part)
		t.Logf("%s is replaced: stopped in %s, ready in %s", part.Name, stopped.Round(time.Millisecond),
			(time.Since(began) - stopped).Round(time.Millisecond))
	}
}

// surroundingsFail has the authorities answer nothing but that they are out, and the receiver refuse everything; or
// both work again.
func (i *installation) surroundingsFail(t *testing.T, fail bool) {
	t.Helper()
	var faults []fault.Fault
	var answer func(string) harness.Reply
	if fail {
		faults = []fault.Fault{{Kind: fault.Status, Status: http.StatusServiceUnavailable}}
		answer = func(string) harness.Reply { return harness.Reply{Status: http.StatusServiceUnavailable} }
	}
	profile := fault.Profile{Faults: faults}
	check(t, errors.Join(i.national.SetFaults(t.Context(), profile), i.saoPaulo.SetFaults(t.Context(), profile)))
	i.receiver.Answer(answer)
}

func (i *installation) count(t *testing.T, query string, arguments ...any) (n int) {
	t.Helper()
	if err := i.database.SQL.GetContext(t.Context(), &n, query, arguments...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// eventually waits for what may take minutes: pauses of calls to authorities, and of deliveries. Where replacing the
// processes took long, a delivery has failed four times, and its next attempt comes after 390 seconds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Minute)
	defer cancel()
	check(t, harness.Await(ctx, what, func(context.Context) bool { return condition() }))
}
