package company

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/issuing/company"
	"emissor/nfse"
)

func FiscalProfileCommand() *cobra.Command {
	return cli.CommandGroup("fiscal-profile", "Manage fiscal profiles: how organizations issue live notes",
		fiscalProfileSetCommand(), fiscalProfileShowCommand(), fiscalProfileListCommand(), fiscalProfileCheckCommand())
}

func fiscalProfileShowCommand() *cobra.Command {
	command := cli.NewCommand("show --organization ORG", "Show an organization's fiscal profile",
		"emissor fiscal-profile show --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFlag(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		profile, err := s.Store.Companies.FiscalProfile(ctx, *organization)
		if err != nil {
			return err
		}
		return printProfile(ctx, s, profile)
	})
}

// printProfile prints a profile as the flags that would set it.
func printProfile(ctx context.Context, s *cli.CommandRun, profile nfse.FiscalProfile) error {
	learned, err := s.Store.Companies.LearnedRegistration(ctx, company.Present(profile))
	if err != nil {
		return err
	}
	sent := fmt.Sprint(profile.SendMunicipalRegistration)
	if !learned.None() {
		sent += ": " + learned.English()
	}
	rows := [][]any{
		{"organization", profile.OrganizationID},
		{"authority", profile.Authority},
		{"document", profile.TaxID},
		{"municipality", cli.MunicipalityName(profile.MunicipalityCode)},
		{"simples", company.SimplesWord(profile.Simples)},
		{"simples-regime", cli.OrDash(profile.SimplesRegime)},
		{"special-regime", profile.SpecialRegime},
		{"series", profile.Series},
		{"granted-numbers", cli.OrDash(profile.GrantedNumbers)},
		{"environment", nfse.EnvironmentName(profile.Production)},
		{"municipal-registration", cli.OrDash(profile.MunicipalRegistration)},
		{"send-municipal-registration", sent},
		{"taxation-inside", cli.OrDash(cli.OrNone(profile.TaxationInside))},
		{"taxation-outside", cli.OrDash(cli.OrNone(profile.TaxationOutside))},
		{"tax-federal", profile.ApproximateTaxes.Federal},
		{"tax-state", profile.ApproximateTaxes.State},
		{"tax-municipal", profile.ApproximateTaxes.Municipal},
		{"tax-simples", profile.ApproximateTaxes.Simples},
		{"ignore-municipal-parameters", profile.IgnoreMunicipalParameters},
		{"exact-certificate", profile.ExactCertificate},
		{"competence-days-back", profile.DaysBack()},
		{"own-contributions", company.OwnContributionsWords(profile.OwnContributions)},
		{"reject-refused", profile.RejectRefused},
		{"cancellation-analysis", profile.Analyses()},
	}
	for _, move := range profile.Moves {
		rows = append(rows, []any{"move", company.MoveWords(move)})
	}
	for _, code := range profile.InactiveMunicipalities {
		rows = append(rows, []any{"inactive-municipality", cli.MunicipalityName(code)})
	}
	for _, month := range slices.Sorted(maps.Keys(profile.SimplesRates)) {
		rows = append(rows, []any{"simples-rate", string(month) + "=" + profile.SimplesRates[month].String()})
	}
	return s.Print(profile, "FLAG\tVALUE", rows)
}

var fiscalProfileTable = cli.Table[nfse.FiscalProfile]{
	Header: "ORGANIZATION\tAUTHORITY\tENVIRONMENT\tDOCUMENT\tMUNICIPALITY\tSERIES\tSIMPLES",
	Row: func(p nfse.FiscalProfile) []any {
		return []any{p.OrganizationID, p.Authority, nfse.EnvironmentName(p.Production), p.TaxID,
			cli.MunicipalityName(p.MunicipalityCode), p.Series, company.SimplesWord(p.Simples)}
	},
}

func fiscalProfileListCommand() *cobra.Command {
	command := cli.NewCommand("list", "List the fiscal profile of every organization that has one",
		"emissor fiscal-profile list", cobra.NoArgs)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		profiles, err := s.Store.Companies.FiscalProfiles(ctx)
		return fiscalProfileTable.Show(s, profiles, err)
	})
}
