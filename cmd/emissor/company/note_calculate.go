package company

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/national/calculator"
)

// taxOpinion is an amount that a document states, and the official calculator's.
type taxOpinion struct {
	Tax             string `json:"tax"`
	StatedCents     int64  `json:"stated_cents"`
	CalculatedCents int64  `json:"calculated_cents"`
}

var taxOpinionTable = cli.Table[taxOpinion]{
	Header: "TAX\tDOCUMENT\tCALCULATOR",
	Row:    func(o taxOpinion) []any { return []any{o.Tax, cli.Reais(o.StatedCents), cli.Reais(o.CalculatedCents)} },
}

func noteCalculateCommand() *cobra.Command {
	command := cli.NewCommand("calculate NOTE",
		"Ask the official calculator for IBS and CBS of a note, and compare them with "+
			"what its document states",
		"emissor note calculate nfse_01m0w44f10fsyspwgt3r335dyf", cobra.ExactArgs(1))
	command.Long = `Ask the official calculator for IBS and CBS of a note, and compare them with what its document
states.

The calculator is that of EMISSOR_NATIONAL_CALCULATOR_URL. The command fails where the two differ by more
than a cent. It changes nothing.`
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		if s.Config.CalculatorURL == "" {
			return errors.New("EMISSOR_NATIONAL_CALCULATOR_URL is not set for this command: the base address of the " +
				"official calculator")
		}
		client, err := calculator.New(s.Config.CalculatorURL)
		if err != nil {
			return err
		}
		document, err := s.Store.Notes.NoteDocument(ctx, s.Args[0])
		if err != nil {
			return err
		}
		stated, err := calculator.Read(document.XML)
		if err != nil {
			return err
		}
		opinion, err := client.Compute(ctx, stated)
		if err != nil {
			return err
		}
		if !opinion.Agrees(stated) {
			return fmt.Errorf("the official calculator computes IBS of %s and CBS of %s, and the document states %s "+
				"and %s: "+
				"tell the authority", cli.Reais(opinion.IBSCents), cli.Reais(opinion.CBSCents), cli.Reais(stated.IBSCents),
				cli.Reais(stated.CBSCents))
		}
		return taxOpinionTable.Print(s, []taxOpinion{
			{"IBS", stated.IBSCents, opinion.IBSCents}, {"CBS", stated.CBSCents, opinion.CBSCents},
		})
	})
}
