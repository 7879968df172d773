package lifecycle

import (
	"context"

	"emissor/nfse"
	"emissor/store/outbox"
)

// MunicipalityQuestion is a look-up that could not be made when a note was
// accepted.
type MunicipalityQuestion struct {
	nfse.Scope
	Pending bool   `db:"municipality_check_pending"`
	ZipCode string `db:"zip_code"`
	Code    string `db:"municipality_code"`
}

// MunicipalityQuestion reads what is still to be asked about a note's
// municipality.
func (s *Store) MunicipalityQuestion(ctx context.Context, id string) (MunicipalityQuestion, error) {
	var question MunicipalityQuestion
	err := s.db.GetContext(ctx, &question, `
		SELECT organization_id, livemode,
			municipality_check_pending, customer #>> '{address,zip_code}' AS zip_code, municipality_code
		FROM notes WHERE id = $1`, id)
	return question, err
}

// CloseMunicipalityQuestion ends the late check of a note's municipality: verified when a
// look-up agreed, else it is issued with the municipality as declared.
func (s *Store) CloseMunicipalityQuestion(ctx context.Context, id string, verified bool) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE notes SET municipality_check_pending = false,
			municipality_verified = $2, updated_at = now(), `+outbox.RequeueLater+`
		WHERE id = $1 AND status = 'processing' AND municipality_check_pending`, id, verified)
	return err
}
