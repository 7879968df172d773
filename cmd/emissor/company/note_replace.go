package company

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/serve"
	"emissor/fiscal/authorities"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
)

func noteReplaceCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "replace NOTE --reference REFERENCE --reason CODE [--text TEXT] [what is to be otherwise]",
		Short: "Issue a note that replaces another, which is cancelled by that at the authority",
		Long: `Issue a note that replaces an issued live one (substitution). One message does both, or neither: while
it is on its way nothing else cancels the note, and if it is refused the note stays as it is. What no flag gives is as
in the note that is replaced. A company outside Simples Nacional cannot change day of competence and service, one in it
cannot change the day, the customer and the amount.

The reasons: 01 the company has left Simples Nacional, 02 it has entered it, 03 an immunity or exemption applies from
then on, 04 it does not any more, 05 the customer or intermediary who is responsible has rejected the note, 99 any
other, which the text says. 01 and 02 are taken where the profile by which the note was issued and that of today say
so.`,
		Example: `emissor note replace nfse_01m0w44f10fsyspwgt3r335dyf --reference order-2026-1042-b --reason 99 \
  --text "the amount was wrong" --amount-cents 15000`,
		Args: cobra.ExactArgs(1),
	}
	flags := replacementFlags(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		found, err := s.Store.Lifecycle.NoteHistory(ctx, s.Args[0])
		if err != nil {
			return err
		}
		to, err := company.ReadToReplace(ctx, s.Store, found.Scope, found.Note.ID)
		if err != nil {
			return err
		}
		text, err := reasonInWords(*flags.text)
		if err != nil {
			return err
		}
		details, err := to.Details(*flags.reason, text)
		if err != nil {
			return flagged(err)
		}
		if flags.changed("service") { // whose own work and event count, but for those of the form
			details.Work, details.Event = to.LiveNote.Details.Work, to.LiveNote.Details.Event
		}
		rules := catalogue.New(s.Store, serve.NewResolver(s.Config, s.Store.Catalogues, slog.New(slog.DiscardHandler)))
		note, known, err := rules.DraftReplacement(ctx, found.Scope, to.Defaults, nfse.NewID(nfse.PrefixRequest),
			flags.issuance(to), details)
		if err != nil {
			return flagged(err)
		}
		if known != nil {
			return s.Say(printedReplacement{known.ID, known.Status, found.Note.ID},
				"%s replaces the note already; it is %s\n", known.ID, known.Status)
		}
		refused, err := to.Check(ctx, s.Store, note)
		if err != nil {
			return err
		}
		if refused != nil {
			return fmt.Errorf("%s: %s", refused.Code, refused.Message)
		}
		accepted, _, err := s.Changes.Lifecycle.Replace(ctx, note)
		if err != nil {
			return err
		}
		return s.Say(printedReplacement{accepted.ID, accepted.Status, found.Note.ID},
			"%s replaces %s; a worker issues it\n", accepted.ID, found.Note.ID)
	})
}

// printedReplacement is a note that replaces another, as the command prints it.
type printedReplacement struct {
	ID       string      `json:"id"`
	Status   nfse.Status `json:"status"`
	Replaces string      `json:"replaces"`
}

// replacement are the flags of what a note has that replaces another.
type replacement struct {
	reference, reason, text, service, description *string
	amountCents                                   *int64
	changed                                       func(flag string) bool
}

func replacementFlags(command *cobra.Command) replacement {
	flags := command.Flags()
	given := replacement{
		reference:   cli.RequiredFlag(command, "reference", "the new note's own reference"),
		reason:      cli.RequiredFlag(command, "reason", "why: 01, 02, 03, 04, 05 or 99"),
		text:        flags.String("text", "", "the reason in words, 15 to 255 characters"),
		amountCents: flags.Int64("amount-cents", 0, "another amount, in cents"),
		service:     flags.String("service", "", "another service (srv_...)"),
		description: flags.String("description", "", "another description of the service"),
		changed:     flags.Changed,
	}
	if by, _ := authorities.Named(authorities.Default); by.Replacement != nil {
		cli.CompleteFlag(command, "reason", by.Replacement.Reasons...)
	}
	return given
}

// issuance is the request of the new note: what no flag gives is as in the note that is replaced.
func (r replacement) issuance(to company.ToReplace) nfse.Issuance {
	issuance := to.Again(*r.reference)
	if r.changed("amount-cents") {
		issuance.AmountCents = *r.amountCents
	}
	if r.changed("service") {
		issuance.ServiceID, issuance.Description = *r.service, nil
	}
	if r.changed("description") {
		issuance.Description = r.description
	}
	return issuance
}

// reasonInWords checks --text where it is given.
func reasonInWords(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	kept, err := catalogue.ReasonText(text)
	if err != nil {
		return "", cli.Usage("--text %w", err)
	}
	return kept, nil
}

// flagged names the flag of an error that names a field; the fields that have none are as in the
// note that is replaced.
func flagged(err error) error {
	var invalid *nfse.Error
	if !errors.As(err, &invalid) || invalid.Code != nfse.CodeInvalidRequest {
		return err
	}
	flag := map[string]string{"reason_code": "--reason", "reason_text": "--text", "reference": "--reference",
		"amount_cents": "--amount-cents", "service": "--service", "description": "--description"}[invalid.Field]
	return fmt.Errorf("%s %s", cmp.Or(flag, invalid.Field), invalid.Message)
}
