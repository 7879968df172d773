package adn

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Asker is a client of the ADN, which can say of a signature whether it counts.
type Asker interface {
	AskADN(ctx context.Context, access fiscal.Access, name string, path []string, query url.Values) mtls.Reply
	Interpreting() (done func())
	verifier
}

// verifier says why a signature of the authority's does not count.
type verifier interface {
	EventSignatureProblem(xml []byte, id string, at time.Time) fact.Fact
	DocumentSignatureProblem(xml []byte, id string, at time.Time) fact.Fact
}

// Ask asks for the batch of what follows a position (NSU):
// GET /contribuintes/DFe/{NSU}. A certificate of a person (e-CPF) says by itself
// whose documents are wanted.
func Ask(ctx context.Context, client Asker, access fiscal.Access, issuer nfse.TaxID, after int64) fiscal.Batch {
	query := url.Values{"lote": {"true"}}
	if issuer.IsCNPJ() {
		query.Set("cnpjConsulta", string(issuer))
	}
	path := []string{"contribuintes", "DFe", strconv.FormatInt(after, 10)}
	reply := client.AskADN(ctx, access, "distribute", path, query)
	defer client.Interpreting()()
	return reader{client, issuer, access.Production, after}.batch(reply)
}
