package company

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/dashboard/words"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/workflows"
)

func NoteCommand() *cobra.Command {
	return cli.CommandGroup("note", "Look at a note's whole life and put it in motion again",
		noteFindCommand(), noteShowCommand(), noteDANFSeCommand(), noteHeldCommand(), noteRedriveCommand(),
		noteRequestAnalysisCommand(), noteCalculateCommand(), noteCompareCommand(), noteReplaceCommand())
}

var foundNoteTable = cli.Table[lifecycle.FoundNote]{
	Header: "NOTE\tORGANIZATION\tENVIRONMENT\tREFERENCE\tSTATUS\tCREATED",
	Row: func(n lifecycle.FoundNote) []any {
		return []any{n.ID, n.OrganizationID, n.Environment(), n.Reference, n.Status, n.CreatedAt}
	},
}

func noteFindCommand() *cobra.Command {
	command := cli.NewCommand("find [--reference REFERENCE] [--request REQUEST_ID] [--organization ORG]",
		"Find notes by the caller's reference or by the id of the request that created or cancelled them",
		`emissor note find --reference order-2026-1042
emissor note find --request req_01m0w42mawfnrscgnq4tr480b2`, cobra.NoArgs)
	var search lifecycle.NoteSearch
	organization := cli.OrganizationFilter(command)
	command.Flags().StringVar(&search.Reference, "reference", "", "the caller's reference")
	command.Flags().StringVar(&search.RequestID, "request", "", "id of a request (req_...)")
	return cli.CheckedCommand(command, func([]string) error {
		if search.Reference == "" && search.RequestID == "" {
			return errors.New("say --reference or --request")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		search.OrganizationID = *organization
		found, err := s.Store.Lifecycle.FindNotes(ctx, search)
		return foundNoteTable.Show(s, found, err)
	})
}

func noteShowCommand() *cobra.Command {
	command := cli.NewCommand("show NOTE",
		"Show a note's states, who asked for them and when, its events, deliveries and attempts",
		"emissor note show nfse_01m0w44f10fsyspwgt3r335dyf", cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		history, err := s.Store.Lifecycle.NoteHistory(ctx, s.Args[0])
		if err != nil {
			return err
		}
		workflowID := workflows.NoteID(history.Scope, history.Note.Reference)
		link := cli.WorkflowLink(s.Config, workflowID)
		if s.Json {
			return s.Print(struct {
				lifecycle.NoteHistory
				WorkflowID  string `json:"workflow_id"`
				TemporalURL string `json:"temporal_url"`
				CityURL     string `json:"city_url"` // of a note that a city issued itself
			}{history, workflowID, link, cityURL(history)}, "", nil)
		}
		return printHistory(s, history, workflowID, link)
	})
}

// cityURL is where the city that issued a note shows it; empty when none did.
func cityURL(history lifecycle.NoteHistory) string {
	authority := history.Note.Authority
	if authority == nil {
		return ""
	}
	return company.OwnURL(history.IssuedBy.FiscalProfile, authority.Number, authority.VerificationCode)
}

func printHistory(s *cli.CommandRun, history lifecycle.NoteHistory, workflowID, link string) error {
	lines := tabwriter.NewWriter(s.Out, 0, 4, 2, ' ', 0)
	line := func(name string, value any) { fmt.Fprintf(lines, "%s\t%s\n", name, cli.Cell(value)) }
	line("note", history.Note.ID)
	line("status", history.Note.Status)
	line("organization", history.OrganizationID)
	line("environment", history.Environment())
	line("reference", history.Note.Reference)
	line("competence", history.Note.Competence)
	printTotals(line, history.Note.Authority)
	line("workflow", workflowID)
	if link != "" {
		line("temporal", link)
	}
	if other := history.Replaces; other != nil {
		line("replaces", fmt.Sprintf("%s, reference %s, %s", other.ID, other.Reference, other.Status))
	}
	if other := history.ReplacedBy; other != nil {
		line("replaced by", fmt.Sprintf("%s, reference %s, %s", other.ID, other.Reference, other.Status))
	}
	if history.Note.CityDecides() {
		since := history.Note.Cancellation.Analysis.Since
		line("analysis", fmt.Sprintf("the city has had the request since %s, for %d days", since,
			int(time.Since(since.Time)/(24*time.Hour))))
	}
	if c := history.Classification; c != nil {
		line("classification", fmt.Sprintf("cNBS %s, cIndOp %s, cClassTrib %s", c.NBS, c.CIndOp, c.CClassTrib))
	}
	if page := cityURL(history); page != "" {
		line("page", page)
	}
	for _, why := range history.Waiting {
		line("waits", why.English())
	}
	if history.AuthorityWords != nil {
		line("authority", *history.AuthorityWords)
	}
	if failure := history.StartFailure; failure != nil {
		line("not begun", words.English.Say("start."+string(*failure)))
	}
	fmt.Fprintln(lines, "\nWHEN\tWHAT\tBY")
	for _, step := range history.Steps {
		fmt.Fprintf(lines, "%s\t%s\t%s\n", step.At, cli.Cell(step.Fact.English()), cli.Cell(step.By))
	}
	return lines.Flush()
}

