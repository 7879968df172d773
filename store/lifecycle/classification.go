package lifecycle

import (
	"context"
	"encoding/json"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// TakeClassification gives a live note whose classification is missing, or lacks what
// its authority requires, the present one of its service, and records that in its history.
// It returns nil when the service has none either.
func (s *Store) TakeClassification(ctx context.Context, noteID string) (taken *nfse.Classification, err error) {
	var content []byte
	err = s.db.GetContext(ctx, &content, `SELECT c.classification FROM notes n
		JOIN service_classifications c ON (c.organization_id, c.livemode, c.service_id)
			= (n.organization_id, n.livemode, n.service_id)
		WHERE n.id = $1`, noteID)
	if err != nil {
		return nil, postgres.NoRow(err, nil)
	}
	given, err := decodeClassification(content)
	if err != nil {
		return nil, err
	}
	updated, err := postgres.Affected(s.db.ExecContext(ctx, `
		WITH taken AS (
			UPDATE notes SET classification = $2::jsonb, `+outbox.RequeueLater+`
			WHERE id = $1 AND classification IS DISTINCT FROM $2::jsonb AND status IN ('queued', 'processing')
			RETURNING id
		)
		INSERT INTO note_steps (note_id, fact) SELECT id, $3::jsonb FROM taken`, noteID, string(content),
		fact.ClassificationTaken.With("nbs", given.NBS, "c_ind_op", given.CIndOp, "c_class_trib", given.CClassTrib)))
	if err != nil || updated > 0 {
		return given, err
	}
	// The note has it already, as another run was faster or nothing changed; or it has ended.
	if err := s.db.GetContext(ctx, &content, `SELECT classification FROM notes WHERE id = $1`, noteID); err != nil {
		return nil, err
	}
	return decodeClassification(content)
}

// decodeClassification reads the column of a note; nil where it has none.
func decodeClassification(content []byte) (*nfse.Classification, error) {
	if content == nil {
		return nil, nil
	}
	var classification nfse.Classification
	err := json.Unmarshal(content, &classification)
	return &classification, err
}
