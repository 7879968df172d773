package main

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/nfse"
)

func noteRequestAnalysisCommand() *cobra.Command {
	command := newCommand("request-analysis NOTE",
		"Ask the city to decide about a cancellation that it has refused for its term, its limit or the like; a note "+
			"has one analysis, ever", cobra.ExactArgs(1))
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		history, err := s.store.NoteHistory(ctx, s.args[0])
		if err != nil {
			return err
		}
		_, started, err := s.changes.RequestAnalysis(ctx, history.Scope, history.Note.ID,
			nfse.NewID(nfse.PrefixRequest))
		switch {
		case err != nil:
			return err
		case !started:
			return s.printf("%s: the analysis is asked for already\n", history.Note.ID)
		}
		return s.printf("%s is in the outbox; a worker asks the city for the analysis\n", history.Note.ID)
	})
}
