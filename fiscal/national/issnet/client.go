package issnet

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/issnet/rules"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	// pollEvery is how often an issued note is asked about, because it may have been cancelled on the
	// city's site, and pollFor for how long: no city says until when it cancels.
	pollEvery, pollFor = 24 * time.Hour, 180 * 24 * time.Hour
)

// Client calls the server of a city. It implements fiscal.StandingFinder.
type Client struct {
	production, test *url.URL  // nil: not served
	find             operation // of the question about a DPS, and
	findOtherwise    operation // the other name that it is known by
	notFound         []string  // codes by which the question about a DPS finds nothing
	http             *mtls.Client
	log              *slog.Logger
}

var _ fiscal.StandingFinder = (*Client)(nil)

// New makes a client of the city of a row. It refuses addresses that are no https URLs.
func New(row cities.Row, transport mtls.Options, logger *slog.Logger) (*Client, error) {
	c := &Client{find: findByDPS, findOtherwise: findByDPSToo, notFound: []string{"E212"}, log: logger}
	if row.Is(rules.FindOperation, findByDPSToo.name) {
		c.find, c.findOtherwise = c.findOtherwise, c.find
	}
	if codes := row.Quirks[cities.NotFoundCodes]; codes != "" {
		c.notFound = strings.Split(codes, ",")
	}
	if row.Quirks[cities.TLS] == "" {
		// The servers are of .NET on IIS, which may ask for a certificate by renegotiating, and then
		// fail in TLS 1.3.
		transport.MaxTLS, transport.Renegotiation = tls.VersionTLS12, tls.RenegotiateOnceAsClient
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.http = mtls.New(transport)
	var err error
	if c.production, err = mtls.ParseURL(row.Production); err != nil {
		return nil, fmt.Errorf("production: %w", err)
	}
	if c.test, err = mtls.ParseURL(row.Test); err != nil {
		return nil, fmt.Errorf("test: %w", err)
	}
	return c, nil
}

func (c *Client) base(production bool) *url.URL {
	if production {
		return c.production
	}
	return c.test
}

// Send sends the last message of a request, byte for byte, as fiscal.Authority wants it.
func (c *Client) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	message := element(request.Message().XML)
	if request.Kind == fiscal.Issue {
		return interpretSent(c.call(ctx, access, issue, message), request)
	}
	return interpretEvent(c.call(ctx, access, cancel, message), request)
}

// Find asks what became of a request, as fiscal.Authority wants it.
func (c *Client) Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	if request.Kind != fiscal.Issue {
		return c.findEvent(ctx, access, request)
	}
	sent, err := readSent(request.Message().XML)
	if err != nil {
		return unknown(fact.OfError(err))
	}
	return c.askAboutDPS(ctx, access, sent, request)
}

// FindNumber asks whether something was made of the DPS of an issuer under a number of its series, by
// whomever: OutcomeAccepted, OutcomeNotFound or OutcomeUnknown.
func (c *Client) FindNumber(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	number int64) fiscal.Answer {
	id, err := dps.ID(issuer, number)
	if err != nil {
		return unknown(fact.OfError(err))
	}
	by, missing := providerOf(issuer)
	if !missing.None() {
		return unknown(missing)
	}
	request := fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: id}}}
	return c.askAboutDPS(ctx, access, sentDPS{by, fmt.Sprint(issuer.Series), fmt.Sprint(number)}, request)
}

// askAboutDPS asks by the operation's one name and, where the server does not seem to know it, once
// by the other. A question changes nothing.
func (c *Client) askAboutDPS(ctx context.Context, access fiscal.Access, sent sentDPS,
	request fiscal.Request) fiscal.Answer {
	question := sent.question()
	r := c.call(ctx, access, c.find, question)
	if r.operationUnknown() {
		if again := c.call(ctx, access, c.findOtherwise, question); !again.operationUnknown() {
			r = again
		}
	}
	return c.interpretFound(r, request)
}

func unknown(reason fact.Fact) fiscal.Answer {
	return fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: reason}
}
