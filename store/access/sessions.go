package access

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// SessionData stores the data of sessions by the hash of their cookie. It has the methods
// that the session library (scs) requires.
type SessionData struct{ store *Store }

// SessionData returns the store of sessions.
func (s *Store) SessionData() *SessionData { return &SessionData{s} }

// FindCtx reads a session that has neither expired nor been ended.
func (d *SessionData) FindCtx(ctx context.Context, tokenHash string) (data []byte, found bool, err error) {
	err = d.store.db.Get(ctx, &data, `SELECT data::text FROM sessions
		WHERE token_hash = $1 AND expires_at > now() AND ended_at IS NULL`, tokenHash)
	return data, err == nil, postgres.NoRow(err, nil)
}

// SessionOpen reports whether a session was neither ended nor is past its whole lifetime.
// The shorter lifetime of an unused session is not checked here.
func (s *Store) SessionOpen(ctx context.Context, tokenHash string) (open bool, err error) {
	err = s.db.Get(ctx, &open, `SELECT EXISTS (SELECT FROM sessions WHERE token_hash = $1 AND ended_at IS NULL
		AND (data ->> 'deadline')::timestamptz > now())`, tokenHash)
	return open, err
}

// CommitCtx writes a session. One that was ended meanwhile stays ended.
func (d *SessionData) CommitCtx(ctx context.Context, tokenHash string, data []byte, expiry time.Time) error {
	_, err := d.store.db.ExecContext(ctx, `
		INSERT INTO sessions (token_hash, id, data, expires_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (token_hash) DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at, seen_at = now()
		WHERE sessions.ended_at IS NULL`, tokenHash, nfse.NewID(nfse.PrefixSession), string(data), expiry)
	return err
}

// DeleteCtx ends a session.
func (d *SessionData) DeleteCtx(ctx context.Context, tokenHash string) error {
	_, err := d.store.db.ExecContext(ctx, `UPDATE sessions SET ended_at = now() WHERE token_hash = $1
		AND ended_at IS NULL`, tokenHash)
	return err
}

// Find is FindCtx without a context.
func (d *SessionData) Find(tokenHash string) (data []byte, found bool, err error) {
	return d.FindCtx(context.Background(), tokenHash)
}

// Commit is CommitCtx without a context.
func (d *SessionData) Commit(tokenHash string, data []byte, expiry time.Time) error {
	return d.CommitCtx(context.Background(), tokenHash, data, expiry)
}

// Delete is DeleteCtx without a context.
func (d *SessionData) Delete(tokenHash string) error {
	return d.DeleteCtx(context.Background(), tokenHash)
}

// Session is a session as its user sees it.
type Session struct {
	ID        string         `db:"id"`
	TokenHash string         `db:"token_hash"` // by which a request finds its own
	Address   string         `db:"address"`    // of the client when it signed in
	Browser   string         `db:"browser"`    // as it called itself
	SeenAt    nfse.Timestamp `db:"seen_at"`
	ExpiresAt nfse.Timestamp `db:"expires_at"`
}

// Sessions lists the sessions of a user, last seen first.
func (s *Store) Sessions(ctx context.Context, userID string) ([]Session, error) {
	sessions := []Session{}
	err := s.db.SelectContext(ctx, &sessions, `
		SELECT id, token_hash, coalesce(data -> 'values' ->> 'address', '') AS address,
			coalesce(data -> 'values' ->> 'browser', '') AS browser, seen_at, expires_at
		FROM sessions WHERE user_id = $1 AND ended_at IS NULL AND expires_at > now()
		ORDER BY seen_at DESC, id DESC`, userID)
	return sessions, err
}

// EndSession ends one of a user's sessions.
func (c *Changes) EndSession(ctx context.Context, userID, id string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		ended, err := postgres.Affected(tx.ExecContext(ctx,
			`UPDATE sessions SET ended_at = now() WHERE user_id = $1 AND id = $2
			AND ended_at IS NULL`, userID, id))
		if err == nil && ended == 0 {
			err = nfse.NewError(nfse.CodeNotFound, "session", "there is no session %q", id)
		}
		return audit.Record{Action: audit.SessionEnd, SubjectID: userID, Before: map[string]string{"id": id}}, err
	})
}

// ErrSessionEnded says that the session in which something was asked for has ended.
var ErrSessionEnded = errors.New("store: the session has ended")

// stillOpen locks an account that is to get another passkey or identity, and is
// ErrSessionEnded where the session that asks for it was ended meanwhile. What ends all
// sessions of an account locks the account too.
func stillOpen(ctx context.Context, tx *sqlx.Tx, userID, tokenHash string) error {
	err := tx.GetContext(ctx, new(string), `SELECT id FROM users WHERE id = $1 AND removed_at IS NULL
		FOR NO KEY UPDATE`, userID)
	if err == nil {
		err = tx.GetContext(ctx, new(string), `SELECT id FROM sessions WHERE token_hash = $1 AND user_id = $2
			AND ended_at IS NULL AND expires_at > now() FOR SHARE`, tokenHash, userID)
	}
	return postgres.NoRow(err, ErrSessionEnded)
}

// ForgetSessions deletes expired sessions, at most limit of them.
func (s *Store) ForgetSessions(ctx context.Context, limit int) (forgotten int, err error) {
	_, forgotten, err = s.db.Counted(ctx, expiredSessions, limit)
	return forgotten, err
}

// expiredSessions name sessions by their ids, as the hash of a cookie is written nowhere else.
var expiredSessions = postgres.RowLoop{
	Name: `sessions`, ID: `id`,
	Due: `SELECT id AS key FROM sessions WHERE expires_at < now() - interval '1 day' AND %s
		ORDER BY expires_at LIMIT $1`,
	Lock: `FOR UPDATE`,
	Do: `WITH forgotten AS (DELETE FROM sessions WHERE id = ANY(ARRAY(%s)) RETURNING id)
		SELECT count(*), count(*) FROM forgotten`,
}
