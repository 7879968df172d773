package national

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"emissor/fiscal"
)

const (
	defaultConnectTimeout = 10 * time.Second
	defaultTimeout        = 45 * time.Second
	maxBody               = 16 << 20 // bytes of an answer
	maxKept               = 16 << 10 // bytes of an answer that are kept
	maxRetryIn            = 15 * time.Minute
)

// client speaks to SEFIN Nacional.
type client struct {
	options    Options
	production *url.URL // nil: not served
	restricted *url.URL
	pools      *pools
	log        *slog.Logger
	now        func() time.Time
}

func newClient(options Options) (*client, error) {
	if options.ConnectTimeout <= 0 {
		options.ConnectTimeout = defaultConnectTimeout
	}
	if options.Timeout <= 0 {
		options.Timeout = defaultTimeout
	}
	c := &client{
		options: options,
		pools:   &pools{options: options, open: map[poolKey]*pool{}},
		log:     options.Logger,
		now:     time.Now,
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if options.ProductionURL != "" {
		if c.production, err = parseBase(options.ProductionURL); err != nil {
			return nil, fmt.Errorf("ProductionURL: %w", err)
		}
	}
	if options.RestrictedURL != "" {
		if c.restricted, err = parseBase(options.RestrictedURL); err != nil {
			return nil, fmt.Errorf("RestrictedURL: %w", err)
		}
	}
	return c, nil
}

// issue sends a DPS: POST /nfse.
func (c *client) issue(ctx context.Context, as fiscal.Session, rendering fiscal.Rendering) fiscal.Answer {
	body, err := pack("dpsXmlGZipB64", rendering.XML)
	if err != nil {
		return fiscal.Answer{Outcome: fiscal.NotDelivered, Reason: "the document could not be compressed"}
	}
	reply := c.exchange(ctx, as, call{"issue", http.MethodPost, []string{"nfse"}, body})
	return c.readIssue(reply, rendering.ID)
}

// find asks what a DPS became: GET /dps/{id}, then GET /nfse/{key}. A failure of
// the second leaves the document issued, with its XML to be fetched.
func (c *client) find(ctx context.Context, as fiscal.Session, documentID string) fiscal.Answer {
	reply := c.exchange(ctx, as, call{"find", http.MethodGet, []string{"dps", documentID}, nil})
	if reply.status == http.StatusForbidden {
		head := c.exchange(ctx, as, call{"exists", http.MethodHead, []string{"dps", documentID}, nil})
		return c.readHead(head, reply)
	}
	answer := c.readFind(reply, documentID)
	if answer.Outcome != fiscal.Issued {
		return answer
	}
	key := answer.Document.AccessKey
	document := c.exchange(ctx, as, call{"document", http.MethodGet, []string{"nfse", key}, nil})
	return c.readDocument(document, answer, documentID)
}

// cancel sends the request of event e101101: POST /nfse/{key}/eventos.
func (c *client) cancel(ctx context.Context, as fiscal.Session, accessKey string, rendering fiscal.Rendering) fiscal.CancelAnswer {
	body, err := pack("pedidoRegistroEventoXmlGZipB64", rendering.XML)
	if err != nil {
		return fiscal.CancelAnswer{Outcome: fiscal.NotDelivered, Reason: "the request could not be compressed"}
	}
	reply := c.exchange(ctx, as, call{"cancel", http.MethodPost, []string{"nfse", accessKey, "eventos"}, body})
	return c.readCancel(reply, accessKey)
}

// findCancellation asks for the event: GET /nfse/{key}/eventos/101101/1.
func (c *client) findCancellation(ctx context.Context, as fiscal.Session, accessKey string) fiscal.CancelAnswer {
	path := []string{"nfse", accessKey, "eventos", cancellationEvent, "1"}
	reply := c.exchange(ctx, as, call{"find cancellation", http.MethodGet, path, nil})
	return c.readFindCancellation(reply, accessKey)
}

// call is one request.
type call struct {
	name   string // for logs, where a path would show whose document it is about
	method string
	path   []string
	body   []byte
}

// reply is what became of a request.
type reply struct {
	sent   bool   // a byte of the request may have reached the authority
	reason string // why there is no whole answer; empty when there is one

	production  bool // where it was asked
	status      int  // 0 when no answer came
	contentType string
	retryIn     time.Duration
	body        []byte
}

// exchange sends one request, once, and reads its answer whole.
func (c *client) exchange(ctx context.Context, as fiscal.Session, what call) reply {
	began := c.now()
	reply := c.attempt(ctx, as, what)
	reply.production = as.Production
	c.log.LogAttrs(ctx, slog.LevelDebug, "asked the authority", slog.String("call", what.name), slog.Bool("production", as.Production),
		slog.Int("status", reply.status), slog.Bool("sent", reply.sent), slog.String("reason", reply.reason), slog.Duration("took", c.now().Sub(began)))
	return reply
}

func (c *client) attempt(ctx context.Context, as fiscal.Session, what call) reply {
	base := c.restricted
	if as.Production {
		base = c.production
	}
	if base == nil {
		return reply{reason: "this process does not serve the environment"}
	}
	if as.Credentials == nil || len(as.Credentials.Certificate.Certificate) == 0 {
		return reply{reason: "there is no certificate to ask with"}
	}
	ctx, stop := context.WithTimeout(ctx, c.options.Timeout)
	defer stop()
	line := new(wire)
	request, err := c.request(httptrace.WithClientTrace(ctx, line.trace()), base, what)
	if err != nil {
		return reply{reason: "the request could not be made"}
	}
	response, err := c.pools.of(as).RoundTrip(request)
	if err != nil {
		return line.failed(ctx, err)
	}
	defer response.Body.Close()
	return c.receive(response)
}

// request has no GetBody, without which a transport cannot send a body again by
// itself; and a POST is nothing that it would.
func (c *client) request(ctx context.Context, base *url.URL, what call) (*http.Request, error) {
	segments := make([]string, len(what.path))
	for i, segment := range what.path {
		segments[i] = url.PathEscape(segment)
	}
	request, err := http.NewRequestWithContext(ctx, what.method, base.JoinPath(segments...).String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", c.options.Software)
	if what.body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Body = io.NopCloser(bytes.NewReader(what.body))
		request.ContentLength = int64(len(what.body))
	}
	return request, nil
}

// receive reads an answer, whose connection is free afterwards.
func (c *client) receive(response *http.Response) reply {
	reply := reply{
		sent:        true,
		status:      response.StatusCode,
		contentType: response.Header.Get("Content-Type"),
		retryIn:     c.retryIn(response.Header.Get("Retry-After")),
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	reply.body = body
	switch {
	case err != nil:
		reply.reason = fmt.Sprintf("the answer (%d) broke off", response.StatusCode)
	case len(body) > maxBody:
		reply.reason = fmt.Sprintf("the answer (%d) is larger than %d MiB", response.StatusCode, maxBody>>20)
	}
	return reply
}

// retryIn reads Retry-After: seconds, or a date.
func (c *client) retryIn(header string) time.Duration {
	var wait time.Duration
	if seconds, err := strconv.ParseUint(strings.TrimSpace(header), 10, 63); err == nil {
		wait = time.Duration(min(seconds, uint64(maxRetryIn/time.Second))) * time.Second
	} else if date, err := http.ParseTime(header); err == nil {
		wait = date.Sub(c.now())
	}
	return max(0, min(wait, maxRetryIn))
}

// wire follows a request onto its connections; a transport may take a second
// one when nothing left over the first.
type wire struct{ legs []leg }

type leg struct {
	connection *connection
	since      int64
}

func (w *wire) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if connection, ok := got.Conn.(*connection); ok {
			w.legs = append(w.legs, leg{connection, connection.mark()})
		}
	}}
}

