package company

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
)

func KeyCommand() *cobra.Command {
	return cli.CommandGroup("key", "Manage API keys",
		keyCreateCommand(), keyListCommand(), keySetCommand(), keyRevokeCommand())
}

// PrintedKey is a key as commands show it.
type PrintedKey struct {
	ID             string `json:"id"`
	Key            string `json:"key,omitempty"` // only when it is made
	OrganizationID string `json:"organization_id"`
	Environment    string `json:"environment"`
	Label          string `json:"label"`
	nfse.Defaults
	AllowedNetworks nfse.Networks   `json:"allowed_networks"` // empty: any
	CreatedAt       nfse.Timestamp  `json:"created_at"`
	LastUsedAt      *nfse.Timestamp `json:"last_used_at"`
	ExpiresAt       *nfse.Timestamp `json:"expires_at"`
	RevokedAt       *nfse.Timestamp `json:"revoked_at"`
	LastFour        *string         `json:"last_four"` // of its text; null: it was made before they were kept
}

func newPrintedKey(key nfse.APIKey) PrintedKey {
	return PrintedKey{
		ID: key.ID, OrganizationID: key.OrganizationID, Environment: key.Environment(),
		Label: key.Label, Defaults: key.Defaults, AllowedNetworks: key.AllowedNetworks,
		CreatedAt: key.CreatedAt, LastUsedAt: key.LastUsedAt, ExpiresAt: key.ExpiresAt, RevokedAt: key.RevokedAt,
		LastFour: key.LastFour,
	}
}

var keyTable = cli.Table[PrintedKey]{
	Header: "ID\tENVIRONMENT\tLABEL\tE-MAIL\tLEDGER\tCONFIRM\tNETWORKS\tCREATED\tLAST USED\tEXPIRES\tREVOKED",
	Row: func(k PrintedKey) []any {
		return []any{k.ID, k.Environment, k.Label, k.EmailCustomer, k.RegisterLedger, k.ConfirmMunicipalOperation,
			cmp.Or(k.AllowedNetworks.String(), "any"), k.CreatedAt, cli.OrDash(k.LastUsedAt), cli.OrDash(k.ExpiresAt),
			cli.OrDash(k.RevokedAt)}
	},
}

func keyCreateCommand() *cobra.Command {
	command := cli.NewCommand("create --organization ORG --environment test|live",
		"Create a key; its text is shown once and cannot be read again",
		"emissor key create --organization org_01m10n7b5xf0stgd3ek65gw866 --environment test --expires 90d",
		cobra.NoArgs)
	var key nfse.APIKey
	organization, environment := cli.OrganizationFlag(command), cli.EnvironmentFlag(command)
	var given keyFlags
	given.add(command)
	return cli.CheckedCommand(command, func([]string) (err error) {
		if key.Livemode, err = cli.ParseEnvironment(*environment); err != nil {
			return err
		}
		return given.change(&key, command.Flags().Changed, time.Now())
	}, func(ctx context.Context, s *cli.CommandRun) error {
		owner, err := s.Store.Access.Organization(ctx, *organization)
		if err != nil {
			return err
		}
		key.OrganizationID = owner.ID
		text := nfse.NewAPIKeyText(key.Livemode)
		created, err := s.Changes.Access.CreateAPIKey(ctx, key, text)
		if err != nil {
			return err
		}
		printed := newPrintedKey(created)
		printed.Key = text
		if err := keyTable.PrintOne(s, printed); err != nil {
			return err
		}
		return s.Printf("\n%s\n\nThis is the key. It is shown only now.\n", text)
	})
}

func keyListCommand() *cobra.Command {
	command := cli.NewCommand("list --organization ORG", "List the keys of an organization, revoked ones too",
		"emissor key list --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFlag(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		if _, err := s.Store.Access.Organization(ctx, *organization); err != nil {
			return err
		}
		keys, err := s.Store.Access.APIKeys(ctx, *organization)
		return keyTable.Show(s, cli.Mapped(keys, newPrintedKey), err)
	})
}

func keySetCommand() *cobra.Command {
	command := cli.NewCommand("set KEY_ID", "Change a key's expiry, allowed networks, label or defaults; "+
		"what no flag names stays as it is",
		"emissor key set key_01m116ranrf85bnbmzg0nt4vfm --allow-network 203.0.113.0/24", cobra.ExactArgs(1))
	var given keyFlags
	given.add(command)
	return cli.CheckedCommand(command, func(args []string) error {
		if err := checkKeyID(args); err != nil {
			return err
		}
		return given.change(new(nfse.APIKey), command.Flags().Changed, time.Now())
	}, func(ctx context.Context, s *cli.CommandRun) error {
		key, err := s.Changes.Access.SetAPIKey(ctx, s.Args[0], func(key *nfse.APIKey) error {
			return given.change(key, command.Flags().Changed, time.Now())
		})
		return keyTable.ShowOne(s, newPrintedKey(key), err)
	})
}

// checkKeyID refuses the text of a key, mistyped or not, without repeating it.
func checkKeyID(args []string) error {
	if !nfse.IsID(nfse.PrefixAPIKey, args[0]) {
		return errors.New("name the key by its id (key_...), as `emissor key list` shows it, and not by its text")
	}
	return nil
}

func keyRevokeCommand() *cobra.Command {
	command := cli.NewCommand("revoke KEY_ID",
		"Revoke a key: the next request with it is refused, in every process",
		"emissor key revoke key_01m116ranrf85bnbmzg0nt4vfm", cobra.ExactArgs(1))
	return cli.CheckedCommand(command, checkKeyID, func(ctx context.Context, s *cli.CommandRun) error {
		key, err := s.Changes.Access.RevokeAPIKey(ctx, s.Args[0])
		return keyTable.ShowOne(s, newPrintedKey(key), err)
	})
}