var heldNoteTable = cli.Table[lifecycle.HeldNote]{
	Header: "NOTE\tORGANIZATION\tREFERENCE\tSTATUS\tSINCE\tWAITS FOR",
	Row: func(n lifecycle.HeldNote) []any {
		return []any{n.ID, n.OrganizationID, n.Reference, n.Status, n.Since, n.Reason}
	},
}

func noteHeldCommand() *cobra.Command {
	const most = 1000
	command := cli.NewCommand("held [--organization ORG]",
		"List live notes that wait for an operator, and for what",
		"emissor note held --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := cli.OrganizationFilter(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		held, err := s.Store.Lifecycle.HeldNotes(ctx, *organization, most)
		return heldNoteTable.Show(s, held, err)
	})
}

func noteRedriveCommand() *cobra.Command {
	command := cli.NewCommand("redrive NOTE | redrive --held [--organization ORG]",
		"Start a note's workflow again, if it is not open; a live note that waits tries at once",
		`emissor note redrive nfse_01m0w44f10fsyspwgt3r335dyf
emissor note redrive --held --organization org_01m10n7b5xf0stgd3ek65gw866`, cobra.MaximumNArgs(1))
	held := command.Flags().Bool("held", false, "every live note that waits for an operator")
	organization := command.Flags().String("organization", "", "with --held, only of this organization (org_...)")
	return cli.CheckedCommand(command, func(args []string) error {
		if *held == (len(args) == 1) {
			return errors.New("say which note, or --held for all that wait for an operator")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if *held {
			redriven, err := s.Changes.Lifecycle.RedriveHeldNotes(ctx, *organization)
			if err != nil {
				return err
			}
			return s.Say(RedrivenNotes{redriven}, "%d notes are in the outbox; a worker looks at them again\n",
				redriven)
		}
		if err := s.Changes.Lifecycle.RedriveNote(ctx, s.Args[0]); err != nil {
			return err
		}
		return s.Say(RedrivenNotes{1}, "%s is in the outbox; a worker starts it\n", s.Args[0])
	})
}

// RedrivenNotes are how many notes are in the outbox.
type RedrivenNotes struct {
	Notes int `json:"notes"`
}

func noteRequestAnalysisCommand() *cobra.Command {
	command := cli.NewCommand("request-analysis NOTE",
		"Ask the city to decide about a cancellation that it has refused for its term, its limit or the like; a note "+
			"has one analysis, ever",
		"emissor note request-analysis nfse_01m0w44f10fsyspwgt3r335dyf", cobra.ExactArgs(1))
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		history, err := s.Store.Lifecycle.NoteHistory(ctx, s.Args[0])
		if err != nil {
			return err
		}
		_, started, err := s.Changes.Lifecycle.RequestAnalysis(ctx, history.Scope, history.Note.ID,
			nfse.NewID(nfse.PrefixRequest))
		if err != nil {
			return err
		}
		said := "%s is in the outbox; a worker asks the city for the analysis\n"
		if !started {
			said = "%s: the analysis is asked for already\n"
		}
		return s.Say(RequestedAnalysis{history.Note.ID, started}, said, history.Note.ID)
	})
}

// RequestedAnalysis is the analysis of a note's cancellation, as the command prints it.
type RequestedAnalysis struct {
	Note    string `json:"note"`
	Started bool   `json:"started"` // false: it is asked for already
}
