package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

func serviceListCommand() *cobra.Command {
	command := newCommand("list --organization ORG",
		"List an organization's services, newest first, with how they are classified and what is wrong with that today",
		"emissor service list --organization org_01m10n7b5xf0stgd3ek65gw866 --unclassified", cobra.NoArgs)
	organization := organizationFlag(command)
	environment := liveUnlessSaid(command)
	unclassified := command.Flags().Bool("unclassified", false, "only those that are not classified")
	page := postgres.Page{}
	command.Flags().IntVar(&page.Limit, "limit", 100, "the most rows")
	command.Flags().StringVar(&page.After, "starting-after", "", "only what is older than this service (srv_...)")
	return checkedCommand(command, func([]string) error {
		if page.Limit < 1 {
			return usage("--limit must be 1 or more")
		}
		if page.After != "" && !nfse.IsID(nfse.PrefixService, page.After) {
			return usage("--starting-after must be the id of a service (srv_...)")
		}
		return nil
	}, func(ctx context.Context, s *commandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		services, more, err := s.store.Catalogues.ClassifiedServices(ctx, scope, *unclassified, page)
		if err != nil {
			return err
		}
		classifier, err := s.classifier(ctx, scope.OrganizationID)
		if err != nil {
			return err
		}
		printed := mapped(services, func(service catalogues.ClassifiedService) printedService {
			return newPrintedService(service, classifier)
		})
		if err := serviceTable.print(s, printed); err != nil {
			return err
		}
		if more {
			fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: go on with --starting-after %s\n",
				page.Limit, services[len(services)-1].ID)
		}
		return nil
	})
}
