package trace

import (
	"context"
	"errors"

	"emissor/nfse"
)

// Code names an error without its words, which may be anybody's.
func Code(err error) string {
	var known *nfse.Error
	var server interface{ SQLState() string }
	switch {
	case errors.As(err, &known):
		return string(known.Code)
	case errors.As(err, &server):
		return "sql_" + server.SQLState()
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "out_of_time"
	}
	return string(nfse.CodeInternal)
}
