package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emissor/company"
	"emissor/company/series"
	"emissor/store"
)

func seriesReleaseCommand() *cobra.Command {
	command := newCommand("release --organization ORG [--series SERIES] [--yes]",
		"Let notes be sent under a held series again; without --yes only say what that does", cobra.NoArgs)
	command.Long = `Let notes be sent under a held series again, because a person has looked; without --yes only say
what that does.

Nothing that was sent is sent again by this. Notes that wait for the series go on: each asks the city about its number
first. A free one is sent; one that is used counts as another program's from now on, also after a restore, and the note
takes the next one. So find out before whose each used number is: emissor series check.`
	organization := organizationFlag(command)
	number := command.Flags().Int("series", 0, "the series, where several of the organization are held")
	yes := command.Flags().Bool("yes", false, "really release it")
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		held, err := heldSeries(ctx, s, *organization, *number)
		if err != nil {
			return err
		}
		if *yes {
			if err := series.Release(ctx, s.changes, *organization, held); err != nil {
				return err
			}
		}
		if s.json {
			return s.print(struct {
				Released bool `json:"released"` // false: nothing was, because --yes was not said
				printedSeries
			}{*yes, printedSeries{held, company.Environment(held.Production), !*yes}}, "", nil)
		}
		heading := "NOTHING WAS RELEASED. This is what --yes releases:"
		if *yes {
			heading = "RELEASED:"
		}
		return s.printf("%s\n\nSeries %d of registration %s (%s, %s), held since %s: %s.\n\n"+
			"The notes that wait for it go on: each asks about its number first. A number that is used counts as "+
			"another program's: it is left alone, and the note takes the next one.\n", heading, held.Series,
			held.Registration, held.Authority, company.Environment(held.Production), held.HeldAt, held.HeldReason)
	})
}

// heldSeries finds the organization's held series; the number says which, where there
// are several.
func heldSeries(ctx context.Context, s *session, organizationID string, number int) (store.Series, error) {
	if _, err := s.store.Organization(ctx, organizationID); err != nil {
		return store.Series{}, err
	}
	held, err := s.store.HeldSeries(ctx, organizationID)
	if err != nil {
		return store.Series{}, err
	}
	held = slices.DeleteFunc(held, func(one store.Series) bool { return number != 0 && one.Series != number })
	switch {
	case len(held) == 0 && number != 0:
		return store.Series{}, fmt.Errorf("the series %d of the organization is not held", number)
	case len(held) == 0:
		return store.Series{}, errors.New("no series of the organization is held")
	case len(held) > 1:
		numbers := mapped(held, func(one store.Series) string { return fmt.Sprint(one.Series) })
		return store.Series{}, errors.New("several series of the organization are held, say which by --series: " +
			strings.Join(numbers, ", "))
	}
	return held[0], nil
}
