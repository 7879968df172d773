package company

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

func serviceListCommand() *cobra.Command {
	command := cli.NewCommand("list --organization ORG",
		"List an organization's services, newest first, with how they are classified and what is wrong with that today",
		"emissor service list --organization org_01m10n7b5xf0stgd3ek65gw866 --unclassified", cobra.NoArgs)
	organization := cli.OrganizationFlag(command)
	environment := liveUnlessSaid(command)
	unclassified := command.Flags().Bool("unclassified", false, "only those that are not classified")
	page := postgres.Page{}
	command.Flags().IntVar(&page.Limit, "limit", 100, "the most rows")
	command.Flags().StringVar(&page.After, "starting-after", "", "only what is older than this service (srv_...)")
	return cli.CheckedCommand(command, func([]string) error {
		if page.Limit < 1 {
			return cli.Usage("--limit must be 1 or more")
		}
		if page.After != "" && !nfse.IsID(nfse.PrefixService, page.After) {
			return cli.Usage("--starting-after must be the id of a service (srv_...)")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		services, more, err := s.Store.Catalogues.ClassifiedServices(ctx, scope, *unclassified, page)
		if err != nil {
			return err
		}
		classifier, err := classifier(ctx, s, scope.OrganizationID)
		if err != nil {
			return err
		}
		printed := cli.Mapped(services, func(service catalogues.ClassifiedService) PrintedService {
			return newPrintedService(service, classifier)
		})
		if err := serviceTable.Print(s, printed); err != nil {
			return err
		}
		if more {
			fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: go on with --starting-after %s\n",
				page.Limit, services[len(services)-1].ID)
		}
		return nil
	})
}
