package nfse_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"emissor/nfse"
)

func TestError_Retryable(t *testing.T) {
	for _, c := range []struct {
		err      *nfse.Error
		expected nfse.Error
		text     string
	}{
		{nfse.Invalid("name", "name has %d problems", 2),
			nfse.Error{Code: nfse.CodeInvalidRequest, Field: "name",
				Message: "name has 2 problems"}, "invalid_request (name): name has 2 problems"},
		{nfse.NewError(nfse.CodeNotFound, "", "gone"), nfse.Error{Code: nfse.CodeNotFound, Message: "gone"},
			"not_found: gone"},
		{nfse.Unavailable(nfse.CodeRateLimited, "", "wait"),
			nfse.Error{Code: nfse.CodeRateLimited, Message: "wait", Retryable: true}, "rate_limited: wait"},
	} {
		if !reflect.DeepEqual(*c.err, c.expected) || c.err.Error() != c.text {
			t.Errorf("%+v (%q), expected %+v (%q)", *c.err, c.err, c.expected, c.text)
		}
	}
}

func TestError_IsCode(t *testing.T) {
	err := nfse.NewError(nfse.CodeServiceInactive, "", "inactive")
	for _, wrapped := range []error{err, fmt.Errorf("issue: %w", err), errors.Join(errors.New("rollback"), err)} {
		if !nfse.IsCode(wrapped, nfse.CodeServiceInactive) || nfse.IsCode(wrapped, nfse.CodeServiceNotFound) {
			t.Errorf("%v", wrapped)
		}
	}
	if nfse.IsCode(nil, nfse.CodeServiceInactive) ||
		nfse.IsCode(errors.New("service_inactive"), nfse.CodeServiceInactive) {
		t.Error("an error that is none has a code")
	}
}
