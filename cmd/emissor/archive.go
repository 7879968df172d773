package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"emissor/internal/archive/objects"
	"emissor/nfse"
	"emissor/store/archive"
	"emissor/store/postgres"
)

// ArchiveConfig says where the documents of closed months go; the workers move them.
type ArchiveConfig struct {
	ArchiveURL   archiveURL `envconfig:"EMISSOR_ARCHIVE_URL" readers:"api worker dashboard commands" desc:"Where the documents of closed months are moved to, as s3://bucket/prefix?region=sa-east-1, with &endpoint=https://... for a service other than Amazon's, or file:///folder. Credentials come from where Amazon's own tools look for them, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Empty: every document stays in the database."`
	ArchiveAfter age        `envconfig:"EMISSOR_ARCHIVE_AFTER" expert:"true" default:"1y" readers:"worker commands" desc:"How long a month has to be over before its documents are moved, in days or years, as 90d or 2y. 0 moves no more; what was moved is read where it is."`
}

// leastArchiveAge is longer than a cancellation, its e-mails and the month's closing take.
const leastArchiveAge = 30 * day

func (c ArchiveConfig) check() error {
	if c.ArchiveAfter != 0 && c.ArchiveAfter < leastArchiveAge {
		return errors.New("EMISSOR_ARCHIVE_AFTER must be 30d or more, or 0 to move nothing")
	}
	return nil
}

// archive is the archive of the store; none where no address is set.
func (c ArchiveConfig) archive(ctx context.Context) (archive postgres.DocumentArchive, err error) {
	if c.ArchiveURL.IsZero() {
		return archive, nil
	}
	if archive.Objects, err = objects.Open(ctx, c.ArchiveURL.Address); err != nil {
		return archive, fmt.Errorf("EMISSOR_ARCHIVE_URL: %w", err)
	}
	return archive, nil
}

// archiveURL is the address of the archive.
type archiveURL struct{ objects.Address }

// Decode implements envconfig.Decoder.
func (u *archiveURL) Decode(value string) (err error) {
	if value == "" {
		return nil
	}
	u.Address, err = objects.ParseAddress(value)
	return err
}

func archiveCommand() *cobra.Command {
	group := commandGroup("archive", "Look at the archive of documents, check it, and bring documents back",
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
	command := newCommand("status", "Show which months are in the archive, what waits, and what has failed since when",
		"emissor archive status", cobra.NoArgs)
	return databaseCommand(command, func(ctx context.Context, s *commandRun) error {
		printed := printedArchive{Months: []archive.ArchivedMonth{}}
		var err error
		if printed.ArchiveState, err = s.store.Archive.ArchiveState(ctx); err != nil {
			return err
		}
		if printed.Months, err = s.store.Archive.ArchivedMonths(ctx); err != nil {
			return err
		}
		if s.json {
			return s.print(printed, "", nil)
		}
		if err := printArchiveState(s, printed.ArchiveState); err != nil {
			return err
		}
		return s.print(nil, "MONTH\tSEGMENTS\tDOCUMENTS\tBYTES", mapped(printed.Months,
			func(m archive.ArchivedMonth) []any { return []any{m.Month, m.Segments, m.Documents, m.Bytes} }))
	})
}

func printArchiveState(s *commandRun, state archive.ArchiveState) error {
	looked := "nothing"
	if at, known := nfse.TimeOf(nfse.PrefixNote, state.UpTo); known {
		looked = "notes accepted up to " + nfse.Timestamp{Time: at}.String()
	}
	err := s.printf("Looked at: %s.\nLast round in which everything worked: %s.\n", looked, orDash(state.SucceededAt))
	if err == nil && state.FailingSince != nil {
		err = s.printf("FAILING since %s: %s. The log of the worker says more.\n", state.FailingSince,
			archiveProblems[orDash(state.Problem)])
	}
	if err == nil && state.Erasures > 0 {
		err = s.printf("To be erased in the archive: %d documents, the oldest since %s.\n", state.Erasures,
			state.ErasedSince)
	}
	if err == nil && state.Leaving+state.Writing+state.SetAside > 0 {
		err = s.printf("Segments to be deleted: %d. Unfinished: %d. Documents and segments set aside: %d.\n",
			state.Leaving, state.Writing, state.SetAside)
	}
	if err == nil {
		err = s.printf("\n")
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
	command := newCommand("run [--from MONTH]", "Do now what the workers do about the archive every five minutes",
		`emissor archive run
emissor archive run --from 2026-01`, cobra.NoArgs)
	from := command.Flags().String("from", "",
		"month, as 2026-01, from which on documents are looked at again, as after archive restore")
	return checkedCommand(command, func([]string) error { return checkMonth("from", *from) },
		func(ctx context.Context, s *commandRun) error {
			if *from != "" {
				if err := s.store.Archive.ArchiveAgain(ctx, nfse.Month(*from)); err != nil {
					return err
				}
			}
			round, err := s.store.Archive.RunArchive(ctx, time.Duration(s.config.ArchiveAfter))
			if err != nil {
				return err
			}
			if s.json {
				return s.print(round, "", nil)
			}
			return s.printf("Moved %d documents into %d segments; erased %d in the archive; deleted %d segments.\n",
				round.Moved, round.Segments, round.Erased, round.Deleted)
		})
}

// checkMonth refuses a flag that is no month; an empty one was not given.
func checkMonth(flag, month string) error {
	if month == "" {
		return nil
	}
	if _, err := nfse.ParseMonth(month); err != nil {
		return usage("--%s %w", flag, err)
	}
	return nil
}

func archiveRestoreCommand() *cobra.Command {
	command := newCommand("restore --month MONTH",
		"Bring the documents of a month back into the database, each checked; repeated, it goes on",
		"emissor archive restore --month 2026-01", cobra.NoArgs)
	month := requiredFlag(command, "month", "month of the notes, as 2026-01")
	return checkedCommand(command, func([]string) error { return checkMonth("month", *month) },
		func(ctx context.Context, s *commandRun) error {
			restored, err := s.changes.Archive.RestoreMonth(ctx, nfse.Month(*month))
			if err != nil {
				return err
			}
			if s.json {
				return s.print(restored, "", nil)
			}
			return s.printf("%d documents of %d segments are back.\n", restored.Documents, restored.Segments)
		})
}

func archiveVerifyCommand() *cobra.Command {
	command := newCommand("verify [--month MONTH]",
		"Read every segment, or those of a month, and check all digests and places",
		"emissor archive verify --month 2026-01 --json", cobra.NoArgs)
	month := command.Flags().String("month", "", "month of the notes, as 2026-01; empty: all of them")
	return checkedCommand(command, func([]string) error { return checkMonth("month", *month) },
		func(ctx context.Context, s *commandRun) error {
			found, problems := []archive.VerifiedSegment{}, 0
			err := s.store.Archive.VerifyArchive(ctx, nfse.Month(*month), func(one archive.VerifiedSegment) error {
				if found = append(found, one); one.Problem != "" {
					problems++
				}
				return nil
			})
			if err != nil {
				return err
			}
			err = s.print(found, "SEGMENT\tMONTH\tDOCUMENTS\tPROBLEM", mapped(found, func(one archive.VerifiedSegment) []any {
				return []any{one.Key, one.Month, one.Documents, orDash(orNone(one.Problem))}
			}))
			if err == nil && problems > 0 {
				err = fmt.Errorf("%d of %d segments are not what was written", problems, len(found))
			}
			return err
		})
}
