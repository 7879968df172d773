package books

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/internal/trace"
	"emissor/internal/zipparts"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

const (
	// ArchiveKept is for how long a month's ZIP is kept after it was asked for.
	ArchiveKept = 7 * 24 * time.Hour

	// ArchivesKept is how many an organization has at once in an environment: another takes the place
	// of the oldest that is ready.
	ArchivesKept = 3
)

// ArchiveStatus is where a month's ZIP stands.
type ArchiveStatus string

// The states. A removed one cannot be downloaded any longer.
const (
	ArchivePending ArchiveStatus = "pending"
	ArchiveReady   ArchiveStatus = "ready"
	ArchiveRemoved ArchiveStatus = "removed"
)

// Archive is a month's documents in one ZIP.
type Archive struct {
	ID string `db:"id"`
	nfse.Scope
	Month     nfse.Month      `db:"month"`
	Status    ArchiveStatus   `db:"status"`
	UpTo      MonthPlace      `db:"-"` // the last note that is in it
	Parts     int             `db:"parts"`
	Notes     int             `db:"notes"`    // in it so far
	Problems  int             `db:"problems"` // files that could not be made; the index names them
	Files     int64           `db:"files"`
	Size      int64           `db:"size"`   // in bytes
	Digest    string          `db:"digest"` // of a ready one: SHA-256 of its index
	CreatedAt nfse.Timestamp  `db:"created_at"`
	ReadyAt   *nfse.Timestamp `db:"ready_at"`
}

// Until is when it is removed.
func (a Archive) Until() nfse.Timestamp {
	return nfse.Timestamp{Time: a.CreatedAt.Add(ArchiveKept)}
}

const archiveColumns = `id, organization_id, livemode, to_char(month, 'YYYY-MM') AS month, status, up_to_day, up_to,
	parts, notes, problems, files, size, digest, created_at, ready_at`

type archiveRow struct {
	Archive
	Day *nfse.Day `db:"up_to_day"`
	To  string    `db:"up_to"`
}

func (r archiveRow) archive() Archive {
	if r.Day != nil {
		r.UpTo = MonthPlace{*r.Day, r.To}
	}
	return r.Archive
}

// ErrNoArchive says that there is no such ZIP, or that it was removed.
var ErrNoArchive = errors.New("store: there is no such archive")

func (s *Store) readArchive(ctx context.Context, where string, args ...any) (Archive, error) {
	var row archiveRow
	err := s.db.GetContext(ctx, &row, `SELECT `+archiveColumns+` FROM month_archives WHERE `+where, args...)
	return row.archive(), postgres.NoRow(err, ErrNoArchive)
}

// ArchiveOf reads the ZIP of a month, be it ready or not.
func (s *Store) ArchiveOf(ctx context.Context, scope nfse.Scope, month nfse.Month) (Archive, error) {
	return s.readArchive(ctx, `organization_id = $1 AND livemode = $2 AND month = $3::date AND status <> 'removed'`,
		scope.OrganizationID, scope.Livemode, postgres.FirstDay(month))
}

// Archive reads a ZIP of a scope that was not removed.
func (s *Store) Archive(ctx context.Context, scope nfse.Scope, id string) (Archive, error) {
	return s.readArchive(ctx, `organization_id = $1 AND livemode = $2 AND id = $3 AND status <> 'removed'`,
		scope.OrganizationID, scope.Livemode, id)
}

// ChangedSince reports whether a month with so many documents is not as its ZIP has it: a note was issued, or
// one was cancelled. One that was cancelled while the ZIP was made counts, as its part may have been made before.
func (s *Store) ChangedSince(ctx context.Context, archive Archive, documents int64) (changed bool, err error) {
	if documents != int64(archive.Notes) {
		return true, nil
	}
	err = s.db.GetContext(ctx, &changed, `SELECT EXISTS (SELECT FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND status = 'cancelled' AND competence >= $3::date
			AND competence < ($3::date + interval '1 month')::date AND cancelled_at > $4)`,
		archive.OrganizationID, archive.Livemode, postgres.FirstDay(archive.Month), archive.CreatedAt)
	return changed, err
}

// ArchiveToMake reads a ZIP, of any organization and in any state, for the run that makes it.
func (s *Store) ArchiveToMake(ctx context.Context, id string) (Archive, error) {
	return s.readArchive(ctx, `id = $1`, id)
}

