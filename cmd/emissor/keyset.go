package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"emissor/seal"
)

func keysetCommand() *cobra.Command {
	return commandGroup("keyset", "Manage the keyset that seals secrets at rest",
		&cobra.Command{
			Use:   "create FILE",
			Short: "Make a keyset in a new file that only its owner may read, or print it (FILE is -)",
			Long: `Make a keyset in a new file that only its owner may read, or print it (FILE is -).

Give it to the worker and to the commands that need it with EMISSOR_KEYSET_FILE (or its content with EMISSOR_KEYSET),
and keep a copy apart from the database's backups: without it no sealed secret opens, and with it every one does.`,
			Args: cobra.ExactArgs(1),
			RunE: func(command *cobra.Command, args []string) error {
				keyset, err := seal.NewKeyset()
				if err != nil {
					return err
				}
				if args[0] == "-" {
					_, err := command.OutOrStdout().Write(keyset)
					return err
				}
				file, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
				if err != nil {
					return err
				}
				if _, err := file.Write(keyset); err != nil {
					return err
				}
				if err := file.Close(); err != nil {
					return err
				}
				_, err = fmt.Fprintf(command.OutOrStdout(), "the keyset is in %s\n", args[0])
				return err
			},
		})
}
