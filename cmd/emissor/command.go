package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emissor/fiscal/cities"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/internal/mail"
	"emissor/store"
	"emissor/store/postgres"
)

// commandRun is what one run of an operator's command works with.
type commandRun struct {
	config  config
	store   *store.Store   // to read
	changes *store.Changes // to change, with who runs the command in the audit log
	args    []string
	out     io.Writer
	json    bool         // print JSON, for scripts, instead of text for people
	sender  *mail.Sender // of commands that make links; nil: there is no mail server
}

// commandGroup makes a command that has others under it.
func commandGroup(name, short string, commands ...*cobra.Command) *cobra.Command {
	group := &cobra.Command{Use: name, Short: short}
	group.AddCommand(commands...)
	return group
}

// newCommand makes a command without flags yet, for databaseCommand to complete. Its example is
// what somebody may type, in one line or two.
func newCommand(use, short, example string, args cobra.PositionalArgs) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Example: example, Args: args}
}

// databaseCommand completes a command that works on the database: it gives it the
// flag --json, and opens the database for run.
func databaseCommand(command *cobra.Command, run func(context.Context, *commandRun) error) *cobra.Command {
	return checkedCommand(command, func([]string) error { return nil }, run)
}

// checkedCommand completes a databaseCommand whose flags and arguments are checked
// before the database is opened.
func checkedCommand(
	command *cobra.Command, check func(args []string) error, run func(context.Context, *commandRun) error,
) *cobra.Command {
	asJSON := jsonFlag(command)
	command.RunE = func(command *cobra.Command, args []string) error {
		if err := check(args); err != nil {
			return exitStatus{exitUsage, err}
		}
		return withDatabase(command, args, func(ctx context.Context, s *commandRun) error {
			s.json = *asJSON
			return run(ctx, s)
		})
	}
	return command
}

// jsonFlag adds --json, which every command has that prints something.
func jsonFlag(command *cobra.Command) *bool {
	return command.Flags().Bool("json", false, "print JSON")
}

// printJSON prints value as JSON for scripts.
func printJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// withDatabase opens the database for one run of a command.
func withDatabase(command *cobra.Command, args []string, run func(context.Context, *commandRun) error) error {
	config, err := loadConfig()
	if err != nil {
		return err
	}
	config.DatabaseConnections = 2
	ctx := command.Context()
	archive, err := config.archive(ctx)
	if err != nil {
		return err
	}
	db, err := openStore(ctx, config, jobStatementTimeout, postgres.Rows{}, archive)
	if err != nil {
		return err
	}
	if err := db.CheckSchema(ctx); err != nil {
		return errors.Join(err, db.Close())
	}
	if err := cities.Load(ctx, db.Companies, cityrules.Quirks()); err != nil {
		fmt.Fprintln(command.ErrOrStderr(), "emissor: the table of cities that is built in is used:", err)
	}
	s := &commandRun{
		config: config, store: db, changes: db.By(operator(config.Operator)), args: args, out: command.OutOrStdout(),
	}
	return errors.Join(run(ctx, s), db.Close())
}

// print prints value as JSON, or else rows under a header, whose columns are
// separated by tabs.
func (s *commandRun) print(value any, header string, rows [][]any) error {
	if s.json {
		return printJSON(s.out, value)
	}
	lines := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(lines, header)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, value := range row {
			cells[i] = cell(value)
		}
		fmt.Fprintln(lines, strings.Join(cells, "\t"))
	}
	return lines.Flush()
}

// printf prints text for people; with --json nothing.
func (s *commandRun) printf(format string, args ...any) error {
	if s.json {
		return nil
	}
	_, err := fmt.Fprintf(s.out, format, args...)
	return err
}

// say prints value as JSON, or else text for people.
func (s *commandRun) say(value any, format string, args ...any) error {
	if s.json {
		return printJSON(s.out, value)
	}
	return s.printf(format, args...)
}

// table is how records of one kind are printed.
type table[T any] struct {
	header string
	row    func(T) []any
}

// print prints records, one a row; with --json as an array.
func (t table[T]) print(s *commandRun, records []T) error {
	return s.print(records, t.header, mapped(records, t.row))
}

// printOne prints a record in a row; with --json as an object.
func (t table[T]) printOne(s *commandRun, record T) error {
	return s.print(record, t.header, [][]any{t.row(record)})
}

// show prints records as print does, where they could be read: err is why they could not.
func (t table[T]) show(s *commandRun, records []T, err error) error {
	if err != nil {
		return err
	}
	return t.print(s, records)
}

// showOne prints a record as printOne does, where what gives it did not fail.
func (t table[T]) showOne(s *commandRun, record T, err error) error {
	if err != nil {
		return err
	}
	return t.printOne(s, record)
}

// mapped returns what f makes of each element; never nil.
func mapped[From, To any](list []From, f func(From) To) []To {
	result := make([]To, len(list))
	for i, one := range list {
		result[i] = f(one)
	}
	return result
}

// orDash returns a value that may be unset as text.
func orDash[T any](value *T) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprint(*value)
}
