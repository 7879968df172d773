package privacy

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/books"
	"emissor/store/catalogues"
	"emissor/store/lifecycle"
	"emissor/store/mails"
	"emissor/store/postgres"
	"emissor/store/received"
	"emissor/store/webhooks"
)

// RecordedCustomer is a customer's row, of either environment.
type RecordedCustomer struct {
	nfse.Scope
	nfse.Customer
	Taxation *json.RawMessage `db:"taxation" json:"taxation"` // nfse.CustomerTaxation; null: nothing is set
	// WaitingLines are lines of spreadsheets (nfse.Issuance) that have not become notes yet.
	WaitingLines []json.RawMessage `db:"-" json:"waiting_lines,omitempty"`
	// Recurrences are the notes that are issued to them every month, with their months.
	Recurrences []json.RawMessage `db:"-" json:"recurrences,omitempty"`
}

// ExportedNote is all that is on record of a note.
type ExportedNote struct {
	lifecycle.NoteHistory
	XML            *string                 `json:"xml"`      // its document
	Messages       []ExportedMessage       `json:"messages"` // to the authority
	Answers        []ExportedAnswer        `json:"answers"`  // of the authority, where they were kept
	Events         []ExportedEvent         `json:"events"`
	ExternalEvents []ExportedExternalEvent `json:"external_events"` // what others did to it
	Attempts       []ExportedAttempt       `json:"attempts"`        // at webhooks
	Emails         []ExportedEmail         `json:"emails"`
	Ledger         []ExportedLedgerRow     `json:"ledger"`
}

// ExportedMessage is a message that was signed for an authority, and what the
// authority made of it.
type ExportedMessage struct {
	ID        string         `db:"message_id" json:"id"`
	Kind      string         `db:"kind" json:"kind"`
	State     string         `db:"state" json:"state"`
	CreatedAt nfse.Timestamp `db:"created_at" json:"created_at"`
	XML       string         `db:"-" json:"xml"`    // empty: no longer kept, or in the document
	Result    string         `db:"-" json:"result"` // empty: none, no longer kept, or the document
	Embedded  bool           `db:"embedded" json:"in_document"`

	StoredXML    []byte `db:"xml" json:"-"`
	StoredResult []byte `db:"result" json:"-"`
}

// ExportedEmail is an e-mail of the note, with its address where it is a copy.
type ExportedEmail struct {
	mails.Email
	Address *string `db:"address" json:"address"`
}

// ExportedAnswer is a call to an authority whose answer was kept.
type ExportedAnswer struct {
	At   nfse.Timestamp `db:"started_at" json:"at"`
	What string         `db:"what" json:"what"`
	Body string         `db:"body" json:"body"`
}

// ExportedEvent is an event and what was sent to subscribers.
type ExportedEvent struct {
	ID        string          `db:"id" json:"id"`
	Type      nfse.EventType  `db:"type" json:"type"`
	CreatedAt nfse.Timestamp  `db:"created_at" json:"created_at"`
	Payload   json.RawMessage `db:"-" json:"payload"` // null: no longer kept

	Body webhooks.StoredBody `db:"body" json:"-"`
}

// ExportedExternalEvent is what happened to a note outside, and the authority's event.
type ExportedExternalEvent struct {
	ReceivedAt nfse.Timestamp `db:"received_at" json:"received_at"`
	Type       string         `db:"type" json:"type"`
	Title      fact.Fact      `db:"title" json:"title"`
	XML        string         `db:"xml" json:"xml"` // empty: no longer kept
}

// ExportedAttempt is one attempt at a delivery.
type ExportedAttempt struct {
	DeliveryID string `db:"delivery_id" json:"delivery_id"`
	nfse.DeliveryAttempt
}

// ExportedLedgerRow is an entry of the ledger for a note.
type ExportedLedgerRow struct {
	Kind        books.LedgerKind `db:"kind" json:"kind"`
	AmountCents int64            `db:"amount_cents" json:"amount_cents"`
	CreatedAt   nfse.Timestamp   `db:"created_at" json:"created_at"`
}

