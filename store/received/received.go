package received

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// ReceivedLongAgo is that the law does not ask for what was distributed any more.
var ReceivedLongAgo = fmt.Sprintf(`date_trunc('year', o.received_at, 'America/Sao_Paulo') + interval
	'%d years' <= now()`, postgres.FiscalYears+1)

// saveReceived stores what was distributed about a document of another issuer, for each organization that may use the
// company's tax id. The order in which documents and events come, and how often, makes no difference to what is on
// record in the end.
func saveReceived(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed) error {
	switch {
	case item.Received != nil:
		if err := saveReceivedNote(ctx, tx, d, item); err != nil {
			return err
		}
	case item.Event != nil || !item.Problem.None():
		if err := saveReceivedEvent(ctx, tx, d, item); err != nil {
			return err
		}
	default:
		return nil // it is neither: nothing of it is kept
	}
	_, err := tx.ExecContext(ctx, settleReceived, d.ID, item.AccessKey)
	return err
}

// receiving are the organizations of a distribution $1 that keep what it hands out.
var receiving = `SELECT DISTINCT p.organization_id FROM distributions d
	JOIN ` + companies.IssuingProfiles + ` p ON ` + ProfileOf + `
	WHERE d.id = $1`

// settleReceived sets the state of a received document to what all its verified events say, regardless of the order
// in which they came.
var settleReceived = `
	WITH said AS (
		SELECT n.id, CASE
			WHEN coalesce(bool_or(e.effect = 'replaces'), false) THEN 'replaced'
			WHEN coalesce(bool_or(e.effect = 'cancels'), false) THEN 'cancelled'
			ELSE 'issued' END AS status
		FROM received_notes n LEFT JOIN received_events e ON e.organization_id = n.organization_id
			AND e.access_key = n.access_key AND e.production = n.production AND e.type IS NOT NULL
			AND e.problem IS NULL
		WHERE n.organization_id IN (` + receiving + `) AND n.access_key = $2
		GROUP BY n.id
	)
	UPDATE received_notes n SET status = said.status FROM said WHERE n.id = said.id AND n.status <> said.status`

// saveReceivedNote stores a document once. One whose signature does not count is replaced by one
// whose signature does.
func saveReceivedNote(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed) error {
	var missing bool
	err := tx.GetContext(ctx, &missing, `SELECT EXISTS (SELECT FROM (`+receiving+`) o
		WHERE NOT EXISTS (SELECT FROM received_notes n WHERE n.organization_id = o.organization_id
			AND n.access_key = $2 AND n.problem IS NULL))`, d.ID, item.AccessKey)
	if err != nil || !missing {
		return err // so that a costly check is made once
	}
	document := *item.Received
	var problem fact.Fact
	if document.SignatureProblem != nil {
		problem = document.SignatureProblem()
	}
	hash := sha256.Sum256(item.Content)
	_, err = tx.ExecContext(ctx, `
		INSERT INTO received_notes AS n (organization_id, livemode, production, distribution_id, position, access_key,
			role, issuer_tax_id, issuer_name, number, competence, issued_at, service_code, description, place_code,
			totals, amount_cents, iss_withheld_by, iss_cents, federal_cents, problem, xml, xml_hash)
		SELECT o.organization_id, true, $3, $1, $4, $2, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
			$19, $20, $21
		FROM (`+receiving+`) o
		ON CONFLICT (organization_id, access_key) DO UPDATE SET role = EXCLUDED.role,
			issuer_tax_id = EXCLUDED.issuer_tax_id, issuer_name = EXCLUDED.issuer_name, number = EXCLUDED.number,
			competence = EXCLUDED.competence, issued_at = EXCLUDED.issued_at, service_code = EXCLUDED.service_code,
			description = EXCLUDED.description, place_code = EXCLUDED.place_code, totals = EXCLUDED.totals,
			amount_cents = EXCLUDED.amount_cents, iss_withheld_by = EXCLUDED.iss_withheld_by,
			iss_cents = EXCLUDED.iss_cents, federal_cents = EXCLUDED.federal_cents, problem = NULL,
			xml = EXCLUDED.xml, xml_hash = EXCLUDED.xml_hash, received_at = EXCLUDED.received_at
			WHERE n.problem IS NOT NULL AND EXCLUDED.problem IS NULL`,
		d.ID, item.AccessKey, d.Production, item.Position, string(document.Role), string(document.IssuerTaxID),
		document.IssuerName, document.Number, string(document.Competence),
		nfse.Timestamp{Time: document.IssuedAt}, document.ServiceCode, document.Description, document.Municipality,
		document.Totals.OrNil(), document.Totals.ServiceCents, document.ISSWithheldBy,
		document.Totals.ISSWithheldCents, document.Federal(), problem, item.Content, hash[:])
	return err
}

