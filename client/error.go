package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Error is an answer that is not 2xx: the envelope of the contract's section 7. Where the answer had none, as that of a
// proxy, only Status, Message and RetryAfter are set.
type Error struct {
	Status     int
	Code       ErrorCode
	Message    string
	Field      string // dotted; empty when the error is not about one
	Retryable  bool
	RequestID  string        // for support
	RetryAfter time.Duration // how long to wait first; 0 when not said
}

// Error implements error.
func (e *Error) Error() string {
	var text strings.Builder
	switch {
	case e.Code == "":
		fmt.Fprintf(&text, "HTTP %d", e.Status)
	case e.Field == "":
		text.WriteString(string(e.Code))
	default:
		fmt.Fprintf(&text, "%s (%s)", e.Code, e.Field)
	}
	text.WriteString(": " + e.Message)
	if e.RequestID != "" {
		text.WriteString(" [" + e.RequestID + "]")
	}
	return text.String()
}

// IsCode reports whether err is, or wraps, an Error with the code.
func IsCode(err error, code ErrorCode) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// passes reports whether the same call may be made again for this answer: a 429 has begun nothing; what a 502, 503 or
// 504 has done, or a 500 that the API says to repeat, is not known, which a repeatable call does not mind.
func (e *Error) passes(repeatable bool) bool {
	switch e.Status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return repeatable
	case http.StatusInternalServerError:
		return repeatable && e.Retryable
	}
	return false
}

// readError reads the envelope.
func readError(answer *Answer) *Error {
	var envelope struct{ Error ErrorDetail }
	e := &Error{Status: answer.Status, RetryAfter: answer.RetryAfter}
	if err := json.Unmarshal(answer.Body, &envelope); err != nil || envelope.Error.Code == "" {
		e.Message = "the answer is not one of Emissor: is the address right?"
		if answer.Status/100 == 3 {
			e.Message = "the address answers with a redirect, which is not followed, so that the key stays here"
		}
		return e
	}
	e.Code, e.Message, e.Retryable = envelope.Error.Code, envelope.Error.Message, envelope.Error.Retryable
	e.RequestID = envelope.Error.RequestID
	if envelope.Error.Field != nil {
		e.Field = *envelope.Error.Field
	}
	return e
}
