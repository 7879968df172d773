package company

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/issuing/company/series"
	"emissor/nfse"
	"emissor/nfse/fact"
)

var checkedNumberTable = cli.Table[series.Number]{
	Header: "NUMBER\tAT THE CITY\tITS NOTE\tOUR NOTE\tWHICH IS",
	Row: func(n series.Number) []any {
		dash := func(text string) string { return cli.OrDash(cli.OrNone(text)) }
		return []any{n.Number, n.State, dash(n.Document), dash(n.NoteID), dash(n.Here)}
	},
}

func seriesCheckCommand() *cobra.Command {
	command := cli.NewCommand("check --organization ORG [--on DAY]",
		"Ask the city which of the next numbers are used, and of those whose outcome is open; nothing is changed",
		"emissor series check --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	command.Long = `Ask the city which numbers of the organization's series are used: the next ones from the next on, 50
in São Paulo and one where a question is about one, and those of notes whose outcome is open. Nothing is changed. The
command needs EMISSOR_SAO_PAULO_URL, or EMISSOR_CITIES for a city of the table, and the keyset, as the worker has them.
A used number that none of our notes has taken belongs to another program, or to a note of
ours that a restored backup does not know.`
	organization := cli.OrganizationFlag(command)
	day := cli.AddDayFlag(command, "on", "day of competence of whose series this is, of a company that moves")
	return cli.CheckedCommand(command, day.Check, func(ctx context.Context, s *cli.CommandRun) error {
		profile, err := s.Store.Companies.FiscalProfile(ctx, *organization)
		if err != nil {
			return err
		}
		profile = profile.On(nfse.Day(day.OrToday()))
		if err := series.CheckTakesTurns(profile); err != nil {
			return err
		}
		authority, err := s.AskedOfNumbers(profile.Authority)
		if err != nil {
			return err
		}
		as, err := s.Access(ctx, profile)
		if err != nil {
			return err
		}
		check, err := series.Ask(ctx, s.Store, authority, as, profile)
		if err != nil {
			return err
		}
		return printSeriesCheck(s, profile, check)
	})
}

func printSeriesCheck(s *cli.CommandRun, profile nfse.FiscalProfile, check series.Check) error {
	if s.Json {
		return s.Print(struct {
			Authority   string          `json:"authority"`
			Environment string          `json:"environment"`
			Series      int             `json:"series"`
			From        int64           `json:"from"` // the next numbers
			Through     int64           `json:"through"`
			Numbers     []series.Number `json:"numbers"` // used, unknown or open
			Unknown     fact.Fact       `json:"unknown"` // why some are
			HeldReason  fact.Fact       `json:"held_reason"`
		}{profile.Authority, nfse.EnvironmentName(profile.Production), profile.Series, check.From, check.Through,
			check.Numbers, check.Unknown, check.Held}, "", nil)
	}
	lines := []string{fmt.Sprintf("Series %d of registration %s: of the next numbers, %d to %d, the city says that %d "+
		"are free.", profile.Series, nfse.OrEmpty(profile.MunicipalRegistration), check.From, check.Through, check.Free)}
	if !check.Unknown.None() {
		lines = append(lines, "Of some it did not say: "+check.Unknown.English()+".")
	}
	if !check.Held.None() {
		lines = append(lines, "The series is held: "+check.Held.English()+".")
	}
	if err := s.Printf("%s\n", strings.Join(lines, "\n")); err != nil || len(check.Numbers) == 0 {
		return err
	}
	if err := s.Printf("\n"); err != nil {
		return err
	}
	return checkedNumberTable.Print(s, check.Numbers)
}
