package callers

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/company"
	"emissor/nfse"
)

func clientNoteWaitCommand() *cobra.Command {
	command := cli.NewCommand("wait NOTE",
		"Wait until a note is issued, rejected or cancelled; a rejected one is an error",
		`emissor client note wait nfse_01m0w42mhrfrtr5k9vysj1qpre --timeout 2m`, cobra.ExactArgs(1))
	timeout := cli.TimeoutFlag(command, 10*time.Minute)
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		ctx, cancel := cli.Within(ctx, *timeout)
		defer cancel()
		note, err := s.Client.WaitForEnd(ctx, s.Args[0])
		if err != nil {
			return err
		}
		return s.PrintEnd(note)
	})
}

func clientNoteShowCommand() *cobra.Command {
	command := cli.NewCommand("show NOTE", "Show a note; the whole record with --json",
		`emissor client note show nfse_01m0w42mhrfrtr5k9vysj1qpre --json`, cobra.ExactArgs(1))
	return callerShow(command, cli.CallerNotes, (*client.Client).Note)
}

func clientNoteListCommand() *cobra.Command {
	return callerList(
		cli.NewCommand("list", "List notes, newest first", "emissor client note list --limit 20", cobra.NoArgs),
		cli.CallerNotes, (*client.Client).Notes)
}

func clientNoteXMLCommand() *cobra.Command {
	command := cli.NewCommand("xml NOTE -o FILE", "Save a note's document, byte for byte",
		"emissor client note xml nfse_01m0w42mhrfrtr5k9vysj1qpre -o note.xml", cobra.ExactArgs(1))
	file := company.OutputFlag(command)
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		if *file == "" {
			return cli.Usage(company.OutputMissing)
		}
		document, err := s.Client.XML(ctx, s.Args[0])
		if err != nil {
			return err
		}
		return company.WriteNoteDocument(&s.CommandRun, s.Args[0], *file, document)
	})
}

func clientNoteCancelCommand() *cobra.Command {
	command := cli.NewCommand("cancel NOTE", "Ask for a note's cancellation",
		`emissor client note cancel nfse_01m0w42mhrfrtr5k9vysj1qpre --reason-code 2 \
  --reason-text "O serviço não foi prestado." --wait`, cobra.ExactArgs(1))
	flags := command.Flags()
	code := cli.ChosenFlag(command, "reason-code", "1 (error in issuance), 2 (service not rendered) or 9 (other)",
		"1", "2", "9")
	text := flags.String("reason-text", "", "why, 15 to 255 characters")
	wait := flags.Bool("wait", false, "wait for the answer of the authority; a refusal is an error")
	timeout := cli.TimeoutFlag(command, 10*time.Minute)
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		note, err := s.Client.CancelNote(ctx, s.Args[0], client.CancelNfse{ReasonCode: client.ReasonCode(*code),
			ReasonText: *text})
		if err != nil {
			return err
		}
		if *wait {
			waiting, cancel := cli.Within(ctx, *timeout)
			defer cancel()
			if note, err = s.Client.WaitSettled(waiting, note.ID); err != nil {
				return err
			}
		}
		if err := cli.CallerNotes.PrintOne(&s.CommandRun, note); err != nil {
			return err
		}
		if *wait && note.Status != client.NfseStatusCancelled {
			return notCancelled(note)
		}
		return nil
	})
}

// notCancelled says why a note whose cancellation has ended is not cancelled.
func notCancelled(note client.Nfse) error {
	if note.Cancellation == nil || note.Cancellation.Refusal == nil {
		return fmt.Errorf("the note was not cancelled: it is %s", note.Status)
	}
	refusal := note.Cancellation.Refusal
	return fmt.Errorf("the cancellation was refused: %s. %s", cli.OrDash(refusal.Code), cli.OrDash(refusal.Action))
}

