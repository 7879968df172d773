package main

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

func noteRequestAnalysisCommand() *cobra.Command {
	command := newCommand("request-analysis NOTE",
		"Ask the city to decide about a cancellation that it has refused for its term, its limit or the like; a note "+
			"has one analysis, ever",
		"emissor note request-analysis nfse_01m0w44f10fsyspwgt3r335dyf", cobra.ExactArgs(1))
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		history, err := s.store.Lifecycle.NoteHistory(ctx, s.args[0])
		if err != nil {
			return err
		}
		_, started, err := s.changes.Lifecycle.RequestAnalysis(ctx, history.Scope, history.Note.ID,
			nfse.NewID(nfse.PrefixRequest))
		if err != nil {
			return err
		}
		said := "%s is in the outbox; a worker asks the city for the analysis\n"
		if !started {
			said = "%s: the analysis is asked for already\n"
		}
		return s.say(requestedAnalysis{history.Note.ID, started}, said, history.Note.ID)
	})
}

// requestedAnalysis is the analysis of a note's cancellation, as the command prints it.
type requestedAnalysis struct {
	Note    string `json:"note"`
	Started bool   `json:"started"` // false: it is asked for already
}