// errManyArchives refuses one that there is no place for.
var errManyArchives = nfse.NewError(nfse.CodeInvalidRequest, "month", "the archives of %d months are being made; wait "+
	"until one is ready", ArchivesKept)

// IsManyArchives reports whether another ZIP has to wait for those that are being made.
func IsManyArchives(err error) bool { return errors.Is(err, errManyArchives) }

// MakeArchive has the ZIP of a month made. One that is being made already stays; one that is ready is made again.
func (c *Changes) MakeArchive(ctx context.Context, scope nfse.Scope, month nfse.Month) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		// One request at a time for an organization, so that the limit is kept.
		_, err := tx.ExecContext(ctx, `SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE`, scope.OrganizationID)
		if err != nil {
			return nil, err
		}
		var kept []struct {
			ID     string        `db:"id"`
			Month  nfse.Month    `db:"month"`
			Status ArchiveStatus `db:"status"`
		}
		err = tx.SelectContext(ctx, &kept, `SELECT id, to_char(month, 'YYYY-MM') AS month, status FROM month_archives
			WHERE organization_id = $1 AND livemode = $2 AND status <> 'removed' ORDER BY created_at, id`,
			scope.OrganizationID, scope.Livemode)
		if err != nil {
			return nil, err
		}
		place := len(kept) < ArchivesKept
		remove := ""
		for _, one := range kept {
			switch {
			case one.Month == month && one.Status == ArchivePending:
				return nil, nil
			case one.Month == month:
				place, remove = true, one.ID
			case !place && remove == "" && one.Status == ArchiveReady:
				remove = one.ID
			}
		}
		if !place && remove == "" {
			return nil, errManyArchives
		}
		_, err = tx.ExecContext(ctx, `UPDATE month_archives SET status = 'removed' WHERE id = $1`, remove)
		if err != nil {
			return nil, err
		}
		id := nfse.NewID(nfse.PrefixArchive)
		_, err = tx.ExecContext(ctx, `
			WITH made AS (
				INSERT INTO month_archives (id, organization_id, livemode, month) VALUES ($1, $2, $3, $4::date)
				RETURNING id, organization_id, livemode
			)
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, traceparent)
			SELECT 'export', id, organization_id, livemode, $5 FROM made`,
			id, scope.OrganizationID, scope.Livemode, postgres.FirstDay(month), trace.Parent(ctx))
		record := audit.Record{Action: audit.ArchiveMake, SubjectID: id, After: map[string]any{"month": month}}
		return []audit.Record{record.Of(scope)}, err
	})
}

// sameDownload is for how long further ranges of a ZIP are the download that somebody has begun.
const sameDownload = time.Hour

// DownloadArchive records that a ZIP is handed to somebody, or a range of it. A range is no new download where
// they have one on record of the last hour: programs fetch large files in pieces, and go on after a break.
func (c *Changes) DownloadArchive(ctx context.Context, archive Archive, inPart bool) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		if inPart {
			var recorded bool
			err := tx.GetContext(ctx, &recorded, `SELECT EXISTS (SELECT FROM audit_log WHERE subject_id = $1 AND id >= $2
				AND action = $3 AND actor_kind = $4 AND actor_id = $5)`, archive.ID,
				nfse.FirstID(nfse.PrefixAuditEntry, time.Now().Add(-sameDownload)), audit.ArchiveDownload, c.Actor.Kind,
				c.Actor.ID)
			if err != nil || recorded {
				return nil, err
			}
		}
		record := audit.Record{Action: audit.ArchiveDownload, SubjectID: archive.ID,
			After: map[string]any{"month": archive.Month, "notes": archive.Notes, "digest": archive.Digest}}
		return []audit.Record{record.Of(archive.Scope)}, nil
	})
}

// ArchivedNote is what the index of a ZIP says of a note.
type ArchivedNote struct {
	ID         string      `db:"id"`
	Reference  string      `db:"reference"`
	Number     string      `db:"number"`
	AccessKey  string      `db:"access_key"`
	Competence nfse.Day    `db:"competence"`
	Status     nfse.Status `db:"status"`
}

