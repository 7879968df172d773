// Package outgoing is how services are asked over HTTP that were configured by their address: by HTTP/1.1, as
// everything here, and without following a redirect, so that an answer is always from that address and no key goes
// elsewhere.
package outgoing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

const maxHeader = 16 << 10

// Client makes a client that connects, and agrees on TLS, within connect each. Proxies come from the environment.
// Each of change may set more of the transport.
func Client(connect time.Duration, change ...func(*http.Transport)) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: connect}).DialContext,
		TLSHandshakeTimeout:    connect,
		Protocols:              protocols,
		MaxResponseHeaderBytes: maxHeader,
		IdleConnTimeout:        time.Minute,
	}
	for _, set := range change {
		set(transport)
	}
	return &http.Client{Transport: transport, CheckRedirect: FollowNone}
}

// FollowNone has a client take a redirect for the answer.
func FollowNone(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Get asks for JSON, and returns the status and the body of the answer, which may have so many bytes. Its errors do not
// have the address, which may say what is asked about.
func Get(ctx context.Context, client *http.Client, address string, most int) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, nil, errors.New("the address cannot be asked")
	}
	request.Header.Set("User-Agent", "emissor")
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		var withAddress *url.Error
		if errors.As(err, &withAddress) {
			err = withAddress.Err
		}
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, int64(most)+1))
	switch {
	case err != nil:
		return response.StatusCode, nil, fmt.Errorf("read the answer: %w", err)
	case len(body) > most:
		return response.StatusCode, nil, fmt.Errorf("the answer is larger than %d bytes", most)
	}
	return response.StatusCode, body, nil
}

// IsBase reports whether a text is the address of a service, to which paths are appended.
func IsBase(text string) bool {
	address, err := url.Parse(text)
	return err == nil && address.Host != "" && (address.Scheme == "http" || address.Scheme == "https") &&
		address.RawQuery == "" && address.Fragment == ""
}

// IsThisMachine reports whether a host, a name or an address, is this machine itself: what goes there without TLS is
// seen by nobody else.
func IsThisMachine(host string) bool {
	address, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && address.Unmap().IsLoopback()
}
