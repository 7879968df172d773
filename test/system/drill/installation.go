package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"emissor/test/generate"
	"emissor/test/harness"
)

// installation is an installation of Emissor, the authorities and subscribers around it, and its callers.
type installation struct {
	drill     *drill
	databases []*server // the first one first; those that may take over behind it
	engine    *engine
	simulator *harness.Simulator
	city      *harness.SaoPaulo
	receiver  *harness.Receiver
	emissor   *harness.Emissor
	companies []company
	callers   *callers
	db        *sqlx.DB // of what the drill wants to see

	replication *toxiproxy.Proxy // between primary and replica
	byHand      int              // documents that were given to notes by command

	mu          sync.Mutex
	generation  int // of its processes: others after each start
	api, worker *harness.Part
	closings    []func()
}

// newInstallation starts all of it for a round, with so many database servers, and provisions it. What it returns is to
// be closed, also with an error.
func (d *drill) newInstallation(ctx context.Context, r round, databases int) (*installation, error) {
	i := &installation{drill: d, engine: d.newEngine()}
	i.callers = &callers{installation: i, generate: generate.New(r.seed)}
	for n := range databases {
		s, err := d.newServer(fmt.Sprintf("database-%d", n+1))
		if err != nil {
			return i, err
		}
		i.databases = append(i.databases, s)
		i.atClose(func() { _ = s.lose() })
	}
	if err := i.startDatabase(ctx, r); err != nil {
		return i, err
	}
	if err := i.startSurroundings(ctx); err != nil {
		return i, err
	}
	return i, i.startEmissor(ctx)
}

// startDatabase makes the cluster and its repository, as the page says.
func (i *installation) startDatabase(ctx context.Context, r round) error {
	d := i.drill
	configuration, err := d.backupPage.block("pgbackrest.conf", pageRepository, d.repository, pageData, i.primary().data)
	if err != nil {
		return err
	}
	file := filepath.Join(d.shared, "pgbackrest.conf")
	if err := os.WriteFile(file, []byte(configuration), 0o644); err != nil {
		return err
	}
	settings := ""
	if r.archived() {
		if settings, err = d.backupPage.block("postgresql.conf"); err != nil {
			return err
		}
	}
	if err := i.primary().create(ctx, settings); err != nil {
		return err
	}
	if r.archived() {
		if _, err := i.primary().run(ctx, d.backupPage, "stanza"); err != nil {
			return err
		}
	}
	address := i.databaseURL()
	if i.db, err = sqlx.Open("postgres", address); err != nil {
		return err
	}
	i.atClose(func() { _ = i.db.Close() })
	return nil
}

// databaseURL is the URL that Emissor's processes use: with all servers, of which the one that takes writes is used.
func (i *installation) databaseURL() string {
	query := url.Values{"sslmode": {"disable"}}
	var hosts, ports string
	for n, s := range i.databases {
		if n > 0 {
			hosts, ports = hosts+",", ports+","
		}
		hosts, ports = hosts+"127.0.0.1", ports+s.port
	}
	query.Set("host", hosts)
	query.Set("port", ports)
	if len(i.databases) > 1 {
		query.Set("target_session_attrs", "read-write")
	}
	address := url.URL{Scheme: "postgres", User: url.UserPassword(emissorUser, i.drill.password),
		Path: "/" + databaseName, RawQuery: query.Encode()}
	return address.String()
}

func (i *installation) primary() *server { return i.databases[0] }

func (i *installation) startSurroundings(ctx context.Context) (err error) {
	d := i.drill
	if i.simulator, err = harness.StartSimulator(ctx, d.built.Simulator, d.dir, harness.Simulation{}); err != nil {
		return err
	}
	i.atClose(i.simulator.Kill)
	if i.city, err = harness.StartSaoPaulo(ctx, d.built.SaoPaulo, d.dir, harness.Simulation{}); err != nil {
		return err
	}
	i.atClose(i.city.Kill)
	if i.receiver, err = harness.NewReceiver(); err != nil {
		return err
	}
	i.atClose(i.receiver.Close)
	return nil
}

// gracePeriod is how long after a sending an authority that finds nothing is not believed: shorter than
// any real authority may have it.
const gracePeriod = 3 * time.Second

