package mtls

import (
	"context"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"io"
	"sync/atomic"
)

// Asked is how a server has asked for the client's certificate in a connection.
type Asked int

// The ways.
const (
	AskedNever Asked = iota
	AskedInHandshake
	AskedByRenegotiation // after it had read the head of a request: in TLS 1.2 alone
)

// asks keeps how the server of a connection asks for the client's certificate.
type asks struct {
	over       atomic.Bool // the first handshake
	inTime     atomic.Bool
	afterwards atomic.Bool
	unsigned   atomic.Pointer[error] // why the certificate's key did not sign
}

type getCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error)

// before notes a question before it is answered.
func (a *asks) before(answer getCertificate) getCertificate {
	return func(info *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		if a.over.Load() {
			a.afterwards.Store(true)
		} else {
			a.inTime.Store(true)
		}
		certificate, err := answer(info)
		if err != nil {
			return nil, err
		}
		if key, signs := certificate.PrivateKey.(crypto.Signer); signs {
			watched := *certificate
			watched.PrivateKey = watchedKey{key, a}
			certificate = &watched
		}
		return certificate, nil
	}
}

// watchedKey is the key of a connection's certificate. It keeps why it does not sign: crypto/tls passes on only words.
type watchedKey struct {
	crypto.Signer
	asks *asks
}

// Sign implements crypto.Signer.
func (k watchedKey) Sign(random io.Reader, digest []byte, options crypto.SignerOpts) ([]byte, error) {
	signature, err := k.Signer.Sign(random, digest, options)
	if err != nil {
		k.asks.unsigned.Store(&err)
	}
	return signature, err
}

// notSigned is why the certificate's key did not sign; nil where it did.
func (a *asks) notSigned() error {
	if err := a.unsigned.Load(); err != nil {
		return *err
	}
	return nil
}

func (a *asks) how() Asked {
	switch {
	case a.afterwards.Load():
		return AskedByRenegotiation
	case a.inTime.Load():
		return AskedInHandshake
	}
	return AskedNever
}

// Connection is what the connection of an answered request has shown.
type Connection struct {
	Asked Asked
	Chain []*x509.Certificate // by which the server's certificate is trusted, above it
}

// connectionKey is the key of what WithConnectionReport adds to a context.
type connectionKey struct{}

// WithConnectionReport has told called with the connection of each answer to a request with the context.
func WithConnectionReport(ctx context.Context, told func(Connection)) context.Context {
	return context.WithValue(ctx, connectionKey{}, told)
}

// reportConnection tells who asked by WithConnectionReport of the connection that a request was answered on.
func (t *requestTrace) reportConnection(ctx context.Context) {
	told, wanted := ctx.Value(connectionKey{}).(func(Connection))
	if !wanted || len(t.tries) == 0 {
		return
	}
	last := t.tries[len(t.tries)-1].connection
	told(Connection{last.asks.how(), last.chain})
}

// shownBy are the certificates above the server's by which a connection trusts it.
func shownBy(state tls.ConnectionState) (chain []*x509.Certificate) {
	for _, one := range state.VerifiedChains {
		chain = append(chain, one[1:]...)
	}
	return chain
}

// EndOfChain follows a certificate by those that are known to the last that is there: the root where it is among
// them, and else the one whose issuer is missing.
func EndOfChain(certificate *x509.Certificate, known []*x509.Certificate) *x509.Certificate {
	for range len(known) {
		above := certificate
		for _, one := range known {
			if !one.Equal(certificate) && certificate.CheckSignatureFrom(one) == nil {
				above = one
			}
		}
		if above == certificate {
			break
		}
		certificate = above
	}
	return certificate
}
