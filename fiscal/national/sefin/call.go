package sefin

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse/fact"
)

const (
	// maxBody are the bytes of an answer: enough for a document of the largest size
	// that does not compress, in base64 of base64.
	maxBody = 2 << 20
	// maxInterpreted are the answers that are taken apart at once.
	maxInterpreted = 16
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
	sent   bool      // a byte of the request may have reached the authority
	reason fact.Fact // why there is no whole answer; none when there is one

	needsPerson fact.Fact // why trying again is of no use before a person has looked; none when it may be

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
		slog.Any("reason", reply.reason), slog.Duration("took", c.now().Sub(began)))
	return reply
}

func (c *Client) attempt(ctx context.Context, session fiscal.Session, what call) reply {
	base := c.base(session.Production)
	if what.adn {
		base = c.adn(session.Production)
	}
	if base == nil {
		return reply{reason: fact.CallNotServed.Fact()}
	}
	if session.Credentials == nil {
		return reply{reason: fact.CallWithoutCertificate.Fact()}
	}
	got := c.http.Do(ctx, session.Credentials.Certificate, session.Production, what.request(base))
	return reply{
		sent: got.Sent, reason: got.Reason, needsPerson: got.NeedsPerson, status: got.Status,
		contentType: got.ContentType, retryAfter: got.RetryAfter, body: got.Body,
	}
}

// request is the call as HTTP has it.
func (c call) request(base *url.URL) mtls.Request {
	segments := make([]string, len(c.path))
	for i, segment := range c.path {
		segments[i] = url.PathEscape(segment)
	}
	address := base.JoinPath(segments...)
	address.RawQuery = c.query.Encode()
	header := http.Header{"Accept": {"application/json"}}
	if c.body != nil {
		header.Set("Content-Type", "application/json")
	}
	return mtls.Request{Method: c.method, URL: address.String(), Header: header, Body: c.body, MaxBody: c.maxBody()}
}
