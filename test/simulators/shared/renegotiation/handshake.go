package renegotiation

import (
	"crypto"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
)

// The kinds of handshake messages.
const (
	helloRequest       byte = 0
	clientHello        byte = 1
	serverHello        byte = 2
	certificates       byte = 11
	serverKeyExchange  byte = 12
	certificateRequest byte = 13
	serverHelloDone    byte = 14
	certificateVerify  byte = 15
	clientKeyExchange  byte = 16
	finished           byte = 20
)

// handshake is one handshake, the first of a connection or the one of its renegotiation. Who runs it holds input.
type handshake struct {
	conn        *Conn
	certificate *tls.Certificate
	ask         bool  // for the client's certificate
	refuse      byte  // as in Behaviour
	cut         Point // as in Behaviour

	transcript []byte // all messages so far
	hello      *hello
	suite      uint16
	random     []byte // the server's
	key        *ecdh.PrivateKey
	master     []byte
	shown      []*x509.Certificate // by the client
}

// run makes the handshake, and returns what it came to.
func (h *handshake) run() (*tls.ConnectionState, error) {
	if err := h.readHello(); err != nil {
		return nil, err
	}
	if err := h.sendFlight(); err != nil {
		return nil, err
	}
	if h.cut == AfterFlight {
		return nil, h.conn.cut()
	}
	if err := h.readFlight(); err != nil {
		return nil, err
	}
	if h.refuse != 0 {
		return nil, fmt.Errorf("renegotiation: refused, as was asked for: %w", tls.AlertError(h.refuse))
	}
	if err := h.sendFinished(); err != nil {
		return nil, err
	}
	if h.cut == AfterFinished {
		return nil, h.conn.cut()
	}
	return &tls.ConnectionState{
		Version: tls.VersionTLS12, HandshakeComplete: true, CipherSuite: h.suite, PeerCertificates: h.shown,
		NegotiatedProtocol: h.hello.protocol(),
	}, nil
}

func (h *handshake) readHello() error {
	body, err := h.read(clientHello)
	if err != nil {
		return err
	}
	if h.hello, err = parseHello(body); err != nil {
		return err
	}
	return h.hello.continues(h.conn.clientFinished)
}

// sendFlight sends everything from ServerHello to ServerHelloDone.
func (h *handshake) sendFlight() (err error) {
	signer, ok := h.certificate.PrivateKey.(crypto.Signer)
	if !ok {
		return fmt.Errorf("renegotiation: the server has no key: %w", tls.AlertError(alertInternalError))
	}
	if h.suite, err = h.hello.suite(signer.Public()); err != nil {
		return err
	}
	h.random = make([]byte, 32)
	_, _ = rand.Read(h.random)
	exchange, err := h.newExchange()
	if err != nil {
		return err
	}
	before := slices.Concat(h.conn.clientFinished, h.conn.serverFinished)
	flight := h.hello.answer(h.random, h.suite, before)
	var chain []byte
	for _, certificate := range h.certificate.Certificate {
		chain = append(chain, vector(3, certificate)...)
	}
	flight = append(flight, message(certificates, vector(3, chain))...)
	flight = append(flight, exchange...)
	if h.ask {
		flight = append(flight, question()...)
	}
	flight = append(flight, message(serverHelloDone)...)
	h.transcript = append(h.transcript, flight...)
	_, err = h.conn.send(handshakeRecord, flight)
	return err
}

// newExchange makes the server's half of the key, and the ServerKeyExchange that has it.
func (h *handshake) newExchange() ([]byte, error) {
	id, curve, err := h.hello.curve()
	if err != nil {
		return nil, err
	}
	if h.key, err = curve.GenerateKey(rand.Reader); err != nil {
		return nil, err
	}
	const namedCurve = 3
	exchange := slices.Concat([]byte{namedCurve}, pair(id), vector(1, h.key.PublicKey().Bytes()))
	signed := slices.Concat(h.hello.random, h.random, exchange)
	signature, err := sign(h.certificate.PrivateKey, h.hello.signatures, signed)
	if err != nil {
		return nil, err
	}
	return message(serverKeyExchange, exchange, signature), nil
}

// question is a CertificateRequest. It names no authorities: any certificate will do.
func question() []byte {
	const signByRSA, signByECDSA = 1, 64
	var ids []byte
	for _, s := range schemes {
		ids = append(ids, pair(s.id)...)
	}
	return message(certificateRequest, vector(1, []byte{signByECDSA, signByRSA}), vector(2, ids), vector(2))
}

// read returns the body of the next message, which must be of this kind.
func (h *handshake) read(kind byte) ([]byte, error) {
	message, err := h.conn.nextMessage()
	if err != nil {
		return nil, err
	}
	if message[0] != kind {
		return nil, fmt.Errorf("renegotiation: message %d in the place of %d: %w", message[0], kind,
			tls.AlertError(alertUnexpectedMessage))
	}
	h.transcript = append(h.transcript, message...)
	return message[4:], nil
}