func clientNoteCreateCommand() *cobra.Command {
	command := cli.NewCommand("create", "Issue a note: the same request twice is one note",
		`emissor client note create --reference order-1001 \
  --service srv_01m0st8jg0egxb31vmrnsbv2h5 --amount-cents 15000 \
  --document 529.982.247-25 --name "Maria da Silva" --zip-code 01310-100 \
  --street "Avenida Paulista" --number 1578 --district "Bela Vista" --wait
emissor client note create --file - --json < note.json`, cobra.NoArgs)
	request := addIssuanceFlags(command)
	wait := command.Flags().Bool("wait", false, "wait until it is issued or rejected; a rejected one is an error")
	timeout := cli.TimeoutFlag(command, 10*time.Minute)
	return cli.CallerCommand(command, func(ctx context.Context, s *cli.CallerRun) error {
		body, err := request.body()
		if err != nil {
			return err
		}
		accepted, err := s.Client.Issue(ctx, body)
		if err != nil {
			return err
		}
		if !*wait {
			return s.Print(accepted, "ID\tSTATUS\tREFERENCE\tIDEMPOTENT\tCUSTOMER", [][]any{{
				accepted.ID, accepted.Status, cli.Shorten(accepted.Reference), accepted.Idempotent, accepted.CustomerID}})
		}
		ctx, cancel := cli.Within(ctx, *timeout)
		defer cancel()
		note, err := s.Client.WaitForEnd(ctx, accepted.ID)
		if err != nil {
			return fmt.Errorf("%s was accepted: %w", accepted.ID, err)
		}
		return s.PrintEnd(note)
	})
}

// issuanceFlags are the flags of a request to issue.
type issuanceFlags struct {
	takerFlags
	file, reference, service, description, scenario, customerID *string
	amount                                                      *int64
	withheld                                                    *bool
}

func addIssuanceFlags(command *cobra.Command) issuanceFlags {
	flags := command.Flags()
	text := func(name, usage string) *string { return flags.String(name, "", usage) }
	request := issuanceFlags{takerFlags: addTakerFlags(command),
		reference:   text("reference", "the charge in your system: keep it before you call, and repeat with the same"),
		service:     text("service", "id of the service (srv_...)"),
		amount:      flags.Int64("amount-cents", 0, "amount in cents: 15000 is R$ 150,00"),
		description: text("description", "in place of the service's description, for this note only"),
		withheld:    flags.Bool("iss-withheld", false, "the customer withholds the ISS"),
		scenario: cli.ChosenFlag(command, "scenario", "with a test key: authorized, rejected or slow",
			string(nfse.ScenarioAuthorized), string(nfse.ScenarioRejected), string(nfse.ScenarioSlow)),
		customerID: text("customer", "id of a customer (cus_...), in place of the flags of one"),
	}
	request.file = cli.FileInsteadOf(command, append(takerFlagNames, "reference", "service", "amount-cents",
		"description",
		"iss-withheld", "scenario", "customer")...)
	for _, name := range takerFlagNames {
		command.MarkFlagsMutuallyExclusive("customer", name)
	}
	return request
}

// body makes the request of the flags. What is wrong in it the API says.
func (f issuanceFlags) body() (any, error) {
	if *f.file != "" {
		return cli.BodyFile(f.command, *f.file)
	}
	if *f.reference == "" {
		return nil, cli.Usage("--reference is missing: without one a request that is repeated is another note")
	}
	issuance := client.CreateNfse{Reference: *f.reference, ServiceID: *f.service, AmountCents: *f.amount,
		CustomerID: cli.UnlessZero(*f.customerID), ISSWithheld: cli.UnlessZero(*f.withheld),
		SandboxScenario: cli.UnlessZero(client.SandboxScenario(*f.scenario))}
	if *f.description != "" {
		issuance.Service = &client.ServiceOverride{Description: f.description}
	}
	if *f.customerID == "" {
		issuance.Customer = &client.InlineCustomer{Document: *f.document, Name: *f.name,
			MunicipalityCode: cli.Given(f.command, "municipality-code", *f.municipality),
			Address: client.InlineAddress{ZipCode: *f.zipCode, Street: *f.street, Number: *f.number, District: *f.district,
				StreetType: cli.Given(f.command, "street-type", *f.streetType),
				Complement: cli.Given(f.command, "complement", *f.complement)}}
	}
	return issuance, nil
}
