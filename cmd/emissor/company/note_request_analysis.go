package company

import (
	"context"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
)

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
