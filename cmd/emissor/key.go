package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

func keyCommand() *cobra.Command {
	return commandGroup("key", "Manage API keys",
		keyCreateCommand(), keyListCommand(), keyRevokeCommand())
}

// printedKey is a key as commands show it.
type printedKey struct {
	ID             string `json:"id"`
	Key            string `json:"key,omitempty"` // only when it is made
	OrganizationID string `json:"organization_id"`
	Environment    string `json:"environment"`
	Label          string `json:"label"`
	nfse.Defaults
	CreatedAt nfse.Timestamp  `json:"created_at"`
	RevokedAt *nfse.Timestamp `json:"revoked_at"`
}

func newPrintedKey(key nfse.APIKey) printedKey {
	return printedKey{
		ID: key.ID, OrganizationID: key.OrganizationID, Environment: key.Environment(),
		Label: key.Label, Defaults: key.Defaults, CreatedAt: key.CreatedAt, RevokedAt: key.RevokedAt,
	}
}

var keyTable = table[printedKey]{
	"ID\tENVIRONMENT\tLABEL\tE-MAIL\tLEDGER\tCONFIRM\tCREATED\tREVOKED",
	func(k printedKey) []any {
		return []any{k.ID, k.Environment, k.Label, k.EmailCustomer, k.RegisterLedger, k.ConfirmMunicipalOperation,
			k.CreatedAt, orDash(k.RevokedAt)}
	},
}

func keyCreateCommand() *cobra.Command {
	command := newCommand("create --organization ORG --environment test|live",
		"Create a key; its text is shown once and cannot be read again", cobra.NoArgs)
	var key nfse.APIKey
	organization, environment := organizationFlag(command), environmentFlag(command)
	flags := command.Flags()
	flags.StringVar(&key.Label, "label", "", "what the key is for, for people")
	flags.BoolVar(&key.EmailCustomer, "email-customer", false,
		"send the customer an e-mail after authorization (live only)")
	flags.BoolVar(&key.RegisterLedger, "register-ledger", false, "register a ledger entry at closing (live only)")
	flags.BoolVar(&key.ConfirmMunicipalOperation, "confirm-municipal-operation", false,
		"confirm the default municipal operation where the authority has one (live only)")
	return checkedCommand(command, func([]string) (err error) {
		key.Livemode, err = parseEnvironment(*environment)
		return err
	}, func(ctx context.Context, s *session) error {
		owner, err := s.store.Organization(ctx, *organization)
		if err != nil {
			return err
		}
		key.OrganizationID = owner.ID
		text := nfse.NewAPIKeyText(key.Livemode)
		created, err := s.store.CreateAPIKey(ctx, key, text)
		if err != nil {
			return err
		}
		printed := newPrintedKey(created)
		printed.Key = text
		if err := keyTable.printOne(s, printed); err != nil {
			return err
		}
		return s.printf("\n%s\n\nThis is the key. It is shown only now.\n", text)
	})
}

func keyListCommand() *cobra.Command {
	command := newCommand("list --organization ORG", "List the keys of an organization, revoked ones too", cobra.NoArgs)
	organization := organizationFlag(command)
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		if _, err := s.store.Organization(ctx, *organization); err != nil {
			return err
		}
		keys, err := s.store.APIKeys(ctx, *organization)
		if err != nil {
			return err
		}
		return keyTable.print(s, mapped(keys, newPrintedKey))
	})
}

func keyRevokeCommand() *cobra.Command {
	command := newCommand("revoke KEY_ID",
		"Revoke a key: the next request with it is refused, in every process", cobra.ExactArgs(1))
	return checkedCommand(command, func(args []string) error {
		if !nfse.IsID(nfse.PrefixAPIKey, args[0]) { // the text of a key, mistyped or not, is not to be repeated
			return errors.New("name the key by its id (key_...), as `emissor key list` shows it, and not by its text")
		}
		return nil
	}, func(ctx context.Context, s *session) error {
		key, err := s.store.RevokeAPIKey(ctx, s.args[0])
		if err != nil {
			return err
		}
		return keyTable.printOne(s, newPrintedKey(key))
	})
}
