package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"unicode"
	"unicode/utf16"

	"emissor/client"
)

// failure is why a tool did not do what it was called for, as data: what the API says, or a code of
// ours.
type failure struct {
	Code              string     `json:"code"`
	Message           string     `json:"message"`
	Field             textOrNull `json:"field"`
	Retryable         bool       `json:"retryable"`
	RetryAfterSeconds int        `json:"retry_after_seconds,omitempty"`
	RequestID         textOrNull `json:"request_id"`
	Status            int        `json:"status,omitempty"` // of HTTP
	Detail            string     `json:"detail,omitempty"`
}

// textOrNull is a text that is null where it is empty, as in the contract's envelope of an error.
type textOrNull string

// MarshalJSON implements json.Marshaler.
func (t textOrNull) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// Error implements error.
func (f failure) Error() string { return f.Code + ": " + f.Message }

// Codes of calls whose end is not known.
const (
	codeUnreachable = "unreachable"
	codeInterrupted = "interrupted"
)

// misfit is the failure of a call whose result does not fit the tool's output schema.
var misfit = failure{Code: "unexpected_answer", Message: "the API's answer does not fit the tool's output schema, " +
	"and is not shown; what the tool was called for may be done: look before it is called again"}

// ofActOnce is the failure of an act that makes another record each time it is called: where nobody
// knows whether it was done, it is not to be called again as if it was not.
func (f failure) ofActOnce() failure {
	if f.Code == codeUnreachable || f.Code == codeInterrupted || f.Status >= http.StatusInternalServerError {
		f.Retryable, f.RetryAfterSeconds = false, 0
		f.Message += "; it may be done all the same, and called again it makes another one: list what is there first"
	}
	return f
}

// failureOf tells any error as data.
func failureOf(err error) failure {
	var ours failure
	var refused *client.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &refused):
		f := failure{Code: string(refused.Code), Message: refused.Message, Field: textOrNull(refused.Field),
			Retryable: refused.Retryable, RequestID: textOrNull(refused.RequestID), Status: refused.Status,
			RetryAfterSeconds: int(refused.RetryAfter.Seconds())}
		if f.Code == "" {
			f.Code = "unexpected_answer"
		}
		return f
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return failure{Code: codeInterrupted, Message: "the call ended before the API answered", Retryable: true}
	}
	return failure{Code: codeUnreachable, Message: "the API gave no answer that can be used", Retryable: true,
		Detail: err.Error()}
}

// withoutControls writes the characters of a JSON document that are invisible, or control a terminal or the direction
// of text, as \u escapes: to a reader of JSON it is the same.
func withoutControls(content []byte) []byte {
	hidden := func(r rune) bool {
		return r >= 0x7f && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Zl, unicode.Zp))
	}
	if !bytes.ContainsFunc(content, hidden) {
		return content
	}
	var shown bytes.Buffer
	for _, r := range string(content) {
		if !hidden(r) {
			shown.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&shown, `\u%04x`, unit)
		}
	}
	return shown.Bytes()
}
