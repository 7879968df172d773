package operate

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/internal/seal"
	"emissor/internal/seal/kms"
)

func KeysetCommand() *cobra.Command {
	return cli.CommandGroup("keyset", "Manage the keyset that seals secrets at rest",
		keysetCreateCommand(), keysetEncryptCommand(), keysetStatusCommand(), keysetRotateCommand())
}

func keysetCreateCommand() *cobra.Command {
	command := cli.NewCommand("create FILE",
		"Make a keyset in a new file that only its owner may read, or print it (FILE is -)",
		"emissor keyset create /etc/emissor/keyset.json", cobra.ExactArgs(1))
	command.Long = `Make a keyset in a new file that only its owner may read, or print it (FILE is -).

Give it to the worker and to the commands that need it with EMISSOR_KEYSET_FILE (or its content with EMISSOR_KEYSET),
and keep a copy apart from the database's backups: without it no sealed secret opens, and with it every one does. With
EMISSOR_KEYSET_KEK it is encrypted by that key of a KMS.`
	cli.CompleteArguments(command, cli.Files)
	asJSON := cli.JSONFlag(command)
	command.RunE = func(command *cobra.Command, args []string) error {
		kek, err := kms.Open(command.Context(), os.Getenv("EMISSOR_KEYSET_KEK"))
		if err != nil {
			return err
		}
		if args[0] == "-" { // a keyset is JSON in any case
			keyset, err := seal.NewKeysetUnder(kek)
			if err != nil {
				return err
			}
			_, err = command.OutOrStdout().Write(keyset)
			return err
		}
		if err := (seal.File{Path: args[0], KEK: kek}).Create(); err != nil {
			return err
		}
		return printKeysetFile(command, *asJSON, args[0], kek, "the keyset is in %s\n")
	}
	return command
}

func keysetEncryptCommand() *cobra.Command {
	command := cli.NewCommand("encrypt FILE", "Encrypt a keyset in clear text by the key that EMISSOR_KEYSET_KEK names",
		"emissor keyset encrypt /etc/emissor/keyset.json", cobra.ExactArgs(1))
	command.Long = `Encrypt a keyset in clear text by the key that EMISSOR_KEYSET_KEK names.

The keys stay the same. Processes that run keep what they have read; start them again with EMISSOR_KEYSET_KEK.`
	cli.CompleteArguments(command, cli.Files)
	asJSON := cli.JSONFlag(command)
	command.RunE = func(command *cobra.Command, args []string) error {
		kek, err := kms.Open(command.Context(), os.Getenv("EMISSOR_KEYSET_KEK"))
		if err != nil {
			return err
		}
		if kek == nil {
			return errors.New("EMISSOR_KEYSET_KEK is not set")
		}
		if err := (seal.File{Path: args[0], KEK: kek}).Encrypt(); err != nil {
			return err
		}
		return printKeysetFile(command, *asJSON, args[0], kek, "the keyset in %s is encrypted\n")
	}
	return command
}

// printKeysetFile prints where a keyset is and whether a KMS has encrypted it, or else said of its path.
func printKeysetFile(command *cobra.Command, asJSON bool, path string, kek seal.KEK, said string) error {
	if asJSON {
		return cli.PrintJSON(command.OutOrStdout(), struct {
			File      string `json:"file"`
			Encrypted bool   `json:"encrypted"`
		}{path, kek != nil})
	}
	_, err := fmt.Fprintf(command.OutOrStdout(), said, path)
	return err
}
