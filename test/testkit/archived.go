package testkit

import "testing"

// ArchiveAway has every document be in an archive that is away, until the function that is returned brings them back.
func (d *Database) ArchiveAway(t testing.TB) (back func()) {
	t.Helper()
	d.Exec(t, `INSERT INTO archive_segments (key, month, state, first_note, last_note, documents, size, digest)
		VALUES ('away', '2026-01-01', 'stored', '', '', 0, 0, '')`)
	d.Exec(t, `CREATE TABLE documents_kept AS SELECT note_id, xml, digest FROM note_documents`)
	d.Exec(t, `UPDATE note_documents SET xml = NULL, digest = coalesce(digest, sha256(xml)), frame_from = 0,
		frame_length = 1, plain_length = 1, segment_id = (SELECT id FROM archive_segments WHERE key = 'away')`)
	return func() {
		t.Helper()
		d.Exec(t, `UPDATE note_documents d SET xml = k.xml, digest = k.digest, segment_id = NULL, frame_from = NULL, frame_length = NULL,
			plain_length = NULL FROM documents_kept k WHERE k.note_id = d.note_id`)
	}
}
