package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"emissor/nfse"
	"emissor/test/harness"
	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/sefin"
	"emissor/workflows"
)

// findings are all records of a run, side by side.
type findings struct {
	system   *system
	ledger   *ledger
	accepted map[string]*record // by id
	notes    map[string]noteRow // by id
	events   []eventRow
	received map[harness.Receipt]harness.Received
	issued   []sefin.Entry
	posts    []sefin.Post
	inCity   []saopaulo.Entry // issued by the city of São Paulo

	deadline time.Time // until which runs may be open
	verdicts verdicts
}

// verify reads every record and compares them.
func (s *system) verify(ctx context.Context, l *ledger, untouched map[string]bool, result *report) (err error) {
	f := &findings{system: s, ledger: l, accepted: l.accepted(), verdicts: newVerdicts()}
	f.deadline = result.lastFault.Add(s.options.bound)
	if s.options.patience > 0 {
		f.deadline = time.Now().Add(s.options.patience)
	}
	if atLeast := time.Now().Add(5 * time.Second); f.deadline.Before(atLeast) {
		f.deadline = atLeast
	}
	if f.notes, err = s.notes(ctx); err != nil {
		return err
	}
	if f.events, err = s.events(ctx); err != nil {
		return err
	}
	for _, one := range s.ofDPS() {
		issued, posts, err := one.Ledger(ctx)
		if err != nil {
			return err
		}
		for i := range issued {
			if one == s.arealva {
				issued[i].City = arealva
			}
		}
		f.issued, f.posts = append(f.issued, issued...), append(f.posts, posts...)
	}
	if f.inCity, _, err = s.city.Ledger(ctx); err != nil {
		return err
	}
	f.received = s.receiver.Received()

	f.checkNotes()
	f.checkReferences()
	f.checkAnswers()
	f.checkCancellations()
	f.checkEvents()
	f.checkReceived()
	f.checkAuthority()
	f.checkSaoPaulo()
	f.checkSendings()
	f.checkOrganizations(ctx)
	if err := f.checkOpen(ctx); err != nil {
		return err
	}
	if err := f.checkPoison(ctx); err != nil {
		return err
	}
	result.order = f.checkOrder(untouched)
	result.verdicts, result.answers, result.issued = f.verdicts, l.answers, len(f.issued)+len(f.inCity)
	result.describe(f)
	return nil
}

// violate adds a violation.
func (f *findings) violate(invariant, format string, arguments ...any) {
	v := f.verdicts[invariant]
	v.violations = append(v.violations, fmt.Sprintf(format, arguments...))
}

// checked counts what was looked at, and says what of.
func (f *findings) checked(invariant string, n int, detail string, arguments ...any) {
	f.verdicts[invariant].checked = n
	f.verdicts[invariant].detail = fmt.Sprintf(detail, arguments...)
}

func (f *findings) checkNotes() {
	for id, r := range f.accepted {
		note, exists := f.notes[id]
		switch {
		case !exists:
			f.violate(acceptedEnds, "%s (%s) was accepted and does not exist", id, r.note)
		case !note.final():
			f.violate(acceptedEnds, "%s (%s) is %s, %s after it was accepted; held: %q, exchanges: %q", id, r.note,
				note.Status, time.Since(r.accepted).Round(time.Second), note.Held, note.Exchanges)
		}
	}
	f.checked(acceptedEnds, len(f.accepted), "accepted notes")
}

func (f *findings) checkReferences() {
	f.verdicts[oneNotePerReference].violations = f.ledger.violations[oneNotePerReference]
	for id, r := range f.accepted {
		if len(r.ids) > 1 {
			f.violate(oneNotePerReference, "%s has %d ids, %s among them", r.note, len(r.ids), id)
		}
	}
	for id, note := range f.notes {
		if f.accepted[id] == nil {
			f.violate(oneNotePerReference, "%s (%q) is no note that a caller knows of", id, note.Reference)
		}
	}
	f.checked(oneNotePerReference, len(f.notes), "notes")
}

