package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"emissor/client"
	"emissor/nfse"
)

// How commands end: with 0, with one of these, or with what their help says.
const (
	exitFailed = 1 // it was not done
	exitUsage  = 2 // it was typed wrong: nothing was begun
)

// exitStatus ends the program with a status of its own, and says why where there is something to say.
type exitStatus struct {
	status int
	err    error
}

// Error implements error.
func (e exitStatus) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return message(e.err)
}

// Unwrap is what to say.
func (e exitStatus) Unwrap() error { return e.err }

// usage is the error of a command that was typed wrong.
func usage(format string, args ...any) error {
	return exitStatus{exitUsage, fmt.Errorf(format, args...)}
}

// failing gives the errors of a command's run their status: what is not marked as usage has failed. All that cobra
// finds before it runs a command is usage.
func failing(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		err := run(command, args)
		if own := (exitStatus{}); err == nil || errors.As(err, &own) {
			return err
		}
		return exitStatus{exitFailed, err}
	}
}

// report says on out why the program ends, for people or as JSON, and returns its status.
func report(out io.Writer, err error, asJSON bool) (status int) {
	own := exitStatus{exitUsage, err}
	errors.As(err, &own)
	switch {
	case own.err == nil: // all is said
	case asJSON:
		_ = printJSON(out, map[string]printedError{"error": newPrintedError(own.status, err)})
	default:
		fmt.Fprintln(out, "emissor:", message(err))
	}
	return own.status
}

// printedError is why a command ended, as --json has it: as the API has it where the API refused.
type printedError struct {
	Code      nfse.Code `json:"code"` // of the API or the domain; else usage or failed
	Message   string    `json:"message"`
	Field     string    `json:"field,omitempty"`
	Retryable bool      `json:"retryable"`
	RequestID string    `json:"request_id,omitempty"`
}

func newPrintedError(status int, err error) printedError {
	printed := printedError{Code: "failed", Message: message(err)}
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