func (i *installation) startEmissor(ctx context.Context) error {
	i.emissor = &harness.Emissor{Program: i.drill.built.Emissor, LogDir: i.drill.dir}
	roots := i.simulator.Roots() + "," + i.city.Roots()
	i.emissor.Environment = append(append(i.simulator.Environment(), i.city.Environment()...),
		"EMISSOR_AUTHORITY_CA="+roots, "EMISSOR_DATABASE_URL="+i.databaseURL(), "EMISSOR_TASK_QUEUE="+i.engine.queues,
		"EMISSOR_RATE_LIMIT=0", "EMISSOR_WEBHOOK_ALLOW_LOOPBACK=true", "EMISSOR_AUTHORITY_TIMEOUT=2s",
		"EMISSOR_AUTHORITY_GRACE_PERIOD="+gracePeriod.String(), "EMISSOR_NATIONAL_RATE=1000",
		"EMISSOR_SAO_PAULO_RATE=1000", "EMISSOR_DATABASE_CONNECTIONS=15")
	if err := i.emissor.Prepare(ctx); err != nil {
		return err
	}
	if err := i.emissor.NewKeyset(ctx); err != nil {
		return err
	}
	if err := i.startProcesses(ctx); err != nil {
		return err
	}
	i.atClose(i.killProcesses)
	for n, inCity := range []bool{false, true, false} {
		if err := i.addCompany(ctx, n, inCity); err != nil {
			return err
		}
	}
	return nil
}

func (i *installation) addCompany(ctx context.Context, n int, inCity bool) error {
	o, err := i.emissor.NewOrganization(ctx, fmt.Sprint("Company ", n+1))
	if err != nil {
		return err
	}
	added := company{Organization: o, inCity: inCity,
		cnpj: generate.WithCheckDigits(fmt.Sprintf("1122%04d0001", 2333+n), 9)}
	if err := added.NewServices(ctx, i.apiURL()); err != nil {
		return err
	}
	if inCity {
		err = i.emissor.EquipInSaoPaulo(ctx, i.city, i.apiURL(), &added.Organization, added.cnpj, fmt.Sprint(31000000+n))
	} else {
		err = i.emissor.Equip(ctx, i.simulator, added.Organization, added.cnpj)
	}
	if err != nil {
		return err
	}
	for _, environment := range []string{"test", "live"} {
		if _, err := i.emissor.NewEndpoint(ctx, o, environment, i.receiver.URL+"/"+o.ID+"/"+environment); err != nil {
			return err
		}
	}
	i.companies = append(i.companies, added)
	return nil
}

// startProcesses starts an API and a worker: new ones, as on a new machine.
func (i *installation) startProcesses(ctx context.Context) error {
	i.mu.Lock()
	i.generation++
	generation := i.generation
	i.mu.Unlock()
	environment := i.engine.environment()
	api, err := i.emissor.NewAPI(fmt.Sprint("api-", generation), environment...)
	if err != nil {
		return err
	}
	worker, err := i.emissor.NewWorker(fmt.Sprint("worker-", generation), environment...)
	if err != nil {
		return err
	}
	for _, part := range []*harness.Part{api, worker} {
		if err := part.Start(); err != nil {
			return err
		}
	}
	i.mu.Lock()
	i.api, i.worker = api, worker
	i.mu.Unlock()
	for _, part := range []*harness.Part{api, worker} {
		if err := part.AwaitReady(ctx); err != nil {
			return err
		}
	}
	return nil
}

// killProcesses ends the API and the worker as a loss of power does.
func (i *installation) killProcesses() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, part := range []*harness.Part{i.api, i.worker} {
		if part != nil {
			part.Kill()
		}
	}
}

// apiURL is where callers find the API now.
func (i *installation) apiURL() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.api.URL
}

// operate runs a block of a page as an operator of Emissor.
func (i *installation) operate(ctx context.Context, p *page, name string, examples ...string) (string, error) {
	script, err := p.block(name, examples...)
	if err != nil {
		return "", err
	}
	environment := append(i.primary().environment(), i.emissor.Environment...)
	output, err := runScript(ctx, nil, append(environment, i.engine.environment()...), script)
	if err != nil {
		err = fmt.Errorf("%s, %s: %w", p.file, name, err)
	}
	return output, err
}

func (i *installation) atClose(closing func()) { i.closings = append(i.closings, closing) }

// close ends everything, last started first.
func (i *installation) close() {
	for n := range i.closings {
		i.closings[len(i.closings)-1-n]()
	}
}

// newQueues is a prefix of task queues that no other installation has.
func newQueues() string { return "drill-" + uuid.NewString() }
