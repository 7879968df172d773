package exchanges

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// Exchange is an exchange with an authority as it is stored: see fiscal.Exchange
// for its rules.
type Exchange struct {
	fiscal.Exchange
	ID        int64
	NoteID    string
	RequestID string        // of the request to cancel, or for an analysis; empty for an issuance
	LeasedFor time.Duration // how long a sender may still keep it; zero when none has it
	// Profile is the organization's as it was when the number was taken. A
	// cancellation has that of its document.
	Profile nfse.FiscalProfile
}

type ExchangeRow struct {
	ID                int64           `db:"id"`
	NoteID            string          `db:"note_id"`
	RequestID         string          `db:"request_id"`
	LeasedFor         time.Duration   `db:"leased_for"`
	Kind              fiscal.Kind     `db:"kind"`
	State             fiscal.State    `db:"state"`
	Series            int             `db:"series"`
	Number            int64           `db:"number"`
	Layout            string          `db:"layout"`
	Ambiguous         bool            `db:"ambiguous"`
	SinceSent         time.Duration   `db:"since_sent"`
	NotFounds         int             `db:"not_found"`
	SinceNotFound     time.Duration   `db:"since_not_found"`
	SinceUncatalogued time.Duration   `db:"since_uncatalogued"`
	DoubtedCode       string          `db:"doubted_code"`
	DoubtLeft         time.Duration   `db:"doubt_left"`
	Signings          int             `db:"signings"`
	Handling          fiscal.Handling `db:"disposition"`
	AccessKey         string          `db:"access_key"`
	AuthorityNumber   *string         `db:"authority_number"`
	VerificationCode  *string         `db:"verification_code"`
	IssuedAt          *nfse.Timestamp `db:"issued_at"`
	Totals            *nfse.Totals    `db:"authority_totals"`
	XML               []byte          `db:"xml"`
	Profile           []byte          `db:"profile"`
	Rejection         *nfse.Rejection `db:"rejection"`
	AutoFixes         []byte          `db:"mends"`
}

// ExchangeColumns are read of exchanges of the note $1. Times come from the database's clock, which all workers
// share.
const ExchangeColumns = `id, note_id, coalesce(request_id, '') AS request_id,
	greatest(0, coalesce(extract(epoch FROM lease_until - clock_timestamp()) * 1000000000, 0))::bigint AS leased_for,
	kind, state, series, number, layout,
	ambiguous,
	coalesce(extract(epoch FROM clock_timestamp() - last_sent_at) * 1000000000, 0)::bigint AS since_sent,
	not_found, coalesce(extract(epoch FROM clock_timestamp() - not_found_at) * 1000000000,
	0)::bigint AS since_not_found,
	coalesce(extract(epoch FROM clock_timestamp() - uncatalogued_since) * 1000000000, 0)::bigint AS since_uncatalogued,
	coalesce(doubted_code, '') AS doubted_code,
	greatest(0, coalesce(extract(epoch FROM doubted_until - clock_timestamp()) * 1000000000, 0))::bigint AS doubt_left,
	(SELECT count(*) FROM fiscal_messages m WHERE m.exchange_id = fiscal_exchanges.id) AS signings,
	coalesce(disposition, '') AS disposition, coalesce(access_key, '') AS access_key, authority_number,
	verification_code,
	issued_at, authority_totals, CASE WHEN xml = '' AND kind = 'issue' AND state = 'accepted'
		THEN coalesce((SELECT x.xml FROM note_documents x WHERE x.note_id = $1), '')
		ELSE xml END AS xml,
	coalesce(profile, (SELECT p.profile FROM exchange_profiles p WHERE p.id = profile_id)) AS profile, rejection, mends`

// CurrentExchange selects a note's exchange of a kind: the document under way or
// issued, or the cancellation or the analysis of the last request.
const CurrentExchange = `note_id = $1 AND kind = $2 AND CASE kind
	WHEN 'issue' THEN state NOT IN ('number_conflict', 'unused', 'spent')
	ELSE request_id = (SELECT cancellation_request_id FROM notes WHERE id = $1) END`

func (r ExchangeRow) Exchange() (*Exchange, error) {
	e := &Exchange{
		ID: r.ID, NoteID: r.NoteID, RequestID: r.RequestID, LeasedFor: r.LeasedFor,
		Exchange: fiscal.Exchange{
			Kind: r.Kind, State: r.State, Ambiguous: r.Ambiguous, Layout: r.Layout, Handling: r.Handling,
			NotFounds: r.NotFounds, Series: r.Series, Number: r.Number, Signings: r.Signings,
			SinceSent: r.SinceSent, SinceNotFound: r.SinceNotFound,
			SinceUncatalogued: r.SinceUncatalogued, AccessKey: r.AccessKey, Rejection: r.Rejection,
			DoubtedCode: r.DoubtedCode, DoubtLeft: r.DoubtLeft,
		},
	}
	switch {
	case r.State == fiscal.Accepted && r.Kind != fiscal.Issue:
		e.EventXML = r.XML
	case r.State == fiscal.Accepted:
		e.Document = &fiscal.IssuedDocument{AccessKey: r.AccessKey, XML: r.XML, Authorization: nfse.Authorization{
			Number: r.AuthorityNumber, VerificationCode: r.VerificationCode, AccessKey: &r.AccessKey,
			IssuedAt: *r.IssuedAt, Totals: r.Totals,
		}}
	}
	return e, errors.Join(json.Unmarshal(r.Profile, &e.Profile), json.Unmarshal(r.AutoFixes, &e.AutoFixes))
}

// Exchange reads a note's current exchange of a kind, nil when there is none.
func (s *Store) Exchange(ctx context.Context, noteID string, kind fiscal.Kind) (*Exchange, error) {
	var row ExchangeRow
	err := s.db.Get(ctx, &row, `SELECT `+ExchangeColumns+` FROM fiscal_exchanges WHERE `+CurrentExchange,
		noteID, kind)
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	if row.XML, err = s.db.Unpack(ctx, row.XML); err != nil {
		return nil, err
	}
	return row.Exchange()
}

// OpenCancellation begins the exchange in which the authority is asked to cancel an issued
// note, or the city for an analysis, for the last request. Repeated, it changes nothing;
// opened is false then, and where the note has no document.
func (s *Store) OpenCancellation(ctx context.Context, noteID string, kind fiscal.Kind) (opened bool, err error) {
	rows, err := postgres.Affected(s.db.ExecContext(ctx, `
		INSERT INTO fiscal_exchanges (note_id, kind, request_id,
			`+companies.SequenceColumns+`, number, profile, profile_id)
		SELECT n.id, $2, n.cancellation_request_id,
			e.authority, e.production, e.tax_id, e.municipality_code, e.series, e.number, e.profile, e.profile_id
		FROM notes n JOIN fiscal_exchanges e ON e.note_id = n.id AND e.kind = 'issue' AND e.state = 'accepted'
		WHERE n.id = $1 AND n.status = 'issued' AND n.cancellation_status = 'pending'
			AND ($2 = 'analysis') = (n.analysis IS NOT DISTINCT FROM 'asked')
		ON CONFLICT DO NOTHING`, noteID, kind))
	return rows > 0, err
}

// Lease makes its holder the only one that may call the authority about an exchange.
type Lease struct {
	Token uuid.UUID
	For   time.Duration
}
