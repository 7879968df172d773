package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/nfse"
)

// StorageTable is a table that grows, and how it is stored.
type StorageTable struct {
	Table string          `db:"name" json:"table"`
	Parts int             `db:"parts" json:"parts"` // 0: it is not in parts
	Bytes int64           `db:"bytes" json:"bytes"` // indexes included
	Until *nfse.Timestamp `db:"until" json:"until"` // its parts reach until then; null: it is not in parts
	Every string          `db:"every" json:"every"` // how long a part is
}

// StorageStatus says in which form the database stores what grows.
type StorageStatus struct {
	ContractedAt *nfse.Timestamp `json:"contracted_at"` // since when it has the new form; null: it has not
	Tables       []StorageTable  `json:"tables"`
	Left         []string        `json:"left"` // what has to be before it can get the new form, in words
}

// StorageStatus reads the form of the database. It changes nothing.
func (s *Store) StorageStatus(ctx context.Context) (status StorageStatus, err error) {
	err = errors.Join(
		s.db.GetContext(ctx, &status.ContractedAt, `SELECT contracted_at FROM storage_form`),
		s.db.SelectContext(ctx, &status.Tables, `
			SELECT g.name, (SELECT count(*) FROM parts p WHERE p.name = g.name) AS parts,
				(SELECT max(ends)::timestamp AT TIME ZONE 'UTC' FROM parts p WHERE p.name = g.name) AS until,
				CASE g.months WHEN 12 THEN 'year' ELSE 'month' END AS every,
				(SELECT coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size(to_regclass('public.' || g.name)))
					FROM pg_partition_tree(to_regclass('public.' || g.name))) AS bytes
			FROM grown_tables() g ORDER BY bytes DESC, g.name`))
	if err != nil || status.ContractedAt != nil {
		return status, err
	}
	status.Left, err = s.leftBeforeContract(ctx)
	return status, err
}

// beforeContract are the conditions of the new form, in the order in which they are told: each says in words what is
// left to do, or nothing. What has to be complete before programs may rely on it adds a line here.
var beforeContract = []func(s *Store, ctx context.Context) (left string, err error){
	(*Store).olderProcessesLeft,
	(*Store).notesNamed,
}

func (s *Store) leftBeforeContract(ctx context.Context) ([]string, error) {
	left := []string{}
	for _, condition := range beforeContract {
		what, err := condition(s, ctx)
		if err != nil {
			return left, err
		}
		if what != "" {
			left = append(left, what)
		}
	}
	return left, nil
}

func (s *Store) olderProcessesLeft(ctx context.Context) (string, error) {
	older, err := s.OlderProcesses(ctx)
	if len(older) == 0 || err != nil {
		return "", err
	}
	names := make([]string, len(older))
	for i, process := range older {
		version := "of a version before " + newFormSince
		if process.Version != "" {
			version = "of version " + process.Version
		}
		names[i] = fmt.Sprintf("%s, %s, seen at %s", process.Process, version, process.SeenAt.UTC().Format("15:04:05Z"))
	}
	return "programs run, or ran within the hour, that cannot read the new form: " + strings.Join(names, "; ") +
		". Upgrade or stop them, and wait for an hour after one that was killed", nil
}

// ErrNotReady says that the database cannot get its new form yet.
var ErrNotReady = errors.New("the database cannot get its new form yet")

// ContractStorage brings the database into its new form, while programs work: what grows, into parts by time. Nothing
// is copied. It may be interrupted at any point, and goes on where it was; did is told of each step. Once it has
// begun, programs of before the new form must not be started again.
func (s *Store) ContractStorage(ctx context.Context, did func(what, table string)) error {
	contracted, err := s.contracted(ctx)
	if err != nil {
		return err
	}
	left, err := s.leftBeforeContract(ctx)
	if err != nil {
		return err
	}
	if len(left) > 0 && !contracted {
		return fmt.Errorf("%w: %s", ErrNotReady, strings.Join(left, "; "))
	}
	err = s.aloneOnStorage(ctx, func(ctx context.Context) error {
		for _, table := range growing {
			if err := s.bringIntoParts(ctx, table, false, did); err != nil {
				return err
			}
		}
		changed, err := affected(s.db.ExecContext(ctx, `UPDATE storage_form SET contracted_at = now()
			WHERE contracted_at IS NULL`))
		if err != nil {
			return err
		}
		if changed > 0 {
			did(StepContracted, "")
		}
		return s.dropReferenceKeys(ctx)
	})
	if pq.As(err, pqerror.InsufficientPrivilege) != nil {
		return fmt.Errorf("%w: %w", ErrNotOwner, err)
	}
	return err
}
