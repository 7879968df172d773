package company

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/numbers"
)

func SeriesCommand() *cobra.Command {
	group := cli.CommandGroup("series", "Look at series whose numbers must not be sent twice, and let held ones go on",
		seriesListCommand(), seriesCheckCommand(), seriesReleaseCommand())
	group.Long = `Look at series whose numbers must not be sent twice, and let held ones go on.

The city of São Paulo cancels the note of a number that is sent again, and makes another one. So a number is asked about
before it is sent, and a series is held, with all notes that wait for it, when one was sent twice all the same (alert
217), or when the database may be a copy of before (restored, or just started) and a number is used that it knows
nothing of. When a series is held:

  emissor series list      says why, and since when
  emissor note show NOTE   says what happened to the note that the reason names
  emissor series check     asks the city which numbers are used, and by which of its notes
  emissor series release   lets notes go on, once a person knows what became of each

docs/operations/series.md has what to look at before.`
	return group
}

// printedSeries is a series as commands show it.
type printedSeries struct {
	numbers.Series
	Environment string `json:"environment"`
	Held        bool   `json:"held"`
}

var seriesTable = cli.Table[printedSeries]{
	Header: "SERIES\tASKED ABOUT\tUSED\tASKED\tHELD SINCE\tHELD FOR",
	Row: func(s printedSeries) []any {
		asked := "-"
		if s.AskedFrom != nil && s.AskedThrough != nil {
			asked = fmt.Sprintf("%d to %d", *s.AskedFrom, *s.AskedThrough)
		}
		return []any{s.SeriesKey, asked, len(s.UsedNumbers), cli.OrDash(s.AskedAt), cli.OrDash(s.HeldAt),
			cli.OrDash(cli.OrNone(s.HeldReason.English()))}
	},
}

func seriesListCommand() *cobra.Command {
	command := cli.NewCommand("list [--organization ORG]",
		"List series under which something was sent, what the authority said of their numbers, and why one is held",
		"emissor series list --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFilter(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		all, err := s.Store.Numbers.AllSeries(ctx, *organization)
		if err != nil {
			return err
		}
		return seriesTable.Print(s, cli.Mapped(all, func(one numbers.Series) printedSeries {
			return printedSeries{one, nfse.EnvironmentName(one.Production), !one.HeldReason.None()}
		}))
	})
}
