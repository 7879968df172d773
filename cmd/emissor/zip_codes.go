package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"emissor/internal/municipality"
	"emissor/store"
)

func zipCodesCommand() *cobra.Command {
	return commandGroup("zip-codes", "Manage what is known of zip codes",
		&cobra.Command{
			Use: "import FILE",
			Short: "Replace the imported zip code ranges by those of a file: " +
				"lines of start, end, municipality code",
			Args: cobra.ExactArgs(1),
			RunE: importZipCodes,
		})
}

func importZipCodes(command *cobra.Command, args []string) error {
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	parsed, err := municipality.ParseRanges(file)
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was imported", args[0], err)
	}
	ranges := mapped(parsed, func(r municipality.Range) store.ZipCodeRange {
		return store.ZipCodeRange{Start: r.Start, End: r.End, MunicipalityCode: r.Code}
	})
	return withDatabase(command, args, func(ctx context.Context, s *commandRun) error {
		if err := s.changes.ReplaceZipCodeRanges(ctx, ranges); err != nil {
			return err
		}
		return s.printf("%d ranges imported; they replace all imported before\n", len(ranges))
	})
}
