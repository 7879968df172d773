package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf16"

	"emissor/internal/apiclient"
)

// failure is why a tool did not do what it was called for, as data: what the API says, or a code of
// ours.
type failure struct {
	Code              string `json:"code"`
	Message           string `json:"message"`
	Field             string `json:"field,omitempty"`
	Retryable         bool   `json:"retryable"`
	RetryAfterSeconds int    `json:"retry_after_seconds,omitempty"`
	RequestID         string `json:"request_id,omitempty"`
	Status            int    `json:"status,omitempty"` // of HTTP
	Detail            string `json:"detail,omitempty"`
}

// Error implements error.
func (f failure) Error() string { return f.Code + ": " + f.Message }

// failureOf tells any error as data.
func failureOf(err error) failure {
	var ours failure
	var refused *apiclient.Error
	switch {
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &refused):
		f := failure{Code: string(refused.Code), Message: refused.Message, Field: refused.Field,
			Retryable: refused.Retryable, RequestID: refused.RequestID, Status: refused.Status,
			RetryAfterSeconds: int(refused.RetryAfter.Seconds())}
		if f.Code == "" {
			f.Code = "unexpected_answer"
		}
		return f
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return failure{Code: "interrupted", Message: "the call ended before the API answered", Retryable: true}
	}
	return failure{Code: "unreachable", Message: "the API gave no answer that can be used", Retryable: true,
		Detail: err.Error()}
}

// withoutControls writes the characters of a JSON document that are invisible, or control a terminal
// or the direction of text, as \u escapes: to whoever reads JSON it is the same.
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
