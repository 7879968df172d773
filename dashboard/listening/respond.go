package listening

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/go-json-experiment/json"

	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/postgres"
)

// read reads a JSON object strictly.
func read(r *http.Request, into any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nfse.NewError(nfse.CodeUnsupportedMediaType, "", "Content-Type must be application/json")
	}
	raw, err := io.ReadAll(r.Body)
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nfse.NewError(nfse.CodePayloadTooLarge, "", "the body is larger than %d KiB", maxBody>>10)
	}
	if err == nil {
		err = json.Unmarshal(raw, into, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return nfse.NewError(nfse.CodeInvalidRequest, "", "the body must be one JSON object of the fields that are known")
	}
	return nil
}

// refuse answers with what is wrong, in the envelope of the contract. A caller that has left gets nothing.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, requestID string, err error) {
	var known *nfse.Error
	switch {
	case errors.As(err, &known):
	case errors.Is(err, context.Canceled):
		return
	case postgres.IsUnavailable(err):
		s.Logger.WarnContext(r.Context(), "the database did not answer a request", "request_id", requestID, "error", err)
		known = nfse.Unavailable(nfse.CodeServiceUnavailable, "",
			"the service is temporarily unavailable; repeat the request")
	default:
		s.Logger.ErrorContext(r.Context(), "a request failed", "request_id", requestID, "error", err)
		known = nfse.Unavailable(nfse.CodeInternal, "", "an internal error; give support the request_id")
	}
	web.WriteError(w, requestID, known)
}
