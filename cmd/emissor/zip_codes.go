package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"emissor/municipality"
	"emissor/store"
)

func zipCodesCommand() *cobra.Command {
	command := &cobra.Command{Use: "zip-codes", Short: "Manage what is known of zip codes"}
	command.AddCommand(&cobra.Command{
		Use:   "import FILE",
		Short: "Replace the imported zip code ranges by those of a file: lines of start, end, municipality code",
		Args:  cobra.ExactArgs(1),
		RunE:  func(command *cobra.Command, args []string) error { return importZipCodes(command, args[0]) },
	})
	return command
}

func importZipCodes(command *cobra.Command, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	parsed, err := municipality.ParseRanges(file)
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was imported", path, err)
	}
	ranges := make([]store.ZipCodeRange, len(parsed))
	for i, r := range parsed {
		ranges[i] = store.ZipCodeRange{Start: r.Start, End: r.End, MunicipalityCode: r.Code}
	}
	return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
		if err := s.ReplaceZipCodeRanges(ctx, ranges); err != nil {
			return err
		}
		_, err := fmt.Fprintf(command.OutOrStdout(), "%d ranges imported; they replace all imported before\n", len(ranges))
		return err
	})
}
