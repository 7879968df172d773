package municipality

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"emissor/internal/outgoing"
)

// Service is an on-line service that knows zip codes.
type Service interface {
	// Name returns the name of the service in logs.
	Name() string

	// Lookup returns the IBGE code of the municipality of a zip code of eight
	// digits. The error is ErrUnknown when the service says that it does not know
	// the zip code; any other error means that it gave no usable answer, and never
	// holds the zip code.
	Lookup(ctx context.Context, zip string) (string, error)
}

// ErrUnknown is the error of a service that does not know a zip code.
var ErrUnknown = errors.New("the service does not know the zip code")

// errInconclusive is the error of a service that works, but whose answer for this
// zip code names no municipality and does not say "unknown" either.
var errInconclusive = errors.New("the answer is inconclusive")

const (
	connectTimeout = time.Second
	maxAnswer      = 64 << 10
)

// client asks one on-line service over HTTP.
type client struct {
	base string
	http *http.Client
}

// newClient makes the client of the service at the base address.
func newClient(base string) (*client, error) {
	if !outgoing.IsBase(base) {
		return nil, errors.New("the address of a zip-code service must look like https://host or https://host/path")
	}
	return &client{strings.TrimRight(base, "/"), outgoing.Client(connectTimeout, func(transport *http.Transport) {
		transport.MaxIdleConnsPerHost = 8
		transport.MaxConnsPerHost = 64 // one organization keeps about thirty busy at most, by its rate
	})}, nil
}

// get returns the status and the body of an answer, for any status.
func (c *client) get(ctx context.Context, path string) (int, []byte, error) {
	return outgoing.Get(ctx, c.http, c.base+path, maxAnswer)
}

// checkZipCode returns an error unless an answer is about the zip code that was asked for.
func checkZipCode(asked, answered string) error {
	if strings.Replace(answered, "-", "", 1) != asked {
		return errors.New("the answer is about another zip code")
	}
	return nil
}
