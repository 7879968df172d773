package municipality

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
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
	connectTimeout  = time.Second
	maxAnswer       = 64 << 10
	maxAnswerHeader = 16 << 10
)

// client asks one on-line service over HTTP. It follows no redirects, so an answer
// always comes from the configured address, and keeps no cookies.
type client struct {
	base string
	http *http.Client
}

// newClient makes the client of the service at the base address. Proxies are those of
// the environment.
func newClient(base string) (*client, error) {
	address, err := url.Parse(base)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") ||
		address.RawQuery != "" || address.Fragment != "" {
		return nil, errors.New("the address of a zip-code service must look like https://host or https://host/path")
	}
	http1 := new(http.Protocols)
	http1.SetHTTP1(true)
	return &client{
		base: strings.TrimRight(base, "/"),
		http: &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Transport: &http.Transport{
				Proxy:                  http.ProxyFromEnvironment,
				DialContext:            (&net.Dialer{Timeout: connectTimeout}).DialContext,
				TLSHandshakeTimeout:    connectTimeout,
				Protocols:              http1,
				MaxResponseHeaderBytes: maxAnswerHeader,
				MaxIdleConnsPerHost:    8,
				MaxConnsPerHost:        64, // one organization keeps about thirty busy at most, by its rate
				IdleConnTimeout:        time.Minute,
			},
		},
	}, nil
}

// get returns the status and the body of an answer, whatever the status.
func (c *client) get(ctx context.Context, path string) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("User-Agent", "emissor")
	request.Header.Set("Accept", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return 0, nil, withoutAddress(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return 0, nil, fmt.Errorf("read the answer: %w", err)
	}
	if len(body) > maxAnswer {
		return 0, nil, fmt.Errorf("the answer is larger than %d bytes", maxAnswer)
	}
	return response.StatusCode, body, nil
}

// withoutAddress takes the requested address, which holds the zip code, out of an error.
func withoutAddress(err error) error {
	var withAddress *url.Error
	if errors.As(err, &withAddress) {
		return withAddress.Err
	}
	return err
}

// checkZipCode returns an error unless an answer is about the zip code that was asked for.
func checkZipCode(asked, answered string) error {
	if strings.Replace(answered, "-", "", 1) != asked {
		return errors.New("the answer is about another zip code")
	}
	return nil
}
