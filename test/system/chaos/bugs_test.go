package main

import "time"

// bug is a mistake that somebody could make in the product's code, and how it shows:
// in a small run, under what makes it matter.
type bug struct {
	name     string
	edits    []edit
	violates string
	besides  []string // what it may violate as well, by what else waits at the time
	lasts    bool     // something never ends by it: a run watches until nothing has moved for a minute
	under    func(*options)
	raced    bool // it takes a race, which one run may miss
}

// edit puts one text in the place of another, which is in its file once. The new text
// asks planted whether the process has the bug.
type edit struct{ file, before, after string }

// bugs are what chaos must see.
var bugs = []bug{{
	// An accepted note gets no row in the outbox: nobody ever starts it.
	name: "outbox-row-skipped",
	edits: []edit{{"store/lifecycle/accept.go", `
		return accepted, postgres.ErrLostRace
	}
`, `
		return accepted, postgres.ErrLostRace
	}
	if planted("outbox-row-skipped") {
		_, err = tx.ExecContext(ctx, "DELETE FROM outbox WHERE subject_id = $1", accepted.ID)
	}
`}},
	violates: acceptedEnds,
	lasts:    true,
}, {
	// A reference is stored changed, so that the same request again is another note.
	name: "replay-makes-second-note",
	edits: []edit{{"store/lifecycle/accept.go", `
	var scenario *nfse.Scenario
`, `
	if planted("replay-makes-second-note") {
		n.Reference += " " + n.RequestID
	}
	var scenario *nfse.Scenario
`}},
	violates: oneNotePerReference,
}, {
	// Another request under a used reference is answered as if it were the same.
	name: "replay-ignores-body",
	edits: []edit{{"store/lifecycle/accept.go",
		`if !bytes.Equal(hash, known.PayloadHash) {`,
		`if !bytes.Equal(hash, known.PayloadHash) && !planted("replay-ignores-body") {`,
	}},
	violates: replaysChangeNothing,
}, {
	// A note whose cancellation came first is settled all the same.
	name: "cancelled-first-ignored",
	edits: []edit{{"store/lifecycle/settle.go", `
import (
`, `
import (
	"strings"
`}, {"store/lifecycle/settle.go", `
	var row notes.Row
	err = s.db.Within(ctx, tx, to.statement)`, `
	if planted("cancelled-first-ignored") {
		to.statement = strings.ReplaceAll(to.statement, notCancelledFirst, "true")
	}
	var row notes.Row
	err = s.db.Within(ctx, tx, to.statement)`}},
	violates: cancelledFirst,
	under: func(o *options) {
		// Between the begin and the end of a note there is little time to cancel it.
		o.notes, o.arrival, o.moment = 200, 14*time.Second, 100*time.Millisecond
		o.live, o.cancelled = 0, 1
	},
	raced: true,
}, {
	// A settlement is told twice, by two events (which the schema forbids, too).
	name: "settled-twice",
	edits: []edit{{"store/lifecycle/settle.go", `
	settled.Deliveries, err = s.emitEvent(ctx, tx, row, to.event, note)
`, `
	settled.Deliveries, err = s.emitEvent(ctx, tx, row, to.event, note)
	if err == nil && planted("settled-twice") {
		_, err = s.emitEvent(ctx, tx, row, to.event, note)
	}
`}},
	violates: oneEventPerEnd,
	under:    func(o *options) { o.prepare = dropEventsUnique },
}, {
	// A settlement is told by no event.
	name: "event-forgotten",
	edits: []edit{{"store/lifecycle/settle.go",
		`if to.event == "" {`,
		`if to.event == "" || planted("event-forgotten") {`,
	}},
	violates: oneEventPerEnd,
}, {
	// A delivery counts as made without a call.
	name: "event-not-sent",
	edits: []edit{{"internal/webhook/client.go", `
	attempt.Problem = c.send(ctx, url, secrets, body, &attempt)
`, `
	if planted("event-not-sent") {
		return attempt
	}
	attempt.Problem = c.send(ctx, url, secrets, body, &attempt)
`}},
	violates: eventsReceived,
}, {
	// An event is not sent as the bytes that are on record.
	name: "event-bytes-differ",
	edits: []edit{{"internal/webhook/client.go", `
	attempt.Problem = c.send(ctx, url, secrets, body, &attempt)
`, `
	if planted("event-bytes-differ") {
		body = append(bytes.Clone(body), '\n')
	}
	attempt.Problem = c.send(ctx, url, secrets, body, &attempt)
`}},
	violates: identicalBytes,
}, {
	// An event goes to the first endpoint there is, no matter who owns it.
	name: "event-to-another-organization",
	edits: []edit{{"store/webhooks/deliveries.go", `
	return delivery, err
`, `
	if err == nil && planted("event-to-another-organization") {
		err = s.db.GetContext(ctx, &delivery.URL, "SELECT url FROM webhook_endpoints ORDER BY id LIMIT 1")
	}
	return delivery, err
`}},
	violates: organizationsApart,
}, {
	// A note that was sent counts as not sent: it is cancelled without the authority.
	name: "fence-not-raised",
	edits: []edit{{"store/lifecycle/exchange_call.go", `
	return callID, err == nil, postgres.NoRow(err, nil)
`, `
	if err == nil && planted("fence-not-raised") {
		_, err = s.db.ExecContext(ctx, "UPDATE notes SET sent_at = NULL WHERE id = $1", e.NoteID)
	}
	return callID, err == nil, postgres.NoRow(err, nil)
`}},
	violates: cancelledFirst, // what may exist is asked about all the same
	besides:  []string{authorityAgrees},
	lasts:    true, // exchanges stay in doubt
	under:    authorityLoses,
	raced:    true,
}, {
	// After a sending of unknown outcome the message is sent again, without a question.
	name: "resent-without-asking",
	edits: []edit{{"fiscal/exchange.go", `
	decision := next.after(answer)
`, `
	if answer.Outcome == OutcomeUnknown && planted("resent-without-asking") {
		next.State = Signed
	}
	decision := next.after(answer)
`}},
	violates: neverSentAgain,
	under:    authorityLoses,
	raced:    true,
}, {
	// A row of the outbox is not deleted when the engine has it.
	name: "outbox-row-kept",
	edits: []edit{{"store/outbox/outbox.go", `
	err := s.finishStarts(ctx, starts)
`, `
	if planted("outbox-row-kept") {
		return nil
	}
	err := s.finishStarts(ctx, starts)
`}},
	violates: nothingOpen,
	lasts:    true,
}, {
	// A row that the engine does not take is taken for an engine that is away, and is
	// always the one by which the engine is tried.
	name: "poison-row-stops-others",
	edits: []edit{{"worker/dispatch/loop.go", `
	log, level := l.Logger.With("kind", start.Kind,`, `
	if planted("poison-row-stops-others") {
		failure, wait = outbox.EngineAway, 0
		l.engine.failed(said(err))
	}
	log, level := l.Logger.With("kind", start.Kind,`}, {"worker/dispatch/engine.go", `
		if e.probed[row.ID].Before(`, `
		if planted("poison-row-stops-others") {
			break
		}
		if e.probed[row.ID].Before(`}},
	violates: acceptedEnds,
	besides:  []string{nothingOpen, eventsReceived}, // rows of other kinds, such as deliveries, are others too
	// By luck a row that can be started comes first, and then others: after longer all may be done, and now and
	// then they are earlier.
	under: func(o *options) { o.live, o.cancelled, o.bound = 0, 0, 2*time.Second },
	raced: true,
}, {
	// The outbox hands out the newest rows first.
	name: "newest-first",
	edits: []edit{{"store/outbox/outbox.go", `
	err := s.db.All(ctx, &starts, `, `
	age := "id"
	if planted("newest-first") {
		age = "id DESC"
	}
	err := s.db.All(ctx, &starts, `}, {"store/outbox/outbox.go",
		"ORDER BY organization_id, id LIMIT least(",
		"ORDER BY organization_id, `+age+` LIMIT least(",
	}},
	violates: oldestFirst,
	under: func(o *options) {
		o.notes, o.queue, o.spread = 640, 600, 3*time.Second
	},
}, {
	// That an answer came to our call, or names our DPS, is taken for proof that its document is ours.
	name: "trusts-idDps",
	edits: []edit{{"fiscal/national/sefin/evidence.go",
		`case !named || facts.dpsID != d.dpsID():`,
		`case !named || facts.dpsID != d.dpsID() && !planted("trusts-idDps"):`,
	}, {"fiscal/national/sefin/evidence.go", `
	answer.Document = &fiscal.IssuedDocument{`, `
	if planted("trusts-idDps") {
		answer.Match = fiscal.MatchOurs
	}
	answer.Document = &fiscal.IssuedDocument{`}},
	violates: authorityAgrees,
	under: func(o *options) {
		o.held, o.live = []string{"authority-contradicts"}, 1
		o.notes, o.arrival = 120, 15*time.Second // where the machine is busy, most are sent after the first five
	},
	raced: true, // of the answers that contradict few name our DPS
}}

// dropEventsUnique drops what forbids a second event of a note's end: a constraint or an index of each part.
const dropEventsUnique = `DO $$
DECLARE drops text;
BEGIN
	SELECT string_agg(CASE WHEN conname IS NULL THEN format('DROP INDEX %s', indexrelid::regclass)
		ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', indrelid::regclass, conname) END, ';') INTO STRICT drops
	FROM pg_partition_tree('events') JOIN pg_index ON indrelid = relid LEFT JOIN pg_constraint ON conindid = indexrelid
	WHERE isleaf AND indisunique AND pg_get_indexdef(indexrelid) LIKE '%(note_id, type)';
	EXECUTE drops;
END $$`

// authorityLoses leaves live notes in doubt for seconds, in which they are cancelled. Where the machine is busy they
// are sent only seconds after they were accepted, and those that were cancelled before are not.
func authorityLoses(o *options) {
	o.held, o.live, o.cancelled, o.moment = []string{"authority-loses"}, 1, 1, 4*time.Second
}