// failed is the reply of a request without an answer. It is not delivered only
// if not one byte of it was written to a connection, or if the server ended the
// TLS handshake over our certificate, before it reads requests.
func (w *wire) failed(ctx context.Context, err error) reply {
	var sent bool
	var refusal error
	for _, leg := range w.legs {
		wrote, refused := leg.connection.end(leg.since)
		if refused != nil {
			refusal = refused
		} else if wrote {
			sent = true
		}
	}
	switch {
	case !sent && refusal != nil:
		return reply{reason: unsentReason(refusal)}
	case !sent:
		return reply{reason: unsentReason(err)}
	case errors.Is(ctx.Err(), context.Canceled):
		return reply{sent: true, reason: "stopped before an answer came"}
	case ctx.Err() != nil:
		return reply{sent: true, reason: "no answer in time"}
	case tlsWords("local error", err) == "no renegotiation":
		return reply{sent: true, reason: "the authority asked for TLS renegotiation, which is not configured"}
	}
	return reply{sent: true, reason: "the connection broke before an answer came"}
}

var errHandshake = errors.New("TLS handshake")

// unsentReason says in words without an address or a certificate why a request
// did not leave.
func unsentReason(err error) string {
	var untrusted x509.UnknownAuthorityError
	var wrongHost x509.HostnameError
	var invalid x509.CertificateInvalidError
	var lookup *net.DNSError
	switch {
	case errors.As(err, &untrusted):
		return "the server's TLS certificate is signed by nobody we trust"
	case errors.As(err, &wrongHost):
		return "the server's TLS certificate is of another host"
	case errors.As(err, &invalid):
		return "the server's TLS certificate is not valid"
	case certificateAlert(err):
		return "the authority refused the certificate in the TLS handshake (" + tlsWords("remote error", err) + ")"
	case errors.Is(err, errHandshake) && timedOut(err):
		return "the TLS handshake took too long"
	case errors.Is(err, errHandshake):
		return "the TLS handshake failed"
	case errors.As(err, &lookup):
		return "the authority's name could not be resolved"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case timedOut(err):
		return "connecting took too long"
	}
	return "no connection to the authority"
}

func timedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}
