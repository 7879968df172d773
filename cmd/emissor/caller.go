package main

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

// callerRun is what one run of a caller's command works with: an API key instead of a database.
type callerRun struct {
	commandRun // of which only what prints is there
	client     *client.Client
}

// callerCommand completes a command of those who call the API: it gives it the flag --json, and makes
// the client of EMISSOR_API_URL and EMISSOR_API_KEY for run.
func callerCommand(command *cobra.Command, run func(context.Context, *callerRun) error) *cobra.Command {
	if command.ValidArgsFunction == nil && command.ValidArgs == nil {
		command.ValidArgsFunction = cobra.NoFileCompletions
	}
	asJSON := jsonFlag(command)
	command.RunE = func(command *cobra.Command, args []string) error {
		api, err := apiFromEnvironment()
		if err != nil {
			return err
		}
		return run(command.Context(), &callerRun{client: api,
			commandRun: commandRun{args: args, out: command.OutOrStdout(), json: *asJSON}})
	}
	return command
}

// chosenFlag adds a flag whose values are few, for the shell to complete.
func chosenFlag(command *cobra.Command, name, usage string, values ...string) *string {
	value := command.Flags().String(name, "", usage)
	completeFlag(command, name, values...)
	return value
}

// timeoutFlag adds --timeout: how long a command that waits does.
func timeoutFlag(command *cobra.Command, fallback time.Duration) *time.Duration {
	return command.Flags().Duration("timeout", fallback, "how long to wait for the note's end")
}

// errWaited is why a wait ended without what was waited for.
var errWaited = errors.New("the time to wait is over (--timeout); `emissor client note wait` goes on waiting")

// within gives a wait its time.
func within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, timeout, errWaited)
}

// maxRequestBody is what the API takes.
const maxRequestBody = 64 << 10

// bodyFile reads a request's JSON body from a file, or from standard input where it is -.
func bodyFile(command *cobra.Command, name string) (json.RawMessage, error) {
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
		return nil, usage("--file holds more than a request may have (%d KiB)", maxRequestBody>>10)
	case !json.Valid(content):
		return nil, usage("--file holds no JSON")
	}
	return content, nil
}

// fileInsteadOf adds --file, which holds the whole request in place of the flags named.
func fileInsteadOf(command *cobra.Command, names ...string) *string {
	file := command.Flags().String("file", "", "the whole request as JSON: a file, or - for standard input")
	completeFileFlag(command, "file")
	for _, name := range names {
		command.MarkFlagsMutuallyExclusive("file", name)
	}
	return file
}

// given returns a flag's value where it was set: what is not set is left out of a request.
func given[T any](command *cobra.Command, name string, value T) *T {
	if !command.Flags().Changed(name) {
		return nil
	}
	return &value
}

// unlessZero is a value, where it is not the one that a request has when it is left out.
func unlessZero[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// callerNotes prints notes as callers see them: nothing about the customer.
var callerNotes = table[client.Nfse]{"ID\tSTATUS\tREFERENCE\tAMOUNT (BRL)\tNUMBER\tREJECTION\tCANCELLATION\tUPDATED",
	func(n client.Nfse) []any {
		number, rejection, cancellation := "-", "-", "-"
		if n.Authority != nil {
			number = orDash(n.Authority.Number)
		}
		if n.Rejection != nil {
			rejection = n.Rejection.Code
		}
		if n.Cancellation != nil {
			cancellation = string(n.Cancellation.Status)
		}
		return []any{n.ID, n.Status, shorten(n.Reference), reais(n.AmountCents), number, rejection, cancellation, n.UpdatedAt}
	}}

// printEnd prints a note that was waited for, and says so in the error where it was rejected.
func (s *callerRun) printEnd(note client.Nfse) error {
	if err := callerNotes.printOne(&s.commandRun, note); err != nil {
		return err
	}
	if note.Rejection != nil {
		return fmt.Errorf("the note was rejected: %s, field %s. %s", note.Rejection.Code,
			orDash(note.Rejection.Field), note.Rejection.Action)
	}
	return nil
}
