package operate

import (
	"context"

	"emissor/nfse"
)

// StorageTable is a table that grows, which lies in parts by time.
type StorageTable struct {
	Table string         `db:"name" json:"table"`
	Parts int            `db:"parts" json:"parts"`
	Bytes int64          `db:"bytes" json:"bytes"` // indexes included
	Until nfse.Timestamp `db:"until" json:"until"` // its parts reach until then
	Every string         `db:"every" json:"every"` // how long a part is: month or year
}

// StorageTables lists the tables that grow, the largest first.
func (s *Store) StorageTables(ctx context.Context) ([]StorageTable, error) {
	tables := []StorageTable{}
	err := s.db.SelectContext(ctx, &tables, `
		SELECT g.name, count(*) AS parts, max(p.ends)::timestamp AT TIME ZONE 'UTC' AS until,
			CASE g.months WHEN 12 THEN 'year' ELSE 'month' END AS every,
			(SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree(to_regclass('public.' || g.name))) AS bytes
		FROM grown_tables() g JOIN parts p ON p.name = g.name
		GROUP BY g.name, g.months ORDER BY bytes DESC, g.name`)
	return tables, err
}
