package api

import (
	"net/http"

	"emissor/nfse"
)

func writeJSON(w http.ResponseWriter, status int, body any) error {
	encoded, err := nfse.Marshal(body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // a caller that hung up is nobody's error
	return nil
}
