package renegotiation

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"slices"
)

// maxMessage bounds a handshake message.
const maxMessage = 1 << 16

// nextMessage returns the next message of a handshake. The caller holds input.
func (c *Conn) nextMessage() ([]byte, error) {
	for {
		p := parser{rest: c.messages}
		p.bytes(1)
		length := p.number(3)
		if length > maxMessage {
			return nil, tls.AlertError(alertIllegalParameter)
		}
		if p.bytes(length); !p.bad {
			size := len(c.messages) - len(p.rest)
			message := slices.Clone(c.messages[:size])
			c.messages = c.messages[size:]
			return message, nil
		}
		content, err := c.nextRecord(handshakeRecord)
		if err != nil {
			return nil, err
		}
		c.messages = append(c.messages, content...)
	}
}

// nextRecord returns the next record of a handshake, which must be of this kind. Application data that come before it
// are kept for Read. The caller holds input.
func (c *Conn) nextRecord(kind byte) ([]byte, error) {
	for {
		got, content, err := c.readRecord()
		switch {
		case err != nil:
		case got == kind:
			return content, nil
		case got == applicationData:
			err = c.hold(content)
		case got == alertRecord:
			err = c.alerted(content)
		default:
			err = tls.AlertError(alertUnexpectedMessage)
		}
		if err != nil {
			return nil, err
		}
	}
}

// readFlight reads everything that the client sends after ServerHelloDone.
func (h *handshake) readFlight() error {
	if h.ask {
		if err := h.readCertificates(); err != nil {
			return err
		}
	}
	if err := h.readExchange(); err != nil {
		return err
	}
	if len(h.shown) > 0 {
		if err := h.readVerify(); err != nil {
			return err
		}
	}
	return h.readFinished()
}

func (h *handshake) readCertificates() error {
	body, err := h.read(certificates)
	if err != nil {
		return err
	}
	p := parser{rest: body}
	list := parser{rest: p.vector(3)}
	for list.more() {
		certificate, err := x509.ParseCertificate(list.vector(3))
		if err != nil {
			return fmt.Errorf("renegotiation: %w: %w", err, tls.AlertError(alertBadCertificate))
		}
		h.shown = append(h.shown, certificate)
	}
	if !p.complete() || !list.complete() {
		return tls.AlertError(alertDecodeError)
	}
	return nil
}

// readExchange reads the client's half of the key.
func (h *handshake) readExchange() error {
	body, err := h.read(clientKeyExchange)
	if err != nil {
		return err
	}
	p := parser{rest: body}
	point := p.vector(1)
	if !p.complete() {
		return tls.AlertError(alertDecodeError)
	}
	public, err := h.key.Curve().NewPublicKey(point)
	if err != nil {
		return fmt.Errorf("renegotiation: %w: %w", err, tls.AlertError(alertIllegalParameter))
	}
	shared, err := h.key.ECDH(public)
	if err != nil {
		return fmt.Errorf("renegotiation: %w: %w", err, tls.AlertError(alertIllegalParameter))
	}
	if h.hello.extendedMaster {
		h.master = derive(shared, "extended master secret", h.hash(), masterSize)
	} else {
		h.master = derive(shared, "master secret", slices.Concat(h.hello.random, h.random), masterSize)
	}
	return nil
}

// readVerify checks that the client has the key of the certificate that it showed.
func (h *handshake) readVerify() error {
	signed := h.transcript
	body, err := h.read(certificateVerify)
	if err != nil {
		return err
	}
	p := parser{rest: body}
	scheme, signature := uint16(p.number(2)), p.vector(2)
	if !p.complete() {
		return tls.AlertError(alertDecodeError)
	}
	if !verified(h.shown[0].PublicKey, scheme, signed, signature) {
		return fmt.Errorf("renegotiation: the signature of the client is wrong: %w", tls.AlertError(alertDecryptError))
	}
	return nil
}

// readFinished changes to the client's new keys, and checks that both saw the same handshake.
func (h *handshake) readFinished() (err error) {
	c := h.conn
	if len(c.messages) > 0 {
		return tls.AlertError(alertUnexpectedMessage)
	}
	if _, err := c.nextRecord(changeCipherSpec); err != nil {
		return err
	}
	if c.in, _, err = newHalves(h.master, h.hello.random, h.random); err != nil {
		return err
	}
	c.changing = true
	expected := derive(h.master, "client finished", h.hash(), finishedSize)
	got, err := h.read(finished)
	if err != nil {
		return err
	}
	if !hmac.Equal(got, expected) {
		return fmt.Errorf("renegotiation: the client's Finished is wrong: %w", tls.AlertError(alertDecryptError))
	}
	c.changing, c.clientFinished = false, expected
	return nil
}

// sendFinished changes to the server's new keys, and says what handshake it saw.
func (h *handshake) sendFinished() error {
	c := h.conn
	_, out, err := newHalves(h.master, h.hello.random, h.random)
	if err != nil {
		return err
	}
	c.serverFinished = derive(h.master, "server finished", h.hash(), finishedSize)
	c.output.Lock()
	defer c.output.Unlock()
	if _, err := c.sendLocked(changeCipherSpec, []byte{1}); err != nil {
		return err
	}
	c.out = out
	_, err = c.sendLocked(handshakeRecord, message(finished, c.serverFinished))
	return err
}

// hash returns the hash of all messages so far.
func (h *handshake) hash() []byte {
	sum := sha256.Sum256(h.transcript)
	return sum[:]
}