// NotesToArchive lists the next notes of a ZIP, by competence and id: at most limit.
func (s *Store) NotesToArchive(ctx context.Context, archive Archive, limit int) ([]ArchivedNote, error) {
	day := string(archive.UpTo.Day)
	if day == "" {
		day = postgres.FirstDay(archive.Month)
	}
	var notes []ArchivedNote
	err := s.db.SelectContext(ctx, &notes, `
		SELECT id, reference, coalesce(authority_number, '') AS number, coalesce(access_key, '') AS access_key,
			competence, status
		FROM notes WHERE organization_id = $1 AND livemode = $2 AND competence < ($3::date + interval '1 month')::date
			AND (competence, id) > ($4::date, $5) AND issued_at IS NOT NULL
		ORDER BY organization_id, livemode, competence, id LIMIT $6`,
		archive.OrganizationID, archive.Livemode, postgres.FirstDay(archive.Month), day, archive.UpTo.ID, limit)
	return notes, err
}

// ArchivePart are the files of some notes, and the lines of the index about them.
type ArchivePart struct {
	zipparts.Part
	Lines    []byte
	Notes    int
	Problems int
	UpTo     MonthPlace
}

// AddToArchive adds a part to a ZIP as it was read. Where somebody else has added one since, or it
// was removed, nothing changes: it has to be read again.
func (s *Store) AddToArchive(ctx context.Context, archive Archive, part ArchivePart) error {
	_, err := s.db.ExecContext(ctx, `
		WITH moved AS (
			UPDATE month_archives SET up_to_day = $3, up_to = $4, parts = parts + 1, notes = notes + $5,
				problems = problems + $6, files = files + $7, size = size + $8, `+outbox.RequeueLater+`
			WHERE id = $1 AND parts = $2 AND status = 'pending'
			RETURNING id
		)
		INSERT INTO month_archive_parts (archive_id, number, position, content, directory, lines)
		SELECT id, $2, $9, $10, coalesce($11::bytea, ''), $12 FROM moved`,
		archive.ID, archive.Parts, dayOrNull(part.UpTo.Day), part.UpTo.ID, part.Notes, part.Problems, part.Files,
		len(part.Content), archive.Size, part.Content, part.Directory, part.Lines)
	return err
}

func dayOrNull(day nfse.Day) *nfse.Day {
	if day == "" {
		return nil
	}
	return &day
}

// FinishArchive adds the index, under a name and with a time, and the directory to a ZIP that has
// the files of all its notes. Repeated, or where parts were added since it was read, it changes
// nothing.
func (s *Store) FinishArchive(ctx context.Context, archive Archive, index string, at time.Time) error {
	return s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		locked, err := postgres.Affected(tx.ExecContext(ctx, `UPDATE month_archives SET `+outbox.RequeueLater+`
			WHERE id = $1 AND parts = $2 AND status = 'pending'`, archive.ID, archive.Parts))
		if err != nil || locked == 0 {
			return err
		}
		checksum, digest, size, err := sumIndex(ctx, tx, archive.ID)
		if err != nil {
			return err
		}
		head, err := zipparts.Head(archive.Size, at, index, checksum, size)
		if err != nil {
			return err
		}
		number, position := archive.Parts, archive.Size
		add := func(content []byte) error {
			_, err := tx.ExecContext(ctx, `
				INSERT INTO month_archive_parts (archive_id, number, position, content) VALUES ($1, $2, $3, $4)`,
				archive.ID, number, position, content)
			number, position = number+1, position+int64(len(content))
			return err
		}
		// copied appends what a column of the notes' parts has, part by part.
		copied := func(column string) (size int64, err error) {
			var added struct {
				Parts int   `db:"parts"`
				Size  int64 `db:"size"`
			}
			err = tx.GetContext(ctx, &added, `
				WITH added AS (
					INSERT INTO month_archive_parts (archive_id, number, position, content)
					SELECT archive_id, $3 + row_number() OVER (ORDER BY number) - 1, $4 + sum(octet_length(`+column+`))
						OVER (ORDER BY number) - octet_length(`+column+`), `+column+`
					FROM month_archive_parts WHERE archive_id = $1 AND number < $2 AND `+column+` <> ''
					RETURNING octet_length(content) AS size)
				SELECT count(*) AS parts, coalesce(sum(size), 0)::bigint AS size FROM added`,
				archive.ID, archive.Parts, number, position)
			number, position = number+added.Parts, position+added.Size
			return added.Size, err
		}
		if err := add(head.Content); err != nil {
			return err
		}
		if _, err := copied(`lines`); err != nil {
			return err
		}
		begin := position
		directory, err := copied(`directory`)
		if err != nil {
			return err
		}
		directory += int64(len(head.Directory))
		end := zipparts.End(begin, directory, archive.Files+1)
		if err := add(append(head.Directory, end...)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE month_archives SET status = 'ready', ready_at = now(), parts = $2,
			files = files + 1, size = $3, digest = $4 WHERE id = $1`, archive.ID, number, position, digest)
		return err
	})
}

// sumIndex reads the lines of the index one part after the other.
func sumIndex(ctx context.Context, tx *sqlx.Tx, id string) (checksum uint32, digest string, size int64, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT lines FROM month_archive_parts WHERE archive_id = $1 ORDER BY number`, id)
	if err != nil {
		return 0, "", 0, err
	}
	defer func() { _ = rows.Close() }()
	whole := sha256.New()
	for rows.Next() {
		var lines []byte
		if err := rows.Scan(&lines); err != nil {
			return 0, "", 0, err
		}
		checksum, size = crc32.Update(checksum, crc32.IEEETable, lines), size+int64(len(lines))
		_, _ = whole.Write(lines)
	}
	return checksum, hex.EncodeToString(whole.Sum(nil)), size, rows.Err()
}

