package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"emissor/internal/municipality"
	"emissor/store/catalogues"
)

func zipCodesCommand() *cobra.Command {
	return commandGroup("zip-codes", "Manage what is known of zip codes", zipCodesImportCommand())
}

func zipCodesImportCommand() *cobra.Command {
	command := newCommand("import FILE", "Replace the imported zip code ranges by those of a file: "+
		"lines of start, end, municipality code", "emissor zip-codes import zip-codes.csv", cobra.ExactArgs(1))
	completeArguments(command, files)
	var ranges []catalogues.ZipCodeRange
	return checkedCommand(command, func(args []string) (err error) {
		ranges, err = readZipCodes(args[0])
		return err
	}, func(ctx context.Context, s *commandRun) error {
		if err := s.changes.Catalogues.ReplaceZipCodeRanges(ctx, ranges); err != nil {
			return err
		}
		return s.say(map[string]int{"ranges": len(ranges)},
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
	return mapped(parsed, func(r municipality.Range) catalogues.ZipCodeRange {
		return catalogues.ZipCodeRange{Start: r.Start, End: r.End, MunicipalityCode: r.Code}
	}), nil
}
