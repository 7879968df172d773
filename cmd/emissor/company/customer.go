package company

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/privacy"
)

func CustomerCommand() *cobra.Command {
	return cli.CommandGroup("customer", "Show or erase what is on record of a taker (LGPD), and say what it withholds",
		customerExportCommand(), customerEraseCommand(), customerTaxCommand())
}

// documentFlag adds --document, which must be given; parseDocument reads it.
func documentFlag(command *cobra.Command) *string {
	return cli.RequiredFlag(command, "document", "CPF or CNPJ of the taker; of one abroad, its document in the API")
}

func parseDocument(s string) (nfse.TaxID, error) {
	if abroad := nfse.TaxID(s); abroad.IsForeign() {
		return abroad, nil
	}
	taxID, err := nfse.ParseTaxID(s)
	if err != nil {
		return "", cli.Usage("--document %w", err)
	}
	return taxID, nil
}

func customerExportCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "export --organization ORG --document DOCUMENT",
		Short: "Print, as JSON, all that is on record of a taker in an organization",
		Long: `Print, as JSON, all that is on record of a taker in an organization: the customer's rows and every note
of them, with documents, messages, events, attempts, e-mails and ledger, and every note that they have issued to the
organization. That it was exported is in the audit log.`,
		Example: `emissor customer export --organization org_01m10n7b5xf0stgd3ek65gw866 --document 52998224725 \
  > taker.json`,
		Args: cobra.NoArgs,
	}
	organization, document := cli.OrganizationFlag(command), documentFlag(command)
	var taxID nfse.TaxID
	return cli.CheckedCommand(command, func([]string) (err error) {
		taxID, err = parseDocument(*document)
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		encoder := json.NewEncoder(s.Out)
		encoder.SetEscapeHTML(false)
		notes, received := 0, 0
		// A taker may have more notes than fit in memory: they are printed as they are read.
		err := s.Changes.Privacy.ExportCustomer(ctx, *organization, taxID,
			func(customers []privacy.RecordedCustomer) error {
				fmt.Fprintf(s.Out, `{"organization_id":%q,"document":%q,"exported_at":%q,"customers":`,
					*organization, taxID, nfse.Timestamp{Time: time.Now()})
				if err := encoder.Encode(customers); err != nil {
					return err
				}
				_, err := fmt.Fprint(s.Out, `,"notes":[`)
				return err
			}, func(note privacy.ExportedNote) error {
				if notes++; notes > 1 {
					fmt.Fprint(s.Out, ",")
				}
				return encoder.Encode(note)
			}, func(note privacy.ExportedReceived) error {
				if received++; received == 1 {
					fmt.Fprint(s.Out, `],"received_notes":[`)
				} else {
					fmt.Fprint(s.Out, ",")
				}
				return encoder.Encode(note)
			})
		if err != nil {
			return err
		}
		if received == 0 {
			fmt.Fprint(s.Out, `],"received_notes":[`)
		}
		_, err = fmt.Fprintln(s.Out, "]}")
		return err
	})
}

// PrintedErasure is what customer erase prints as JSON.
type PrintedErasure struct {
	Erased bool `json:"erased"` // false: nothing was, because --yes was not given
	privacy.Erasure
}

func customerEraseCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "erase --organization ORG --document DOCUMENT [--yes]",
		Short: "Erase what the law lets go of a taker, and say what must stay; without --yes only say it",
		Long: `Erase what the law lets go of a taker, and say what must stay; without --yes only say it.

Erased are the customer's rows (name, address, e-mail), test notes, and live notes of which the law asks for no document
any more: their rows stay without anything personal, because idempotency is for ever. Live notes stay until five years
after the end of their year, because the law asks for fiscal documents for so long; only copies of them go. The same
holds for notes received that they have issued. A copy that a receiver of webhooks, a mailbox or a backup has is not
reached. See docs/operations/personal-data.md.`,
		Example: `emissor customer erase --organization org_01m10n7b5xf0stgd3ek65gw866 --document 52998224725
emissor customer erase --organization org_01m10n7b5xf0stgd3ek65gw866 --document 52998224725 --yes`,
		Args: cobra.NoArgs,
	}
	organization, document := cli.OrganizationFlag(command), documentFlag(command)
	yes := command.Flags().Bool("yes", false, "really erase; it cannot be undone")
	var taxID nfse.TaxID
	return cli.CheckedCommand(command, func([]string) (err error) {
		taxID, err = parseDocument(*document)
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		erasure, err := s.Changes.Privacy.EraseCustomer(ctx, *organization, taxID, *yes)
		if err != nil {
			return err
		}
		if s.Json {
			return s.Print(PrintedErasure{*yes, erasure}, "", nil)
		}
		return printErasure(s, erasure, *yes)
	})
}

func printErasure(s *cli.CommandRun, erasure privacy.Erasure, done bool) error {
	heading := "NOTHING WAS ERASED. This is what --yes erases:"
	if done {
		heading = "ERASED:"
	}
	if err := s.Printf("%s\n\n", heading); err != nil {
		return err
	}
	err := s.Print(nil, "CUSTOMER\tENVIRONMENT\tITS RECORD\tNOTES ERASED\tNOTES THAT STAY",
		cli.Mapped(erasure.Customers, func(c privacy.ErasedCustomer) []any {
			record := "all"
			if c.TaxIDStays {
				record = "all but the document"
			}
			return []any{c.ID, c.Environment(), record, c.NotesErased, c.NotesStay}
		}))
	if err == nil && erasure.WaitingLines > 0 {
		err = s.Printf("\nLINES OF SPREADSHEETS THAT WAIT AND BECOME NO NOTES: %d\n", erasure.WaitingLines)
	}
	if err == nil && erasure.ReceivedErased+erasure.ReceivedStay > 0 {
		err = s.Printf("\nNOTES RECEIVED FROM THEM: %d of which the law asks for nothing any more, whose content goes; "+
			"%d that stay.\n", erasure.ReceivedErased, erasure.ReceivedStay)
	}
	if err == nil && erasure.InArchive > 0 {
		err = s.Printf("\nIN THE ARCHIVE: %d documents. Nobody can read them by Emissor any more; the workers erase them "+
			"there within minutes, and `emissor archive status` says how many wait.\n", erasure.InArchive)
	}
	if err != nil || len(erasure.Stays) == 0 {
		return err
	}
	err = s.Printf("\nTHESE STAY: the law asks for the fiscal documents of live notes for five years " +
		"from the year after.\nOf them only copies go: " +
		"the content of events, attempts at webhooks, problems with e-mail.\n\n")
	if err != nil {
		return err
	}
	return s.Print(nil, "NOTE\tREFERENCE\tSTATUS\tUNTIL", cli.Mapped(erasure.Stays, func(n privacy.StayingNote) []any {
		return []any{n.ID, n.Reference, n.Status, n.Until}
	}))
}
