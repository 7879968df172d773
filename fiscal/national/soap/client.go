package soap

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

// maxBody are the bytes of an answer, a note among them, before anything of it is unescaped.
const maxBody = 1 << 20

// Client calls the server of a city.
type Client struct {
	production, test *url.URL // nil: not served
	http             *mtls.Client
	log              *slog.Logger
}

// NewClient makes a client of the city of a row. It refuses addresses that are no https URLs. A nil logger is silent.
func NewClient(row cities.Row, transport mtls.Options, logger *slog.Logger) (*Client, error) {
	c := &Client{http: mtls.New(transport), log: logger}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
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

// Call is one call of a service's operation.
type Call struct {
	Name     string // of the operation, for logs
	Kind     string // as test/recorded names calls
	Action   string // the header SOAPAction, without its quotes
	Envelope []byte
	// Read reads the answer. isFault says that there is a SOAP fault in its place.
	Read func(body []byte) (answer *Answer, isFault bool, err error)
}

// Call makes one call, once.
func (c *Client) Call(ctx context.Context, access fiscal.Access, call Call) Reply {
	began := time.Now()
	r := c.attempt(ctx, access, call)
	c.log.LogAttrs(ctx, slog.LevelDebug, "asked the authority", slog.String("call", call.Name),
		slog.Bool("production", access.Production), slog.Int("status", r.Status), slog.Bool("sent", r.Sent),
		slog.Any("reason", r.Why()), slog.Duration("took", time.Since(began)))
	return r
}

func (c *Client) attempt(ctx context.Context, access fiscal.Access, call Call) Reply {
	base := c.base(access.Production)
	switch {
	case base == nil:
		return Reply{Reply: mtls.Reply{Reason: fact.CallNotServed.Fact()}}
	case access.Credentials == nil:
		return Reply{Reply: mtls.Reply{Reason: fact.CallWithoutCertificate.Fact()}}
	}
	got := c.http.Do(ctx, access.Credentials.Certificate, access.Production, mtls.Request{
		Call: call.Kind, Method: http.MethodPost, URL: base.String(), Body: call.Envelope, MaxBody: maxBody,
		Header: call.header(),
	})
	defer c.http.Interpreting()()
	got.Body = concealed(got.Body, access)
	return call.ReadReply(got)
}

func (call Call) header() http.Header {
	return http.Header{"Content-Type": {"text/xml; charset=utf-8"}, "SOAPAction": {`"` + call.Action + `"`}}
}

// ReadReply reads the reply to a call.
func (call Call) ReadReply(got mtls.Reply) Reply {
	r := Reply{Reply: got}
	if !got.Reason.None() {
		return r
	}
	answer, isFault, err := call.Read(got.Body)
	switch {
	case err != nil:
		r.Problem = fact.CityAnswerUnread.With("why", fact.OfError(err))
		r.Beyond = errors.Is(err, xmlread.ErrExceeded)
	case isFault:
		r.IsFault, r.Problem = true, fact.CityFault.Fact()
	default:
		r.Read = answer
	}
	return r
}

// EnvelopeNamespace is the namespace of SOAP 1.1.
const EnvelopeNamespace = "http://schemas.xmlsoap.org/soap/envelope/"

// ErrNoAnswer says that there is no answer where one should be.
var ErrNoAnswer = fact.Failure(fact.CityNoEnvelope.Fact())

// Open is what stands in the body of an envelope, or a text without one. isFault says that it is a SOAP fault.
func Open(body []byte) (content Node, isFault bool, err error) {
	if err := xmlread.TextInto(body, &content); err != nil {
		return Node{}, false, err
	}
	if content.Is("Envelope") {
		bodies := content.All("Body")
		if len(bodies) != 1 || len(bodies[0].Nodes) != 1 {
			return Node{}, false, ErrNoAnswer
		}
		content = bodies[0].Nodes[0]
	}
	return content, content.Is("Fault"), nil
}

// Element is an element with a text.
func Element(name, text string) string { return "<" + name + ">" + escaped(text) + "</" + name + ">" }

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}

// InPlace is a document without what stands before its root, as it stands in an envelope: neither escaped nor in
// CDATA.
func InPlace(document []byte) []byte {
	if bytes.HasPrefix(document, []byte("<?")) {
		_, document, _ = bytes.Cut(document, []byte("?>"))
	}
	return bytes.TrimSpace(document)
}
