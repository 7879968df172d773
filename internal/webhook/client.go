package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"emissor/internal/outgoing"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	attemptTimeout    = 15 * time.Second // of one attempt, from dialling to the end of the answer
	maxAnswer         = 64 << 10         // bytes read of an answer
	maxKept           = 1 << 10          // bytes of it kept in the attempt log
	maxAnswerHeader   = 16 << 10
	idlePerHost       = 4
	mostIdle          = 512 // of all receivers; above it the one that was used longest ago is closed
	idleConnTimeout   = 30 * time.Second
	contentType       = "application/json; charset=utf-8"
	userAgent         = "emissor-webhook"
	tlsHandshakeLimit = 5 * time.Second
)

// Client sends deliveries. It follows no redirect and uses no proxy of the environment
// variables. It connects to public addresses only, or to its own proxy, which then decides
// where it connects to.
type Client struct {
	http    *http.Client
	options Options
}

// Options say where a client sends.
type Options struct {
	AllowLoopback bool           // development: also http, any port, and receivers on this machine
	Roots         *x509.CertPool // of the receivers' certificates; nil is the system's
	Ports         []int          // of the receivers; any when there are none
	Proxy         *url.URL       // which connects to receivers (CONNECT), and checks their addresses; nil is none
}

// NewClient makes a client.
func NewClient(options Options) *Client {
	dialer := newGuard(options.AllowLoopback).dialer()
	var proxy func(*http.Request) (*url.URL, error)
	if options.Proxy != nil {
		// The proxy resolves the names. Only the proxy is dialled here, and its address may be any.
		proxy = http.ProxyURL(options.Proxy)
		dialer = &net.Dialer{Timeout: connectTimeout, KeepAlive: keepAlive}
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &Client{
		options: options,
		http: &http.Client{
			CheckRedirect: outgoing.FollowNone,
			Transport: &http.Transport{
				Proxy:                  proxy,
				OnProxyConnectResponse: connected,
				DialContext:            dialer.DialContext,
				TLSClientConfig:        options.tlsConfig(),
				TLSHandshakeTimeout:    tlsHandshakeLimit,
				Protocols:              protocols,
				MaxResponseHeaderBytes: maxAnswerHeader,
				MaxIdleConnsPerHost:    idlePerHost,
				MaxIdleConns:           mostIdle,
				IdleConnTimeout:        idleConnTimeout,
			},
		},
	}
}

func (o Options) tlsConfig() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots}
}

// refusedByProxy is the status by which the proxy refused to connect.
type refusedByProxy int

func (r refusedByProxy) Error() string { return fmt.Sprintf("the proxy answered %d", int(r)) }

// connected looks at the proxy's answer to CONNECT.
func connected(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return refusedByProxy(answer.StatusCode)
	}
	return nil
}

// Attempt is the outcome of sending once.
type Attempt struct {
	StartedAt  time.Time
	Duration   time.Duration
	Status     int           // of the answer; 0 when there was none
	Answer     string        // its first KiB
	Problem    fact.Fact     // what went wrong; none on success
	RetryAfter time.Duration // how long a 429 or 503 asked to wait
}

// Succeeded reports whether the receiver accepted the event: any 2xx.
func (a Attempt) Succeeded() bool { return a.Problem.None() }

// Log returns the attempt as its delivery's log keeps it.
func (a Attempt) Log() nfse.DeliveryAttempt {
	line := nfse.DeliveryAttempt{
		StartedAt:  nfse.Timestamp{Time: a.StartedAt},
		DurationMS: a.Duration.Milliseconds(),
		Answer:     a.Answer,
		Problem:    a.Problem,
	}
	if a.Status != 0 {
		line.Status = &a.Status
	}
	return line
}

// Send posts the body once, signed with the secrets at this moment. It always
// returns an Attempt: what goes wrong is its Problem.
func (c *Client) Send(ctx context.Context, url string, secrets []string, body []byte) Attempt {
	attempt := Attempt{StartedAt: time.Now()}
	attempt.Problem = c.send(ctx, url, secrets, body, &attempt)
	attempt.Duration = time.Since(attempt.StartedAt)
	return attempt
}

// Header is a header of a delivery.
type Header struct{ Name, Value string }

// headers are those that are set for every delivery; the client adds Host and Content-Length.
func headers(signature string) []Header {
	return []Header{{"Content-Type", contentType}, {"User-Agent", userAgent}, {SignatureHeader, signature}}
}

// Described are the headers of the attempt that began at this moment, for people. Instead of the
// signature they have what it is made of, as nothing here knows the secret.
func Described(at time.Time, body []byte) []Header {
	moment := strconv.FormatInt(at.Unix(), 10)
	return append([]Header{{"Content-Length", strconv.Itoa(len(body))}},
		headers("t="+moment+`,v1=hex(HMAC-SHA256(secret, "`+moment+`." + body))`)...)
}

// send fills in the attempt's answer and returns its problem.
func (c *Client) send(
	ctx context.Context, url string, secrets []string, body []byte, attempt *Attempt,
) (problem fact.Fact) {
	if err := c.options.CheckURL(url); err != nil {
		return describe(err)
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return fact.EndpointURLForm.Fact()
	}
	for _, header := range headers(Sign(secrets, attempt.StartedAt, body)) {
		request.Header.Set(header.Name, header.Value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return describe(err)
	}
	defer response.Body.Close()
	attempt.Status = response.StatusCode
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	attempt.Answer = KeptAnswer(answer)
	switch {
	case response.StatusCode >= 200 && response.StatusCode < 300:
		return fact.Fact{} // accepted, even if the rest of the answer is lost
	case response.StatusCode >= 300 && response.StatusCode < 400:
		return fact.ReceiverRedirected.With("status", response.StatusCode)
	case err != nil:
		return describe(err)
	}
	if response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable {
		attempt.RetryAfter = retry.Asked(response.Header.Get("Retry-After"), attempt.StartedAt, MaxPause)
	}
	return fact.ReceiverAnswered.With("status", response.StatusCode)
}

// describe returns why a request failed.
func describe(err error) fact.Fact {
	var wrong *URLError
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var operation *net.OpError
	var refused refusedByProxy
	switch {
	case errors.As(err, &wrong):
		return wrong.Why
	case errors.As(err, &refused):
		return fact.WebhookProxyRefused.With("status", int(refused))
	case errors.As(err, &operation) && operation.Op == "proxyconnect":
		return fact.WebhookProxyNotReached.Fact()
	case errors.Is(err, ErrForbiddenAddress):
		return fact.ReceiverNotPublic.Fact()
	case errors.As(err, &dns):
		return fact.ReceiverNotResolved.Fact()
	case errors.As(err, &certificate), errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return fact.ReceiverWithoutTLS.Fact()
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return fact.ReceiverSilent.Fact()
	case errors.Is(err, context.Canceled):
		return fact.DeliveryInterrupted.Fact()
	case errors.As(err, &operation) && operation.Op == "dial":
		return fact.ConnectionRefused.Fact()
	}
	return fact.ReceiverBroke.Fact()
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// KeptAnswer is what the log of attempts keeps of a receiver's answer: its first KiB, as it can be shown.
func KeptAnswer(answer []byte) string { return printable(answer[:min(len(answer), maxKept)]) }

// printable leaves out characters that control a terminal or the direction of text.
func printable(answer []byte) string {
	return strings.Map(func(r rune) rune {
		if (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(answer), "\uFFFD"))
}
