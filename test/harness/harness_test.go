package harness_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/test/harness"
	"emissor/test/simulators/sefin"
)

// A sandbox note and live ones, of the national system and of a city, go all the way through real
// processes, also while those are killed and paused.
func TestHarness(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	stack, err := harness.FindDevstack()
	check(err)
	programs, err := harness.Built(ctx, dir)
	check(err)
	database, err := stack.NewDatabase(ctx)
	check(err)
	t.Cleanup(func() { check(database.Drop(context.Background())) })
	teresina, err := sefin.CityNamed("teresina")
	check(err)
	simulator, err := harness.StartSimulator(ctx, programs.Simulator, dir,
		harness.Simulation{Cities: []sefin.City{teresina}})
	check(err)
	t.Cleanup(simulator.Kill)
	receiver, err := harness.NewReceiver()
	check(err)
	t.Cleanup(receiver.Close)

	queues := "harness-" + uuid.NewString()
	emissor := &harness.Emissor{Program: programs.Emissor, LogDir: dir, Environment: append(simulator.Environment(),
		"EMISSOR_DATABASE_URL="+database.URL, "EMISSOR_TASK_QUEUE="+queues, "EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true")}
	check(emissor.Prepare(ctx))
	check(emissor.NewKeyset(ctx))
	check(emissor.ImportCities(ctx, simulator, "1s"))
	api, err := emissor.NewAPI("api")
	check(err)
	worker, err := emissor.NewWorker("worker")
	check(err)
	for _, part := range []*harness.Part{api, worker} {
		check(part.StartReady(ctx))
		t.Cleanup(part.Kill)
	}
	organization, err := emissor.NewOrganization(ctx, "Harness")
	check(err)
	check(organization.NewServices(ctx, api.URL))
	check(emissor.Equip(ctx, simulator, organization, "11222333000181"))
	inCity, err := emissor.NewOrganization(ctx, "Teresina")
	check(err)
	check(emissor.EquipInCity(ctx, simulator, "teresina", api.URL, &inCity, "11222333000262"))
	for _, environment := range []string{"test", "live"} {
		_, err = emissor.NewEndpoint(ctx, organization, environment, receiver.URL+"/"+environment)
		check(err)
	}

	worker.Kill()
	check(worker.StartReady(ctx))
	check(api.Pause())
	check(api.Resume())
	live := &harness.Client{Base: api.URL, Key: organization.LiveKey}
	test := &harness.Client{Base: api.URL, Key: organization.TestKey}
	check(live.Must(ctx, http.MethodPost, "/v1/nfse", harness.Issuance(organization.LiveService, "a"), nil))
	ofCity := &harness.Client{Base: api.URL, Key: inCity.LiveKey}
	check(ofCity.Must(ctx, http.MethodPost, "/v1/nfse", harness.Issuance(inCity.LiveService, "a"), nil))
	check(test.Must(ctx, http.MethodPost, "/v1/nfse", harness.Issuance(organization.TestService, "a"), nil))
	check(harness.Await(ctx, "both events arrive", func(context.Context) bool {
		_, taken := receiver.Counts()
		return taken == 2
	}))
	check(harness.Await(ctx, "all notes are issued", func(ctx context.Context) bool {
		var issued int
		err := database.SQL.GetContext(ctx, &issued, `SELECT count(*) FROM notes WHERE status = 'issued'`)
		return err == nil && issued == 3
	}))
	check(harness.Await(ctx, "no run is open", func(ctx context.Context) bool {
		open, err := stack.OpenRuns(ctx, queues)
		return err == nil && len(open) == 0
	}))
	ledger, _, err := simulator.Ledger(ctx)
	check(err)
	by := map[string]int{}
	for _, entry := range ledger {
		by[entry.City]++
	}
	if len(ledger) != 2 || by[""] != 1 || by["teresina"] != 1 {
		t.Errorf("the authorities have issued %v", by)
	}
	measured, err := worker.Metrics(ctx)
	check(err)
	started := 0.0 // one that failed is made again, and may find that it has begun a run
	for _, outcome := range []string{"started", "open"} {
		started += measured.Sum("emissor_dispatch_starts_total", `kind="note"`, `outcome="`+outcome+`"`)
	}
	if started != 3 {
		t.Errorf("%v notes were started", started)
	}
}
