package company

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/national/classification"
)

var nationalTaxCode = regexp.MustCompile(`^[0-9]{6}$`)

var suggestionTable = cli.Table[classification.Suggestion]{
	Header: "NBS\tNBS NAME\tCINDOP\tPLACE\tCCLASSTRIB\tNAME\tWHEN\tUNUSABLE",
	Row: func(s classification.Suggestion) []any {
		dash := func(text string) string { return cli.OrDash(cli.OrNone(text)) }
		return []any{dash(s.NBS), dash(cli.Shorten(s.NBSName)), dash(s.CIndOp), dash(s.Place), dash(s.CClassTrib),
			dash(cli.Shorten(s.ClassTribName)), s.Condition(), dash(s.Unusable)}
	},
}

func serviceSuggestCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "suggest SERVICE --organization ORG | suggest --code CODE",
		Short: "Show what the correlation table (Annex VIII) names for a service; it changes nothing",
		Long: `Show what the correlation table (Annex VIII) names for a service, or for a national tax code.

It changes nothing. Each line is a whole: its cIndOp and cClassTrib belong together. Which line it is depends on what
the service is, on who acquires it and on the terms: that is a decision about tax, and the table has no legal force.`,
		Example: `emissor service suggest srv_01m0st8jg0e9rs904tvbhr82kp --organization org_01m10n7b5xf0stgd3ek65gw866
emissor service suggest --code 010701`,
		Args: cobra.MaximumNArgs(1),
	}
	code := command.Flags().String("code", "", "national tax code, 6 digits, in the place of a service")
	organization := command.Flags().String("organization", "", "id of the service's organization (org_...)")
	environment := liveUnlessSaid(command)
	return cli.CheckedCommand(command, func(args []string) error {
		if (len(args) == 1) == (*code != "") {
			return errors.New("say which service, or --code")
		}
		if len(args) == 1 && *organization == "" {
			return cli.Usage("--organization must be given with a service")
		}
		if *code = strings.ReplaceAll(*code, ".", ""); *code != "" && !nationalTaxCode.MatchString(*code) {
			return cli.Usage("--code must be a national tax code of 6 digits, as 010701 or 01.07.01")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if len(s.Args) == 1 {
			scope, err := scopeOf(ctx, s, *organization, *environment)
			if err != nil {
				return err
			}
			service, err := serviceOf(ctx, s, scope, s.Args[0])
			if err != nil {
				return err
			}
			if service.NationalTaxCode == nil {
				return fmt.Errorf("the service %s has no national tax code to find suggestions by", service.ID)
			}
			*code = *service.NationalTaxCode
		}
		return printSuggestions(ctx, s, *organization, *code)
	})
}

func printSuggestions(ctx context.Context, s *cli.CommandRun, organizationID, code string) error {
	classifier, err := classifier(ctx, s, organizationID)
	if err != nil {
		return err
	}
	suggestions := classifier.Suggest(code)
	switch {
	case s.Json || len(suggestions) > 0:
		if err := suggestionTable.Print(s, suggestions); err != nil {
			return err
		}
		return s.Printf("\nNone is applied: choose with `emissor service classify`.\n")
	case !classifier.HasCorrelation():
		return s.Printf("There are no suggestions: no correlation table (Annex VIII) is in force today. " +
			"Import it with `emissor classification import`.\n")
	}
	return s.Printf("The correlation table names nothing for %s.\n", code)
}
