//go:build faults

package watch

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/test/harness"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/fault"
)

// Every outage fires its alarm, which is over once it is mended, and every note that was accepted ends.
func TestAlarms_Fire(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 24*time.Minute)
	defer cancel()
	disk := newSmallDisk(t)
	i := install(ctx, t, disk.moved, "EMISSOR_AUTHORITY_GRACE_PERIOD=1s", "EMISSOR_AUTHORITY_TIMEOUT=5s")
	watched := i.watch(ctx, t)
	check := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	// A caller goes on meanwhile, no matter what it is answered.
	calls := func(environment string) func() { return func() { _, _ = i.ask(ctx, environment) } }
	i.issue(ctx, t, "test", 3)
	i.issue(ctx, t, "live", 3)
	i.awaitEnds(ctx, t)
	watched.awaitOver(ctx, t, "EmissorNothingMoves", "EmissorNotesHeld", "EmissorRequestsFail", "EmissorEngineAway")

	t.Run("Certificate", func(t *testing.T) {
		const document = "11222333000262"
		company, err := i.emissor.NewOrganization(ctx, "Ends")
		check(t, err)
		check(t, i.emissor.AddCertificate(ctx, i.authority, company, document, time.Now().Add(36*time.Hour)))
		watched.awaitFiring(ctx, t, nil, "EmissorCertificateExpiresSoon", "EmissorCertificateExpires")
		check(t, i.emissor.AddCertificate(ctx, i.authority, company, document, time.Now().AddDate(1, 0, 0)))
		watched.awaitOver(ctx, t, "EmissorCertificateExpiresSoon", "EmissorCertificateExpires")
	})
	t.Run("Worker", func(t *testing.T) {
		i.worker.Kill()
		i.issue(ctx, t, "live", 2)
		watched.awaitFiring(ctx, t, nil, "EmissorProcessDown", "EmissorNoWorker", "EmissorNothingMoves")
		check(t, i.worker.StartReady(ctx))
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorProcessDown", "EmissorNoWorker", "EmissorNothingMoves")
	})
	t.Run("Engine", func(t *testing.T) {
		check(t, i.stack.Control(ctx, "kill", harness.Temporal))
		i.issue(ctx, t, "test", 2)
		i.issue(ctx, t, "live", 2)
		watched.awaitFiring(ctx, t, nil, "EmissorEngineAway", "EmissorNothingMoves")
		check(t, i.stack.Control(ctx, "start", harness.Temporal))
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorEngineAway", "EmissorNothingMoves")
	})
	t.Run("Database", func(t *testing.T) {
		i.issue(ctx, t, "live", 5)
		check(t, i.stack.Control(ctx, "kill", harness.PostgreSQL))
		watched.awaitFiring(ctx, t, calls("live"),
			"EmissorDatabaseDown", "EmissorRequestsFail", "EmissorBudgetBurnsFast")
		check(t, i.stack.Control(ctx, "start", harness.PostgreSQL))
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorDatabaseDown", "EmissorRequestsFail", "EmissorBudgetBurnsFast")
	})
	t.Run("Authority", func(t *testing.T) {
		check(t, i.authority.SetFaults(ctx, fault.Profile{Faults: []fault.Fault{{Kind: sefin.Drop}}}))
		watched.awaitFiring(ctx, t, calls("live"), "EmissorAuthorityUnanswered")
		check(t, i.authority.SetFaults(ctx, fault.Profile{}))
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorAuthorityUnanswered")
	})
	t.Run("ExpiredTLS", func(t *testing.T) {
		i.authority.Kill()
		end := serveExpired(t, i.authorityAddress(t))
		watched.awaitFiring(ctx, t, calls("live"), "EmissorAuthorityUnanswered")
		end()
		check(t, i.authority.Start())
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorAuthorityUnanswered")
		var expired int
		check(t, i.database.SQL.GetContext(ctx, &expired, `SELECT count(*) FROM fiscal_calls
			WHERE outcome = 'not_delivered' AND reason ->> 'code' = 'tls_server_not_valid'`))
		if expired == 0 {
			t.Error("no call was refused because of the certificate's end")
		}
	})
	t.Run("Clock", func(t *testing.T) {
		// Our clock is an hour ahead of the authority's.
		check(t, i.authority.SetFaults(ctx, fault.Profile{Faults: []fault.Fault{
			{Kind: sefin.ClockSkew, Delay: sefin.Duration(-time.Hour)}}}))
		i.issue(ctx, t, "live", 2)
		watched.awaitFiring(ctx, t, nil, "EmissorClockWrong", "EmissorNotesHeld")
		check(t, i.authority.SetFaults(ctx, fault.Profile{}))
		_, err := i.database.SQL.ExecContext(ctx,
			`UPDATE fiscal_exchanges SET last_sent_at = now() - interval '1 hour'`) // as at the next look
		check(t, err)
		_, err = i.emissor.Command(ctx, "note", "redrive", "--held")
		check(t, err)
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorClockWrong", "EmissorNotesHeld")
	})
	t.Run("Receiver", func(t *testing.T) {
		i.receiver.Answer(func(string) harness.Reply { return harness.Reply{Status: http.StatusServiceUnavailable} })
		watched.awaitFiring(ctx, t, calls("live"), "EmissorDeliveriesNotTaken")
		i.receiver.Answer(nil)
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorDeliveriesNotTaken")
	})
	t.Run("DiskFull", func(t *testing.T) {
		if disk.dir == "" {
			t.Skip("only root makes a small disk: what a full one does was not seen")
		}
		i.issue(ctx, t, "live", 5)
		disk.fill(t)
		watched.awaitFiring(ctx, t, calls("live"), "EmissorRequestsFail", "EmissorBudgetBurnsFast")
		disk.makeRoom(t)
		i.awaitEnds(ctx, t)
		i.issue(ctx, t, "live", 1)
		i.awaitEnds(ctx, t)
		watched.awaitOver(ctx, t, "EmissorRequestsFail", "EmissorBudgetBurnsFast")
	})
}

