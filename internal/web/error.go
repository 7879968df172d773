package web

import (
	"net/http"
	"strconv"

	"emissor/nfse"
)

// Statuses is the one mapping of the contract's codes to HTTP.
var Statuses = map[nfse.Code]int{
	nfse.CodeInvalidRequest:            http.StatusBadRequest,
	nfse.CodeSandboxScenarioNotAllowed: http.StatusBadRequest,
	nfse.CodeInvalidAPIKey:             http.StatusUnauthorized,
	nfse.CodeServiceNotFound:           http.StatusNotFound,
	nfse.CodeCustomerNotFound:          http.StatusNotFound,
	nfse.CodeNoteNotFound:              http.StatusNotFound,
	nfse.CodeNotFound:                  http.StatusNotFound,
	nfse.CodeMethodNotAllowed:          http.StatusMethodNotAllowed,
	nfse.CodeIdempotencyConflict:       http.StatusConflict,
	nfse.CodeServiceInactive:           http.StatusConflict,
	nfse.CodeNoteNotCancellable:        http.StatusConflict,
	nfse.CodeNoteAlreadyCancelled:      http.StatusConflict,
	nfse.CodeCancellationInProgress:    http.StatusConflict,
	nfse.CodeXMLNotAvailable:           http.StatusConflict,
	nfse.CodePayloadTooLarge:           http.StatusRequestEntityTooLarge,
	nfse.CodeUnsupportedMediaType:      http.StatusUnsupportedMediaType,
	nfse.CodeMunicipalityConflict:      http.StatusUnprocessableEntity,
	nfse.CodeZipCodeNotFound:           http.StatusUnprocessableEntity,
	nfse.CodeCustomerIncomplete:        http.StatusUnprocessableEntity,
	nfse.CodeRateLimited:               http.StatusTooManyRequests,
	nfse.CodeInternal:                  http.StatusInternalServerError,
	nfse.CodeZipCodeLookupUnavailable:  http.StatusServiceUnavailable,
	nfse.CodeServiceUnavailable:        http.StatusServiceUnavailable,
}

// retryAfter is what a 503 asks the caller to wait, in seconds.
const retryAfter = 2

// WriteError answers with the contract's envelope of an error.
func WriteError(w http.ResponseWriter, requestID string, err *nfse.Error) {
	status := Statuses[err.Code]
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
	}
	var envelope struct {
		Error struct {
			Code      nfse.Code `json:"code"`
			Message   string    `json:"message"`
			Field     *string   `json:"field"`
			Retryable bool      `json:"retryable"`
			RequestID string    `json:"request_id"`
		} `json:"error"`
	}
	envelope.Error.Code, envelope.Error.Message = err.Code, err.Message
	envelope.Error.Retryable, envelope.Error.RequestID = err.Retryable, requestID
	if err.Field != "" {
		envelope.Error.Field = &err.Field
	}
	_ = WriteJSON(w, status, envelope)
}

// WriteJSON answers with a value as the contract's JSON.
func WriteJSON(w http.ResponseWriter, status int, body any) error {
	encoded, err := nfse.Marshal(body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // that the caller hung up is no error
	return nil
}
