package main

import (
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emissor/internal/archive"
	"emissor/nfse"
)

func archiveReadCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "read FILE [--to FOLDER]",
		Short: "List the documents of a segment, and write them as files; needs no database",
		Args:  cobra.ExactArgs(1),
	}
	folder := command.Flags().String("to", "", "folder in which each document becomes NOTE.xml")
	command.RunE = func(command *cobra.Command, args []string) error {
		content, err := os.ReadFile(args[0])
		if err != nil {
			return err
		}
		segment, err := archive.Read(content)
		if err != nil {
			return err
		}
		lines := tabwriter.NewWriter(command.OutOrStdout(), 0, 4, 2, ' ', 0)
		fmt.Fprintln(lines, "NOTE\tBYTES\tSHA-256")
		for _, entry := range segment.Entries {
			plain, err := segment.Document(entry)
			if err != nil {
				return err
			}
			if *folder != "" {
				if !nfse.IsID(nfse.PrefixNote, entry.NoteID) { // it becomes the name of a file
					return fmt.Errorf("%q is no note", entry.NoteID)
				}
				if err := os.WriteFile(filepath.Join(*folder, entry.NoteID+".xml"), plain, 0o600); err != nil {
					return err
				}
			}
			fmt.Fprintf(lines, "%s\t%d\t%s\n", cell(entry.NoteID), entry.Bytes, cell(entry.SHA256))
		}
		return lines.Flush()
	}
	return command
}
