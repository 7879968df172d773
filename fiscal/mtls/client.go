package mtls

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"emissor/internal/retry"
	"emissor/nfse/fact"
)

const (
	defaultConnectTimeout = 10 * time.Second
	defaultTimeout        = 45 * time.Second

	maxRetryAfter = 15 * time.Minute

	// An answer is usually some 20 KiB. Of those larger than usualBody only maxLarge are read at once, which bounds the
	// memory no matter what an authority sends.
	usualBody, maxLarge = 64 << 10, 4

	maxKept = 16 << 10 // bytes of an answer that are kept

	// maxInterpreted is how many answers are interpreted at once.
	maxInterpreted = 16
)

// Options say how authorities are reached.
type Options struct {
	ServerRoots    *x509.CertPool // that sign the servers' TLS certificates; nil is the system's
	UserAgent      string
	ConnectTimeout time.Duration            // default 10 s
	Timeout        time.Duration            // of one request; default 45 s
	MinTLS, MaxTLS uint16                   // tls.VersionTLS12 ...; zero is TLS 1.2, and Go's highest
	Renegotiation  tls.RenegotiationSupport // in TLS 1.2; there is none in 1.3

	// Observe is told of each answer that came whole: the call, the environment, status, Content-Type and body, which
	// it may read until it returns. Nil: nobody is.
	Observe func(call string, production bool, status int, contentType string, body []byte)

	keptIntermediates *intermediates // that servers show; nil: they are not kept
}

// Client sends requests.
type Client struct {
	options    Options
	transports *transports
	now        func() time.Time
	large      chan struct{} // slots: see usualBody
	// holdsBodies says that bodies are held back until the server asks for them, because it did not take one
	// before it knew the client.
	holdsBodies atomic.Bool

	interpreting chan struct{} // slots: see maxInterpreted
}

// New makes a client.
func New(options Options) *Client {
	if options.ConnectTimeout <= 0 {
		options.ConnectTimeout = defaultConnectTimeout
	}
	if options.Timeout <= 0 {
		options.Timeout = defaultTimeout
	}
	options.keptIntermediates = new(intermediates)
	return &Client{
		options:    options,
		transports: &transports{options: options, open: map[transportKey]*transport{}},
		now:        time.Now,
		large:      make(chan struct{}, maxLarge),

		interpreting: make(chan struct{}, maxInterpreted),
	}
}

// ParseURL reads the address of an authority, and refuses what is no plain https
// address; nil for none.
func ParseURL(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	base, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("must be an https URL")
	case base.Scheme != "https" || base.Hostname() == "" || base.Opaque != "":
		return nil, errors.New("must be an https URL with a host")
	case base.User != nil || base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("must have no user, query or fragment")
	}
	return base, nil
}

// Request is one HTTP request.
type Request struct {
	Call    string // what is asked, as test/recorded names calls
	Method  string
	URL     string
	Header  http.Header // beside the User-Agent
	Body    []byte      // nil: none
	MaxBody int         // bytes of its answer
}

// Reply is what became of a request.
type Reply struct {
	Sent bool // a byte of the request may have reached the authority
	// HeldBack says that the body was held back until the server asked for it, which it did not if it refused it.
	HeldBack bool
	Reason   fact.Fact // why there is no whole answer, without personal data; none when there is one

	NeedsPerson fact.Fact // why trying again is hardly of use before a person has looked; none when it may be

	Status      int // 0 when no answer came
	ContentType string
	RetryAfter  time.Duration
	Body        []byte
}

// Do sends one request, once, with a certificate, and reads its answer whole. The
// environments of an authority share no connection.
func (c *Client) Do(ctx context.Context, certificate tls.Certificate, production bool, what Request) Reply {
	if len(certificate.Certificate) == 0 {
		return Reply{Reason: fact.CallWithoutCertificate.Fact()}
	}
	ctx, stop := context.WithTimeout(ctx, c.options.Timeout)
	defer stop()
	trace := new(requestTrace)
	request, err := c.request(httptrace.WithClientTrace(ctx, trace.hooks()), what)
	if err != nil {
		return Reply{Reason: fact.CallNotMade.Fact()}
	}
	heldBack := c.holdsBodies.Load() && what.Body != nil
	if heldBack {
		request.Header.Set("Expect", "100-continue")
	}
	asked := c.now()
	response, err := c.transports.of(certificate, production).RoundTrip(request)
	if err != nil {
		return trace.failed(ctx, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusRequestEntityTooLarge: // how a server refuses a body that it cannot hold before it knows the client
		c.holdsBodies.Store(true)
	case http.StatusExpectationFailed:
		c.holdsBodies.Store(false)
	}
	tellClock(ctx, asked, c.now(), response.Header.Get("Date"))
	trace.reportConnection(ctx)
	reply := c.receive(ctx, response, what.MaxBody)
	reply.HeldBack = heldBack
	if c.options.Observe != nil && reply.Reason.None() {
		c.options.Observe(what.Call, production, reply.Status, reply.ContentType, reply.Body)
	}
	return reply
}

// request sets no GetBody, without which a transport cannot send a body again by
// itself; and it does not repeat a POST.
func (c *Client) request(ctx context.Context, what Request) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, what.Method, what.URL, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range what.Header {
		request.Header[name] = values
	}
	request.Header.Set("User-Agent", c.options.UserAgent)
	if what.Body != nil {
		request.Body = io.NopCloser(bytes.NewReader(what.Body))
		request.ContentLength = int64(len(what.Body))
	}
	return request, nil
}

// receive reads an answer whole, so that its connection is free afterwards.
func (c *Client) receive(ctx context.Context, response *http.Response, most int) Reply {
	reply := Reply{
		Sent:        true,
		Status:      response.StatusCode,
		ContentType: response.Header.Get("Content-Type"),
		RetryAfter:  retry.Asked(response.Header.Get("Retry-After"), c.now(), maxRetryAfter),
	}
	body, err := c.readBody(ctx, response.Body, most)
	reply.Body = body
	switch {
	case err != nil:
		reply.Reason = fact.AnswerBrokeOff.With("status", response.StatusCode)
	case len(body) > most:
		reply.Reason = fact.AnswerTooLarge.With("status", response.StatusCode, "mib", most>>20)
		reply.NeedsPerson, reply.Body = reply.Reason, body[:maxKept]
	}
	return reply
}

// readBody reads at most one byte more than most, by which too large a body is seen.
func (c *Client) readBody(ctx context.Context, from io.Reader, most int) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(from, usualBody))
	if err != nil || len(body) < usualBody {
		return body, err
	}
	select {
	case c.large <- struct{}{}:
		defer func() { <-c.large }()
	case <-ctx.Done():
		return body, ctx.Err()
	}
	rest, err := io.ReadAll(io.LimitReader(from, int64(most+1-usualBody)))
	return append(body, rest...), err
}
