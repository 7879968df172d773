package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emissor/nfse"
	"emissor/store"
	"emissor/workflows"
)

func noteCommand() *cobra.Command {
	command := &cobra.Command{Use: "note", Short: "Look at a note's whole life and put it in motion again"}
	command.AddCommand(noteFindCommand(), noteShowCommand(), noteHeldCommand(), noteRedriveCommand())
	return command
}

func noteFindCommand() *cobra.Command {
	var out output
	var search store.NoteSearch
	command := &cobra.Command{
		Use:   "find [--reference REFERENCE] [--request REQUEST_ID] [--organization ORG]",
		Short: "Find notes by the caller's reference or by the id of the request that created or cancelled them",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if search.Reference == "" && search.RequestID == "" {
				return errors.New("say --reference or --request")
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				found, err := s.FindNotes(ctx, search)
				if err != nil {
					return err
				}
				return out.print(command.OutOrStdout(), found, "NOTE\tORGANIZATION\tENVIRONMENT\tREFERENCE\tSTATUS\tCREATED", func(add func(...any)) {
					for _, n := range found {
						add(n.ID, n.OrganizationID, n.Environment(), n.Reference, n.Status, n.CreatedAt)
					}
				})
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&search.Reference, "reference", "", "the caller's reference")
	flags.StringVar(&search.RequestID, "request", "", "id of a request (req_...)")
	flags.StringVar(&search.OrganizationID, "organization", "", "only of this organization (org_...)")
	return out.flag(command)
}

func noteShowCommand() *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   "show NOTE",
		Short: "Show a note's states, who asked for them and when, its events, deliveries and attempts",
		Args:  cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			config, err := loadConfig()
			if err != nil {
				return err
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				history, err := s.NoteHistory(ctx, args[0])
				if err != nil {
					return err
				}
				link := workflowLink(config, history.Scope, history.Note.Reference)
				if out.json {
					return out.print(command.OutOrStdout(), struct {
						store.NoteHistory
						WorkflowID  string `json:"workflow_id"`
						TemporalURL string `json:"temporal_url"`
					}{history, workflows.NoteID(history.Scope, history.Note.Reference), link}, "", nil)
				}
				return printHistory(command.OutOrStdout(), history, link)
			})
		},
	})
}

// workflowLink leads to the note's workflow in the Temporal UI; empty when it is
// not known where the UI is.
func workflowLink(config config, scope nfse.Scope, reference string) string {
	if config.TemporalUIURL == "" {
		return ""
	}
	return strings.TrimRight(config.TemporalUIURL, "/") + "/namespaces/" + url.PathEscape(config.TemporalNamespace) + "/workflows/" +
		url.PathEscape(workflows.NoteID(scope, reference))
}

func printHistory(w io.Writer, history store.NoteHistory, link string) error {
	note := history.Note
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(name string, value any) { fmt.Fprintf(table, "%s\t%v\n", name, value) }
	line("note", note.ID)
	line("status", note.Status)
	line("organization", history.OrganizationID)
	line("environment", history.Environment())
	line("reference", note.Reference)
	line("workflow", workflows.NoteID(history.Scope, note.Reference))
	if link != "" {
		line("temporal", link)
	}
	if history.Waiting != nil {
		line("waits", *history.Waiting)
	}
	fmt.Fprintln(table, "\nWHEN\tWHAT\tBY")
	for _, step := range history.Steps {
		fmt.Fprintf(table, "%s\t%s\t%s\n", step.At, step.What, step.By)
	}
	return table.Flush()
}

func noteHeldCommand() *cobra.Command {
	var out output
	var organizationID string
	const most = 1000
	command := &cobra.Command{
		Use:   "held [--organization ORG]",
		Short: "List live notes that wait for an operator, and for what",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				held, err := s.HeldNotes(ctx, organizationID, most)
				if err != nil {
					return err
				}
				return out.print(command.OutOrStdout(), held, "NOTE\tORGANIZATION\tREFERENCE\tSTATUS\tSINCE\tWAITS FOR", func(add func(...any)) {
					for _, n := range held {
						add(n.ID, n.OrganizationID, n.Reference, n.Status, n.Since, n.Reason)
					}
				})
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "only of this organization (org_...)")
	return out.flag(command)
}

func noteRedriveCommand() *cobra.Command {
	var held bool
	var organizationID string
	command := &cobra.Command{
		Use:   "redrive NOTE | redrive --held [--organization ORG]",
		Short: "Start a note's workflow again, if it is not open; a live note that waits tries at once",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			if held == (len(args) == 1) {
				return errors.New("say which note, or --held for all that wait for an operator")
			}
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				if held {
					resumed, err := s.ResumeHeld(ctx, organizationID)
					if err == nil {
						_, err = fmt.Fprintf(command.OutOrStdout(), "%d notes are in the outbox; a worker looks at them again\n", resumed)
					}
					return err
				}
				if err := s.RedriveNote(ctx, args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(command.OutOrStdout(), "%s is in the outbox; a worker starts it\n", args[0])
				return err
			})
		},
	}
	command.Flags().BoolVar(&held, "held", false, "every live note that waits for an operator")
	command.Flags().StringVar(&organizationID, "organization", "", "with --held, only of this organization (org_...)")
	return command
}
