package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emissor/fiscal/cities"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/internal/mail"
	"emissor/store"
	"emissor/store/postgres"
)

// CommandRun is what one run of an operator's command works with.
type CommandRun struct {
	Config  Config
	Store   *store.Store   // to read
	Changes *store.Changes // to change, with who runs the command in the audit log
	Args    []string
	Out     io.Writer
	Json    bool         // print JSON, for scripts, instead of text for people
	Sender  *mail.Sender // of commands that make links; nil: there is no mail server
}

// CommandGroup makes a command that has others under it.
func CommandGroup(name, short string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: name, Short: short}
	group.AddCommand(commands...)
	return group
}

// NewCommand makes a command without flags yet, for DatabaseCommand to complete. Its example is
// what somebody may type, in one line or two.
func NewCommand(use, short, example string, args cobra.PositionalArgs) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Example: example, Args: args}
}

// DatabaseCommand completes a command that works on the database: it gives it the
// flag --json, and opens the database for run.
func DatabaseCommand(command *cobra.Command, run func(context.Context, *CommandRun) error) *cobra.Command {
	return CheckedCommand(command, func([]string) error { return nil }, run)
}

// CheckedCommand completes a DatabaseCommand whose flags and arguments are checked
// before the database is opened.
func CheckedCommand(
	command *cobra.Command, check func(args []string) error, run func(context.Context, *CommandRun) error,
) *cobra.Command {
	asJSON := JSONFlag(command)
	command.RunE = func(command *cobra.Command, args []string) error {
		if err := check(args); err != nil {
			return ExitStatus{exitUsage, err}
		}
		return withDatabase(command, args, func(ctx context.Context, s *CommandRun) error {
			s.Json = *asJSON
			return run(ctx, s)
		})
	}
	return command
}

// JSONFlag adds --json, which every command has that prints something.
func JSONFlag(command *cobra.Command) *bool {
	return command.Flags().Bool("json", false, "print JSON")
}

// PrintJSON prints value as JSON for scripts.
func PrintJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// withDatabase opens the database for one run of a command.
func withDatabase(command *cobra.Command, args []string, run func(context.Context, *CommandRun) error) error {
	config, err := LoadConfig()
	if err != nil {
		return err
	}
	config.DatabaseConnections = 2
	ctx := command.Context()
	archive, err := config.Archive(ctx)
	if err != nil {
		return err
	}
	db, err := OpenStore(ctx, config, JobStatementTimeout, postgres.Rows{}, archive)
	if err != nil {
		return err
	}
	if err := db.CheckSchema(ctx); err != nil {
		return errors.Join(err, db.Close())
	}
	if err := cities.Load(ctx, db.Companies, cityrules.Quirks()); err != nil {
		fmt.Fprintln(command.ErrOrStderr(), "emissor: the table of cities that is built in is used:", err)
	}
	s := &CommandRun{
		Config: config, Store: db, Changes: db.By(operator(config.Operator)), Args: args, Out: command.OutOrStdout(),
	}
	return errors.Join(run(ctx, s), db.Close())
}

// Print prints value as JSON, or else rows under a header, whose columns are
// separated by tabs.
func (s *CommandRun) Print(value any, header string, rows [][]any) error {
	if s.Json {
		return PrintJSON(s.Out, value)
	}
	lines := tabwriter.NewWriter(s.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(lines, header)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = Cell(value)
		}
		fmt.Fprintln(lines, strings.Join(cells, "\t"))
	}
	return lines.Flush()
}

// Printf prints text for people; with --json nothing.
func (s *CommandRun) Printf(format string, args ...any) error {
	if s.Json {
		return nil
	}
	_, err := fmt.Fprintf(s.Out, format, args...)
	return err
}

// Say prints value as JSON, or else text for people.
func (s *CommandRun) Say(value any, format string, args ...any) error {
	if s.Json {
		return PrintJSON(s.Out, value)
	}
	return s.Printf(format, args...)
}

// Table is how records of one kind are printed.
type Table[T any] struct {
	Header string
	Row    func(T) []any
}

// Print prints records, one a row; with --json as an array.
func (t Table[T]) Print(s *CommandRun, records []T) error {
	return s.Print(records, t.Header, Mapped(records, t.Row))
}

// PrintOne prints a record in a row; with --json as an object.
func (t Table[T]) PrintOne(s *CommandRun, record T) error {
	return s.Print(record, t.Header, [][]any{t.Row(record)})
}

// Show prints records as print does, where they could be read: err is why they could not.
func (t Table[T]) Show(s *CommandRun, records []T, err error) error {
	if err != nil {
		return err
	}
	return t.Print(s, records)
}

// ShowOne prints a record as PrintOne does, where what gives it did not fail.
func (t Table[T]) ShowOne(s *CommandRun, record T, err error) error {
	if err != nil {
		return err
	}
	return t.PrintOne(s, record)
}

// Mapped returns what f makes of each element; never nil.
func Mapped[From, To any](list []From, f func(From) To) []To {
	result := make([]To, len(list))
	for i, one := range list {
		result[i] = f(one)
	}
	return result
}

// OrDash returns a value that may be unset as text.
func OrDash[T any](value *T) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprint(*value)
}

const JobStatementTimeout = 30 * time.Second

func OpenStore(
	ctx context.Context, config Config, statementTimeout time.Duration, rows postgres.Rows,
	archive postgres.DocumentArchive,
) (*store.Store, error) {
	return store.Open(ctx, postgres.Config{
		URL:              config.DatabaseURL,
		MaxConnections:   config.DatabaseConnections,
		StatementTimeout: statementTimeout,
		Application:      "emissor/" + Version(),
		Rows:             rows,
		Limits:           config.Organization.ofStore(),
		Archive:          archive,
	})
}
