package company

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/authorities"
	"emissor/nfse"
	"emissor/store/companies"
)

// PrintedClaim is a claim as commands show it.
type PrintedClaim struct {
	companies.TaxIDClaim
	Environment string `json:"environment"`
}

func newPrintedClaim(c companies.TaxIDClaim) PrintedClaim {
	return PrintedClaim{c, nfse.EnvironmentName(c.Production)}
}

var claimTable = cli.Table[PrintedClaim]{
	Header: "DOCUMENT\tAUTHORITY\tENVIRONMENT\tORGANIZATION\tIS\tBY\tSINCE",
	Row: func(c PrintedClaim) []any {
		is := "allowed"
		if c.Owner {
			is = "owner"
		}
		return []any{c.TaxID, c.Authority, c.Environment, c.OrganizationID, is, c.Source, c.ClaimedAt}
	},
}

func organizationTaxIDsCommand() *cobra.Command {
	command := cli.NewCommand("tax-ids [--organization ORG]",
		"List which organization may use the series of which CNPJ or CPF",
		"emissor organization tax-ids --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	command.Long = `List which organization may use the series of which CNPJ or CPF. In each environment of an authority
it belongs to its owner, the first that showed a certificate of it whose chain leads to a root certificate; others are
allowed it by the operator.`
	organization := cli.OrganizationFilter(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		claims, err := s.Store.Companies.TaxIDClaims(ctx, *organization)
		return claimTable.Show(s, cli.Mapped(claims, newPrintedClaim), err)
	})
}

func organizationAllowTaxIDCommand() *cobra.Command {
	return taxIDChangeCommand("allow-tax-id", "Let an organization use the series of a CNPJ or CPF beside its owner; "+
		"its notes that wait for that go on",
		`It is for a company whose notes several organizations issue, for one that moves from an organization to
another (then take it from that one by revoke-tax-id), and where a certificate's chain could not be verified. See first
that the organization really speaks for the company: it can take and skip numbers of its series.`,
		(*companies.Changes).AllowTaxID)
}

func organizationRevokeTaxIDCommand() *cobra.Command {
	return taxIDChangeCommand("revoke-tax-id", "Take the use of the series of a CNPJ or CPF from an organization; "+
		"its notes that have a number are finished",
		`Where that was the owner, the next that shows a certificate of the CNPJ or CPF owns it. That may be the same
organization, as long as it has one: remove its certificates as well (emissor certificate remove).`,
		(*companies.Changes).RevokeTaxID)
}

func taxIDChangeCommand(verb, short, long string, change func(by *companies.Changes, ctx context.Context,
	organizationID string, issuer nfse.IssuerKey) (companies.TaxIDClaim, error)) *cobra.Command {
	command := cli.NewCommand(verb+" --organization ORG --document DOCUMENT --environment ENVIRONMENT", short,
		"emissor organization "+verb+` --organization org_01m10n7b5xf0stgd3ek65gw866 --document 11222333000181 \
  --environment production`, cobra.NoArgs)
	command.Long = short + ".\n\n" + long
	organization := cli.OrganizationFlag(command)
	document := cli.RequiredFlag(command, "document", "CNPJ or CPF of the issuer; each branch has its own")
	authority := command.Flags().String("authority", authorities.Default,
		"by which the series are issued: national, sao-paulo, or a city of the table (emissor city list)")
	environment := cli.RequiredFlag(command, "environment", "of the authority: production or restricted")
	cli.CompleteFlag(command, "authority", authorities.Names()...)
	cli.CompleteFlag(command, "environment", cli.AuthorityEnvironments...)
	issuer := nfse.IssuerKey{}
	return cli.CheckedCommand(command, func([]string) (err error) {
		if issuer.TaxID, err = nfse.ParseTaxID(*document); err != nil {
			return cli.Usage("--document %w", err)
		}
		if issuer.Production, err = nfse.ParseEnvironment(*environment); err != nil {
			return cli.Usage("--environment %w", err)
		}
		issuer.Authority = *authority
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if _, known := authorities.Named(issuer.Authority); !known { // by the imported table of cities
			return cli.Usage("--authority must be %s", strings.Join(authorities.Names(), " or "))
		}
		if _, err := s.Store.Access.Organization(ctx, *organization); err != nil {
			return err
		}
		changed, err := change(s.Changes.Companies, ctx, *organization, issuer)
		return claimTable.ShowOne(s, newPrintedClaim(changed), err)
	})
}
