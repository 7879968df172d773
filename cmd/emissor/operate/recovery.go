package operate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/store/numbers"
	"emissor/store/operate"
)

func RecoveryCommand() *cobra.Command {
	group := cli.CommandGroup("recovery", "After a restore of the database: what authorities have that is not on record",
		recoveryBeginCommand(), recoveryListCommand(), recoveryTakeOverCommand(), recoveryLeaveCommand())
	group.Long = `After a restore of the database, or when a server took over from its primary: what authorities have that
is not on record.

The database may lack what was committed last. So no live note takes a number before the workers have asked its
authority about each number from the last known one on, until 20 in a row are free. What they find that names a note on
record is taken over by that note at once, which ends by it. What names none waits for you, and with it the notes of its
series:

  emissor recovery list        which series are still to be checked, and every document that was found
  emissor recovery take-over   a document is that of a note which is on record
  emissor recovery leave       a document stays as it is: its note is lost here

A restore of all files of a server, as from a snapshot, is not noticed: emissor recovery begin, before the workers are
started. docs/operations/backup.md has the whole way.`
	return group
}

func recoveryBeginCommand() *cobra.Command {
	command := cli.NewCommand("begin", "Have every series of numbers checked before anything more is sent, as after a "+
		"snapshot was restored",
		"emissor recovery begin", cobra.NoArgs)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		series, err := s.Changes.Operate.BeginRecovery(ctx)
		if err != nil {
			return err
		}
		if s.Json {
			return s.Print(struct {
				Series int `json:"series"`
			}{series}, "", nil)
		}
		return s.Printf("%d series of numbers are checked by the workers before a number of them is taken.\n", series)
	})
}

// whatToDo says what an operator does about a document that was found.
func whatToDo(document operate.RecoveredDocument) string {
	switch document.State {
	case operate.RecoveredTakenOver:
		return "nothing: the note ends by it"
	case operate.RecoveredLeft:
		return "nothing"
	case operate.RecoveredUnclear:
		return "emissor note show " + cli.OrDash(document.NoteID) + ", then take-over or leave"
	}
	if document.AccessKey == "" {
		return "look it up on the city's site: take-over where a note on record is its own, else leave"
	}
	return "ask the caller for its reference, which must not be issued again, then leave"
}

var recoveredTable = cli.Table[operate.RecoveredDocument]{
	Header: "SERIES\tNUMBER\tSTATE\tDOCUMENT\tTAKER\tAMOUNT (BRL)\tDAY\tNOTE\tWHAT TO DO",
	Row: func(d operate.RecoveredDocument) []any {
		document := d.AccessKey
		if document == "" {
			document = d.AuthorityNumber
		}
		return []any{d.SeriesKey, d.Number, d.State, cli.OrDash(cli.OrNone(document)), cli.OrDash(cli.OrNone(d.Taker)),
			cli.ReaisOrDash(d.AmountCents), cli.OrDash(d.Competence), cli.OrDash(d.NoteID), whatToDo(d)}
	},
}

var uncheckedTable = cli.Table[numbers.SequenceState]{
	Header: "SERIES\tLAST NUMBER\tNOTICED\tWAITS FOR\tLAST PROBLEM",
	Row: func(q numbers.SequenceState) []any {
		waits := "the workers' questions"
		if q.Undecided > 0 {
			waits = fmt.Sprintf("you: %d documents", q.Undecided)
		}
		return []any{q.SeriesKey, q.LastNumber, cli.OrDash(q.NoticedAt), waits, cli.OrDash(cli.OrNone(q.Problem.English()))}
	},
}

func recoveryListCommand() *cobra.Command {
	command := cli.NewCommand("list [--organization ORG] [--undecided]",
		"List the series that are still to be checked, and the documents that were found",
		"emissor recovery list --undecided", cobra.NoArgs)
	organization := cli.OrganizationFilter(command)
	undecided := command.Flags().Bool("undecided", false, "only the documents that wait for you")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		unchecked, err := s.Store.Numbers.UncheckedSequences(ctx, *organization)
		if err != nil {
			return err
		}
		all, err := s.Store.Operate.RecoveredDocuments(ctx, *organization)
		if err != nil {
			return err
		}
		found := []operate.RecoveredDocument{}
		for _, document := range all {
			if !*undecided || document.Undecided() {
				found = append(found, document)
			}
		}
		if s.Json {
			return s.Print(struct {
				Series    []numbers.SequenceState     `json:"series"` // that are still to be checked
				Documents []operate.RecoveredDocument `json:"documents"`
			}{unchecked, found}, "", nil)
		}
		if err := s.Printf("%d series of numbers are still to be checked.\n", len(unchecked)); err != nil {
			return err
		}
		if len(unchecked) > 0 {
			if err := uncheckedTable.Print(s, unchecked); err != nil {
				return err
			}
		}
		if err := s.Printf("\n%d documents:\n", len(found)); err != nil || len(found) == 0 {
			return err
		}
		return recoveredTable.Print(s, found)
	})
}

