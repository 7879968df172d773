package company

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/dashboard/words"
	"emissor/issuing/comparison"
	"emissor/nfse"
)

var differenceTable = cli.Table[comparison.Difference]{
	Header: "FIELD\tEXPECTED\tDOCUMENT",
	Row: func(d comparison.Difference) []any {
		return []any{d.Field, cli.OrDash(cli.OrNone(d.Expected)), cli.OrDash(cli.OrNone(d.Document))}
	},
}

func noteCompareCommand() *cobra.Command {
	command := cli.NewCommand("compare NOTE",
		"Compare the document of an issued note with what was sent and expected, difference by difference",
		"emissor note compare nfse_01m0w44f10fsyspwgt3r335dyf", cobra.ExactArgs(1))
	command.Long = `Compare the document that the authority made of a live note with what was sent and what was expected of
it: each member of the declaration, what the document says of itself, and the amounts that it states.

The command fails, with status 1, where something differs. It asks nobody and changes nothing.`
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		rehearsed, _, err := rehearseNote(ctx, s)
		if err != nil {
			return err
		}
		var authorities []comparison.Authority
		for _, one := range rehearsed {
			authorities = append(authorities, one)
		}
		report, err := comparison.Read(ctx, s.Store, authorities, s.Args[0])
		if err != nil {
			return err
		}
		return printComparison(s, report)
	})
}

// printComparison prints what differs, which is an error.
func printComparison(s *cli.CommandRun, report comparison.Report) error {
	var err error
	switch {
	case s.Json:
		err = s.Print(report, "", nil)
	case len(report.Differences) > 0:
		err = differenceTable.Print(s, report.Differences)
	default:
		return s.Printf("The document is what was expected: %d members of the declaration, %d amounts.\n",
			report.Declared, report.Amounts)
	}
	if err == nil && len(report.Differences) > 0 {
		err = fmt.Errorf("the document differs from what was expected: %d differences", len(report.Differences))
	}
	return err
}

// printTotals prints the amounts that a note's document states, a line each.
func printTotals(line func(name string, value any), authority *nfse.Authorization) {
	if authority == nil {
		return
	}
	for _, one := range authority.Totals.Stated() {
		line(words.English.Say("note.totals."+one.Name), cli.Reais(one.Cents))
	}
}
