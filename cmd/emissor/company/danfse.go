package company

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/danfse"
	"emissor/issuing/company"
	"emissor/nfse"
)

func noteDANFSeCommand() *cobra.Command {
	command := cli.NewCommand("danfse NOTE -o FILE", "Draw a note's printed form (DANFSe) as PDF",
		"emissor note danfse nfse_01m0w44f10fsyspwgt3r335dyf -o note.pdf", cobra.ExactArgs(1))
	command.Long = `Draw a note's printed form (DANFSe) as PDF.

It says CANCELADA or SUBSTITUÍDA across the page when the note is, and of a note of the sandbox that it is a
simulation. A note of the city of São Paulo has none: it has a page of the city. The file is private to
its user, since it names persons.`
	file := OutputFlag(command)
	return cli.CheckedCommand(command, func([]string) error {
		if *file == "" {
			return cli.Usage(OutputMissing)
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		id := s.Args[0]
		page, err := drawNote(ctx, s, id)
		if err != nil {
			return err
		}
		return WriteNoteDocument(s, id, *file, page)
	})
}

// OutputFlag adds --output, which names the file of a document and must be given: OutputMissing says so.
func OutputFlag(command *cobra.Command) *string {
	file := command.Flags().StringP("output", "o", "", "the file to write; - is the standard output")
	cli.CompleteFileFlag(command, "output")
	return file
}

const OutputMissing = "say --output: the file to write"

// WriteNoteDocument writes a note's document to a file, or to the standard output where that is -.
func WriteNoteDocument(s *cli.CommandRun, note, file string, content []byte) error {
	if file == "-" {
		_, err := os.Stdout.Write(content) // s.out is for text: it would change the bytes
		return err
	}
	if err := writePrivately(file, content); err != nil {
		return err
	}
	return s.Print(map[string]any{"note": note, "file": file, "bytes": len(content)},
		"NOTE\tFILE\tBYTES", [][]any{{note, file, len(content)}})
}

// writePrivately writes a file that only its user can read, whole or not at all.
func writePrivately(file string, content []byte) error {
	if at, err := os.Stat(file); err == nil && !at.Mode().IsRegular() {
		return os.WriteFile(file, content, 0o600) // a device or a pipe, which nothing may replace
	}
	written, err := os.CreateTemp(filepath.Dir(file), ".note-*") // made with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(written.Name())
	_, err = written.Write(content)
	if err := errors.Join(err, written.Close()); err != nil {
		return err
	}
	return os.Rename(written.Name(), file)
}

// drawNote draws the page of a note.
func drawNote(ctx context.Context, s *cli.CommandRun, id string) ([]byte, error) {
	logo, err := s.Config.DanfseLogo()
	if err != nil {
		return nil, err
	}
	stored, err := s.Store.Notes.NoteDocument(ctx, id)
	if err != nil {
		return nil, err
	}
	if page := company.OwnURL(stored.IssuedBy.FiscalProfile, stored.Number, stored.VerificationCode); page != "" {
		return nil, errors.New("the note was issued by a city itself and has no DANFSe; the city shows it at " + page)
	}
	var page bytes.Buffer
	err = danfse.Draw(&page, danfse.Document{
		XML: stored.XML, Events: stored.Events, Cancelled: stored.Status == nfse.StatusCancelled,
		Replaced: stored.Replaced, Logo: logo,
	})
	return page.Bytes(), err
}
