package sefin

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"emissor/fiscal"
)

// maxADNBody are the bytes of an answer of the ADN: a page of 50 documents.
const maxADNBody = 16 << 20

// Reply is what the ADN answered: the national data environment beside SEFIN,
// which distributes documents and knows the parameters of cities.
type Reply struct {
	Status      int // of HTTP; 0 when no answer came
	ContentType string
	Body        []byte // whole, at most 16 MiB
	RetryAfter  time.Duration
	Reason      string // why there is no whole answer, without personal data; empty when there is one
}

// ServesADN reports whether the ADN of an environment has an address.
func (c *Client) ServesADN(production bool) bool { return c.adn(production) != nil }

// AskADN gets something of the ADN of the session's environment, with its
// certificate. The name stands for the path in logs, where a path would show whom
// it is about.
func (c *Client) AskADN(ctx context.Context, session fiscal.Session, name string, path []string,
	query url.Values) Reply {
	reply := c.call(ctx, session, call{name: name, method: http.MethodGet, path: path, query: query, adn: true})
	return Reply{
		Status: reply.status, ContentType: reply.contentType, Body: reply.body, RetryAfter: reply.retryAfter,
		Reason: reply.reason,
	}
}

func (c *Client) adn(production bool) *url.URL {
	if production {
		return c.productionADN
	}
	return c.restrictedADN
}
