package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/nfse"
	"emissor/store/postgres"
)

// How commands end: with 0, with one of these, or with what their help says.
const (
	exitFailed = 1 // it was not done
	exitUsage  = 2 // it was typed wrong: nothing was begun
)

// ExitStatus ends the program with a status of its own, and says why where there is something to say.
type ExitStatus struct {
	Status int
	Err    error
}

// Error implements error.
func (e ExitStatus) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Status)
	}
	return Message(e.Err)
}

// Unwrap is what to say.
func (e ExitStatus) Unwrap() error { return e.Err }

// Usage is the error of a command that was typed wrong.
func Usage(format string, args ...any) error {
	return ExitStatus{exitUsage, fmt.Errorf(format, args...)}
}

// failing gives the errors of a command's run their status: what is not marked as usage has failed. All that cobra
// finds before it runs a command is usage.
func failing(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		err := run(command, args)
		if own := (ExitStatus{}); err == nil || errors.As(err, &own) {
			return err
		}
		return ExitStatus{exitFailed, err}
	}
}

// Report says on out why the program ends, for people or as JSON, and returns its status.
func Report(out io.Writer, err error, asJSON bool) (status int) {
	own := ExitStatus{exitUsage, err}
	errors.As(err, &own)
	switch {
	case own.Err == nil: // all is said
	case asJSON:
		_ = PrintJSON(out, map[string]PrintedError{"error": newPrintedError(own.Status, err)})
	default:
		fmt.Fprintln(out, "emissor:", Message(err))
	}
	return own.Status
}

// PrintedError is why a command ended, as --json has it: as the API has it where the API refused.
type PrintedError struct {
	Code      nfse.Code `json:"code"` // of the API or the domain; else usage or failed
	Message   string    `json:"message"`
	Field     string    `json:"field,omitempty"`
	Retryable bool      `json:"retryable"`
	RequestID string    `json:"request_id,omitempty"`
}

func newPrintedError(status int, err error) PrintedError {
	printed := PrintedError{Code: "failed", Message: Message(err)}
	if status == exitUsage {
		printed.Code = "usage"
	}
	var refused *client.Error
	var known *nfse.Error
	switch {
	case errors.As(err, &refused) && refused.Code != "":
		printed.Code, printed.Field, printed.Retryable = nfse.Code(refused.Code), refused.Field, refused.Retryable
		printed.RequestID = refused.RequestID
	case errors.As(err, &known):
		printed.Code, printed.Field, printed.Retryable = known.Code, known.Field, known.Retryable
	}
	return printed
}

// Message returns what went wrong, in words for an operator.
func Message(err error) string {
	var known *nfse.Error
	if errors.As(err, &known) {
		return known.Message
	}
	if postgres.IsUnstorable(err) {
		return "a text that was given holds a NUL, or bytes that are no UTF-8, and cannot be kept"
	}
	return err.Error()
}
