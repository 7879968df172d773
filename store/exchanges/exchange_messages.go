package exchanges

import (
	"context"

	"emissor/fiscal"
)

// SaveMessage stores the signed message of an unsigned exchange, which may then be sent.
// An exchange that is not unsigned any more stays as it is, and so does one whose
// disposition is another than when it was signed: what the message declares was changed.
func (s *Store) SaveMessage(ctx context.Context, exchangeID int64, handling fiscal.Handling,
	message fiscal.Message) error {
	stored, err := s.db.Pack(ctx, message.XML)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, `
		WITH signed AS (
			UPDATE fiscal_exchanges SET state = 'signed', message_id = $2, rejection = NULL, disposition = NULL,
			updated_at = now()
			WHERE id = $1 AND state = 'unsigned' AND disposition IS NOT DISTINCT FROM nullif($7, '')
			RETURNING id
		)
		INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
		SELECT id, $2, $3, $4, $5, $6 FROM signed`,
		exchangeID, message.ID, message.Layout, message.Digest, stored, message.CertificateID, handling)
	return err
}

// Messages returns every message that was signed for an exchange, oldest first.
func (s *Store) Messages(ctx context.Context, exchangeID int64) ([]fiscal.Message, error) {
	var messages []fiscal.Message
	err := s.db.All(ctx, &messages, `
		SELECT message_id, layout, digest, xml, certificate_id FROM fiscal_messages WHERE exchange_id = $1 ORDER BY id`,
		exchangeID)
	for i := range messages {
		if err == nil {
			messages[i].XML, err = s.db.Unpack(ctx, messages[i].XML)
		}
	}
	return messages, err
}

// SaveRecoveredMessage stores a message as what was sent for an exchange of which no message is on record: its
// number was taken over. It is never sent, as something exists under its number.
func (s *Store) SaveRecoveredMessage(ctx context.Context, exchangeID int64, message fiscal.Message) error {
	stored, err := s.db.Pack(ctx, message.XML)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, `
		WITH recovered AS (
			UPDATE fiscal_exchanges SET message_id = $2, updated_at = now()
			WHERE id = $1 AND state = 'in_doubt' AND NOT EXISTS (SELECT FROM fiscal_messages WHERE exchange_id = $1)
			RETURNING id
		)
		INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
		SELECT id, $2, $3, $4, $5, $6 FROM recovered`,
		exchangeID, message.ID, message.Layout, message.Digest, stored, message.CertificateID)
	return err
}