// addNumberFlags adds the flags that name a document that waits for a decision.
func addNumberFlags(command *cobra.Command) (organization, series, number *string) {
	organization = cli.OrganizationFlag(command)
	number = cli.RequiredFlag(command, "number", "number of the document in its series")
	series = command.Flags().String("series", "", "where documents of several series have the number, which one: "+
		"its number, or all of its name as emissor recovery list shows it")
	return organization, series, number
}

// undecidedDocument finds the organization's document of a number that waits for a decision.
func undecidedDocument(ctx context.Context, s *cli.CommandRun, organizationID, series, number string) (
	found operate.RecoveredDocument, err error) {
	wanted, err := strconv.ParseInt(number, 10, 64)
	if err != nil || wanted < 1 {
		return found, cli.Usage("--number must be a number from 1 on")
	}
	isNamed, err := cli.SeriesNamed(series)
	if err != nil {
		return found, err
	}
	all, err := s.Store.Operate.RecoveredDocuments(ctx, organizationID)
	if err != nil {
		return found, err
	}
	var names []string
	for _, document := range all {
		named := document.SeriesKey
		named.Registration = ""
		if document.Number == wanted && document.Undecided() && (isNamed(named) || isNamed(document.SeriesKey)) {
			found, names = document, append(names, document.SeriesKey.String())
		}
	}
	switch len(names) {
	case 0:
		return found, fmt.Errorf("no document under the number %d waits for a decision", wanted)
	case 1:
		return found, nil
	}
	return found, errors.New("documents of several series have the number, say which by --series: " +
		strings.Join(names, ", "))
}

func recoveryTakeOverCommand() *cobra.Command {
	command := cli.NewCommand("take-over --organization ORG --number NUMBER --note NOTE [--series SERIES]",
		"Give a document that was found to the note whose it is",
		`emissor recovery take-over --organization org_01m10n7b5xf0stgd3ek65gw866 --number 1042 \
  --note nfse_01m0w44f10fsyspwgt3r335dyf`, cobra.NoArgs)
	command.Long = `Give a document that was found to the note whose it is, which you know from the city's site: taker,
value, service and day. The note asks the city about it, and ends by it where these are its own; else the document counts as
another's, and the note takes another number. Nothing is sent by this.`
	organization, series, number := addNumberFlags(command)
	note := cli.RequiredFlag(command, "note", "id of the note (nfse_...)")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		document, err := undecidedDocument(ctx, s, *organization, *series, *number)
		if err == nil {
			err = s.Changes.Operate.TakeOverDocument(ctx, *organization, document.SeriesKey, document.Number, *note)
		}
		if errors.Is(err, operate.ErrNoteCannotTake) {
			err = fmt.Errorf("the note %s cannot take it: %w", *note, err)
		}
		if err != nil {
			return err
		}
		return decided(s, document, "The note asks about it, and ends by what it finds.")
	})
}

func recoveryLeaveCommand() *cobra.Command {
	command := cli.NewCommand("leave --organization ORG --number NUMBER [--series SERIES]",
		"Leave a document that was found as it is: its note is lost here",
		"emissor recovery leave --organization org_01m10n7b5xf0stgd3ek65gw866 --number 1043", cobra.NoArgs)
	command.Long = `Leave a document that was found as it is: its note was accepted after the moment to which the database
was restored, and is lost here. The document stands at the authority. Find out from the caller which reference it was: a
POST that repeats it would be another note, and issue a second document. Where that happens all the same, cancel one of
the two there.`
	organization, series, number := addNumberFlags(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		document, err := undecidedDocument(ctx, s, *organization, *series, *number)
		if err == nil {
			err = s.Changes.Operate.LeaveDocument(ctx, *organization, document.SeriesKey, document.Number)
		}
		if err != nil {
			return err
		}
		return decided(s, document, "It stays as it is, and its number is taken by no note here.")
	})
}

func decided(s *cli.CommandRun, document operate.RecoveredDocument, what string) error {
	if s.Json {
		return s.Print(struct {
			nfse.SeriesKey
			Number int64 `json:"number"`
		}{document.SeriesKey, document.Number}, "", nil)
	}
	return s.Printf("Number %d of the series %s. %s\n", document.Number, document.SeriesKey, what)
}
