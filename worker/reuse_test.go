package worker_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/test/testkit"
	"emissor/worker"
)

// Starting a system costs more than most tests do in it. Tests that change nothing of it but
// rows take one that another test has left: alone, with an empty database, and with an
// organization of their own.
var (
	plainSystems = &systems{}
	liveSystems  = &systems{live: true}
)

// newSandbox returns a system with a worker and no authority. A test that stops the worker,
// starts another or changes the schema needs a system of its own.
func newSandbox(t testing.TB) *testkit.System {
	t.Helper()
	return plainSystems.take(t, nil)
}

// systems are the systems of one kind that no test uses at the moment.
type systems struct {
	live bool

	mu   sync.Mutex
	idle []*reusable
}

type reusable struct {
	*testkit.System
	stage *stage
	life  *life
}

func (p *systems) take(t testing.TB, authority fiscal.Authority) *testkit.System {
	t.Helper()
	p.mu.Lock()
	var r *reusable
	if last := len(p.idle) - 1; last >= 0 {
		r, p.idle = p.idle[last], p.idle[:last]
	}
	p.mu.Unlock()
	if r == nil {
		r = p.start(t, authority)
	} else {
		r.stage.enter(authority)
		r.life.enter(t)
	}
	t.Cleanup(func() { p.giveBack(t, r) })
	s := *r.System
	s.Organization, s.TestKey, s.LiveKey = s.NewOrganization(t, "Clínica Exemplo")
	return &s
}

func (p *systems) start(t testing.TB, authority fiscal.Authority) *reusable {
	t.Helper()
	r := &reusable{stage: &stage{}, life: &life{TB: t, user: t}}
	r.stage.enter(authority)
	options := testkit.Options{Worker: true}
	if p.live {
		options.Authorities = []worker.Authority{{Authority: r.stage, Rate: 1000}}
	}
	r.System = testkit.NewSystem(r.life, options)
	// Loops of the worker work on its rows already, and may hold a lock for long on a loaded machine.
	testkit.Eventually(t, "a new system is empty", func() bool { return r.empty() == nil })
	return r
}

// giveBack leaves the system to the next test if this one passed and nothing works on its
// rows any more. Another system is ended, as if it had been the test's own.
func (p *systems) giveBack(t testing.TB, r *reusable) {
	if t.Failed() || !r.quiet() || r.empty() != nil {
		r.life.end()
		return
	}
	r.life.leave()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, r)
}

// end ends the systems that are left.
func (p *systems) end() {
	for _, r := range p.idle {
		r.life.end()
	}
}

// quiet reports whether everything in the database is settled, or is so in a moment.
func (r *reusable) quiet() bool {
	for range 20 {
		var open bool
		err := r.SQL.Get(&open, `SELECT EXISTS (SELECT FROM outbox)
			OR EXISTS (SELECT FROM notes WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending')
			OR EXISTS (SELECT FROM deliveries WHERE status = 'pending')
			OR EXISTS (SELECT FROM emails WHERE status = 'pending')`)
		if err != nil || !open {
			return err == nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// empty deletes all rows but those of a new system. The locks wait for transactions that are
// under way, which could else leave a row behind; without foreign keys the order is any.
func (r *reusable) empty() error {
	_, err := r.SQL.Exec(`DO $do$ DECLARE name text; BEGIN
		SET LOCAL session_replication_role = replica;
		SET LOCAL lock_timeout = '500ms';
		FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
			AND tablename <> 'schema_migrations' ORDER BY tablename LOOP
			EXECUTE format('LOCK TABLE %I', name);
			EXECUTE format('DELETE FROM %I', name);
		END LOOP;
	END $do$`)
	return err
}

// life is the testing.TB of a system that outlives a test: what it reports is of the test
// that uses the system.
type life struct {
	testing.TB // of the first test, for what happens while the system starts

	mu       sync.Mutex
	user     testing.TB // nil between tests
	cleanups []func()
}

func (l *life) enter(t testing.TB) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.user = t
}

func (l *life) leave() { l.enter(nil) }

// end does what a test's end does.
func (l *life) end() {
	l.leave()
	for _, cleanup := range slices.Backward(l.cleanups) {
		cleanup()
	}
}

func (l *life) Cleanup(cleanup func()) { l.cleanups = append(l.cleanups, cleanup) }

func (l *life) Context() context.Context { return context.Background() }

func (l *life) Output() io.Writer { return l }

// Write implements io.Writer: the log of the system.
func (l *life) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.user == nil {
		return len(line), nil
	}
	return l.user.Output().Write(line)
}

func (l *life) Errorf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.user == nil {
		panic(fmt.Sprintf(format, args...)) // no test would fail
	}
	l.user.Errorf(format, args...)
}

// stage is the authority of a system that outlives a test: that of the test that uses it.
type stage struct {
	mu  sync.Mutex
	now fiscal.Authority
}

func (s *stage) enter(authority fiscal.Authority) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = authority
}

func (s *stage) authority() fiscal.Authority {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stage) Name() string                      { return s.authority().Name() }
func (s *stage) Capabilities() fiscal.Capabilities { return s.authority().Capabilities() }
func (s *stage) Serves(production bool) bool       { return s.authority().Serves(production) }

func (s *stage) Check(declaration fiscal.Declaration, at time.Time) *fiscal.Objection {
	return s.authority().Check(declaration, at)
}

func (s *stage) SignDeclaration(declaration fiscal.Declaration, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	return s.authority().SignDeclaration(declaration, credentials, at)
}

func (s *stage) SignCancellation(request fiscal.CancellationRequest, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	return s.authority().SignCancellation(request, credentials, at)
}

func (s *stage) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	return s.authority().Send(ctx, access, request)
}

func (s *stage) Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	return s.authority().Find(ctx, access, request)
}

func TestMain(m *testing.M) {
	code := m.Run()
	plainSystems.end()
	liveSystems.end()
	os.Exit(code)
}
