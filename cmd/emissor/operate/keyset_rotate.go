package operate

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/internal/seal"
	"emissor/internal/seal/rotation"
)

func keysetRotateCommand() *cobra.Command {
	command := cli.NewCommand("rotate", "Take the next step of a rotation of the keyset",
		"emissor keyset rotate", cobra.NoArgs)
	command.Long = `Take the next step of a rotation of the keyset. Processes run on meanwhile.

  1. A new key is added to the file of EMISSOR_KEYSET_FILE. It opens, but does not seal yet.
  2. Once every running process holds it, it becomes the primary key, which seals.
  3. What older keys sealed is sealed anew (running processes do so in the background as well).
  4. Once nothing is sealed under the older keys and every process seals with the new one, they are removed.

Each run takes one step, or says for what it is too early. Processes read the file every ten seconds; where they have
copies of it, copy it after each step. Keep the keyset from before as long as backups of the database from before.`
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		file, err := keysetFile(ctx, s)
		if err != nil {
			return err
		}
		done, err := rotation.Rotate(ctx, s.Store, s.Changes, file, s.Config.Sealer)
		if err != nil {
			return err
		}
		return s.Say(map[string]string{"done": done}, "%s\n", done)
	})
}

// keysetFile is the file that a rotation changes.
func keysetFile(ctx context.Context, s *cli.CommandRun) (seal.File, error) {
	if s.Config.KeysetFile == "" {
		return seal.File{}, errors.New("EMISSOR_KEYSET_FILE is not set: only a keyset in a file can be rotated")
	}
	kek, err := s.Config.KEK(ctx)
	return seal.File{Path: s.Config.KeysetFile, KEK: kek}, err
}
