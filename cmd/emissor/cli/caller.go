package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"emissor/client"
)

// CallerRun is what one run of a caller's command works with: an API key instead of a database.
type CallerRun struct {
	CommandRun // of which only what prints is there
	Client     *client.Client
}

// CallerCommand completes a command of those who call the API: it gives it the flag --json, and makes
// the client of EMISSOR_API_URL and EMISSOR_API_KEY for run.
func CallerCommand(command *cobra.Command, run func(context.Context, *CallerRun) error) *cobra.Command {
	if command.ValidArgsFunction == nil && command.ValidArgs == nil {
		command.ValidArgsFunction = cobra.NoFileCompletions
	}
	asJSON := JSONFlag(command)
	command.RunE = func(command *cobra.Command, args []string) error {
		api, err := APIFromEnvironment()
		if err != nil {
			return err
		}
		return run(command.Context(), &CallerRun{Client: api,
			CommandRun: CommandRun{Args: args, Out: command.OutOrStdout(), Json: *asJSON}})
	}
	return command
}

// ChosenFlag adds a flag whose values are few, for the shell to complete.
func ChosenFlag(command *cobra.Command, name, usage string, values ...string) *string {
	value := command.Flags().String(name, "", usage)
	CompleteFlag(command, name, values...)
	return value
}

// TimeoutFlag adds --timeout: how long a command that waits does.
func TimeoutFlag(command *cobra.Command, fallback time.Duration) *time.Duration {
	return command.Flags().Duration("timeout", fallback, "how long to wait for the note's end")
}

// errWaited is why a wait ended without what was waited for.
var errWaited = errors.New("the time to wait is over (--timeout); `emissor client note wait` goes on waiting")

// Within gives a wait its time.
func Within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, timeout, errWaited)
}

// maxRequestBody is what the API takes.
const maxRequestBody = 64 << 10

// BodyFile reads a request's JSON body from a file, or from standard input where it is -.
func BodyFile(command *cobra.Command, name string) (json.RawMessage, error) {
	var from io.Reader = command.InOrStdin()
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	content, err := io.ReadAll(io.LimitReader(from, maxRequestBody+1))
	switch {
	case err != nil:
		return nil, err
	case len(content) > maxRequestBody:
		return nil, Usage("--file holds more than a request may have (%d KiB)", maxRequestBody>>10)
	case !json.Valid(content):
		return nil, Usage("--file holds no JSON")
	}
	return content, nil
}

// FileInsteadOf adds --file, which holds the whole request in place of the flags named.
func FileInsteadOf(command *cobra.Command, names ...string) *string {
	file := command.Flags().String("file", "", "the whole request as JSON: a file, or - for standard input")
	CompleteFileFlag(command, "file")
	for _, name := range names {
		command.MarkFlagsMutuallyExclusive("file", name)
	}
	return file
}

// Given returns a flag's value where it was set: what is not set is left out of a request.
func Given[T any](command *cobra.Command, name string, value T) *T {
	if !command.Flags().Changed(name) {
		return nil
	}
	return &value
}

// UnlessZero is a value, where it is not the one that a request has when it is left out.
func UnlessZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// CallerNotes prints notes as callers see them: nothing about the customer.
var CallerNotes = Table[client.Nfse]{"ID\tSTATUS\tREFERENCE\tAMOUNT (BRL)\tNUMBER\tREJECTION\tCANCELLATION\tUPDATED",
	func(n client.Nfse) []any {
		number, rejection, cancellation := "-", "-", "-"
		if n.Authority != nil {
			number = OrDash(n.Authority.Number)
		}
		if n.Rejection != nil {
			rejection = n.Rejection.Code
		}
		if n.Cancellation != nil {
			cancellation = string(n.Cancellation.Status)
		}
		return []any{n.ID, n.Status, Shorten(n.Reference), Reais(n.AmountCents), number, rejection, cancellation,
			n.UpdatedAt}
	}}

// PrintEnd prints a note that was waited for, and says so in the error where it was rejected.
func (s *CallerRun) PrintEnd(note client.Nfse) error {
	if err := CallerNotes.PrintOne(&s.CommandRun, note); err != nil {
		return err
	}
	if note.Rejection != nil {
		return fmt.Errorf("the note was rejected: %s, field %s. %s", note.Rejection.Code,
			OrDash(note.Rejection.Field), note.Rejection.Action)
	}
	return nil
}
