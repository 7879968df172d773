package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"emissor/internal/municipality"
	"emissor/issuing/company"
	"emissor/nfse"
)

func fiscalProfileCommand() *cobra.Command {
	return commandGroup("fiscal-profile", "Manage fiscal profiles: how organizations issue live notes",
		fiscalProfileSetCommand(), fiscalProfileShowCommand(), fiscalProfileListCommand(), fiscalProfileCheckCommand())
}

func fiscalProfileShowCommand() *cobra.Command {
	command := newCommand("show --organization ORG", "Show an organization's fiscal profile",
		"emissor fiscal-profile show --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := organizationFlag(command)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		profile, err := s.store.Companies.FiscalProfile(ctx, *organization)
		if err != nil {
			return err
		}
		return printProfile(ctx, s, profile)
	})
}

// printProfile prints a profile as the flags that would set it.
func printProfile(ctx context.Context, s *commandRun, profile nfse.FiscalProfile) error {
	learned, err := s.store.Companies.LearnedRegistration(ctx, company.Present(profile))
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
		{"municipality", municipalityName(profile.MunicipalityCode)},
		{"simples", company.SimplesWord(profile.Simples)},
		{"simples-regime", orDash(profile.SimplesRegime)},
		{"special-regime", profile.SpecialRegime},
		{"series", profile.Series},
		{"granted-numbers", orDash(profile.GrantedNumbers)},
		{"environment", nfse.EnvironmentName(profile.Production)},
		{"municipal-registration", orDash(profile.MunicipalRegistration)},
		{"send-municipal-registration", sent},
		{"taxation-inside", orDash(orNone(profile.TaxationInside))},
		{"taxation-outside", orDash(orNone(profile.TaxationOutside))},
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
		rows = append(rows, []any{"inactive-municipality", municipalityName(code)})
	}
	for _, month := range slices.Sorted(maps.Keys(profile.SimplesRates)) {
		rows = append(rows, []any{"simples-rate", string(month) + "=" + profile.SimplesRates[month].String()})
	}
	return s.print(profile, "FLAG\tVALUE", rows)
}

// municipalityName returns a code with its name, so that a mistyped code is noticed.
func municipalityName(code string) string {
	found, _ := municipality.Find(code)
	return code + " " + found.String()
}

var fiscalProfileTable = table[nfse.FiscalProfile]{
	"ORGANIZATION\tAUTHORITY\tENVIRONMENT\tDOCUMENT\tMUNICIPALITY\tSERIES\tSIMPLES",
	func(p nfse.FiscalProfile) []any {
		return []any{p.OrganizationID, p.Authority, nfse.EnvironmentName(p.Production), p.TaxID,
			municipalityName(p.MunicipalityCode), p.Series, company.SimplesWord(p.Simples)}
	},
}

func fiscalProfileListCommand() *cobra.Command {
	command := newCommand("list", "List the fiscal profile of every organization that has one",
		"emissor fiscal-profile list", cobra.NoArgs)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		profiles, err := s.store.Companies.FiscalProfiles(ctx)
		return fiscalProfileTable.show(s, profiles, err)
	})
}
