package operate

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/internal/seal"
	"emissor/internal/seal/rotation"
)

func keysetStatusCommand() *cobra.Command {
	command := cli.NewCommand("status", "Show the keys, what each sealed, which process holds which, and the next step",
		"emissor keyset status", cobra.NoArgs)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		file, err := keysetFile(ctx, s)
		if err != nil {
			return err
		}
		keyset, err := file.Read()
		if err != nil {
			return err
		}
		r, err := rotation.Read(ctx, s.Store, keyset.Keys())
		if err != nil {
			return err
		}
		return printRotation(s, r)
	})
}

// PrintedKeyset is the status as it is printed.
type PrintedKeyset struct {
	Keys      []printedKeysetKey     `json:"keys"`
	Processes []printedKeysetProcess `json:"processes"`
	Next      string                 `json:"next"`
}

type printedKeysetKey struct {
	ID      seal.KeyID `json:"id"`
	Primary bool       `json:"primary"`
	Secrets int        `json:"secrets"`
}

type printedKeysetProcess struct {
	Process    string  `json:"process"`
	Keys       []int64 `json:"keys"`
	Primary    int64   `json:"primary"`
	ReportedAt string  `json:"reported_at"`
}

func printRotation(s *cli.CommandRun, r rotation.Rotation) error {
	printed := PrintedKeyset{Next: r.Next(), Processes: []printedKeysetProcess{}}
	var rows [][]any
	for _, key := range r.Keys {
		state := "opens"
		if key.Primary {
			state = "seals (primary)"
		}
		printed.Keys = append(printed.Keys, printedKeysetKey{key.ID, key.Primary, r.Secrets(key.ID)})
		rows = append(rows, []any{"key", key.ID, state, fmt.Sprintf("%d secrets", r.Secrets(key.ID))})
	}
	for _, report := range r.Processes {
		printed.Processes = append(printed.Processes,
			printedKeysetProcess{report.Process, report.KeyIDs, report.PrimaryKeyID, report.ReportedAt.String()})
		holds := strings.Trim(fmt.Sprint([]int64(report.KeyIDs)), "[]")
		rows = append(rows, []any{"process", report.Process, "holds " + holds,
			fmt.Sprintf("primary %d, reported %s", report.PrimaryKeyID, report.ReportedAt)})
	}
	if err := s.Print(printed, "WHAT\tNAME\tSTATE\tMORE", rows); err != nil {
		return err
	}
	return s.Printf("\nNext: %s.\n", printed.Next)
}
