package batches

import (
	"context"
	"encoding/json"

	"emissor/nfse"
)

// ReviewedLine is a line of a spreadsheet as a person sees it who is to accept it.
type ReviewedLine struct {
	Line        int        `db:"line"` // of the file
	Customer    string     `db:"customer"`
	TaxID       nfse.TaxID `db:"tax_id"`
	Service     string     `db:"service"` // its name
	AmountCents int64      `db:"amount_cents"`
	Competence  *nfse.Day  `db:"competence"` // nil: it follows from the month that is chosen
	ISSWithheld bool       `db:"iss_withheld"`
}

// reviewedLines are the lines of a spreadsheet that nobody has accepted: $1 and $2 are the scope, $3 is the
// spreadsheet.
const reviewedLines = `(SELECT l.line, l.tax_id, l.request ->> 'ServiceID' AS service_id,
			coalesce(l.request -> 'Customer' ->> 'Name', '') AS name,
			coalesce((l.request ->> 'AmountCents')::bigint, 0) AS amount_cents,
			nullif(l.request ->> 'Competence', '')::date AS competence,
			coalesce((l.request ->> 'ISSWithheld')::boolean, false) AS iss_withheld
		FROM batches b JOIN batch_lines l ON l.batch_id = b.id
		WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id = $3 AND b.status = 'checked'
			AND l.status = 'waiting') l`

// BatchReview lists the first lines of a spreadsheet that nobody has accepted: at most limit.
func (s *Store) BatchReview(ctx context.Context, scope nfse.Scope, id string, limit int) (lines []ReviewedLine,
	err error) {
	err = s.db.SelectContext(ctx, &lines, `
		SELECT l.line, coalesce(nullif(l.name, ''), c.name, '') AS customer, l.tax_id, coalesce(v.name, '') AS service,
			l.amount_cents, l.competence, l.iss_withheld
		FROM (SELECT * FROM `+reviewedLines+` ORDER BY line LIMIT $4) l
			LEFT JOIN services v ON v.id = l.service_id
			LEFT JOIN customers c ON (c.organization_id, c.livemode, c.tax_id) = ($1, $2, l.tax_id)
		ORDER BY l.line`, scope.OrganizationID, scope.Livemode, id, limit)
	return lines, err
}

// ReviewedService sums up the lines of a spreadsheet that are of one service.
type ReviewedService struct {
	Service       string `db:"service"`
	Lines         int    `db:"lines"`
	AmountCents   int64  `db:"amount_cents"`
	WithheldLines int    `db:"withheld_lines"` // of which the customer withholds the ISS
	WithheldCents int64  `db:"withheld_cents"` // their amount, not their ISS
}

// BatchServices sums up a spreadsheet that nobody has accepted by service, the largest first.
func (s *Store) BatchServices(ctx context.Context, scope nfse.Scope, id string) (services []ReviewedService,
	err error) {
	err = s.db.SelectContext(ctx, &services, `
		SELECT coalesce(v.name, '') AS service, sums.lines, sums.amount_cents, sums.withheld_lines, sums.withheld_cents
		FROM (
			SELECT l.service_id, count(*) AS lines, sum(amount_cents)::bigint AS amount_cents,
				count(*) FILTER (WHERE iss_withheld) AS withheld_lines,
				coalesce(sum(amount_cents) FILTER (WHERE iss_withheld), 0)::bigint AS withheld_cents
			FROM `+reviewedLines+` GROUP BY l.service_id
		) sums LEFT JOIN services v ON v.id = sums.service_id
		ORDER BY sums.amount_cents DESC, service`, scope.OrganizationID, scope.Livemode, id)
	return services, err
}

// TaxedLine is a line of a spreadsheet for whose service or customer something is set of taxes.
type TaxedLine struct {
	TaxID       nfse.TaxID
	AmountCents int64
	Competence  *nfse.Day // as ReviewedLine has it
	Taxation    nfse.Taxation
}

// BatchTaxed lists the lines of a spreadsheet that nobody has accepted for which something is set of taxes.
func (s *Store) BatchTaxed(ctx context.Context, scope nfse.Scope, id string) (lines []TaxedLine, err error) {
	var rows []struct {
		TaxID       nfse.TaxID `db:"tax_id"`
		AmountCents int64      `db:"amount_cents"`
		Competence  *nfse.Day  `db:"competence"`
		Taxation    []byte     `db:"taxation"`
	}
	err = s.db.SelectContext(ctx, &rows, `
		SELECT l.tax_id, l.amount_cents, l.competence, jsonb_strip_nulls(jsonb_build_object(
			'service', s.taxation, 'customer', t.taxation)) AS taxation
		FROM `+reviewedLines+`
			LEFT JOIN service_taxations s ON (s.organization_id, s.livemode, s.service_id) = ($1, $2, l.service_id)
			LEFT JOIN customers c ON (c.organization_id, c.livemode, c.tax_id) = ($1, $2, l.tax_id)
			LEFT JOIN customer_taxations t ON (t.organization_id, t.livemode, t.customer_id) = ($1, $2, c.id)
		WHERE s.taxation IS NOT NULL OR t.taxation IS NOT NULL`, scope.OrganizationID, scope.Livemode, id)
	for _, row := range rows {
		line := TaxedLine{TaxID: row.TaxID, AmountCents: row.AmountCents, Competence: row.Competence}
		if err := json.Unmarshal(row.Taxation, &line.Taxation); err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, err
}