// ExportedReceived is a note that the tax id has issued to the organization, with its document and
// events.
type ExportedReceived struct {
	received.ReceivedNote
	XML    string                  `json:"xml"` // empty: no longer kept
	Events []ExportedReceivedEvent `json:"events"`
}

// ExportedReceivedEvent is what happened to it.
type ExportedReceivedEvent struct {
	received.ReceivedEvent
	XML string `json:"xml"` // as it came, where it could not be read; empty: no longer kept
}

// ExportCustomer reads all that is on record of a tax id in an organization: show gets
// the customer's rows, showNote each of their notes, and then showReceived each note that they have
// issued to the organization; one who has only issued some has no row. That it is read is in the audit
// log before any of them is called.
func (c *Changes) ExportCustomer(ctx context.Context, organizationID string, taxID nfse.TaxID,
	show func([]RecordedCustomer) error, showNote func(ExportedNote) error,
	showReceived func(ExportedReceived) error) error {
	customers, err := c.store.customersOf(ctx, organizationID, taxID)
	if err == nil {
		customers, err = c.store.withWaitingLines(ctx, organizationID, taxID, customers)
	}
	if err == nil {
		err = c.recordExport(ctx, organizationID, taxID, customers)
	}
	if err != nil {
		return err
	}
	if err := show(customers); err != nil {
		return err
	}
	for _, customer := range customers {
		err := c.store.eachNoteOf(ctx, customer, func(ids []string) error {
			for _, id := range ids {
				note, err := c.store.exportNote(ctx, id)
				if err != nil {
					return err
				}
				if err := showNote(note); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return c.store.eachReceivedOf(ctx, organizationID, taxID, showReceived)
}

// recordExport records that what is on record of a tax id is read, of which there may be notes received alone.
func (c *Changes) recordExport(ctx context.Context, organizationID string, taxID nfse.TaxID,
	customers []RecordedCustomer) error {
	return c.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		for _, customer := range customers {
			record := audit.Record{Action: audit.CustomerExport, SubjectID: cmp.Or(customer.ID, organizationID)}
			records = append(records, record.Of(customer.Scope))
		}
		if len(customers) > 0 {
			return records, nil
		}
		var issued bool
		err = tx.GetContext(ctx, &issued, `SELECT EXISTS (SELECT FROM received_notes
			WHERE organization_id = $1 AND issuer_tax_id = $2)`, organizationID, taxID)
		if err == nil && !issued {
			err = errNoCustomer
		}
		record := audit.Record{Action: audit.CustomerExport, SubjectID: organizationID}
		return []audit.Record{record.OfOrganization(organizationID)}, err
	})
}

// eachReceivedOf calls show with each note that a tax id has issued to an organization, a few in
// memory at a time.
func (s *Store) eachReceivedOf(ctx context.Context, organizationID string, taxID nfse.TaxID,
	show func(ExportedReceived) error) error {
	scope := nfse.Scope{OrganizationID: organizationID, Livemode: true}
	filter := received.ReceivedFilter{IssuerTaxID: taxID, Limit: 50}
	for {
		page, err := received.New(s.db).ReceivedNotes(ctx, scope, filter)
		if err != nil {
			return err
		}
		keys := make([]string, len(page.Notes))
		for i, note := range page.Notes {
			keys[i], filter.After = note.AccessKey, note.AccessKey
		}
		documents, err := received.New(s.db).ReceivedDocuments(ctx, scope, keys)
		if err != nil {
			return err
		}
		for _, one := range documents {
			exported := ExportedReceived{ReceivedNote: one.ReceivedNote, XML: anyText(one.XML),
				Events: []ExportedReceivedEvent{}}
			for _, event := range one.Events {
				exported.Events = append(exported.Events, ExportedReceivedEvent{event, anyText(event.Content)})
			}
			if err := show(exported); err != nil {
				return err
			}
		}
		if !page.Older {
			return nil
		}
	}
}

// anyText is a text of bytes that may be anything.
func anyText(content []byte) string { return strings.ToValidUTF8(string(content), "\uFFFD") }

// errNoCustomer says that nothing of an organization names a tax id.
var errNoCustomer = nfse.NewError(nfse.CodeCustomerNotFound, "document",
	"the organization has no customer with this document, and no note received from it")

// customersOf reads the rows of a tax id, one in each environment at most.
func (s *Store) customersOf(ctx context.Context, organizationID string, taxID nfse.TaxID) ([]RecordedCustomer, error) {
	customers := []RecordedCustomer{}
	err := s.db.SelectContext(ctx, &customers, `SELECT organization_id, livemode, `+catalogues.CustomerColumns+`,
			(SELECT taxation FROM customer_taxations t WHERE t.customer_id = customers.id) AS taxation
		FROM customers WHERE organization_id = $1 AND tax_id = $2 AND livemode IN (true, false) ORDER BY livemode`,
		organizationID, taxID)
	for i := range customers {
		catalogues.Complete(&customers[i].Customer)
		if err == nil {
			customers[i].Recurrences, err = s.recurrencesOf(ctx, customers[i])
		}
	}
	return customers, err
}

// recurrencesOf reads what is on record of the recurrences of a customer.
func (s *Store) recurrencesOf(ctx context.Context, customer RecordedCustomer) (all []json.RawMessage, err error) {
	err = s.db.SelectContext(ctx, &all, `
		SELECT jsonb_build_object('id', id, 'service_id', service_id, 'amount_cents', amount_cents,
			'description', description, 'day', day, 'until', until, 'status', status, 'next_day', next_day,
			'created_at', created_at, 'months', (
				SELECT coalesce(jsonb_agg(jsonb_build_object('month', to_char(m.month, 'YYYY-MM'), 'status', m.status,
					'amount_cents', m.amount_cents, 'description', m.description, 'note_id', m.note_id)
					ORDER BY m.month), '[]')
				FROM recurring_months m WHERE m.recurrence_id = recurrences.id))
		FROM recurrences WHERE organization_id = $1 AND livemode = $2 AND customer_id = $3 ORDER BY id`,
		customer.OrganizationID, customer.Livemode, customer.ID)
	return all, err
}

// withWaitingLines adds the lines of spreadsheets that name a tax id and wait. Where there are
// some of a tax id without a row, it stands for one.
func (s *Store) withWaitingLines(ctx context.Context, organizationID string, taxID nfse.TaxID,
	customers []RecordedCustomer) ([]RecordedCustomer, error) {
	var lines []struct {
		Livemode bool            `db:"livemode"`
		Request  json.RawMessage `db:"request"`
	}
	err := s.db.SelectContext(ctx, &lines, `SELECT b.livemode, l.request FROM batch_lines l
		JOIN batches b ON b.id = l.batch_id WHERE b.organization_id = $1 AND l.tax_id = $2
		ORDER BY l.batch_id, l.line`, organizationID, taxID)
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		at := slices.IndexFunc(customers, func(c RecordedCustomer) bool { return c.Livemode == line.Livemode })
		if at < 0 {
			at = len(customers)
			customers = append(customers, RecordedCustomer{Customer: nfse.Customer{TaxID: taxID},
				Scope: nfse.Scope{OrganizationID: organizationID, Livemode: line.Livemode}})
		}
		customers[at].WaitingLines = append(customers[at].WaitingLines, line.Request)
	}
	return customers, nil
}

// eachNoteOf calls show with the ids of a customer's notes in batches, oldest first. It
// reads the organization's notes in pieces of a bounded size.
func (s *Store) eachNoteOf(ctx context.Context, customer RecordedCustomer, show func(ids []string) error) error {
	const piece = 2000
	after := ""
	for {
		var found struct {
			Last *string        `db:"last"`
			IDs  pq.StringArray `db:"ids"`
		}
		err := s.db.GetContext(ctx, &found, `
			WITH piece AS (
				SELECT id, customer_id FROM notes WHERE organization_id = $1 AND livemode = $2 AND id > $3
				ORDER BY id LIMIT $4
			)
			SELECT (SELECT max(id) FROM piece) AS last,
				ARRAY(SELECT id FROM piece WHERE customer_id = $5 ORDER BY id) AS ids`,
			customer.OrganizationID, customer.Livemode, after, piece, customer.ID)
		if err != nil || found.Last == nil {
			return err
		}
		if len(found.IDs) > 0 {
			if err := show(found.IDs); err != nil {
				return err
			}
		}
		after = *found.Last
	}
}

func (s *Store) exportNote(ctx context.Context, id string) (note ExportedNote, err error) {
	note = ExportedNote{Messages: []ExportedMessage{}, Answers: []ExportedAnswer{}, Events: []ExportedEvent{},
		ExternalEvents: []ExportedExternalEvent{},
		Attempts:       []ExportedAttempt{}, Emails: []ExportedEmail{}, Ledger: []ExportedLedgerRow{}}
	if note.NoteHistory, err = lifecycle.New(s.db).NoteHistory(ctx, id); err != nil {
		return note, err
	}
	var documents []postgres.StoredDocument
	for _, part := range []struct {
		target any
		query  string
	}{
		{&documents, `SELECT ` + postgres.DocumentColumns("") + ` FROM note_documents x WHERE x.note_id = $1`},
		{&note.Messages, `
			SELECT m.message_id, f.kind, f.state, m.created_at, m.xml, m.embedded,
				CASE WHEN m.message_id = f.message_id THEN coalesce(f.xml, '') ELSE '' END AS result
			FROM fiscal_messages m JOIN fiscal_exchanges f ON f.id = m.exchange_id WHERE f.note_id = $1 ORDER BY m.id`},
		{&note.Answers, `SELECT started_at, what, body FROM fiscal_calls WHERE note_id = $1 AND body IS NOT NULL
			ORDER BY id`},
		{&note.Events, `SELECT id, type, created_at, id AS "body.event_id", payload AS "body.payload",
			payload_digest AS "body.payload_digest" FROM events WHERE note_id = $1 ORDER BY id`},
		{&note.ExternalEvents, `SELECT received_at, type, title, content AS xml FROM external_events
			WHERE note_id = $1 ORDER BY id`},
		{&note.Attempts, `
			SELECT a.delivery_id, a.started_at, a.duration_ms, a.status, a.answer, a.problem
			FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events e ON e.id = d.event_id
			WHERE e.note_id = $1 ORDER BY a.id`},
		{&note.Emails, `SELECT ` + mails.EmailColumns + `, e.address FROM emails e WHERE note_id = $1 OR copy_of = $1
			ORDER BY id`},
		{&note.Ledger, `SELECT kind, amount_cents, created_at FROM ledger_entries WHERE note_id = $1 ORDER BY id`},
	} {
		if err := s.db.SelectContext(ctx, part.target, part.query, id); err != nil {
			return note, err
		}
	}
	if len(documents) > 0 {
		document, err := s.db.Plain(ctx, id, documents[0])
		if err != nil {
			return note, err
		}
		note.XML = new(string(document))
	}
	if err := s.unpackExported(ctx, note); err != nil {
		return note, err
	}
	for i := range note.Answers { // which may be anything
		note.Answers[i].Body = strings.ToValidUTF8(note.Answers[i].Body, "\uFFFD")
	}
	return note, nil
}

// unpackExported makes the bodies and messages of a note what they are without packing.
func (s *Store) unpackExported(ctx context.Context, note ExportedNote) error {
	for i := range note.Messages {
		message := &note.Messages[i]
		xml, err := s.db.Unpack(ctx, message.StoredXML)
		if err != nil {
			return err
		}
		result, err := s.db.Unpack(ctx, message.StoredResult)
		if err != nil {
			return err
		}
		message.XML, message.Result = string(xml), string(result)
	}
	for i := range note.Events {
		body, err := webhooks.New(s.db).EventBody(ctx, note.Events[i].Body)
		if err != nil {
			return err
		}
		if len(body) > 0 {
			note.Events[i].Payload = body
		}
	}
	return nil
}
