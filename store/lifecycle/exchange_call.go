package lifecycle

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/numbers"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// LeaseExchange gives the lease of a note's exchange to one sender, who may take
// it again. It returns nil while another holds it, or there is nothing to send or
// ask.
func (s *Store) LeaseExchange(ctx context.Context, noteID string, kind fiscal.Kind,
	lease exchanges.Lease) (*exchanges.Exchange, error) {
	var row exchanges.ExchangeRow
	err := s.db.Get(ctx, &row, `
		UPDATE fiscal_exchanges SET lease_token = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
		WHERE `+exchanges.CurrentExchange+` AND state IN ('unsigned', 'signed', 'in_doubt')
			AND (lease_token IS NULL OR lease_token = $3 OR lease_until <= clock_timestamp())
		RETURNING `+exchanges.ExchangeColumns, noteID, kind, lease.Token, lease.For.Seconds())
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	return row.Exchange()
}

// KeepExchange prolongs a lease, unless another has taken the exchange meanwhile.
func (s *Store) KeepExchange(ctx context.Context, noteID string, lease exchanges.Lease) error {
	_, err := s.db.Exec(ctx, `
		UPDATE fiscal_exchanges SET lease_until = clock_timestamp() + make_interval(secs => $3)
		WHERE note_id = $1 AND lease_token = $2`, noteID, lease.Token, lease.For.Seconds())
	return err
}

// ReleaseExchange gives a lease back.
func (s *Store) ReleaseExchange(ctx context.Context, noteID string, lease exchanges.Lease) error {
	_, err := s.db.Exec(ctx, `UPDATE fiscal_exchanges SET lease_token = NULL, lease_until = NULL
		WHERE note_id = $1 AND lease_token = $2`, noteID, lease.Token)
	return err
}

// Sending is what is sent for an exchange.
type Sending struct {
	// Message is the signed message of an unsigned exchange, to be stored with it; nil where
	// it is stored already.
	Message *fiscal.Message
	// Turn is how long the turn of the exchange's series, which the holder of the lease takes or
	// prolongs, lasts from now on; 0 where none is needed.
	Turn time.Duration
	// NumberAnswerValidFor is for how long an answer that nothing is under the number is taken for true:
	// without one the turn is not taken. 0 where none is needed.
	NumberAnswerValidFor time.Duration
}

// StartSending records, before the first byte is sent, that what is asked for may exist
// from now on. For an issuance the note is then in processing, and fenced: it is not
// cancelled without the authority any more. ok is false when the lease is lost, the turn is
// not to be had, what is to be signed was changed meanwhile, or a cancellation came first; then
// nothing may be sent.
func (s *Store) StartSending(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease,
	sending Sending) (callID int64, ok bool,
	err error) {
	arguments := []any{e.ID, e.NoteID, lease.Token, string(e.Kind)}
	turn, inTurn := "", ""
	if sending.Turn > 0 {
		turn, inTurn = numbers.SendingInTurn, ` AND EXISTS (SELECT FROM turn)`
		arguments = append(append(arguments, sending.Turn.Seconds()),
			companies.SeriesArguments(e.Profile.SeriesKey(), e.Number, sending.NumberAnswerValidFor.Seconds())...)
	}
	sendable, kept, messageID := `state = 'signed'`, "", ""
	if message := sending.Message; message != nil {
		at := func(i int) string { return "$" + strconv.Itoa(len(arguments)+i) }
		sendable = `state = 'unsigned' AND disposition IS NOT DISTINCT FROM nullif(` + at(1) + `, '')`
		kept = `message AS (
			INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
			SELECT id, ` + at(2) + `, ` + at(3) + `, ` + at(4) + `, ` + at(5) + `, ` + at(6) + ` FROM mine
		), `
		messageID = `message_id = ` + at(2) + `, `
		stored, err := s.db.Pack(ctx, message.XML)
		if err != nil {
			return 0, false, err
		}
		arguments = append(arguments, string(e.Handling), message.ID, message.Layout, message.Digest, stored,
			message.CertificateID)
	}
	err = s.db.Get(ctx, &callID, `
		WITH `+turn+`note AS (
			SELECT id FROM notes WHERE id = $2
				AND ($4 <> 'issue' OR status IN ('queued', 'processing') AND `+notCancelledFirst+`)
			FOR NO KEY UPDATE
		), mine AS (
			SELECT id FROM fiscal_exchanges
			WHERE id = $1 AND `+sendable+` AND lease_token = $3 AND lease_until > clock_timestamp()
			AND EXISTS (SELECT FROM note)`+inTurn+`
			FOR NO KEY UPDATE
		), fenced AS (
			UPDATE notes SET sent_at = coalesce(sent_at, now()), `+SetBegun+`, `+outbox.RequeueLater+`
			WHERE id IN (SELECT id FROM note) AND EXISTS (SELECT FROM mine)
		), `+kept+`sending AS (
			UPDATE fiscal_exchanges SET state = 'in_doubt', `+messageID+`ambiguous = true,
				ambiguous_since = coalesce(ambiguous_since, clock_timestamp()), rejection = NULL, disposition = NULL,
				access_key = NULL, not_found = 0, not_found_at = NULL, last_sent_at = clock_timestamp(),
				updated_at = now()
			WHERE id IN (SELECT id FROM mine)
			RETURNING note_id
		)
		INSERT INTO fiscal_calls (note_id, what) SELECT note_id, $4 FROM sending
		RETURNING id`, arguments...)
	return callID, err == nil, postgres.NoRow(err, nil)
}