func (f *findings) checkAnswers() {
	for _, invariant := range []string{replaysChangeNothing, answersOfTheContract} {
		f.verdicts[invariant].violations = f.ledger.violations[invariant]
	}
	repeats, changed, answers := 0, 0, 0
	for id, r := range f.accepted {
		repeats, changed = repeats+r.repeats, changed+r.changed
		if note, exists := f.notes[id]; exists && note.Amount != r.note.amount {
			f.violate(replaysChangeNothing, "%s (%s) is of %d cents, accepted were %d", id, r.note, note.Amount,
				r.note.amount)
		}
	}
	for _, n := range f.ledger.answers {
		answers += n
	}
	f.checked(replaysChangeNothing, repeats+changed, "repeats, %d of them changed", changed)
	f.checked(answersOfTheContract, answers, "requests")
}

// checkCancellations: a request to cancel that is on record before the note was
// sent, or in test settled, decides how it ends. Both times are of the database,
// taken under a lock on the note.
func (f *findings) checkCancellations() {
	requested, first := 0, 0
	for id, note := range f.notes {
		r := f.accepted[id]
		if r == nil || note.RequestedAt == nil {
			if r != nil && r.cancellation == "requested" {
				f.violate(cancelledFirst, "%s (%s): the cancellation that was accepted is not on record", id, r.note)
			}
			continue
		}
		requested++
		moved := note.SentAt
		if moved == nil {
			moved = note.endedAt()
		}
		if moved == nil || note.RequestedAt.Before(*moved) {
			first++
			if note.Status == "rejected" || note.IssuedAt != nil {
				f.violate(cancelledFirst, "%s (%s) was to be cancelled at %s, and is %s", id, r.note,
					note.RequestedAt.Format(time.StampMilli), note.Status)
			}
		}
	}
	f.checked(cancelledFirst, requested, "cancellations, %d of them first", first)
}

func (f *findings) checkOpen(ctx context.Context) error {
	for what, query := range map[string]string{
		"rows of the outbox": `SELECT count(*) FROM outbox WHERE ` + notPoison + ` AND (kind <> 'note'
			OR subject_id NOT IN (SELECT id FROM notes WHERE status = 'queued'))`,
		"cancellations": `SELECT count(*) FROM notes WHERE cancellation_status = 'pending'
			AND status NOT IN ('queued', 'processing')`,
		"deliveries": `SELECT count(*) FROM deliveries WHERE status = 'pending'`,
		"held notes": `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`,
	} {
		n, err := f.system.count(ctx, query)
		if err != nil {
			return err
		}
		f.verdicts[nothingOpen].checked++
		if n > 0 {
			f.violate(nothingOpen, "%d %s are open", n, what)
		}
	}
	unfinished := map[string]bool{}
	for _, note := range f.notes {
		if !note.final() {
			scope := nfse.Scope{OrganizationID: note.OrganizationID, Livemode: note.Livemode}
			unfinished[workflows.NoteID(scope, note.Reference)] = true
		}
	}
	runs, err := f.openRuns(ctx, unfinished)
	if err != nil {
		return err
	}
	for _, id := range runs {
		f.violate(nothingOpen, "the run %s is open", id)
	}
	f.checked(nothingOpen, f.verdicts[nothingOpen].checked+1, "kinds of things")
	return nil
}

// openRuns are some of the runs that stay open until the bound, those of notes that
// have not ended apart. A run can outlive what it did: one that could not read the
// database waits before it looks again, and finds nothing left to do.
func (f *findings) openRuns(ctx context.Context, unfinished map[string]bool) (runs []string, err error) {
	ctx, cancel := context.WithDeadline(ctx, f.deadline)
	defer cancel()
	_ = harness.Await(ctx, "no run is open", func(ctx context.Context) bool {
		listed, failed := f.system.stack.OpenRuns(ctx, f.system.queues)
		if failed != nil && ctx.Err() != nil {
			return false // what was listed before counts
		}
		runs = slices.DeleteFunc(listed, func(id string) bool { return unfinished[id] })
		err = failed
		return failed == nil && len(runs) == 0
	})
	return runs, err
}
