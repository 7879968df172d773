package callers

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/cmd/emissor/cli"
)

// callerCustomers prints customers without their documents, which --json has.
var callerCustomers = cli.Table[client.Customer]{Header: "ID\tNAME\tMUNICIPALITY\tCOMPLETE\tUPDATED",
	Row: func(c client.Customer) []any {
		return []any{c.ID, cli.Shorten(c.Name), cli.OrDash(c.MunicipalityCode), c.FiscalDataComplete, c.UpdatedAt}
	}}

func clientCustomerListCommand() *cobra.Command {
	return callerList(cli.NewCommand("list", "List customers, newest first", "emissor client customer list --limit 20",
		cobra.NoArgs), callerCustomers, (*client.Client).Customers)
}

func clientCustomerShowCommand() *cobra.Command {
	return callerShow(cli.NewCommand("show CUSTOMER", "Show a customer; the whole record with --json",
		"emissor client customer show cus_01m7yv5b9cffma8cfpfgfa2982 --json", cobra.ExactArgs(1)),
		callerCustomers, (*client.Client).Customer)
}

func clientCustomerSaveCommand() *cobra.Command {
	command := cli.NewCommand("save", "Create a customer, or change the one that has its document",
		`emissor client customer save --document 529.982.247-25 --name "Maria da Silva" --zip-code 01310-100 \
  --street "Avenida Paulista" --number 1578 --district "Bela Vista"
emissor client customer save --file customer.json --json`, cobra.NoArgs)
	taker := addTakerFlags(command)
	nickname := command.Flags().String("nickname", "", "how you call the customer")
	email := command.Flags().String("email", "", "the customer's e-mail address")
	file := cli.FileInsteadOf(command, append(takerFlagNames, "nickname", "email")...)
	request := func() (any, error) {
		if *file != "" {
			return cli.BodyFile(command, *file)
		}
		return client.CreateCustomer{Document: *taker.document, Name: *taker.name,
			Nickname: cli.Given(command, "nickname", *nickname), Email: cli.Given(command, "email", *email),
			MunicipalityCode: cli.Given(command, "municipality-code", *taker.municipality), Address: taker.address()}, nil
	}
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		body, err := request()
		if err != nil {
			return err
		}
		saved, err := s.Client.SaveCustomer(ctx, body)
		if err != nil {
			return err
		}
		return callerCustomers.PrintOne(&s.CommandRun, saved)
	})
}

// takerFlags are the flags of who takes a service.
type takerFlags struct {
	command                                                   *cobra.Command
	document, name, municipality                              *string
	zipCode, streetType, street, number, district, complement *string
}

// takerFlagNames are their names.
var takerFlagNames = []string{"document", "name", "zip-code", "street-type", "street", "number", "district",
	"complement", "municipality-code"}

func addTakerFlags(command *cobra.Command) takerFlags {
	text := func(name, usage string) *string { return command.Flags().String(name, "", usage) }
	return takerFlags{command: command,
		document:   text("document", "the customer's CPF or CNPJ"),
		name:       text("name", "the customer's name"),
		zipCode:    text("zip-code", "the customer's zip code"),
		streetType: text("street-type", "as Avenida, where the street is without it"),
		street:     text("street", "the customer's street"),
		number:     text("number", "number in the street"),
		district:   text("district", "the customer's district"),
		complement: text("complement", "rest of the address"),
		municipality: text("municipality-code",
			"IBGE code of the customer's municipality; the zip code's when left out"),
	}
}

// address is the address that was given; nil: nothing of it was.
func (f takerFlags) address() *client.AddressInput {
	text := func(name string, value *string) *string { return cli.Given(f.command, name, *value) }
	address := client.AddressInput{StreetType: text("street-type", f.streetType), Street: text("street", f.street),
		Number: text("number", f.number), District: text("district", f.district), ZipCode: text("zip-code", f.zipCode),
		Complement: text("complement", f.complement)}
	if address == (client.AddressInput{}) {
		return nil
	}
	return &address
}
