package company

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
)

func CityLoginCommand() *cobra.Command {
	return cli.CommandGroup("city-login", "Keep the user and password that a company has with its city's server",
		cityLoginSetCommand(), cityLoginRemoveCommand())
}

// PrintedCityLogin is a login as commands show it: neither user nor password is ever shown again.
type PrintedCityLogin struct {
	OrganizationID   string         `json:"organization_id"`
	MunicipalityCode string         `json:"municipality_code"`
	CreatedAt        nfse.Timestamp `json:"created_at"`
}

func newPrintedCityLogin(l companies.CityLogin) PrintedCityLogin {
	return PrintedCityLogin{l.OrganizationID, l.MunicipalityCode, l.CreatedAt}
}

var cityLoginTable = cli.Table[PrintedCityLogin]{
	Header: "ORGANIZATION\tMUNICIPALITY\tSINCE",
	Row:    func(l PrintedCityLogin) []any { return []any{l.OrganizationID, l.MunicipalityCode, l.CreatedAt} },
}

func cityLoginSetCommand() *cobra.Command {
	command := cli.NewCommand("set --organization ORG --user USER",
		"Seal a user and a password; live notes that wait for them continue at once",
		"emissor city-login set --organization org_01m10n7b5xf0stgd3ek65gw866 --user 11222333000181 \\\n"+
			"  --password-file city.password", cobra.NoArgs)
	command.Long = `Seal a user and a password; live notes that wait for them continue at once.

They go with each call to the server of the profile's city, beside the certificate, and to no other city's. The password
is asked for, or read from a file. Only where the city wants them: no city is known to.`
	organization := cli.OrganizationFlag(command)
	user := command.Flags().String("user", "", "the user, as the city gave it")
	_ = command.MarkFlagRequired("user")
	file := command.Flags().String("password-file", "", "file that holds the password; without it you are asked")
	cli.CompleteFileFlag(command, "password-file")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		profile, err := s.Store.Companies.FiscalProfile(ctx, *organization)
		if err != nil {
			return err
		}
		password, err := cli.ReadPassword(ctx, *file, "Password of "+*user+": ")
		if err != nil {
			return err
		}
		sealer, err := s.Sealing(ctx)
		if err != nil {
			return err
		}
		kept, err := company.SetCityLogin(ctx, s.Changes, sealer, company.Present(profile),
			fiscal.Login{User: *user, Password: password})
		var invalid *nfse.Error
		if errors.As(err, &invalid) && !invalid.Reason.None() {
			return cli.Usage("--%s %s", invalid.Field, invalid.Message)
		}
		return cityLoginTable.ShowOne(s, newPrintedCityLogin(kept), err)
	})
}

func cityLoginRemoveCommand() *cobra.Command {
	command := cli.NewCommand("remove --organization ORG", "Forget a login; from then on none is sent",
		"emissor city-login remove --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFlag(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		removed, err := s.Changes.Companies.RemoveCityLogin(ctx, *organization)
		return cityLoginTable.ShowOne(s, newPrintedCityLogin(removed), err)
	})
}
