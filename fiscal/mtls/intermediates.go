package mtls

import (
	"crypto/tls"
	"crypto/x509"
	"slices"
	"sync"
)

// maxIntermediates bounds how many certificates of authorities are kept.
const maxIntermediates = 32

// intermediates are the certificates by which servers showed that theirs are trusted. Each was verified.
type intermediates struct {
	mutex sync.Mutex
	seen  []*x509.Certificate
}

// note keeps those of a connection whose server was verified.
func (i *intermediates) note(state tls.ConnectionState) error {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	for _, chain := range state.VerifiedChains {
		for _, certificate := range chain[1:] {
			if len(i.seen) < maxIntermediates && !slices.ContainsFunc(i.seen, certificate.Equal) {
				i.seen = append(i.seen, certificate)
			}
		}
	}
	return nil
}

// Intermediates are the certificates by which the servers that were called showed that theirs are trusted:
// what they sign elsewhere may come without them.
func (c *Client) Intermediates() []*x509.Certificate {
	i := c.options.keptIntermediates
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return slices.Clone(i.seen)
}
