package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emissor/dashboard/words"
	"emissor/issuing/company"
	"emissor/store/lifecycle"
	"emissor/workflows"
)

func noteCommand() *cobra.Command {
	return commandGroup("note", "Look at a note's whole life and put it in motion again",
		noteFindCommand(), noteShowCommand(), noteDANFSeCommand(), noteHeldCommand(), noteRedriveCommand(),
		noteRequestAnalysisCommand(), noteCalculateCommand(), noteCompareCommand(), noteReplaceCommand())
}

var foundNoteTable = table[lifecycle.FoundNote]{
	"NOTE\tORGANIZATION\tENVIRONMENT\tREFERENCE\tSTATUS\tCREATED",
	func(n lifecycle.FoundNote) []any {
		return []any{n.ID, n.OrganizationID, n.Environment(), n.Reference, n.Status, n.CreatedAt}
	},
}

func noteFindCommand() *cobra.Command {
	command := newCommand("find [--reference REFERENCE] [--request REQUEST_ID] [--organization ORG]",
		"Find notes by the caller's reference or by the id of the request that created or cancelled them",
		`emissor note find --reference order-2026-1042
emissor note find --request req_01m0w42mawfnrscgnq4tr480b2`, cobra.NoArgs)
	var search lifecycle.NoteSearch
	organization := organizationFilter(command)
	command.Flags().StringVar(&search.Reference, "reference", "", "the caller's reference")
	command.Flags().StringVar(&search.RequestID, "request", "", "id of a request (req_...)")
	return checkedCommand(command, func([]string) error {
		if search.Reference == "" && search.RequestID == "" {
			return errors.New("say --reference or --request")
		}
		return nil
	}, func(ctx context.Context, s *commandRun) error {
		search.OrganizationID = *organization
		found, err := s.store.Lifecycle.FindNotes(ctx, search)
		return foundNoteTable.show(s, found, err)
	})
}

func noteShowCommand() *cobra.Command {
	command := newCommand("show NOTE",
		"Show a note's states, who asked for them and when, its events, deliveries and attempts",
		"emissor note show nfse_01m0w44f10fsyspwgt3r335dyf", cobra.ExactArgs(1))
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		history, err := s.store.Lifecycle.NoteHistory(ctx, s.args[0])
		if err != nil {
			return err
		}
		workflowID := workflows.NoteID(history.Scope, history.Note.Reference)
		link := workflowLink(s.config, workflowID)
		if s.json {
			return s.print(struct {
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

// workflowLink returns the address of a workflow in the Temporal UI; empty when it
// is not known where the UI is.
func workflowLink(config config, workflowID string) string {
	if config.TemporalUIURL == "" {
		return ""
	}
	return strings.TrimRight(config.TemporalUIURL, "/") +
		"/namespaces/" + url.PathEscape(config.TemporalNamespace) + "/workflows/" + url.PathEscape(workflowID)
}

func printHistory(s *commandRun, history lifecycle.NoteHistory, workflowID, link string) error {
	lines := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	line := func(name string, value any) { fmt.Fprintf(lines, "%s\t%s\n", name, cell(value)) }
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
		fmt.Fprintf(lines, "%s\t%s\t%s\n", step.At, cell(step.Fact.English()), cell(step.By))
	}
	return lines.Flush()
}

var heldNoteTable = table[lifecycle.HeldNote]{
	"NOTE\tORGANIZATION\tREFERENCE\tSTATUS\tSINCE\tWAITS FOR",
	func(n lifecycle.HeldNote) []any {
		return []any{n.ID, n.OrganizationID, n.Reference, n.Status, n.Since, n.Reason}
	},
}

func noteHeldCommand() *cobra.Command {
	const most = 1000
	command := newCommand("held [--organization ORG]",
		"List live notes that wait for an operator, and for what",
		"emissor note held --organization org_01m10n7b5xf0stgd3ek65gw866", cobra.NoArgs)
	organization := organizationFilter(command)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		held, err := s.store.Lifecycle.HeldNotes(ctx, *organization, most)
		return heldNoteTable.show(s, held, err)
	})
}

func noteRedriveCommand() *cobra.Command {
	command := newCommand("redrive NOTE | redrive --held [--organization ORG]",
		"Start a note's workflow again, if it is not open; a live note that waits tries at once",
		`emissor note redrive nfse_01m0w44f10fsyspwgt3r335dyf
emissor note redrive --held --organization org_01m10n7b5xf0stgd3ek65gw866`, cobra.MaximumNArgs(1))
	held := command.Flags().Bool("held", false, "every live note that waits for an operator")
	organization := command.Flags().String("organization", "", "with --held, only of this organization (org_...)")
	return checkedCommand(command, func(args []string) error {
		if *held == (len(args) == 1) {
			return errors.New("say which note, or --held for all that wait for an operator")
		}
		return nil
	}, func(ctx context.Context, s *commandRun) error {
		if *held {
			redriven, err := s.changes.Lifecycle.RedriveHeldNotes(ctx, *organization)
			if err != nil {
				return err
			}
			return s.say(redrivenNotes{redriven}, "%d notes are in the outbox; a worker looks at them again\n",
				redriven)
		}
		if err := s.changes.Lifecycle.RedriveNote(ctx, s.args[0]); err != nil {
			return err
		}
		return s.say(redrivenNotes{1}, "%s is in the outbox; a worker starts it\n", s.args[0])
	})
}

// redrivenNotes are how many notes are in the outbox.
type redrivenNotes struct {
	Notes int `json:"notes"`
}
