package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"emissor/test/harness"
)

// figures are what a round measured.
type figures struct {
	accepted, lost int            // notes, by the callers' records, and of them those that are not on record
	window         time.Duration  // from when the first lost note was accepted to the loss
	firstNote      time.Duration  // from the begin of the restore until a new sandbox note was issued
	firstLive      time.Duration  // likewise a live one of the national system
	ended          time.Duration  // likewise until everything had ended
	found          map[string]int // documents that were not on record, by their state
	byHand         int            // those of them that were given to notes by command
	backup         int64          // bytes in the repository, of all backups and WAL
	database       int64          // bytes of Emissor's database
	wal            int64          // bytes that were written in a minute of load, before compression
	violations     []string
}

func (f *figures) violate(format string, arguments ...any) {
	f.violations = append(f.violations, fmt.Sprintf(format, arguments...))
}

// mostLost is the longest that what was accepted before a loss may be lost, where WAL is archived or streams.
const mostLost = time.Minute

// endPatience is how long everything may take to end after the last step.
const endPatience = 3 * time.Minute

// round has an installation issue notes, lose its database, and go on, and compares the records.
func (d *drill) round(ctx context.Context, r round) (f figures, err error) {
	d.log("%s, after %s", r, r.load.Round(time.Second))
	servers := 1
	if r.loss == primaryLost {
		servers = 2
	}
	i, err := d.newInstallation(ctx, r, servers)
	defer i.close()
	if err != nil {
		return f, err
	}
	life, die := context.WithCancel(ctx)
	defer i.callers.asking.Wait()
	defer die()
	issuing, enough := context.WithCancel(life)
	defer enough()
	issued := make(chan struct{})
	go func() {
		defer close(issued)
		i.callers.issue(issuing, life)
	}()
	before, err := i.written(ctx)
	if err != nil {
		return f, err
	}
	loaded := time.Now()
	if err := i.prepareForLoss(ctx, r); err != nil {
		return f, err
	}
	if err := i.measure(ctx, &f, before, time.Since(loaded)); err != nil {
		return f, err
	}
	lostAt, began, err := i.lose(ctx, r, enough)
	if err != nil {
		return f, err
	}
	<-issued
	if err := i.restore(ctx, r); err != nil {
		return f, err
	}
	err = i.goOn(ctx, r, lostAt, began, &f)
	return f, err
}

// prepareForLoss lets time pass, and makes the backups or the replica meanwhile.
func (i *installation) prepareForLoss(ctx context.Context, r round) error {
	d, began := i.drill, time.Now()
	until := func(share float64) error {
		return sleep(ctx, time.Until(began.Add(time.Duration(share*float64(r.load)))))
	}
	if err := until(0.1); err != nil {
		return err
	}
	if r.loss == primaryLost {
		if err := i.addReplica(ctx, r); err != nil {
			return err
		}
		return until(1)
	}
	if r.archived() {
		if _, err := i.primary().run(ctx, d.backupPage, "backup"); err != nil {
			return err
		}
	}
	if err := until(0.3); err != nil {
		return err
	}
	if r.engine == engineOlder {
		if err := i.engine.dump(ctx); err != nil {
			return err
		}
	}
	if err := until(0.5); err != nil {
		return err
	}
	if !r.archived() {
		if err := i.primary().takeSnapshot(ctx); err != nil {
			return err
		}
	} else if _, err := i.primary().run(ctx, d.backupPage, "backup-daily"); err != nil {
		return err
	}
	return until(1)
}

// lose is the loss. It returns when it happened, and when the way back begins.
func (i *installation) lose(ctx context.Context, r round, enough func()) (lostAt, began time.Time, err error) {
	d := i.drill
	var goBackTo time.Time
	switch r.loss {
	case serverLost, filesLost:
		lostAt = time.Now()
		err = i.primary().lose()
	case tableLost:
		goBackTo = time.Now().Add(-time.Second)
		err = i.dropTable(ctx)
		lostAt = time.Now()
	case primaryLost:
		lostAt, err = i.losePrimary(ctx, r)
	}
	if err != nil {
		return lostAt, began, err
	}
	enough()
	began = time.Now()
	d.log("%s", r.loss)
	if r.loss == primaryLost {
		return lostAt, began, nil // processes go on
	}
	i.killProcesses()
	switch r.loss {
	case filesLost:
		return lostAt, began, i.primary().bringSnapshotBack()
	case tableLost:
		if err := i.primary().stop(); err != nil {
			return lostAt, began, err
		}
		_, err = i.primary().run(ctx, d.backupPage, "restore-before", "2026-11-26 10:14:59-03",
			goBackTo.UTC().Format("2006-01-02 15:04:05.000-07"))
		return lostAt, began, err
	}
	if err := d.makeFolder(i.primary().data); err != nil {
		return lostAt, began, err
	}
	_, err = i.primary().run(ctx, d.backupPage, "restore")
	return lostAt, began, err
}

