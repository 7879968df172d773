package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"emissor/internal/outgoing"
	"emissor/internal/retry"
)

const (
	attemptTimeout = 40 * time.Second // of one attempt; a poll that waits is answered within 25 s
	connectTimeout = 10 * time.Second
	maxAnswer      = 8 << 20 // bytes; a page of a hundred notes has at most two MiB
	maxAttempts    = 5
	maxRetryAfter  = time.Minute    // a server that asks for more is told to the caller
	longestAsked   = 24 * time.Hour // that the caller is told; more is told as this
)

// pauses are those between attempts, where the server does not ask for longer ones.
var pauses = retry.Backoff{Initial: time.Second, Max: 10 * time.Second}

// Options say where a listener is and how it is called.
type Options struct {
	URL string // https://, or http:// on this machine; paths are appended to it
	Key string // svc_test_… or svc_live_…, whose rights the calls have

	Attempts  int                                  // the most of one call; five when zero
	Again     func(pause time.Duration, err error) // told before each pause between two of them; nil: nobody
	Transport http.RoundTripper                    // nil: the network, by TLS with the system's roots
}

// Connection speaks HTTP with one listener, with one API key. It follows no redirect, which would take the key
// elsewhere. It is safe for concurrent use.
type Connection struct {
	options Options
	base    *url.URL
	http    *http.Client
}

// Connect makes a connection to a listener. Its error says what is wrong with the URL, and does not repeat it.
func Connect(options Options) (*Connection, error) {
	base, err := parseURL(options.URL)
	if err != nil {
		return nil, err
	}
	options.Attempts = cmp.Or(options.Attempts, maxAttempts)
	client := outgoing.Client(connectTimeout)
	if options.Transport != nil {
		client.Transport = options.Transport
	}
	return &Connection{options: options, base: base, http: client}, nil
}

// Livemode reports whether the key is one of the live environment.
func (c *Connection) Livemode() bool { return strings.HasPrefix(c.options.Key, "svc_live_") }

// Base is the address of the listener, for people.
func (c *Connection) Base() string { return c.base.String() }

// Call is a request.
type Call struct {
	Method string
	Path   string // below the base, escaped, as /v1/services
	Query  url.Values
	Body   any // sent as JSON, the same bytes each time; nil is none. A json.RawMessage is sent as it is

	// Repeatable says that the call may be made again when nobody knows what became of it. Any call is repeated that the
	// server says it has not begun (429).
	Repeatable bool
	Timeout    time.Duration // of one attempt; 40 s when zero
}

// Answer is what the server answered with 2xx.
type Answer struct {
	Status     int
	Header     http.Header
	Body       []byte
	RetryAfter time.Duration // how long the server asks to wait; 0 when it does not
}

// Do makes a call, and makes it again where that is safe and can help, as often as Options say. An answer other than
// 2xx is an *Error.
func (c *Connection) Do(ctx context.Context, call Call) (*Answer, error) {
	body, err := bodyOf(call)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		answer, err := c.attempt(ctx, call, body)
		asked, passes := passing(err, call.Repeatable)
		if !passes || attempt >= c.options.Attempts || asked > maxRetryAfter || ctx.Err() != nil {
			return answer, err
		}
		pause := pauses.AtLeast(asked, attempt)
		if c.options.Again != nil {
			c.options.Again(pause, err)
		}
		if cut := retry.Sleep(ctx, pause); cut != nil {
			return nil, fmt.Errorf("%w: %w", cut, err)
		}
	}
}

// bodyOf is what a call sends; nil is nothing.
func bodyOf(call Call) ([]byte, error) {
	if stored, is := call.Body.(json.RawMessage); is || call.Body == nil {
		return stored, nil
	}
	body, err := json.Marshal(call.Body)
	if err != nil {
		return nil, fmt.Errorf("the body of %s %s is not JSON: %w", call.Method, call.Path, err)
	}
	return body, nil
}

// JSON makes a call and reads its answer into a value.
func (c *Connection) JSON(ctx context.Context, call Call, into any) error {
	answer, err := c.Do(ctx, call)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return fmt.Errorf("the answer to %s %s is not what the contract says: %w", call.Method, call.Path, err)
	}
	return nil
}

// passing says whether what a call ended with may be over the next time, and how long the server
// asks to wait.
func passing(err error, repeatable bool) (asked time.Duration, passes bool) {
	var refused *Error
	var failed *networkError
	switch {
	case errors.As(err, &refused):
		return refused.RetryAfter, refused.passes(repeatable)
	case errors.As(err, &failed):
		return 0, repeatable
	}
	return 0, false
}

// networkError is the error of an attempt without an answer. It holds no body and no key.
type networkError struct{ err error }

func (e *networkError) Error() string { return e.err.Error() }
func (e *networkError) Unwrap() error { return e.err }

func (c *Connection) attempt(ctx context.Context, call Call, body []byte) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(call.Timeout, attemptTimeout))
	defer cancel()
	request, err := c.request(ctx, call, body)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, &networkError{err}
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, &networkError{fmt.Errorf("the answer to %s %s broke off: %w", call.Method, call.Path, err)}
	case len(content) > maxAnswer:
		return nil, fmt.Errorf("the answer to %s %s has more than %d MiB", call.Method, call.Path, maxAnswer>>20)
	}
	answer := &Answer{Status: response.StatusCode, Header: response.Header, Body: content,
		RetryAfter: retry.Asked(response.Header.Get("Retry-After"), time.Now(), longestAsked)}
	if response.StatusCode/100 != 2 {
		return nil, readError(answer)
	}
	return answer, nil
}

func (c *Connection) request(ctx context.Context, call Call, body []byte) (*http.Request, error) {
	address := strings.TrimRight(c.base.String(), "/") + call.Path
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, call.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.options.Key)
	request.Header.Set("User-Agent", "emissor-client")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}