// StartAsking records that a question is about to be asked.
func (s *Store) StartAsking(ctx context.Context, e *exchanges.Exchange, question fiscal.Action) (callID int64,
	err error) {
	err = s.db.Get(ctx, &callID, `INSERT INTO fiscal_calls (note_id, what) VALUES ($1, $2) RETURNING id`,
		e.NoteID, e.Kind.CallName(question))
	return callID, err
}

// StartAskingNumbers records that the authority is about to be asked about numbers, in the turn
// of the exchange's series, which is prolonged for that. ok is false when the turn is lost; then
// nothing may be asked.
func (s *Store) StartAskingNumbers(ctx context.Context, e *exchanges.Exchange, turn exchanges.Lease) (callID int64,
	ok bool, err error) {
	err = s.db.Get(ctx, &callID, `
		WITH turn AS (
			UPDATE fiscal_series SET turn_token = $7, turn_until = clock_timestamp() + make_interval(secs => $8)
			WHERE `+companies.ThisSeries+` AND `+numbers.TurnToTake(`fiscal_series`, `$7`)+`
			RETURNING 1
		)
		INSERT INTO fiscal_calls (note_id, what) SELECT $9, $10 FROM turn RETURNING id`,
		companies.SeriesArguments(e.Profile.SeriesKey(), turn.Token, turn.For.Seconds(), e.NoteID,
			e.Kind.CallName(fiscal.AskNumber))...)
	return callID, callID != 0, postgres.NoRow(err, nil)
}

// Saved is what became of a decision that was to be stored.
type Saved struct {
	// Lost says that another has taken the lease meanwhile: the exchange was not changed, and
	// the other asks the authority.
	Lost bool
	// Cancelled says that the note may now be cancelled without the authority, and is to be.
	Cancelled bool
	// Settled is how the note ended, or its cancellation; nil while the exchange goes on, or
	// where the exchange ended and its note could not be settled.
	Settled *Settled
	// TurnEnded says that the turn of DecisionExtras.TurnTook was given back.
	TurnEnded bool
	// QuestionCallID is the call of DecisionExtras.RecordsQuestion; 0 where it was not recorded.
	QuestionCallID int64
}

// DecisionExtras is what is stored with a decision, in the same statement.
type DecisionExtras struct {
	// PollAfter is after how long the standing of the document is asked for, if the decision
	// accepts an issuance; 0 is not at all.
	PollAfter time.Duration
	// TurnTook is how long the turn of the series took that is given back, if nobody has its row
	// locked; 0 gives none back.
	TurnTook time.Duration
	// RecordsQuestion says that the authority is about to be asked what the call came to, as StartAsking
	// does.
	RecordsQuestion bool
	// Sent are the messages of the exchange. One that the document of the note embeds is kept as its digest.
	Sent []fiscal.Message
}

