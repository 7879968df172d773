package store

import "context"

// contracted reports whether the database has its new form (`emissor storage contract`), in which programs of
// before cannot read it. It never goes back, so that it is asked only until it is so.
func (s *Store) contracted(ctx context.Context) (bool, error) {
	if s.isContracted.Load() {
		return true, nil
	}
	var contracted bool
	err := s.db.GetContext(ctx, &contracted, `SELECT contracted_at IS NOT NULL FROM storage_form`)
	if err == nil && contracted {
		s.isContracted.Store(true)
	}
	return contracted, err
}