// dropTable is somebody's mistake. Those who use the table make it wait.
func (i *installation) dropTable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return harness.Await(ctx, "a table is dropped", func(ctx context.Context) bool {
		_, err := i.primary().sql(ctx, databaseName, `DROP TABLE deliveries CASCADE`)
		return err == nil
	})
}

// restore starts the server that was restored, and has everything go on, as the page says.
func (i *installation) restore(ctx context.Context, r round) error {
	d := i.drill
	if r.loss == primaryLost {
		return i.takeOver(ctx, r)
	}
	if err := i.primary().start(ctx); err != nil {
		return err
	}
	if _, err := i.primary().run(ctx, d.backupPage, "wait"); err != nil {
		return err
	}
	if err := i.engine.become(ctx, r.engine); err != nil {
		return err
	}
	if _, err := i.operate(ctx, d.backupPage, "prepare"); err != nil {
		return err
	}
	if r.loss == filesLost {
		if _, err := i.operate(ctx, d.backupPage, "begin"); err != nil {
			return err
		}
	}
	return i.startProcesses(ctx)
}

// goOn shows that notes are issued again, does what is left to people, waits until everything has ended,
// and compares the records.
func (i *installation) goOn(ctx context.Context, r round, lostAt, began time.Time, f *figures) error {
	d := i.drill
	issued := make(chan error, 2)
	for _, live := range []bool{false, true} {
		took := &f.firstNote
		if live {
			took = &f.firstLive
		}
		go func() {
			err := i.callers.issueOne(ctx, live)
			*took = time.Since(began)
			issued <- err
		}()
	}
	if _, err := i.primary().run(ctx, d.backupPage, "start-again"); err != nil {
		return err
	}
	if err := i.engine.maintain(ctx); err != nil {
		return err
	}
	if err := i.countLost(ctx, lostAt, f); err != nil {
		return err
	}
	i.callers.again(ctx)
	if !i.callers.answered() {
		f.violate("a caller was not answered for %s after everything was there", answerPatience)
	}
	if err := i.decideAndEnd(ctx, f); err != nil {
		return err
	}
	f.ended = time.Since(began)
	if err := errors.Join(<-issued, <-issued); err != nil {
		f.violate("no new note: %v", err)
	}
	if r.archived() {
		if _, err := i.primary().run(ctx, d.backupPage, "backup"); err != nil {
			return err
		}
	}
	if f.window > mostLost && r.bounded() {
		f.violate("a note that was accepted %s before the loss is lost", f.window)
	}
	if f.lost > 0 && r.sync {
		f.violate("%d notes are lost, although commits waited for the replica", f.lost)
	}
	return i.compare(ctx, f)
}

// countLost counts the notes that were accepted before the loss and are not on record any more.
func (i *installation) countLost(ctx context.Context, lostAt time.Time, f *figures) error {
	var ids []string
	if err := i.db.SelectContext(ctx, &ids, `SELECT id FROM notes`); err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, id := range ids {
		kept[id] = true
	}
	for _, r := range i.callers.all() {
		id, at := r.present()
		if id == "" || at.After(lostAt) {
			continue
		}
		f.accepted++
		if !kept[id] {
			f.lost++
			f.window = max(f.window, lostAt.Sub(at))
		}
	}
	return nil
}

// written is how much WAL the server has written.
func (i *installation) written(ctx context.Context) (bytes int64, err error) {
	err = i.db.GetContext(ctx, &bytes, `SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint`)
	return bytes, err
}

// measure reads how large the backups are, and how much WAL came in the time of the load.
func (i *installation) measure(ctx context.Context, f *figures, before int64, load time.Duration) error {
	after, err := i.written(ctx)
	if err != nil {
		return err
	}
	f.wal = int64(float64(after-before) * time.Minute.Seconds() / load.Seconds())
	if err := i.db.GetContext(ctx, &f.database, `SELECT pg_database_size(current_database())`); err != nil {
		return err
	}
	return filepath.WalkDir(i.drill.repository, func(_ string, entry os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil // it was renamed when it was complete
		}
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := entry.Info(); err == nil {
			f.backup += info.Size()
		}
		return nil
	})
}

// backlog says what is open; empty when nothing is.
func (i *installation) backlog(ctx context.Context) (string, error) {
	var open []string
	err := i.db.SelectContext(ctx, &open, `SELECT what || ': ' || n FROM (
		SELECT 'notes' AS what, count(*) AS n FROM notes WHERE status IN ('queued', 'processing')
		UNION ALL SELECT 'cancellations', count(*) FROM notes WHERE cancellation_status = 'pending'
		UNION ALL SELECT 'deliveries', count(*) FROM deliveries WHERE status = 'pending'
		UNION ALL SELECT 'exchanges', count(*) FROM fiscal_exchanges WHERE state IN ('unsigned', 'signed', 'in_doubt')
		UNION ALL SELECT 'outbox', count(*) FROM outbox) AS open WHERE n > 0`)
	return strings.Join(open, ", "), err
}