// SaveDecision ends a call, stores what its answer made of the exchange, and, where that
// ends the exchange, settles the note, in one transaction. The lease is given back, or prolonged
// where the exchange goes on at once. Where the note cannot be settled the answer is stored all the
// same, so that it is not asked for again; SettleEnded then returns the error.
func (s *Store) SaveDecision(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease, callID int64,
	answer fiscal.Answer,
	decision fiscal.Decision, extras DecisionExtras) (saved Saved, err error) {
	settles := decision.Exchange.Ended()
	saved, err = s.saveDecision(ctx, e, lease, callID, answer, decision, extras, settles)
	if err == nil || !settles || postgres.IsUnavailable(err) && !postgres.TookTooLong(err) {
		return saved, err
	}
	alone, failed := s.saveDecision(ctx, e, lease, callID, answer, decision, extras, false)
	if failed != nil {
		return saved, err
	}
	return alone, nil
}

func (s *Store) saveDecision(ctx context.Context, e *exchanges.Exchange, lease exchanges.Lease, callID int64,
	answer fiscal.Answer,
	decision fiscal.Decision, extras DecisionExtras, settles bool) (saved Saved, err error) {
	became := *e
	became.Exchange = decision.Exchange
	content, err := s.contentOf(ctx, &became, extras.Sent)
	if err != nil {
		return saved, err
	}
	if settles {
		content.leaveToNote()
	}
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		saved, err = s.saveAnswer(ctx, tx, e, lease, callID, answer, decision, extras, content)
		if err != nil || saved.Lost {
			return err
		}
		if err := SaveAlarm(ctx, tx, e.NoteID, decision.Alarm); err != nil {
			return err
		}
		if settles {
			saved.Settled, err = s.settleEnded(ctx, tx, &became, content.document)
			return err
		}
		switch {
		case e.Kind != fiscal.Issue:
		case decision.HoldsSiblings():
			err = s.saveDoubt(ctx, tx, e, decision)
		case decision.Action == fiscal.Wait:
			// Sent again after a refusal, and not answered: others need not wait for what keeps it.
			err = s.releaseSiblings(ctx, tx, e.NoteID)
		}
		if err != nil {
			return err
		}
		if e.Kind == fiscal.Issue && decision.Exchange.NothingExists() {
			if err := s.saveRepair(ctx, tx, e, decision); err != nil {
				return err
			}
			err := tx.GetContext(ctx, &saved.Cancelled, `UPDATE notes SET sent_at = NULL,
				refused_at = CASE WHEN $2 THEN coalesce(refused_at, now()) ELSE refused_at END
				WHERE id = $1 AND status = 'processing'
				RETURNING cancellation_status IS NOT DISTINCT FROM 'pending'`, e.NoteID, decision.Exchange.Refused())
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return err
			}
		}
		return nil
	})
	return saved, err
}

// SettleEnded settles a note, or its cancellation, whose exchange ended in an earlier call. The
// standing of an issued document is asked for after pollAfter, unless that is 0.
func (s *Store) SettleEnded(ctx context.Context, e *exchanges.Exchange, pollAfter time.Duration) (settled Settled,
	err error) {
	content, err := s.contentOf(ctx, e, nil)
	if err != nil {
		return settled, err
	}
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		if pollAfter > 0 && e.Kind == fiscal.Issue && e.State == fiscal.Accepted {
			_, err := tx.ExecContext(ctx, `UPDATE fiscal_exchanges
				SET poll_standing_at = now() + make_interval(secs => $2)
				WHERE id = $1 AND poll_standing_at IS NULL`, e.ID, pollAfter.Seconds())
			if err != nil {
				return err
			}
		}
		ended, err := s.settleEnded(ctx, tx, e, content.document)
		if err != nil {
			return err
		}
		settled = *ended
		if settled.Changed && content.leaveToNote() {
			_, err = tx.ExecContext(ctx, `UPDATE fiscal_exchanges SET xml = '' WHERE id = $1`, e.ID)
		}
		return err
	})
	return settled, err
}

