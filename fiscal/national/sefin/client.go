package sefin

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/xmldsig"
	"emissor/nfse/fact"
)

// Options say how SEFIN is reached.
type Options struct {
	ProductionURL string // base of SEFIN Nacional, as https://host/SefinNacional; empty: production is not served
	RestrictedURL string // the same of produção restrita

	ProductionADNURL string // base of the ADN, as https://adn.nfse.gov.br; empty: it is not asked
	RestrictedADNURL string // the same of produção restrita

	SignerRoots      *x509.CertPool // that sign the authority's documents, beside the system's where a host signs
	SystemRoots      *x509.CertPool // that certify hosts; nil: the system's
	DocumentSigners  Signers        // who sign NFS-e; wanted where there are roots. None: signatures are not checked
	EventSigners     Signers        // the same of events; empty: who sign NFS-e
	RequireSignature bool           // nothing is settled by a document or event whose signature does not verify

	// DoubtfulRefusals is how long a refusal by a register that was false in outages is doubted before it counts:
	// see fiscal.Answer. 0: it counts at once.
	DoubtfulRefusals time.Duration

	Dialect   *Dialect // of a city's own server; nil: SEFIN Nacional's
	Transport mtls.Options
	Logger    *slog.Logger // nil: nothing is logged
}

// Client calls SEFIN Nacional.
type Client struct {
	options    Options
	production *url.URL // nil: not served
	restricted *url.URL

	productionADN, restrictedADN *url.URL

	http *mtls.Client
	log  *slog.Logger
	now  func() time.Time
}

// New makes a client. It refuses addresses that are no https URLs; the error
// begins with the name of the option.
func New(options Options) (*Client, error) {
	switch {
	case options.SignerRoots != nil && len(options.DocumentSigners) == 0:
		return nil, errors.New("DocumentSigners: must name who signs, because SignerRoots certify every taxpayer")
	case options.SignerRoots == nil && (options.DocumentSigners.NeedRoots() || options.EventSigners.NeedRoots()):
		return nil, errors.New("SignerRoots: must certify signers that are no hosts")
	}
	if len(options.EventSigners) == 0 {
		options.EventSigners = options.DocumentSigners
	}
	c := &Client{
		options: options,
		http:    mtls.New(options.Transport),
		log:     options.Logger,
		now:     time.Now,
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	for _, address := range []struct {
		option, text string
		base         **url.URL
	}{
		{"ProductionURL", options.ProductionURL, &c.production},
		{"RestrictedURL", options.RestrictedURL, &c.restricted},
		{"ProductionADNURL", options.ProductionADNURL, &c.productionADN},
		{"RestrictedADNURL", options.RestrictedADNURL, &c.restrictedADN},
	} {
		base, err := mtls.ParseURL(address.text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", address.option, err)
		}
		*address.base = base
	}
	return c, nil
}

// Serves reports whether an environment has an address.
func (c *Client) Serves(production bool) bool { return c.base(production) != nil }

func (c *Client) base(production bool) *url.URL {
	if production {
		return c.production
	}
	return c.restricted
}

// Send sends the last message of a request, byte for byte, as fiscal.Authority
// wants it.
func (c *Client) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	subject := c.subjectOf(request)
	reply, err := c.sendOnce(ctx, access, request, subject)
	if err != nil {
		return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: fact.SefinMessageNotCompressed.Fact()}
	}
	defer c.http.Interpreting()()
	return interpretSent(reply, subject)
}

// sendOnce makes the call that carries the last message of a request. An error says that the
// message could not be packed.
func (c *Client) sendOnce(ctx context.Context, access fiscal.Access, request fiscal.Request,
	subject subject) (got reply, err error) {
	sending, member := subject.sending()
	if sending.body, err = pack(member, request.Message().XML); err != nil {
		return got, err
	}
	return c.call(ctx, access, sending), nil
}

// findBySending asks what became of a request about a document by sending it once more, where
// nothing else tells.
func (c *Client) findBySending(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	subject := c.subjectOf(request)
	reply, err := c.sendOnce(ctx, access, request, subject)
	if err != nil {
		return fiscal.Unknown(fact.SefinMessageNotCompressed.Fact())
	}
	defer c.http.Interpreting()()
	return interpretSentAgain(reply, subject)
}

// interpretAsked reads the answer to a question when one of the few slots for it is free.
func (c *Client) interpretAsked(reply reply, subject subject) fiscal.Answer {
	defer c.http.Interpreting()()
	return interpretAsked(reply, subject)
}

