package mtls

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/url"
	"time"

	"emissor/nfse/fact"
)

// Server is what a TLS handshake shows of an authority's server.
type Server struct {
	Version  string    // of TLS
	NotAfter time.Time // when its certificate ends
	Asks     bool      // for a client's certificate, in the handshake

	// What its certificate says, also where it is not trusted; nil: none was seen.
	Certificate *x509.Certificate
	Chain       []*x509.Certificate // above it: by which it is trusted, or else those that the server shows
}

// Handshake connects to the server of an address without a client's certificate and ends the connection:
// no request is sent. It returns what went wrong, without personal data; none where the server's
// certificate is good, also where the server then wants one of ours.
func Handshake(ctx context.Context, options Options, base *url.URL) (server Server, problem fact.Fact) {
	if options.ConnectTimeout <= 0 {
		options.ConnectTimeout = defaultConnectTimeout
	}
	ctx, stop := context.WithTimeout(ctx, options.ConnectTimeout)
	defer stop()
	port := base.Port()
	if port == "" {
		port = "443"
	}
	verified := false
	config := tlsConfig(options)
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		server.Asks = true
		return new(tls.Certificate), nil
	}
	config.VerifyConnection = func(state tls.ConnectionState) error {
		verified = true
		server.Version, server.NotAfter = tls.VersionName(state.Version), state.PeerCertificates[0].NotAfter
		server.Certificate, server.Chain = state.PeerCertificates[0], shownBy(state)
		return nil
	}
	connection, err := dial(ctx, "tcp", net.JoinHostPort(base.Hostname(), port), config)
	switch {
	case err == nil:
		_ = connection.Close()
		return server, fact.Fact{}
	case verified && certificateAlert(err):
		return server, fact.Fact{}
	}
	var untrusted *tls.CertificateVerificationError
	if errors.As(err, &untrusted) && len(untrusted.UnverifiedCertificates) > 0 {
		shown := untrusted.UnverifiedCertificates
		server.Certificate, server.Chain = shown[0], shown[1:]
	}
	return server, unsentReason(err)
}
