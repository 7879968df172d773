package operate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/postgres"
)

// SentFields are the fields of the contract that were sent, in its order.
type SentFields []SentField

func (f SentFields) text() string {
	if f == nil {
		return "[]"
	}
	encoded, err := json.Marshal(f)
	if err != nil {
		panic(err) // names and numbers can always be encoded
	}
	return string(encoded)
}

// Scan implements sql.Scanner.
func (f *SentFields) Scan(value any) error {
	switch value := value.(type) {
	case []byte:
		return json.Unmarshal(value, f)
	case string:
		return json.Unmarshal([]byte(value), f)
	}
	return fmt.Errorf("store: %T are no fields", value)
}

// RequestSearch chooses requests of a scope. Zero fields choose all. A period is a range of ids,
// which are ordered by time.
type RequestSearch struct {
	APIKeyID     string
	Method       string
	Route        string
	StatusClass  int // 2 for 2xx, and so on
	Code         nfse.Code
	NoteIDs      []string  // nil: of any note, and of none
	Since, Until time.Time // Until is left out
	After        string    // an id: only older ones
	Before       string    // an id: only newer ones, the oldest of them
	Limit        int
}

// RequestPage is a page of requests, newest first.
type RequestPage struct {
	Requests []APIRequest
	Newer    bool // there are requests before the first, or may be
	Older    bool // there are requests after the last, or may be
	// Until is the last request that was looked at, where it was not all of them: beyond
	// requestsLookedAt a page ends, however few it has found. Empty: all were looked at.
	Until string
}

// requestsLookedAt is how many requests are looked at for a page: what is rare among very many is
// found page by page, each of them soon.
const requestsLookedAt = 10_000

const requestColumns = `id, organization_id, livemode, at, api_key_id, method, route,
	coalesce(path_id, '') AS path_id, status, microseconds, coalesce(error_code, '') AS error_code,
	coalesce(error_field, '') AS error_field, coalesce(note_id, '') AS note_id, body_bytes, fields, other_fields`

// SearchRequests lists the chosen requests.
func (s *Store) SearchRequests(
	ctx context.Context, scope nfse.Scope, search RequestSearch,
) (page RequestPage, err error) {
	parameters := search.parameters(scope)
	query, args, err := s.db.BindNamed(search.query(), parameters)
	if err != nil {
		return page, err
	}
	found := []APIRequest{}
	if err := s.db.SelectContext(ctx, &found, query, args...); err != nil {
		return page, err
	}
	at := postgres.Cursor{After: search.After, Before: search.Before, Limit: search.Limit}
	full := len(found) > search.Limit
	page.Requests, page.Newer, page.Older = postgres.NewestFirst(found, at)
	if full || !search.filters() {
		return page, nil
	}
	query, args, err = s.db.BindNamed(`SELECT coalesce(min(id), '') AS first, coalesce(max(id), '') AS last,
		count(*) AS looked FROM (`+search.looked("id")+`) looked`, parameters)
	if err != nil {
		return page, err
	}
	var looked struct {
		First  string `db:"first"`
		Last   string `db:"last"`
		Looked int    `db:"looked"`
	}
	err = s.db.GetContext(ctx, &looked, query, args...)
	if err == nil && looked.Looked == requestsLookedAt {
		page.Until = looked.First
		if search.Before != "" {
			page.Until = looked.Last
		}
	}
	return page, err
}

// filters reports whether rows are left out of those that are looked at.
func (f RequestSearch) filters() bool { return f.outer() != "true" }

