package callers

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/cmd/emissor/cli"
	"emissor/nfse"
)

// callerServices prints services as callers see them.
var callerServices = cli.Table[client.Service]{
	Header: "ID\tNAME\tMUNICIPALITY\tAMOUNT (BRL)\tNATIONAL CODE\tISS %\tACTIVE",
	Row: func(s client.Service) []any {
		return []any{s.ID, cli.Shorten(s.Name), s.MunicipalityCode, cli.Reais(s.DefaultAmountCents),
			cli.OrDash(s.NationalTaxCode), cli.OrDash(s.ISSRate), s.Active}
	},
}

func clientServiceListCommand() *cobra.Command {
	return callerList(cli.NewCommand("list", "List the catalogue, newest first", "emissor client service list --limit 20",
		cobra.NoArgs), callerServices, (*client.Client).Services)
}

func clientServiceShowCommand() *cobra.Command {
	return callerShow(cli.NewCommand("show SERVICE", "Show a service; the whole record with --json",
		"emissor client service show srv_01m0st8jg0egxb31vmrnsbv2h5 --json", cobra.ExactArgs(1)),
		callerServices, (*client.Client).Service)
}

func clientServiceCreateCommand() *cobra.Command {
	command := cli.NewCommand("create", "Create a service in the catalogue; twice makes two",
		`emissor client service create --name "Suporte técnico" \
  --description "Suporte técnico em informática" --municipality-code 3550308 --amount-cents 15000 \
  --national-tax-code 010701 --iss-rate 2.5
emissor client service create --file service.json --json`, cobra.NoArgs)
	flags := command.Flags()
	name := flags.String("name", "", "name, 2 to 80 characters")
	description := flags.String("description", "", "what is printed on notes, 3 to 2000 characters")
	municipality := flags.String("municipality-code", "", "IBGE code of the municipality, 7 digits")
	amount := flags.Int64("amount-cents", 0, "default amount in cents: 15000 is R$ 150,00")
	national := flags.String("national-tax-code", "", "national service code, 6 digits")
	municipal := flags.String("municipal-tax-code", "", "the city's service code, 4 or 5 digits")
	taxation := cli.ChosenFlag(command, "municipal-taxation", "T or F", "T", "F")
	rate := flags.String("iss-rate", "", "ISS in per cent, as 2.5: more than 0, at most 5")
	inactive := flags.Bool("inactive", false, "not to be used by notes yet")
	file := cli.FileInsteadOf(command, "name", "description", "municipality-code", "amount-cents", "national-tax-code",
		"municipal-tax-code", "municipal-taxation", "iss-rate", "inactive")
	request := func(file string) (any, error) {
		if file != "" {
			return cli.BodyFile(command, file)
		}
		service := client.CreateService{Name: *name, Description: *description, MunicipalityCode: *municipality,
			DefaultAmountCents: *amount, NationalTaxCode: cli.Given(command, "national-tax-code", *national),
			MunicipalTaxCode:  cli.Given(command, "municipal-tax-code", *municipal),
			MunicipalTaxation: cli.Given(command, "municipal-taxation", client.MunicipalTaxation(*taxation)),
			Active:            cli.Given(command, "inactive", !*inactive)}
		if *rate != "" {
			parsed, err := nfse.ParseRate(*rate)
			if err != nil {
				return nil, cli.Usage("--iss-rate %w", err)
			}
			service.ISSRate = new(float64(parsed) / 100)
		}
		return service, nil
	}
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		body, err := request(*file)
		if err != nil {
			return err
		}
		created, err := s.Client.CreateService(ctx, body)
		if err != nil {
			return err
		}
		return callerServices.PrintOne(&s.CommandRun, created)
	})
}
