package watch

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"emissor/test/harness"
)

// installation is Emissor as it is deployed: an API and a worker, with an authority and a receiver.
type installation struct {
	stack        harness.Devstack
	database     *harness.Database
	authority    *harness.Simulator
	receiver     *harness.Receiver
	emissor      *harness.Emissor
	api, worker  *harness.Part
	organization harness.Organization

	asked, accepted int // notes
}

// issuer is the CNPJ of the organization.
const issuer = "11222333000181"

// install starts an installation whose organization can issue test and live notes, which are delivered to
// the receiver. prepare is done with the empty database, nil is nothing; more are settings.
func install(ctx context.Context, t *testing.T, prepare func(context.Context, *testing.T, *installation),
	more ...string) *installation {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	i, dir := &installation{}, t.TempDir()
	var err error
	i.stack, err = harness.FindDevstack()
	check(err)
	programs, err := harness.Built(ctx, dir)
	check(err)
	i.database, err = i.stack.NewDatabase(ctx)
	check(err)
	t.Cleanup(func() { check(i.database.Drop(context.Background())) })
	if prepare != nil {
		prepare(ctx, t, i)
	}
	i.authority, err = harness.StartSimulator(ctx, programs.Simulator, dir, harness.Simulation{Keep: true})
	check(err)
	t.Cleanup(i.authority.Kill)
	i.receiver, err = harness.NewReceiver()
	check(err)
	t.Cleanup(i.receiver.Close)

	i.emissor = &harness.Emissor{Program: programs.Emissor, LogDir: dir, Environment: append(append(
		i.authority.Environment(), "EMISSOR_DATABASE_URL="+i.database.URL, "EMISSOR_TASK_QUEUE=watch-"+uuid.NewString(),
		"EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true", "EMISSOR_RATE_LIMIT=0", "EMISSOR_ORGANIZATION_LIMITS=requests=0"),
		more...)}
	check(i.emissor.Prepare(ctx))
	check(i.emissor.NewKeyset(ctx))
	i.api, err = i.emissor.NewAPI("api")
	check(err)
	i.worker, err = i.emissor.NewWorker("worker")
	check(err)
	for _, part := range []*harness.Part{i.api, i.worker} {
		check(part.StartReady(ctx))
		t.Cleanup(part.Kill)
	}
	i.organization, err = i.emissor.NewOrganization(ctx, "Watch")
	check(err)
	check(i.organization.NewServices(ctx, i.api.URL))
	check(i.emissor.Equip(ctx, i.authority, i.organization, issuer))
	for _, environment := range []string{"test", "live"} {
		_, err = i.emissor.NewEndpoint(ctx, i.organization, environment, i.receiver.URL+"/"+environment)
		check(err)
	}
	return i
}

// issue has so many notes of an environment accepted.
func (i *installation) issue(ctx context.Context, t *testing.T, environment string, notes int) {
	t.Helper()
	for range notes {
		if answer, err := i.ask(ctx, environment); err != nil || answer.Status != http.StatusAccepted {
			t.Fatalf("a note is answered %d %s, %v", answer.Status, answer.Body, err)
		}
	}
}

// ask asks for another note.
func (i *installation) ask(ctx context.Context, environment string) (harness.Answer, error) {
	key, service := i.organization.TestKey, i.organization.TestService
	if environment == "live" {
		key, service = i.organization.LiveKey, i.organization.LiveService
	}
	i.asked++
	answer, err := (&harness.Client{Base: i.api.URL, Key: key}).Call(ctx, http.MethodPost, "/v1/nfse",
		harness.Issuance(service, fmt.Sprintf("watch-%d", i.asked)))
	if err == nil && answer.Status == http.StatusAccepted {
		i.accepted++
	}
	return answer, err
}
