package mtls

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxTransports  = 128              // certificates whose connections are kept open at a time
	maxConnections = 128              // to the authority with one certificate
	idleTimeout    = 15 * time.Second // short: sending on a connection that was just closed has an unknown outcome
	maxHeader      = 64 << 10         // bytes

	// requestBuffer is the largest TLS record: head and body of a usual request leave as one, so that no part of it
	// meets a renegotiation that began before it.
	requestBuffer = 16 << 10
	// continueTimeout is how long a server may leave a body that is held back unasked for.
	continueTimeout = 5 * time.Second
)

// transports keep the connections of each certificate apart: what was opened as
// one organization never carries a request of another.
type transports struct {
	options Options
	mutex   sync.Mutex
	uses    int64 // so far
	open    map[transportKey]*transport
}

// transportKey has the certificate itself, not its id: connections are bound to
// what opened them.
type transportKey struct {
	certificate [sha256.Size]byte
	production  bool
}

type transport struct {
	*http.Transport
	certificate atomic.Pointer[tls.Certificate] // as it was given last: where its key is may have changed
	lastUse     int64                           // which of all uses its last one was
}

// of returns the transport of a certificate in an environment. When there are too many,
// the one that was used least recently is dropped: requests still on it end as usual,
// and its connections close once they are idle.
func (t *transports) of(certificate tls.Certificate, production bool) *http.Transport {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.uses++
	key := transportKey{sha256.Sum256(certificate.Certificate[0]), production}
	found := t.open[key]
	if found == nil {
		if len(t.open) >= maxTransports {
			t.dropLeastRecent()
		}
		found = newTransport(t.options)
		t.open[key] = found
	}
	found.certificate.Store(&certificate)
	found.lastUse = t.uses
	return found.Transport
}

func (t *transports) dropLeastRecent() {
	var oldest transportKey
	for key, candidate := range t.open {
		if t.open[oldest] == nil || candidate.lastUse < t.open[oldest].lastUse {
			oldest = key
		}
	}
	t.open[oldest].CloseIdleConnections()
	delete(t.open, oldest)
}

// newTransport uses HTTP/1.1 only, as authorities require, and connects to the
// authority directly: no proxy of the environment, no compression of its own.
func newTransport(options Options) *transport {
	made, config := new(transport), tlsConfig(options)
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		return made.certificate.Load(), nil
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	made.Transport = &http.Transport{
		DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			ctx, stop := context.WithTimeout(ctx, options.ConnectTimeout)
			defer stop()
			return dial(ctx, network, address, config)
		},
		Protocols:              protocols,
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
		DisableCompression:     true,
		MaxConnsPerHost:        maxConnections,
		MaxIdleConnsPerHost:    maxConnections,
		IdleConnTimeout:        idleTimeout,
		WriteBufferSize:        requestBuffer,
		ExpectContinueTimeout:  continueTimeout,
		MaxResponseHeaderBytes: maxHeader,
	}
	return made
}

// tlsConfig lacks GetClientCertificate. It is to offer the certificate always, even if its issuer is not on the list
// that the server names, since chains are often stored without their intermediates.
func tlsConfig(options Options) *tls.Config {
	config := &tls.Config{
		RootCAs:       options.ServerRoots,
		NextProtos:    []string{"http/1.1"},
		MinVersion:    options.MinTLS,
		MaxVersion:    options.MaxTLS,
		Renegotiation: options.Renegotiation,
		// Else the first records of a connection have little more than a kilobyte.
		DynamicRecordSizingDisabled: true,
	}
	if options.keptIntermediates != nil {
		config.VerifyConnection = options.keptIntermediates.note
	}
	if config.MinVersion == 0 {
		config.MinVersion = tls.VersionTLS12
	}
	return config
}