// ArchiveAt reads the part of a ready ZIP that has the byte at an offset, and where the part
// begins. A download of one that is removed meanwhile ends.
func (s *Store) ArchiveAt(ctx context.Context, id string, offset int64) (content []byte, begin int64, err error) {
	err = s.db.QueryRowxContext(ctx, `SELECT content, position FROM month_archive_parts
		WHERE archive_id = $1 AND position <= $2 AND content <> ''
			AND EXISTS (SELECT FROM month_archives WHERE id = $1 AND status = 'ready')
		ORDER BY archive_id DESC, position DESC LIMIT 1`,
		id, offset).Scan(&content, &begin)
	return content, begin, postgres.NoRow(err, ErrNoArchive)
}

// RequeueArchives starts again the making of ZIPs that have not moved, as RequeueNotes does.
func (s *Store) RequeueArchives(ctx context.Context, limit int) (looked, requeued int, err error) {
	return s.db.Counted(ctx, requeueArchives, limit)
}

var requeueArchives = outbox.RequeueLoop(`month_archives`, `status = 'pending'`, `'export'`, `NULL`)

// RemoveArchives removes ZIPs that are older than they are kept, and the parts of those that were
// removed: of limit archives at most. Where one has more parts than are removed at once, it has looked at
// limit of them: it is to be called again.
func (s *Store) RemoveArchives(ctx context.Context, limit int) (looked, removed int, err error) {
	_, err = s.db.ExecContext(ctx, `UPDATE month_archives SET status = 'removed' WHERE id = ANY(ARRAY(
		SELECT id FROM month_archives WHERE status <> 'removed'
			AND created_at < now() - make_interval(secs => $2) ORDER BY created_at LIMIT $1))`,
		limit, ArchiveKept.Seconds())
	if err != nil {
		return 0, 0, err
	}
	looked, removed, err = s.db.Counted(ctx, clearArchives, limit)
	if removed < looked {
		looked = limit
	}
	return looked, removed, err
}

var clearArchives = postgres.RowLoop{
	Name: `archives`, ID: `id`,
	Due: `SELECT id AS key FROM month_archives WHERE status = 'removed' AND NOT cleared AND %s ORDER BY id LIMIT $1`,
	Do: `
		WITH due AS (%s), taken AS (
			SELECT archive_id, number FROM due CROSS JOIN LATERAL (
				SELECT archive_id, number FROM month_archive_parts WHERE archive_id = due.key LIMIT 50) part
		), gone AS (
			DELETE FROM month_archive_parts p USING taken
			WHERE p.archive_id = taken.archive_id AND p.number = taken.number
		), cleared AS (
			UPDATE month_archives SET cleared = true WHERE id IN (
				SELECT key FROM due WHERE (SELECT count(*) FROM taken WHERE archive_id = due.key) < 50)
			RETURNING id
		)
		SELECT (SELECT count(*) FROM due), (SELECT count(*) FROM cleared)`,
}
