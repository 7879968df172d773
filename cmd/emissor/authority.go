package main

import (
	"context"
	"database/sql"
	"errors"

	"github.com/spf13/cobra"

	"emissor/fiscal/drift"
)

func authorityCommand() *cobra.Command {
	return commandGroup("authority", "Look at how authorities answer",
		commandGroup("drift", "Look at answers in forms that this program was not told of",
			authorityDriftListCommand(), authorityDriftShowCommand(), authorityDriftExportCommand()))
}

// drift is the one that a command names.
func (s *commandRun) drift(ctx context.Context) (drift.Drift, error) {
	one, err := s.store.Operate.Drift(ctx, s.args[0])
	if errors.Is(err, sql.ErrNoRows) {
		err = errors.New("no answer has the fingerprint " + s.args[0] + ": emissor authority drift list has them")
	}
	return one, err
}
