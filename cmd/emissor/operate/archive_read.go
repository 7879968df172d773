package operate

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/internal/archive"
	"emissor/nfse"
)

func archiveReadCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "read FILE [--to FOLDER]",
		Short:   "List the documents of a segment, and write them as files; needs no database",
		Example: "emissor archive read 2026-01-0001.segment --to documents",
		Args:    cobra.ExactArgs(1),
	}
	cli.CompleteArguments(command, cli.Files)
	folder := command.Flags().String("to", "", "folder in which each document becomes NOTE.xml")
	_ = command.MarkFlagDirname("to")
	asJSON := cli.JSONFlag(command)
	command.RunE = func(command *cobra.Command, args []string) error {
		content, err := os.ReadFile(args[0])
		if err != nil {
			return err
		}
		segment, err := archive.Read(content)
		if err != nil {
			return err
		}
		read := []ReadDocument{}
		for _, entry := range segment.Entries {
			plain, err := segment.Document(entry)
			if err != nil {
				return err
			}
			if err := writeDocument(*folder, entry.NoteID, plain); err != nil {
				return err
			}
			read = append(read, ReadDocument{entry.NoteID, entry.Bytes, entry.SHA256})
		}
		return readDocumentTable.Print(&cli.CommandRun{Out: command.OutOrStdout(), Json: *asJSON}, read)
	}
	return command
}

// ReadDocument is a document of a segment, as the command prints it.
type ReadDocument struct {
	NoteID string `json:"note"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

var readDocumentTable = cli.Table[ReadDocument]{Header: "NOTE\tBYTES\tSHA-256", Row: func(d ReadDocument) []any {
	return []any{d.NoteID, d.Bytes, d.SHA256}
}}

// writeDocument writes the document of a note into the folder; without one nothing.
func writeDocument(folder, noteID string, document []byte) error {
	if folder == "" {
		return nil
	}
	if !nfse.IsID(nfse.PrefixNote, noteID) { // it becomes the name of a file
		return fmt.Errorf("%q is no note", noteID)
	}
	return os.WriteFile(filepath.Join(folder, noteID+".xml"), document, 0o600)
}
