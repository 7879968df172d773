package renegotiation

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/tls"
	"fmt"
	"slices"
)

// The extensions that are known here.
const (
	extensionCurves         = 10
	extensionPoints         = 11
	extensionSignatures     = 13
	extensionALPN           = 16
	extensionExtendedMaster = 23
	extensionVersions       = 43
	extensionRenegotiation  = 0xff01

	// The suite by which a client says that it knows extensionRenegotiation without naming it.
	suiteSecureRenegotiation = 0x00ff

	protocolHTTP = "http/1.1"
)

// hello is what is used of a ClientHello.
type hello struct {
	random         []byte
	suites         []uint16
	curves         []uint16
	signatures     []uint16
	protocols      []string
	points         bool // it names forms of points
	extendedMaster bool
	secure         bool   // it knows secure renegotiation
	finished       []byte // what it names as the client's Finished before
}

// parseHello reads a ClientHello, and refuses one that does not offer TLS 1.2.
func parseHello(body []byte) (*hello, error) {
	p := parser{rest: body}
	version := uint16(p.number(2))
	h := &hello{random: p.bytes(32)}
	p.vector(1) // a session, which is not known
	h.suites = numbers(p.vector(2))
	p.vector(1) // compressions
	h.secure = slices.Contains(h.suites, suiteSecureRenegotiation)
	var versions []uint16
	if p.more() {
		extensions := parser{rest: p.vector(2)}
		for extensions.more() {
			id, content := extensions.number(2), parser{rest: extensions.vector(2)}
			if id == extensionVersions {
				versions = numbers(content.vector(1))
			}
			h.read(id, &content)
			p.bad = p.bad || content.bad
		}
		p.bad = p.bad || extensions.bad
	}
	if !p.complete() {
		return nil, tls.AlertError(alertDecodeError)
	}
	if version < tls.VersionTLS12 || versions != nil && !slices.Contains(versions, tls.VersionTLS12) {
		return nil, fmt.Errorf("renegotiation: the client does not offer TLS 1.2: %w",
			tls.AlertError(alertProtocolVersion))
	}
	return h, nil
}

// read reads the content of an extension.
func (h *hello) read(id int, content *parser) {
	switch id {
	case extensionCurves:
		h.curves = numbers(content.vector(2))
	case extensionPoints:
		h.points = true
	case extensionSignatures:
		h.signatures = numbers(content.vector(2))
	case extensionALPN:
		for list := (parser{rest: content.vector(2)}); list.more(); {
			h.protocols = append(h.protocols, string(list.vector(1)))
		}
	case extensionExtendedMaster:
		h.extendedMaster = true
	case extensionRenegotiation:
		h.secure, h.finished = true, content.vector(1)
	}
}

// suite is the one that fits the server's key, if the client offers it.
func (h *hello) suite(key any) (uint16, error) {
	suite := tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
	if _, ok := key.(*ecdsa.PublicKey); ok {
		suite = tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
	}
	if !slices.Contains(h.suites, suite) {
		return 0, fmt.Errorf("renegotiation: no common suite: %w", tls.AlertError(alertHandshakeFailure))
	}
	return suite, nil
}

// curve is the one on which keys are agreed. A client that names none knows P-256.
func (h *hello) curve() (tls.CurveID, ecdh.Curve, error) {
	switch {
	case slices.Contains(h.curves, uint16(tls.X25519)):
		return tls.X25519, ecdh.X25519(), nil
	case h.curves == nil || slices.Contains(h.curves, uint16(tls.CurveP256)):
		return tls.CurveP256, ecdh.P256(), nil
	}
	return 0, nil, fmt.Errorf("renegotiation: no common curve: %w", tls.AlertError(alertHandshakeFailure))
}

// protocol is the one of ALPN; empty if the client offers none that is known.
func (h *hello) protocol() string {
	if slices.Contains(h.protocols, protocolHTTP) {
		return protocolHTTP
	}
	return ""
}

// continues checks that the client means the connection whose last handshake had this Finished; nil is the first
// handshake.
func (h *hello) continues(clientFinished []byte) error {
	if !h.secure || !bytes.Equal(h.finished, clientFinished) {
		return fmt.Errorf("renegotiation: the client does not renegotiate securely: %w",
			tls.AlertError(alertHandshakeFailure))
	}
	return nil
}

// answer is a ServerHello.
func (h *hello) answer(random []byte, suite uint16, finished []byte) []byte {
	extension := func(id uint16, content ...[]byte) []byte { return append(pair(id), vector(2, content...)...) }
	extensions := extension(extensionRenegotiation, vector(1, finished))
	if h.extendedMaster {
		extensions = append(extensions, extension(extensionExtendedMaster)...)
	}
	if h.points {
		extensions = append(extensions, extension(extensionPoints, vector(1, []byte{0}))...)
	}
	if protocol := h.protocol(); protocol != "" {
		extensions = append(extensions, extension(extensionALPN, vector(2, vector(1, []byte(protocol))))...)
	}
	const noSession, noCompression = 0, 0
	return message(serverHello, pair[uint16](tls.VersionTLS12), random, []byte{noSession}, pair(suite),
		[]byte{noCompression}, vector(2, extensions))
}
