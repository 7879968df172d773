package operate

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/internal/municipality"
	"emissor/store/catalogues"
)

func ZipCodesCommand() *cobra.Command {
	return cli.CommandGroup("zip-codes", "Manage what is known of zip codes", zipCodesImportCommand())
}

func zipCodesImportCommand() *cobra.Command {
	command := cli.NewCommand("import FILE", "Replace the imported zip code ranges by those of a file: "+
		"lines of start, end, municipality code", "emissor zip-codes import zip-codes.csv", cobra.ExactArgs(1))
	cli.CompleteArguments(command, cli.Files)
	var ranges []catalogues.ZipCodeRange
	return cli.CheckedCommand(command, func(args []string) (err error) {
		ranges, err = readZipCodes(args[0])
		return err
	}, func(ctx context.Context, s *cli.CommandRun) error {
		if err := s.Changes.Catalogues.ReplaceZipCodeRanges(ctx, ranges); err != nil {
			return err
		}
		return s.Say(map[string]int{"ranges": len(ranges)},
			"%d ranges imported; they replace all imported before\n", len(ranges))
	})
}

// readZipCodes reads a file of ranges of zip codes.
func readZipCodes(path string) ([]catalogues.ZipCodeRange, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	parsed, err := municipality.ParseRanges(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was imported", path, err)
	}
	return cli.Mapped(parsed, func(r municipality.Range) catalogues.ZipCodeRange {
		return catalogues.ZipCodeRange{Start: r.Start, End: r.End, MunicipalityCode: r.Code}
	}), nil
}