// settleEnded ends the note of an exchange that has ended, or its cancellation.
func (s *Store) settleEnded(ctx context.Context, tx *sqlx.Tx, e *exchanges.Exchange,
	document documentToStore) (*Settled, error) {
	if e.Kind == fiscal.Issue && e.State == fiscal.Accepted {
		if err := learnRegistration(ctx, tx, e); err != nil {
			return nil, err
		}
	}
	settled, err := s.moveNote(ctx, tx, e.NoteID, endedMove(e, document))
	if err == nil && settled.Changed && e.Kind == fiscal.Cancel {
		settled, err = s.cancellationEnded(ctx, tx, e, settled)
	}
	return &settled, err
}

// endedMove is how an exchange that has ended ends its note, or its cancellation.
func endedMove(e *exchanges.Exchange, document documentToStore) transition {
	switch {
	case e.Kind == fiscal.Issue && e.State == fiscal.Accepted:
		return issued(e.Document.Authorization, document)
	case e.Kind == fiscal.Issue:
		return rejected(*e.Rejection)
	case e.Kind == fiscal.Analysis && e.State == fiscal.Accepted:
		return analysisPending(e.RequestID)
	case e.State == fiscal.Accepted:
		return cancelled(e.RequestID)
	}
	// An analysis that follows at once has the request's own id: its end is not that of the request.
	mine := `coalesce(analysis, 'denied') = 'denied'`
	if e.Kind == fiscal.Analysis {
		mine = `analysis IS NOT DISTINCT FROM 'asked'`
	}
	return cancellationRefused(e.RequestID, e.Rejection.Refusal(), mine)
}