// awaitEnds waits until every note that was accepted is issued, in one document of the authority if it is
// live, and every event is delivered.
func (i *installation) awaitEnds(ctx context.Context, t *testing.T) {
	t.Helper()
	// A delivery that has failed four times by the time its alarm fires is tried again after 390 seconds.
	ctx, cancel := context.WithTimeout(ctx, 11*time.Minute)
	defer cancel()
	count := func(ctx context.Context, query string) (n int) {
		if err := i.database.SQL.GetContext(ctx, &n, query); err != nil {
			return -1
		}
		return n
	}
	err := harness.Await(ctx, "every note has ended, and every event is delivered", func(ctx context.Context) bool {
		return count(ctx, `SELECT count(*) FROM notes WHERE status <> 'issued'`) == 0 &&
			count(ctx, `SELECT count(*) FROM deliveries WHERE status <> 'delivered'`) == 0
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, i.worker.LogTail())
	}
	notes, live := count(ctx, `SELECT count(*) FROM notes`), count(ctx, `SELECT count(*) FROM notes WHERE livemode`)
	if notes < i.accepted {
		t.Errorf("%d notes were accepted, and there are %d", i.accepted, notes)
	}
	ledger, _, err := i.authority.Ledger(ctx)
	if err != nil || len(ledger) != live {
		t.Errorf("of %d live notes the authority has %d documents, %v", live, len(ledger), err)
	}
}

// smallDisk is a disk for one database, which can be full without that anybody else's is.
type smallDisk struct{ dir string } // empty: it cannot be made here

// diskSize holds a database, and some notes more.
const diskSize = "96m"

// newSmallDisk makes a small disk, where this may.
func newSmallDisk(t *testing.T) *smallDisk {
	t.Helper()
	owner, err := user.Lookup("postgres")
	if os.Geteuid() != 0 || err != nil {
		return &smallDisk{}
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+diskSize); err != nil {
		t.Logf("no small disk: %v", err)
		return &smallDisk{}
	}
	t.Cleanup(func() {
		// The server may still have files open that are removed by now.
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	data := filepath.Join(dir, "data")
	uid, errUID := strconv.Atoi(owner.Uid)
	gid, errGID := strconv.Atoi(owner.Gid)
	if err := errors.Join(errUID, errGID, os.Mkdir(data, 0o700), os.Chown(data, uid, gid),
		os.Chmod(filepath.Dir(dir), 0o711)); err != nil { // the server passes through
		t.Fatal(err)
	}
	return &smallDisk{dir}
}

// moved moves a new database onto the disk.
func (d *smallDisk) moved(ctx context.Context, t *testing.T, i *installation) {
	t.Helper()
	if d.dir == "" {
		return
	}
	admin, err := sqlx.Open("postgres", i.stack.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	do := func(statement string) {
		if _, err := admin.ExecContext(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	address, err := url.Parse(i.database.URL)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(address.Path)
	do(`CREATE TABLESPACE ` + name + ` LOCATION '` + filepath.Join(d.dir, "data") + `'`)
	do(`ALTER DATABASE ` + name + ` SET TABLESPACE ` + name)
}

// fill leaves no room on the disk.
func (d *smallDisk) fill(t *testing.T) {
	t.Helper()
	filler, err := os.Create(d.filler())
	if err != nil {
		t.Fatal(err)
	}
	defer filler.Close()
	for block := make([]byte, 64<<10); err == nil; {
		_, err = filler.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// makeRoom is what an operator does.
func (d *smallDisk) makeRoom(t *testing.T) {
	t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		t.Fatal(err)
	}
}

func (d *smallDisk) filler() string { return filepath.Join(d.dir, "filler") }
