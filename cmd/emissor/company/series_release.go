package company

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/numbers"
)

func seriesReleaseCommand() *cobra.Command {
	command := cli.NewCommand("release --organization ORG [--series SERIES] [--yes]",
		"Let notes be sent under a held series again; without --yes only say what that does",
		`emissor series release --organization org_01m10n7b5xf0stgd3ek65gw866
emissor series release --organization org_01m10n7b5xf0stgd3ek65gw866 --yes`, cobra.NoArgs)
	command.Long = `Let notes be sent under a held series again, because a person has looked; without --yes only say
what that does.

Nothing that was sent is sent again by this. Notes that wait for the series go on: each asks the city about its number
first. A free one is sent; one that is used counts as another program's from now on, also after a restore, and the note
takes the next one. So find out before whose each used number is: emissor series check.`
	organization := cli.OrganizationFlag(command)
	named := command.Flags().String("series", "", "where several of the organization are held, which one: "+
		"its number, or all of its name as emissor series list shows it")
	yes := command.Flags().Bool("yes", false, "really release it")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		held, err := heldSeries(ctx, s, *organization, *named)
		if err != nil {
			return err
		}
		if *yes {
			if err := s.Changes.Numbers.ReleaseSeries(ctx, *organization, held.SeriesKey); err != nil {
				return err
			}
		}
		if s.Json {
			return s.Print(struct {
				Released bool `json:"released"` // false: nothing was, because --yes was not given
				printedSeries
			}{*yes, printedSeries{held, nfse.EnvironmentName(held.Production), !*yes}}, "", nil)
		}
		heading := "NOTHING WAS RELEASED. This is what --yes releases:"
		if *yes {
			heading = "RELEASED:"
		}
		return s.Printf("%s\n\nSeries %d of registration %s (%s, %s), held since %s: %s.\n\n"+
			"The notes that wait for it go on: each asks about its number first. A number that is used counts as "+
			"another program's: it is left alone, and the note takes the next one.\n", heading, held.Series,
			held.Registration, held.Authority, nfse.EnvironmentName(held.Production), held.HeldAt, held.HeldReason)
	})
}

// heldSeries finds the organization's held series; a number or a name says which, where
// there are several.
func heldSeries(ctx context.Context, s *cli.CommandRun, organizationID, named string) (numbers.Series, error) {
	if _, err := s.Store.Access.Organization(ctx, organizationID); err != nil {
		return numbers.Series{}, err
	}
	isNamed, err := cli.SeriesNamed(named)
	if err != nil {
		return numbers.Series{}, err
	}
	held, err := s.Store.Numbers.HeldSeries(ctx, organizationID)
	if err != nil {
		return numbers.Series{}, err
	}
	held = slices.DeleteFunc(held, func(one numbers.Series) bool { return !isNamed(one.SeriesKey) })
	switch {
	case len(held) == 0 && named != "":
		return numbers.Series{}, fmt.Errorf("the series %s of the organization is not held", named)
	case len(held) == 0:
		return numbers.Series{}, errors.New("no series of the organization is held")
	case len(held) > 1:
		names := cli.Mapped(held, func(one numbers.Series) string { return one.SeriesKey.String() })
		return numbers.Series{}, errors.New("several series of the organization are held, say which by --series: " +
			strings.Join(names, ", "))
	}
	return held[0], nil
}
