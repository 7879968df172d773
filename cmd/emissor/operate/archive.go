package operate

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/archive"
)

func ArchiveCommand() *cobra.Command {
	group := cli.CommandGroup("archive", "Look at the archive of documents, check it, and bring documents back",
		archiveStatusCommand(), archiveRunCommand(), archiveRestoreCommand(), archiveVerifyCommand(), archiveReadCommand())
	group.Long = `Look at the archive of documents, check it, and bring documents back.

Documents of months that have been over for EMISSOR_ARCHIVE_AFTER are moved from the database into files (segments) at
EMISSOR_ARCHIVE_URL by the workers, each only after its segment was read back. The API, the dashboard and exports read
them there. docs/operations/archive.md says how the files are made, and what to do when the archive is away.`
	return group
}

// printedArchive is the state as it is printed.
type printedArchive struct {
	archive.ArchiveState
	Months []archive.ArchivedMonth `json:"months"`
}

func archiveStatusCommand() *cobra.Command {
	command := cli.NewCommand("status", "Show which months are in the archive, what waits, and what has failed since when",
		"emissor archive status", cobra.NoArgs)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		printed := printedArchive{Months: []archive.ArchivedMonth{}}
		var err error
		if printed.ArchiveState, err = s.Store.Archive.ArchiveState(ctx); err != nil {
			return err
		}
		if printed.Months, err = s.Store.Archive.ArchivedMonths(ctx); err != nil {
			return err
		}
		if s.Json {
			return s.Print(printed, "", nil)
		}
		if err := printArchiveState(s, printed.ArchiveState); err != nil {
			return err
		}
		return s.Print(nil, "MONTH\tSEGMENTS\tDOCUMENTS\tBYTES", cli.Mapped(printed.Months,
			func(m archive.ArchivedMonth) []any { return []any{m.Month, m.Segments, m.Documents, m.Bytes} }))
	})
}

func printArchiveState(s *cli.CommandRun, state archive.ArchiveState) error {
	looked := "nothing"
	if at, known := nfse.TimeOf(nfse.PrefixNote, state.UpTo); known {
		looked = "notes accepted up to " + nfse.Timestamp{Time: at}.String()
	}
	err := s.Printf("Looked at: %s.\nLast round in which everything worked: %s.\n", looked, cli.OrDash(state.SucceededAt))
	if err == nil && state.FailingSince != nil {
		err = s.Printf("FAILING since %s: %s. The log of the worker says more.\n", state.FailingSince,
			archiveProblems[cli.OrDash(state.Problem)])
	}
	if err == nil && state.Erasures > 0 {
		err = s.Printf("To be erased in the archive: %d documents, the oldest since %s.\n", state.Erasures,
			state.ErasedSince)
	}
	if err == nil && state.Leaving+state.Writing+state.SetAside > 0 {
		err = s.Printf("Segments to be deleted: %d. Unfinished: %d. Documents and segments set aside: %d.\n",
			state.Leaving, state.Writing, state.SetAside)
	}
	if err == nil {
		err = s.Printf("\n")
	}
	return err
}

// archiveProblems say what the words of a problem mean.
var archiveProblems = map[string]string{
	"away":    "the archive does not answer in time",
	"refused": "the archive refuses it: credentials, rights or room",
	"broken":  "what was read back is not what was written",
	"missing": "a segment is not there",
	"other":   "it is another problem",
}

func archiveRunCommand() *cobra.Command {
	command := cli.NewCommand("run [--from MONTH]", "Do now what the workers do about the archive every five minutes",
		`emissor archive run
emissor archive run --from 2026-01`, cobra.NoArgs)
	from := command.Flags().String("from", "",
		"month, as 2026-01, from which on documents are looked at again, as after archive restore")
	return cli.CheckedCommand(command, func([]string) error { return checkMonth("from", *from) },
		func(ctx context.Context, s *cli.CommandRun) error {
			if *from != "" {
				if err := s.Store.Archive.ArchiveAgain(ctx, nfse.Month(*from)); err != nil {
					return err
				}
			}
			round, err := s.Store.Archive.RunArchive(ctx, time.Duration(s.Config.ArchiveAfter))
			if err != nil {
				return err
			}
			if s.Json {
				return s.Print(round, "", nil)
			}
			return s.Printf("Moved %d documents into %d segments; erased %d in the archive; deleted %d segments.\n",
				round.Moved, round.Segments, round.Erased, round.Deleted)
		})
}

// checkMonth refuses a flag that is no month; an empty one was not given.
func checkMonth(flag, month string) error {
	if month == "" {
		return nil
	}
	if _, err := nfse.ParseMonth(month); err != nil {
		return cli.Usage("--%s %w", flag, err)
	}
	return nil
}

func archiveRestoreCommand() *cobra.Command {
	command := cli.NewCommand("restore --month MONTH",
		"Bring the documents of a month back into the database, each checked; repeated, it goes on",
		"emissor archive restore --month 2026-01", cobra.NoArgs)
	month := cli.RequiredFlag(command, "month", "month of the notes, as 2026-01")
	return cli.CheckedCommand(command, func([]string) error { return checkMonth("month", *month) },
		func(ctx context.Context, s *cli.CommandRun) error {
			restored, err := s.Changes.Archive.RestoreMonth(ctx, nfse.Month(*month))
			if err != nil {
				return err
			}
			if s.Json {
				return s.Print(restored, "", nil)
			}
			return s.Printf("%d documents of %d segments are back.\n", restored.Documents, restored.Segments)
		})
}

func archiveVerifyCommand() *cobra.Command {
	command := cli.NewCommand("verify [--month MONTH]",
		"Read every segment, or those of a month, and check all digests and places",
		"emissor archive verify --month 2026-01 --json", cobra.NoArgs)
	month := command.Flags().String("month", "", "month of the notes, as 2026-01; empty: all of them")
	return cli.CheckedCommand(command, func([]string) error { return checkMonth("month", *month) },
		func(ctx context.Context, s *cli.CommandRun) error {
			found, problems := []archive.VerifiedSegment{}, 0
			err := s.Store.Archive.VerifyArchive(ctx, nfse.Month(*month), func(one archive.VerifiedSegment) error {
				if found = append(found, one); one.Problem != "" {
					problems++
				}
				return nil
			})
			if err != nil {
				return err
			}
			err = s.Print(found, "SEGMENT\tMONTH\tDOCUMENTS\tPROBLEM", cli.Mapped(found,
				func(one archive.VerifiedSegment) []any {
					return []any{one.Key, one.Month, one.Documents, cli.OrDash(cli.OrNone(one.Problem))}
				}))
			if err == nil && problems > 0 {
				err = fmt.Errorf("%d of %d segments are not what was written", problems, len(found))
			}
			return err
		})
}
