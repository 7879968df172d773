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

// maxBody are the bytes of an answer: enough for a document of the largest size
// that does not compress, in base64 of base64.
const maxBody = 2 << 20

// call is one HTTP request.
type call struct {
	name   string // as test/recorded names calls; for logs, where a path would show whose document it is about
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
	mtls.Reply
	production bool // where it was asked
	dialect    *Dialect
	doubtFor   time.Duration // of refusals that may be false
}

// call sends one request, once, and reads its answer whole.
func (c *Client) call(ctx context.Context, access fiscal.Access, what call) reply {
	began := c.now()
	got := c.attempt(ctx, access, what)
	c.log.LogAttrs(ctx, slog.LevelDebug, "asked the authority", slog.String("call", what.name),
		slog.Bool("production", access.Production), slog.Int("status", got.Status), slog.Bool("sent", got.Sent),
		slog.Any("reason", got.Reason), slog.Duration("took", c.now().Sub(began)))
	return reply{got, access.Production, c.options.Dialect, c.options.DoubtfulRefusals}
}

func (c *Client) attempt(ctx context.Context, access fiscal.Access, what call) mtls.Reply {
	base := c.base(access.Production)
	if what.adn {
		base = c.adn(access.Production)
	}
	switch {
	case base == nil:
		return mtls.Reply{Reason: fact.CallNotServed.Fact()}
	case access.Credentials == nil:
		return mtls.Reply{Reason: fact.CallWithoutCertificate.Fact()}
	}
	return c.http.Do(ctx, access.Credentials.Certificate, access.Production, what.request(base))
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
	return mtls.Request{Call: c.name, Method: c.method, URL: address.String(), Header: header,
		Body: c.body, MaxBody: c.maxBody()}
}
