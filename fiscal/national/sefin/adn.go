package sefin

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// maxADNBody are the bytes of an answer of the ADN: a page of 50 documents.
const maxADNBody = 16 << 20

// ServesADN reports whether the ADN of an environment has an address.
func (c *Client) ServesADN(production bool) bool { return c.adn(production) != nil }

// AskADN gets a path of the ADN of the access's environment, with its certificate: the
// national data environment beside SEFIN, which distributes documents and knows the
// parameters of cities. The name stands for the path in logs, where a path would show
// whom it is about.
func (c *Client) AskADN(ctx context.Context, access fiscal.Access, name string, path []string,
	query url.Values) mtls.Reply {
	return c.call(ctx, access, call{name: name, method: http.MethodGet, path: path, query: query, adn: true}).Reply
}

func (c *Client) adn(production bool) *url.URL {
	if production {
		return c.productionADN
	}
	return c.restrictedADN
}

// Interpreting waits until one of the few slots for reading answers is free, and takes it until done is called.
func (c *Client) Interpreting() (done func()) { return c.http.Interpreting() }

// DocumentSignatureProblem says why the authority's signature of a document does not
// count; none when it does, or when no roots are configured.
func (c *Client) DocumentSignatureProblem(xml []byte, id string, at time.Time) fact.Fact {
	return c.signatureProblem(xml, id, at, c.options.DocumentSigners)
}

// EventSignatureProblem is DocumentSignatureProblem for a registered event.
func (c *Client) EventSignatureProblem(xml []byte, id string, at time.Time) fact.Fact {
	return c.signatureProblem(xml, id, at, c.options.EventSigners)
}

// Unpack returns the exact bytes of a document that came as base64 of gzip, within
// the bounds of documents. Its errors are made of facts, which read after the name of what
// they are about.
func Unpack(packed string) ([]byte, error) { return unpack(packed) }

// DocumentFacts are what an NFS-e says of itself.
type DocumentFacts struct {
	AccessKey     string
	MessageID     string // of the DPS that it embeds
	Digest        string // of that DPS, in base64; empty when it is not signed
	CorrelationID string
	ProcessedAt   time.Time
	Number        string // nNFSe
	Totals        nfse.Totals
}

// ReadDocument reads an NFS-e, refusing what could be read in two ways.
func ReadDocument(document []byte) (DocumentFacts, error) {
	facts, err := readNFSe(document)
	key, named := strings.CutPrefix(facts.id, "NFS")
	if err == nil && !named {
		err = fact.Failure(fact.NFSeNamesNoKey.Fact())
	}
	return DocumentFacts{AccessKey: key, MessageID: facts.dpsID, Digest: facts.digest,
		CorrelationID: facts.correlationID, ProcessedAt: facts.processedAt, Number: facts.number,
		Totals: facts.totals}, err
}
