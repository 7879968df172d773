package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/store"
)

func organizationCommand() *cobra.Command {
	command := &cobra.Command{Use: "organization", Short: "Manage organizations: who owns keys, catalogues and notes"}
	command.AddCommand(organizationCreateCommand(), organizationListCommand())
	return command
}

func organizationCreateCommand() *cobra.Command {
	var out output
	var name string
	command := &cobra.Command{
		Use:   "create --name NAME",
		Short: "Create an organization",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if name = strings.TrimSpace(name); name == "" {
				return errors.New("--name must not be blank")
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				organization, err := s.CreateOrganization(ctx, name)
				if err != nil {
					return err
				}
				return printOrganizations(command, out, organization, []nfse.Organization{organization})
			})
		},
	}
	command.Flags().StringVar(&name, "name", "", "name of the organization, for people")
	_ = command.MarkFlagRequired("name")
	return out.flag(command)
}

func organizationListCommand() *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   "list",
		Short: "List organizations, oldest first",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				organizations, err := s.Organizations(ctx)
				if err != nil {
					return err
				}
				return printOrganizations(command, out, organizations, organizations)
			})
		},
	})
}

func printOrganizations(command *cobra.Command, out output, value any, organizations []nfse.Organization) error {
	return out.print(command.OutOrStdout(), value, "ID\tNAME\tCREATED", func(add func(...any)) {
		for _, o := range organizations {
			add(o.ID, o.Name, o.CreatedAt)
		}
	})
}

// withStore opens the database for one command.
func withStore(ctx context.Context, do func(context.Context, *store.Store) error) error {
	config, err := loadConfig()
	if err != nil {
		return err
	}
	config.DatabaseConnections = 2
	s, err := openStore(ctx, config, jobStatementTimeout)
	if err != nil {
		return err
	}
	if err := s.CheckSchema(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	return errors.Join(do(ctx, s), s.Close())
}