// saveAnswer records how a call ended and, where the decision says so, that the series is
// held; and the exchange as the decision leaves it, with its content, unless another has taken the lease.
func (s *Store) saveAnswer(ctx context.Context, tx *sqlx.Tx, before *exchanges.Exchange, lease exchanges.Lease,
	callID int64,
	answer fiscal.Answer, decision fiscal.Decision, extras DecisionExtras, content exchangeContent) (saved Saved,
	err error) {
	if !decision.HoldSeries.None() {
		err := errors.Join(numbers.HoldSeries(ctx, tx, before.Profile.SeriesKey(), decision.HoldSeries),
			SaveAlarm(ctx, tx, before.NoteID, decision.HoldSeries))
		if err != nil {
			return saved, err
		}
	}
	e := decision.Exchange
	var authorization nfse.Authorization
	var issuedAt *nfse.Timestamp
	if e.Document != nil {
		authorization = e.Document.Authorization
		if content.leftToNote {
			authorization.Totals = nil
		}
		issuedAt = &authorization.IssuedAt
	}
	autoFixes, err := nfse.Marshal(append(fiscal.AutoFixes{}, e.AutoFixes...))
	if err != nil {
		return saved, err
	}
	turn, turnEnded, polls, next, nextID := "", "false", "", "", `0`
	if extras.TurnTook > 0 {
		turn, turnEnded = numbers.TurnPassedOn, `EXISTS (SELECT FROM turn)`
	}
	if extras.PollAfter > 0 && e.Kind == fiscal.Issue && e.State == fiscal.Accepted {
		polls = `poll_standing_at = now() + make_interval(secs => :poll_after), `
	}
	if extras.RecordsQuestion {
		next = `, next AS (INSERT INTO fiscal_calls (note_id, what) SELECT note_id, :next FROM saved RETURNING id)`
		nextID = `coalesce((SELECT id FROM next), 0)`
	}
	series := before.Profile.SeriesKey()
	bound, args, err := tx.BindNamed(`
		WITH call AS (
			UPDATE fiscal_calls SET ended_at = clock_timestamp(), outcome = :outcome, status = nullif(:status, 0),
				reason = :reason, body = :body
			WHERE id = :call_id AND ended_at IS NULL
		), `+turn+`saved AS (
			UPDATE fiscal_exchanges SET state = :state, ambiguous = :ambiguous,
				ambiguous_since = CASE WHEN :ambiguous THEN ambiguous_since END, not_found = :not_found,
				not_found_at = CASE WHEN :counted THEN clock_timestamp() ELSE not_found_at END,
				layout = :layout, mends = :mends, rejection = :rejection, disposition = nullif(:disposition, ''),
				uncatalogued_since = CASE WHEN :uncatalogued
					THEN coalesce(uncatalogued_since, clock_timestamp())
					WHEN NOT :otherwise THEN uncatalogued_since END,
				doubted_code = nullif(:doubted, ''), doubted_until = CASE WHEN :doubted = doubted_code THEN doubted_until
					WHEN :doubted <> '' THEN clock_timestamp() + make_interval(secs => :doubt_left) END,
				access_key = nullif(:access_key, ''),
				authority_number = :number, verification_code = :verification_code, issued_at = :issued_at,
				authority_totals = :totals, xml = :xml, `+polls+`
				lease_token = CASE WHEN :keep THEN lease_token END,
				lease_until = CASE WHEN :keep THEN clock_timestamp() + make_interval(secs => :lease) END,
				updated_at = now()
			WHERE id = :id AND lease_token = :token AND state IN ('unsigned', 'signed', 'in_doubt')
			RETURNING note_id
		)`+next+`
		SELECT NOT EXISTS (SELECT FROM saved) AS lost, `+turnEnded+` AS turn_ended, `+nextID+` AS asking`,
		map[string]any{
			"call_id": callID, "outcome": answer.Outcome, "status": answer.Status, "reason": answer.Summary(),
			"body": answer.Body,
			"id":   before.ID, "token": lease.Token, "keep": decision.GoesOn(),
			"lease": lease.For.Seconds(), "state": e.State,
			"uncatalogued": e.Handling == fiscal.Uncatalogued && !e.RefusalUncounted(),
			"doubted":      e.DoubtedCode, "doubt_left": e.DoubtLeft.Seconds(),
			// a message was sent, and its answer had no uncatalogued code
			"otherwise": before.State == fiscal.Signed && answer.Outcome != fiscal.OutcomeNotDelivered,
			"ambiguous": e.Ambiguous, "not_found": e.NotFounds, "counted": e.NotFounds > before.NotFounds,
			"layout": e.Layout, "mends": string(autoFixes), "rejection": e.Rejection, "disposition": string(e.Handling),
			"access_key": e.AccessKey, "number": authorization.Number,
			"verification_code": authorization.VerificationCode, "issued_at": issuedAt, "totals": authorization.Totals,
			"xml": content.xml, "poll_after": extras.PollAfter.Seconds(), "took": extras.TurnTook.Milliseconds(),
			"next": before.Kind.CallName(fiscal.Ask), "authority": series.Authority, "production": series.Production,
			"tax_id": string(series.TaxID), "municipality": series.MunicipalityCode, "series": series.Series,
			"registration": series.Registration,
		})
	if err != nil {
		return saved, err
	}
	var row struct {
		Lost           bool  `db:"lost"`
		TurnEnded      bool  `db:"turn_ended"`
		QuestionCallID int64 `db:"asking"`
	}
	err = s.db.Within(ctx, tx, bound).GetContext(ctx, &row, args...)
	return Saved{Lost: row.Lost, TurnEnded: row.TurnEnded, QuestionCallID: row.QuestionCallID}, err
}

// SaveAlarm records an alarm in the note's history, once.
func SaveAlarm(ctx context.Context, tx *sqlx.Tx, noteID string, alarm fact.Fact) error {
	if alarm.None() {
		return nil
	}
	_, err := tx.ExecContext(ctx, RecordAlarm, noteID, fact.Alarm.With("what", alarm))
	return err
}

// RecordAlarm adds a step to a note unless it has it.
const RecordAlarm = `INSERT INTO note_steps (note_id, fact) SELECT $1, $2::jsonb
	WHERE NOT EXISTS (SELECT FROM note_steps WHERE note_id = $1 AND fact = $2::jsonb)`