// saveReceivedEvent is saveEvent for a document of another issuer: it has no note of ours that a
// person should look at.
func saveReceivedEvent(ctx context.Context, tx *sqlx.Tx, d Distribution, item fiscal.Distributed) error {
	event, kind, happenedAt := eventOf(item)
	conflict := `(organization_id, content_hash) WHERE type IS NULL DO NOTHING`
	if kind != nil {
		conflict = `(organization_id, access_key, type, sequence) WHERE type IS NOT NULL DO UPDATE SET
			title = EXCLUDED.title, effect = EXCLUDED.effect, reason_text = EXCLUDED.reason_text,
			replacement = EXCLUDED.replacement, happened_at = EXCLUDED.happened_at, content = EXCLUDED.content,
			content_hash = EXCLUDED.content_hash, problem = NULL, received_at = EXCLUDED.received_at
			WHERE e.problem IS NOT NULL AND EXCLUDED.problem IS NULL`
	}
	hash := sha256.Sum256(item.Content)
	_, err := tx.ExecContext(ctx, `
		INSERT INTO received_events AS e (organization_id, livemode, production, distribution_id, position, access_key,
			type, sequence, title, effect, reason_text, replacement, happened_at, problem, content, content_hash)
		SELECT o.organization_id, true, $2, $1, $3, $4, $5, $6, $7, $8, nullif($9, ''), nullif($10, ''), $11, $12, $13,
			$14
		FROM (`+receiving+`) o ON CONFLICT `+conflict,
		d.ID, d.Production, item.Position, item.AccessKey, kind, event.Sequence, item.Title, string(event.Effect),
		event.ReasonText, event.Replacement, happenedAt, item.Problem, item.Content, hash[:])
	return err
}

// ReadReceivedAgain has the distributions of an organization read again from the entry after a
// position on, as for documents that were distributed before they were kept. What is on record
// stays as it is, and no event is applied twice. A distribution that has not come so far is left
// where it is.
func (c *Changes) ReadReceivedAgain(ctx context.Context, organizationID string, from int64,
) (reread []Distribution, err error) {
	return c.readAgain(ctx, organizationID, from, audit.ReceivedReadAgain)
}

// EraseReceived erase of the organization $1 what another issuer's documents say of the tax id $2,
// where the law does not ask for them any more: they are that issuer's fiscal documents, and the
// proof of what the company has paid and withheld (CTN, art. 173, I; LGPD, art. 16, I).
var EraseReceived = []string{
	`UPDATE received_notes o SET xml = '', issuer_name = '', issuer_tax_id = '', description = ''
		WHERE o.organization_id = $1 AND ` + ReceivedLongAgo + `
			AND (o.issuer_tax_id = $2 OR position(convert_to($2, 'UTF8') IN o.xml) > 0)`,
	`UPDATE received_events o SET content = '', reason_text = NULL
		WHERE o.organization_id = $1 AND ` + ReceivedLongAgo + ` AND position(convert_to($2, 'UTF8') IN o.content) > 0`,
}