// looked are the rows along one index: of a note, of a key, of those that failed, or of the scope.
func (f RequestSearch) looked(columns string) string {
	where := []string{`organization_id = :organization`, `livemode = :livemode`, `id >= :lowest`, `id < :highest`,
		`at >= :since`}
	if f.NoteIDs != nil {
		where = append(where, `note_id = ANY(:notes)`)
	}
	if f.APIKeyID != "" {
		where = append(where, `api_key_id = :key`)
	}
	if f.failed() {
		where = append(where, `status >= 400`)
	}
	return `SELECT ` + columns + ` FROM api_requests WHERE ` + strings.Join(where, ` AND `) + ` ORDER BY id` +
		postgres.Cursor{Before: f.Before}.Direction() + fmt.Sprintf(` LIMIT %d`, requestsLookedAt)
}

// failed reports whether only requests with an error are asked for.
func (f RequestSearch) failed() bool { return f.Code != "" || f.StatusClass >= 4 }

// outer chooses of the rows that are looked at.
func (f RequestSearch) outer() string {
	var where []string
	if f.StatusClass != 0 {
		where = append(where, `status / 100 = :class`)
	}
	if f.Code != "" {
		where = append(where, `error_code = :code`)
	}
	if f.Route != "" {
		where = append(where, `method = :method AND route = :route`)
	}
	if where == nil {
		return "true"
	}
	return strings.Join(where, ` AND `)
}

func (f RequestSearch) query() string {
	return `SELECT ` + requestColumns + ` FROM (` + f.looked("*") + `) looked WHERE ` + f.outer() +
		` ORDER BY id` + postgres.Cursor{Before: f.Before}.Direction() + ` LIMIT :rows`
}

func (f RequestSearch) parameters(scope nfse.Scope) map[string]any {
	lowest, highest := nfse.FirstID(nfse.PrefixRequest, f.Since), "~"
	if f.Before != "" {
		lowest = max(lowest, f.Before+"!") // the first text after it
	}
	if !f.Until.IsZero() {
		highest = nfse.FirstID(nfse.PrefixRequest, f.Until)
	}
	if f.After != "" {
		highest = min(highest, f.After)
	}
	since := time.Unix(0, 0)
	if !f.Since.IsZero() {
		since = f.Since.Add(-time.Minute) // an id and its moment are two readings of one clock, which may be set
	}
	return map[string]any{
		"organization": scope.OrganizationID, "livemode": scope.Livemode, "lowest": lowest, "highest": highest,
		"since": since, "notes": pq.Array(f.NoteIDs), "key": f.APIKeyID, "class": f.StatusClass,
		"code": string(f.Code), "method": f.Method, "route": f.Route, "rows": f.Limit + 1,
	}
}

// RequestIn reads a request of one environment by its id.
func (s *Store) RequestIn(ctx context.Context, scope nfse.Scope, id string) (request APIRequest, err error) {
	err = s.db.GetContext(ctx, &request, `SELECT `+requestColumns+` FROM api_requests
		WHERE organization_id = $1 AND livemode = $2 AND id = $3 LIMIT 1`, scope.OrganizationID, scope.Livemode, id)
	return request, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "request", "there is no request %q on record",
		id))
}

// RequestThatMade is the id of the request by which a note was accepted; empty where it is not on record
// any more, or a person issued the note.
func (s *Store) RequestThatMade(ctx context.Context, scope nfse.Scope, noteID string) (id string, err error) {
	err = s.db.GetContext(ctx, &id, `SELECT r.id FROM api_requests r
		WHERE r.organization_id = $1 AND r.livemode = $2 AND r.id = (SELECT request_id FROM notes
			WHERE id = $3 AND organization_id = $1 AND livemode = $2) LIMIT 1`,
		scope.OrganizationID, scope.Livemode, noteID)
	return id, postgres.NoRow(err, nil)
}

// RefusedKeysIn are how often keys of one environment were refused in the days that are kept.
func (s *Store) RefusedKeysIn(ctx context.Context, scope nfse.Scope) (refusals int64, err error) {
	err = s.db.GetContext(ctx, &refusals, `SELECT coalesce(sum(refusals), 0)::bigint FROM refused_keys
		WHERE organization_id = $1 AND livemode = $2`, scope.OrganizationID, scope.Livemode)
	return refusals, err
}
