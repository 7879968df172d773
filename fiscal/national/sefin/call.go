package sefin

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"time"

	"emissor/fiscal"
)

const (
	// maxBody are the bytes of an answer: enough for a document of the largest size
	// that does not compress, in base64 of base64.
	maxBody       = 2 << 20
	maxRetryAfter = 15 * time.Minute

	// An answer is usually some 20 KiB. Of more than usualBody few are read at once,
	// and few of any size are taken apart at once: whatever an authority sends, it
	// costs a bounded memory.
	usualBody, maxLarge, maxInterpreted = 64 << 10, 4, 16
)

// call is one HTTP request.
type call struct {
	name   string // for logs, where a path would show whose document it is about
	method string
	path   []string
	body   []byte

	adn   bool // it goes to the ADN, not to SEFIN
	query url.Values
}

// maxBody are the bytes of its answer.
func (c call) maxBody() int {
	if c.adn {
		return maxADNBody
	}
	return maxBody
}

// reply is what became of a call.
type reply struct {
	sent   bool   // a byte of the request may have reached the authority
	reason string // why there is no whole answer; empty when there is one

	needsPerson string // why trying again is of no use before a person has looked; empty when it may be

	production  bool // where it was asked
	status      int  // 0 when no answer came
	contentType string
	retryAfter  time.Duration
	body        []byte
}

// call sends one request, once, and reads its answer whole.
func (c *Client) call(ctx context.Context, session fiscal.Session, what call) reply {
	began := c.now()
	reply := c.attempt(ctx, session, what)
	reply.production = session.Production
	c.log.LogAttrs(ctx, slog.LevelDebug, "asked the authority", slog.String("call", what.name),
		slog.Bool("production", session.Production), slog.Int("status", reply.status), slog.Bool("sent", reply.sent),
		slog.String("reason", reply.reason), slog.Duration("took", c.now().Sub(began)))
	return reply
}

func (c *Client) attempt(ctx context.Context, session fiscal.Session, what call) reply {
	base := c.base(session.Production)
	if what.adn {
		base = c.adn(session.Production)
	}
	if base == nil {
		return reply{reason: "this process does not serve the environment"}
	}
	if session.Credentials == nil || len(session.Credentials.Certificate.Certificate) == 0 {
		return reply{reason: "there is no certificate to ask with"}
	}
	ctx, stop := context.WithTimeout(ctx, c.options.Timeout)
	defer stop()
	trace := new(requestTrace)
	request, err := c.request(httptrace.WithClientTrace(ctx, trace.hooks()), base, what)
	if err != nil {
		return reply{reason: "the request could not be made"}
	}
	response, err := c.transports.of(session).RoundTrip(request)
	if err != nil {
		return trace.failed(ctx, err)
	}
	defer response.Body.Close()
	return c.receive(ctx, response, what.maxBody())
}

// request has no GetBody, without which a transport cannot send a body again by
// itself; and a POST is nothing that it would.
func (c *Client) request(ctx context.Context, base *url.URL, what call) (*http.Request, error) {
	segments := make([]string, len(what.path))
	for i, segment := range what.path {
		segments[i] = url.PathEscape(segment)
	}
	address := base.JoinPath(segments...)
	address.RawQuery = what.query.Encode()
	request, err := http.NewRequestWithContext(ctx, what.method, address.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", c.options.UserAgent)
	if what.body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Body = io.NopCloser(bytes.NewReader(what.body))
		request.ContentLength = int64(len(what.body))
	}
	return request, nil
}

// receive reads an answer whole, so that its connection is free afterwards.
func (c *Client) receive(ctx context.Context, response *http.Response, most int) reply {
	reply := reply{
		sent:        true,
		status:      response.StatusCode,
		contentType: response.Header.Get("Content-Type"),
		retryAfter:  c.retryAfter(response.Header.Get("Retry-After")),
	}
	body, err := c.readBody(ctx, response.Body, most)
	reply.body = body
	switch {
	case err != nil:
		reply.reason = fmt.Sprintf("the answer (%d) broke off", response.StatusCode)
	case len(body) > most:
		reply.reason = fmt.Sprintf("the answer (%d) is larger than %d MiB", response.StatusCode, most>>20)
		reply.needsPerson, reply.body = reply.reason, body[:maxKept]
	}
	return reply
}

// readBody reads at most a byte more than so many.
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

// retryAfter reads Retry-After: seconds, or a date.
func (c *Client) retryAfter(header string) time.Duration {
	var wait time.Duration
	if seconds, err := strconv.ParseUint(strings.TrimSpace(header), 10, 63); err == nil {
		wait = time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	} else if date, err := http.ParseTime(header); err == nil {
		wait = date.Sub(c.now())
	}
	return max(0, min(wait, maxRetryAfter))
}