// Find asks what became of a request, as fiscal.Authority wants it. For a DPS it asks for the access key,
// then for the document; also by the key that an answer before has named. Only the document counts.
func (c *Client) Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	if request.Kind != fiscal.Issue && c.options.Dialect.tellsNoEvents() {
		return c.findBySending(ctx, access, request)
	}
	subject := c.subjectOf(request)
	reply := c.call(ctx, access, subject.question())
	if request.Kind != fiscal.Issue {
		return c.interpretAsked(reply, subject)
	}
	id := request.Message().ID
	if reply.Status == http.StatusForbidden && !c.options.Dialect.onlyDocuments() {
		return interpretHead(c.head(ctx, access, id), reply)
	}
	answer := c.interpretAsked(reply, subject)
	var byKey string // by which the document was asked for
	if answer.Outcome == fiscal.OutcomeAccepted && answer.Document.XML == nil {
		byKey = answer.Document.AccessKey
		answer = c.preferFetched(answer, c.fetch(ctx, access, request, byKey))
	}
	unread := answer.Document == nil || answer.Document.XML == nil
	if known := request.AccessKey; known != "" && known != byKey && unread {
		found := c.fetch(ctx, access, request, known)
		if found.Outcome == fiscal.OutcomeAccepted || !found.Alarm.None() {
			return found
		}
	}
	return answer
}

// preferFetched is the answer to the question by the DPS, which has named a key, once the document was asked for by it.
// Where that could not be read the document exists all the same, and is to be fetched; but some servers name the
// key of another DPS: of these only the document counts.
func (c *Client) preferFetched(key, fetched fiscal.Answer) fiscal.Answer {
	if fetched.Outcome == fiscal.OutcomeUnknown && fetched.Alarm.None() && !c.options.Dialect.onlyDocuments() {
		fetched.Outcome, fetched.Document = key.Outcome, key.Document
	}
	return fetched
}

// fetch asks for the document of an access key. A server that refuses the key as such, without a code,
// may want it with what it puts before it, and is asked so once.
func (c *Client) fetch(ctx context.Context, access fiscal.Access, request fiscal.Request, key string) fiscal.Answer {
	ask := func(key string) reply {
		path := pathOf(c.options.Dialect.paths().Fetch, key)
		return c.call(ctx, access, call{name: "fetch", method: http.MethodGet, path: path})
	}
	fetched := ask(key)
	if prefix := c.options.Dialect.keyPrefix(); prefix != "" && fetched.Status == http.StatusBadRequest &&
		!slices.ContainsFunc(fetched.body().errors, func(e answerError) bool { return e.code != "" }) {
		fetched = ask(prefix + key)
	}
	defer c.http.Interpreting()()
	return document{client: c, request: request}.readFetched(fetched, key)
}

// head asks whether a DPS made a document, which is told to anyone.
func (c *Client) head(ctx context.Context, access fiscal.Access, dpsID string) reply {
	return c.call(ctx, access, call{name: "exists", method: http.MethodHead, path: []string{"dps", dpsID}})
}

// Exists asks by HEAD alone whether something was made of the DPS of an Id, by whomever: OutcomeAccepted, without a
// document, OutcomeNotFound or OutcomeUnknown.
func (c *Client) Exists(ctx context.Context, access fiscal.Access, dpsID string) fiscal.Answer {
	return interpretExists(c.head(ctx, access, dpsID))
}

// FindNumber asks whether something was made of the DPS of an Id, by whomever: OutcomeAccepted,
// OutcomeNotFound or OutcomeUnknown.
func (c *Client) FindNumber(ctx context.Context, access fiscal.Access, dpsID string) fiscal.Answer {
	return c.Find(ctx, access, fiscal.Request{Kind: fiscal.Issue, Messages: []fiscal.Message{{ID: dpsID}}})
}

// signatureProblem says why the authority's signature of a document or event
// is not one of the signers' or does not verify; none when it is, or when no signers
// are configured. The certificate must have been valid at the moment that the
// document names, and lead to the roots that are configured; that of a host may lead to
// the system's, too, by way of what the authority's servers have shown of themselves:
// documents have no more than the signer's certificate.
func (c *Client) signatureProblem(xml []byte, id string, at time.Time, signers Signers) fact.Fact {
	if len(signers) == 0 {
		return fact.Fact{}
	}
	signature, err := xmldsig.Verify(xml, nil, at)
	if err != nil {
		return fact.SignatureNotVerified.With("why", fact.OfError(err))
	}
	by := signers.of(signature.Certificate)
	switch {
	case signature.ID != id:
		return fact.SignatureOfSomethingElse.Fact()
	case len(by) == 0:
		return fact.SignatureOfNoSigner.Fact()
	}
	if err = c.trusted(signature, by, at); err != nil {
		return fact.SignatureNotTrusted.With("why", fact.OfError(err))
	}
	return fact.Fact{}
}

// trusted returns why the certificate of these signers is not trusted.
func (c *Client) trusted(signature xmldsig.Signature, by Signers, at time.Time) (err error) {
	if c.options.SignerRoots != nil {
		err = signature.LeadsTo(c.options.SignerRoots, nil, at)
	}
	if by.haveHost() && (err != nil || c.options.SignerRoots == nil) {
		err = signature.LeadsTo(c.options.SystemRoots, c.http.Intermediates(), at)
	}
	return err
}
