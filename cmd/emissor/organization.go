package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

func organizationCommand() *cobra.Command {
	return commandGroup("organization", "Manage organizations: the owners of keys, catalogues and notes",
		organizationCreateCommand(), organizationListCommand(), organizationTaxIDsCommand(),
		organizationAllowTaxIDCommand(), organizationRevokeTaxIDCommand())
}

var organizationTable = table[nfse.Organization]{"ID\tNAME\tCREATED", func(o nfse.Organization) []any {
	return []any{o.ID, o.Name, o.CreatedAt}
}}

func organizationCreateCommand() *cobra.Command {
	command := newCommand("create --name NAME", "Create an organization",
		`emissor organization create --name "Clínica Exemplo"`, cobra.NoArgs)
	name := requiredFlag(command, "name", "name of the organization, for people")
	return checkedCommand(command, func([]string) error {
		if *name = strings.TrimSpace(*name); *name == "" {
			return usage("--name must not be blank")
		}
		return nil
	}, func(ctx context.Context, s *commandRun) error {
		organization, err := s.changes.Access.CreateOrganization(ctx, *name)
		return organizationTable.showOne(s, organization, err)
	})
}

func organizationListCommand() *cobra.Command {
	command := newCommand("list", "List organizations, oldest first",
		"emissor organization list --json", cobra.NoArgs)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		organizations, err := s.store.Access.Organizations(ctx)
		return organizationTable.show(s, organizations, err)
	})
}
