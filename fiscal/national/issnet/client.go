package issnet

import (
	"context"
	"crypto/tls"
	"log/slog"
	"slices"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/soap"
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
	find          operation // of the question about a DPS, and
	findOtherwise operation // the other name that it is known by
	notFound      []string  // codes by which the question about a DPS finds nothing
	soap          *soap.Client
}

var _ fiscal.StandingFinder = (*Client)(nil)

// New makes a client of the city of a row. It refuses addresses that are no https URLs.
func New(row cities.Row, transport mtls.Options, logger *slog.Logger) (c *Client, err error) {
	c = &Client{find: findByDPS, findOtherwise: findByDPSToo, notFound: []string{"E212"}}
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
	c.soap, err = soap.NewClient(row, transport, logger)
	return c, err
}

func (c *Client) call(ctx context.Context, access fiscal.Access, what operation, content []byte) soap.Reply {
	return c.soap.Call(ctx, access, what.with(content))
}

// Send sends the last message of a request, byte for byte, as fiscal.Authority wants it.
func (c *Client) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	message := soap.InPlace(request.Message().XML)
	if request.Kind == fiscal.Issue {
		return meaning.Sent(c.call(ctx, access, issue, message), request)
	}
	return meaning.EventSent(c.call(ctx, access, cancel, message), request)
}

// Find asks what became of a request, as fiscal.Authority wants it.
func (c *Client) Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	if request.Kind != fiscal.Issue {
		return c.findEvent(ctx, access, request)
	}
	sent, err := soap.ReadSent(request.Message().XML)
	if err != nil {
		return fiscal.Unknown(fact.OfError(err))
	}
	return c.askAboutDPS(ctx, access, sent, request)
}

// findEvent asks what became of a request about a note by asking for the note, which shows its events:
// the request is never sent again for that.
func (c *Client) findEvent(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	author, err := soap.Author(request.Message().XML)
	switch {
	case err != nil:
		return fiscal.Unknown(fact.OfError(err))
	case request.MunicipalRegistration == "":
		return fiscal.Unknown(fact.CityFieldMissing.With("field", "IM"))
	}
	by := soap.Provider{TaxID: author, Registration: request.MunicipalRegistration}
	question := noteQuestion(by, soap.NumberIn(request.AccessKey))
	return meaning.EventFound(c.call(ctx, access, findIssued, question), request)
}

// FindNumber asks whether something was made of the DPS of an issuer under a number of its series, by
// whomever: OutcomeAccepted, OutcomeNotFound or OutcomeUnknown.
func (c *Client) FindNumber(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile,
	number int64) fiscal.Answer {
	sent, request, missing := soap.SentUnder(issuer, number)
	if !missing.None() {
		return fiscal.Unknown(missing)
	}
	return c.askAboutDPS(ctx, access, sent, request)
}

// askAboutDPS asks by the operation's one name and, where the server does not seem to know it, once
// by the other. A question changes nothing.
func (c *Client) askAboutDPS(ctx context.Context, access fiscal.Access, sent soap.SentDPS,
	request fiscal.Request) fiscal.Answer {
	question := dpsQuestion(sent)
	r := c.call(ctx, access, c.find, question)
	if operationUnknown(r) {
		if again := c.call(ctx, access, c.findOtherwise, question); !operationUnknown(again) {
			r = again
		}
	}
	return meaning.Found(r, request, c.isNotFound)
}

// isNotFound reports whether by a message nothing is found.
func (c *Client) isNotFound(one soap.Message) bool {
	return slices.Contains(c.notFound, one.Code) || one.Code == rules.DPSNotFound
}

// operationUnknown reports whether the server may not know the operation: a fault, or E232 alone.
func operationUnknown(r soap.Reply) bool {
	return r.IsFault || r.Read != nil && len(r.Read.Refusals) > 0 && len(r.Read.Notes) == 0 &&
		!slices.ContainsFunc(r.Read.Refusals, func(one soap.Message) bool { return one.Code != "E232" })
}
