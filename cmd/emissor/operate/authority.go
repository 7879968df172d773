package operate

import (
	"context"
	"database/sql"
	"errors"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/drift"
)

func AuthorityCommand() *cobra.Command {
	return cli.CommandGroup("authority", "Look at how authorities answer",
		cli.CommandGroup("drift", "Look at answers in forms that this program was not told of",
			authorityDriftListCommand(), authorityDriftShowCommand(), authorityDriftExportCommand()))
}

// readDrift is the one that a command names.
func readDrift(ctx context.Context, s *cli.CommandRun) (drift.Drift, error) {
	one, err := s.Store.Operate.Drift(ctx, s.Args[0])
	if errors.Is(err, sql.ErrNoRows) {
		err = errors.New("no answer has the fingerprint " + s.Args[0] + ": emissor authority drift list has them")
	}
	return one, err
}
