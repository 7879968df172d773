package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/nfse"
)

func clientNoteWaitCommand() *cobra.Command {
	command := newCommand("wait NOTE", "Wait until a note is issued, rejected or cancelled; a rejected one is an error",
		`emissor client note wait nfse_01m0w42mhrfrtr5k9vysj1qpre --timeout 2m`, cobra.ExactArgs(1))
	timeout := timeoutFlag(command, 10*time.Minute)
	return callerCommand(command, func(ctx context.Context, s *callerRun) error {
		ctx, cancel := within(ctx, *timeout)
		defer cancel()
		note, err := s.client.WaitForEnd(ctx, s.args[0])
		if err != nil {
			return err
		}
		return s.printEnd(note)
	})
}

func clientNoteShowCommand() *cobra.Command {
	command := newCommand("show NOTE", "Show a note; the whole record with --json",
		`emissor client note show nfse_01m0w42mhrfrtr5k9vysj1qpre --json`, cobra.ExactArgs(1))
	return callerShow(command, callerNotes, (*client.Client).Note)
}

func clientNoteListCommand() *cobra.Command {
	return callerList(
		newCommand("list", "List notes, newest first", "emissor client note list --limit 20", cobra.NoArgs),
		callerNotes, (*client.Client).Notes)
}

func clientNoteXMLCommand() *cobra.Command {
	command := newCommand("xml NOTE -o FILE", "Save a note's document, byte for byte",
		"emissor client note xml nfse_01m0w42mhrfrtr5k9vysj1qpre -o note.xml", cobra.ExactArgs(1))
	file := outputFlag(command)
	return callerCommand(command, func(ctx context.Context, s *callerRun) error {
		if *file == "" {
			return usage(outputMissing)
		}
		document, err := s.client.XML(ctx, s.args[0])
		if err != nil {
			return err
		}
		return s.writeDocument(s.args[0], *file, document)
	})
}

func clientNoteCancelCommand() *cobra.Command {
	command := newCommand("cancel NOTE", "Ask for a note's cancellation",
		`emissor client note cancel nfse_01m0w42mhrfrtr5k9vysj1qpre --reason-code 2 \
  --reason-text "O serviço não foi prestado." --wait`, cobra.ExactArgs(1))
	flags := command.Flags()
	code := chosenFlag(command, "reason-code", "1 (error in issuance), 2 (service not rendered) or 9 (other)",
		"1", "2", "9")
	text := flags.String("reason-text", "", "why, 15 to 255 characters")
	wait := flags.Bool("wait", false, "wait for the answer of the authority; a refusal is an error")
	timeout := timeoutFlag(command, 10*time.Minute)
	return callerCommand(command, func(ctx context.Context, s *callerRun) error {
		note, err := s.client.CancelNote(ctx, s.args[0], client.CancelNfse{ReasonCode: client.ReasonCode(*code),
			ReasonText: *text})
		if err != nil {
			return err
		}
		if *wait {
			waiting, cancel := within(ctx, *timeout)
			defer cancel()
			if note, err = s.client.WaitSettled(waiting, note.ID); err != nil {
				return err
			}
		}
		if err := callerNotes.printOne(&s.commandRun, note); err != nil {
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
	return fmt.Errorf("the cancellation was refused: %s. %s", orDash(refusal.Code), orDash(refusal.Action))
}

func clientNoteCreateCommand() *cobra.Command {
	command := newCommand("create", "Issue a note: the same request twice is one note",
		`emissor client note create --reference order-1001 \
  --service srv_01m0st8jg0egxb31vmrnsbv2h5 --amount-cents 15000 \
  --document 529.982.247-25 --name "Maria da Silva" --zip-code 01310-100 \
  --street "Avenida Paulista" --number 1578 --district "Bela Vista" --wait
emissor client note create --file - --json < note.json`, cobra.NoArgs)
	request := addIssuanceFlags(command)
	wait := command.Flags().Bool("wait", false, "wait until it is issued or rejected; a rejected one is an error")
	timeout := timeoutFlag(command, 10*time.Minute)
	return callerCommand(command, func(ctx context.Context, s *callerRun) error {
		body, err := request.body()
		if err != nil {
			return err
		}
		accepted, err := s.client.Issue(ctx, body)
		if err != nil {
			return err
		}
		if !*wait {
			return s.print(accepted, "ID\tSTATUS\tREFERENCE\tIDEMPOTENT\tCUSTOMER", [][]any{{
				accepted.ID, accepted.Status, shorten(accepted.Reference), accepted.Idempotent, accepted.CustomerID}})
		}
		ctx, cancel := within(ctx, *timeout)
		defer cancel()
		note, err := s.client.WaitForEnd(ctx, accepted.ID)
		if err != nil {
			return fmt.Errorf("%s was accepted: %w", accepted.ID, err)
		}
		return s.printEnd(note)
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
		scenario: chosenFlag(command, "scenario", "with a test key: authorized, rejected or slow",
			string(nfse.ScenarioAuthorized), string(nfse.ScenarioRejected), string(nfse.ScenarioSlow)),
		customerID: text("customer", "id of a customer (cus_...), in place of the flags of one"),
	}
	request.file = fileInsteadOf(command, append(takerFlagNames, "reference", "service", "amount-cents", "description",
		"iss-withheld", "scenario", "customer")...)
	for _, name := range takerFlagNames {
		command.MarkFlagsMutuallyExclusive("customer", name)
	}
	return request
}

// body makes the request of the flags. What is wrong in it the API says.
func (f issuanceFlags) body() (any, error) {
	if *f.file != "" {
		return bodyFile(f.command, *f.file)
	}
	if *f.reference == "" {
		return nil, usage("--reference is missing: without one a request that is repeated is another note")
	}
	issuance := client.CreateNfse{Reference: *f.reference, ServiceID: *f.service, AmountCents: *f.amount,
		CustomerID: unlessZero(*f.customerID), ISSWithheld: unlessZero(*f.withheld),
		SandboxScenario: unlessZero(client.SandboxScenario(*f.scenario))}
	if *f.description != "" {
		issuance.Service = &client.ServiceOverride{Description: f.description}
	}
	if *f.customerID == "" {
		issuance.Customer = &client.InlineCustomer{Document: *f.document, Name: *f.name,
			MunicipalityCode: given(f.command, "municipality-code", *f.municipality),
			Address: client.InlineAddress{ZipCode: *f.zipCode, Street: *f.street, Number: *f.number, District: *f.district,
				StreetType: given(f.command, "street-type", *f.streetType),
				Complement: given(f.command, "complement", *f.complement)}}
	}
	return issuance, nil
}
