package nfse

import (
	"errors"
	"fmt"

	"emissor/nfse/fact"
)

// Code is the machine-readable code of an Error, as the API shows it.
type Code string

// The codes of the API. Package api maps each to its HTTP status.
const (
	CodeInvalidRequest            Code = "invalid_request"
	CodeSandboxScenarioNotAllowed Code = "sandbox_scenario_not_allowed"
	CodeInvalidAPIKey             Code = "invalid_api_key"
	CodeServiceNotFound           Code = "service_not_found"
	CodeCustomerNotFound          Code = "customer_not_found"
	CodeNoteNotFound              Code = "nfse_not_found"
	CodeNotFound                  Code = "not_found"
	CodeMethodNotAllowed          Code = "method_not_allowed"
	CodeIdempotencyConflict       Code = "idempotency_conflict"
	CodeServiceInactive           Code = "service_inactive"
	CodeNoteNotCancellable        Code = "nfse_not_cancellable"
	CodeNoteAlreadyCancelled      Code = "nfse_already_cancelled"
	CodeCancellationInProgress    Code = "cancellation_in_progress"
	CodeXMLNotAvailable           Code = "xml_not_available"
	CodePayloadTooLarge           Code = "payload_too_large"
	CodeUnsupportedMediaType      Code = "unsupported_media_type"
	CodeMunicipalityConflict      Code = "municipality_code_conflict"
	CodeZipCodeNotFound           Code = "zip_code_not_found"
	CodeCustomerIncomplete        Code = "customer_incomplete"
	CodeRateLimited               Code = "rate_limited"
	CodeInternal                  Code = "internal_error"
	CodeZipCodeLookupUnavailable  Code = "zip_code_lookup_unavailable"
	CodeServiceUnavailable        Code = "service_unavailable"
)

// Error tells a caller why something cannot be done. Every package returns it
// for what the caller can understand; any other error is a failure of the service,
// logged and shown as internal_error.
type Error struct {
	Code      Code
	Message   string // for people; never holds a tax id, a key or an internal detail
	Field     string // dotted name of the offending field, which each caller replaces by its own; empty when none
	Retryable bool   // whether repeating the same request can succeed

	Reason fact.Fact // the fact that Message is the text of; none where there is only a text
}

// Error implements error.
func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s (%s): %s", e.Code, e.Field, e.Message)
}

// NewError makes an error that is not retryable.
func NewError(code Code, field, format string, args ...any) *Error {
	return &Error{Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Invalid makes the invalid_request error of one field.
func Invalid(field, format string, args ...any) *Error {
	return NewError(CodeInvalidRequest, field, format, args...)
}

// InvalidBecause makes the invalid_request error of one field from a fact.
func InvalidBecause(field string, reason fact.Fact) *Error {
	return &Error{Code: CodeInvalidRequest, Field: field, Message: reason.English(), Reason: reason}
}

// NotFound makes the error of an id that names nothing here. It is the same for ids that
// are malformed, unknown, of another organization or of the other environment.
func NotFound(code Code, field string) *Error {
	return NewError(code, field, "this id names nothing in this environment")
}

// Unavailable makes a retryable error.
func Unavailable(code Code, field, format string, args ...any) *Error {
	return &Error{Code: code, Field: field, Message: fmt.Sprintf(format, args...), Retryable: true}
}

// IsCode reports whether err is, or wraps, an Error with the code.
func IsCode(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
