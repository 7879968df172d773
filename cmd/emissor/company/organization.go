package company

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
)

func OrganizationCommand() *cobra.Command {
	return cli.CommandGroup("organization", "Manage organizations: the owners of keys, catalogues and notes",
		organizationCreateCommand(), organizationListCommand(), organizationTaxIDsCommand(),
		organizationAllowTaxIDCommand(), organizationRevokeTaxIDCommand())
}

var organizationTable = cli.Table[nfse.Organization]{Header: "ID\tNAME\tCREATED", Row: func(o nfse.Organization) []any {
	return []any{o.ID, o.Name, o.CreatedAt}
}}

func organizationCreateCommand() *cobra.Command {
	command := cli.NewCommand("create --name NAME", "Create an organization",
		`emissor organization create --name "Clínica Exemplo"`, cobra.NoArgs)
	name := cli.RequiredFlag(command, "name", "name of the organization, for people")
	return cli.CheckedCommand(command, func([]string) error {
		if *name = strings.TrimSpace(*name); *name == "" {
			return cli.Usage("--name must not be blank")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		organization, err := s.Changes.Access.CreateOrganization(ctx, *name)
		return organizationTable.ShowOne(s, organization, err)
	})
}

func organizationListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List organizations, oldest first",
		"emissor organization list --json", cobra.NoArgs)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		organizations, err := s.Store.Access.Organizations(ctx)
		return organizationTable.Show(s, organizations, err)
	})
}
