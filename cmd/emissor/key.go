package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/store"
)

func keyCommand() *cobra.Command {
	command := &cobra.Command{Use: "key", Short: "Manage API keys"}
	command.AddCommand(keyCreateCommand(), keyListCommand(), keyRevokeCommand())
	return command
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

func newPrintedKey(key nfse.APIKey, text string) printedKey {
	return printedKey{
		ID: key.ID, Key: text, OrganizationID: key.OrganizationID, Environment: key.Environment(),
		Label: key.Label, Defaults: key.Defaults, CreatedAt: key.CreatedAt, RevokedAt: key.RevokedAt,
	}
}

func keyCreateCommand() *cobra.Command {
	var out output
	var environment string
	var key nfse.APIKey
	command := &cobra.Command{
		Use:   "create --organization ORG --environment test|live",
		Short: "Create a key; its text is shown once and cannot be read again",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			livemode, err := parseEnvironment(environment)
			if err != nil {
				return err
			}
			key.Livemode = livemode
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				if _, err := s.Organization(ctx, key.OrganizationID); err != nil {
					return err
				}
				text := nfse.NewAPIKeyText(key.Livemode)
				created, err := s.CreateAPIKey(ctx, key, text)
				if err != nil {
					return err
				}
				printed := newPrintedKey(created, text)
				if err := printKeys(command, out, printed, []printedKey{printed}); err != nil || out.json {
					return err
				}
				_, err = fmt.Fprintf(command.OutOrStdout(), "\n%s\n\nThis is the key. It is shown only now.\n", text)
				return err
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&key.OrganizationID, "organization", "", "id of the organization (org_...)")
	flags.StringVar(&environment, "environment", "", "test or live")
	flags.StringVar(&key.Label, "label", "", "what the key is for, for people")
	flags.BoolVar(&key.EmailCustomer, "email-customer", false, "send the customer an e-mail after authorization (live only)")
	flags.BoolVar(&key.RegisterLedger, "register-ledger", false, "register a ledger entry at closing (live only)")
	flags.BoolVar(&key.ConfirmMunicipalOperation, "confirm-municipal-operation", false, "confirm the default municipal operation where the authority has one (live only)")
	_ = command.MarkFlagRequired("organization")
	_ = command.MarkFlagRequired("environment")
	return out.flag(command)
}

func keyListCommand() *cobra.Command {
	var out output
	var organizationID string
	command := &cobra.Command{
		Use:   "list --organization ORG",
		Short: "List the keys of an organization, revoked ones too",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				if _, err := s.Organization(ctx, organizationID); err != nil {
					return err
				}
				keys, err := s.APIKeys(ctx, organizationID)
				if err != nil {
					return err
				}
				printed := make([]printedKey, len(keys))
				for i, key := range keys {
					printed[i] = newPrintedKey(key, "")
				}
				return printKeys(command, out, printed, printed)
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "id of the organization (org_...)")
	_ = command.MarkFlagRequired("organization")
	return out.flag(command)
}

func keyRevokeCommand() *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   "revoke KEY_ID",
		Short: "Revoke a key: the next request with it is refused, in every process",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if !nfse.IsID(nfse.PrefixAPIKey, args[0]) { // the text of a key, mistyped or not, is not to be repeated
				return errors.New("name the key by its id (key_...), as `emissor key list` shows it, and not by its text")
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				key, err := s.RevokeAPIKey(ctx, args[0])
				if err != nil {
					return err
				}
				printed := newPrintedKey(key, "")
				return printKeys(command, out, printed, []printedKey{printed})
			})
		},
	})
}

func printKeys(command *cobra.Command, out output, value any, keys []printedKey) error {
	header := "ID\tENVIRONMENT\tLABEL\tE-MAIL\tLEDGER\tCONFIRM\tCREATED\tREVOKED"
	return out.print(command.OutOrStdout(), value, header, func(add func(...any)) {
		for _, k := range keys {
			add(k.ID, k.Environment, k.Label, k.EmailCustomer, k.RegisterLedger, k.ConfirmMunicipalOperation, k.CreatedAt, orDash(k.RevokedAt))
		}
	})
}
