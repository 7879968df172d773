package renegotiation

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// The kinds of records.
const (
	changeCipherSpec byte = 20
	alertRecord      byte = 21
	handshakeRecord  byte = 22
	applicationData  byte = 23
)

// The sizes of records.
const (
	headSize  = 5
	maxPlain  = 1 << 14
	maxSealed = maxPlain + 2048
)

// The levels of alerts, and those alerts that are sent or known here.
const (
	levelWarning byte = 1
	levelFatal   byte = 2

	alertCloseNotify       = 0
	alertUnexpectedMessage = 10
	alertBadRecord         = 20
	alertRecordOverflow    = 22
	alertHandshakeFailure  = 40
	alertBadCertificate    = 42
	alertIllegalParameter  = 47
	alertDecodeError       = 50
	alertDecryptError      = 51
	alertProtocolVersion   = 70
	alertInternalError     = 80
	alertNoRenegotiation   = 100
)

// readRecord returns the next record: its content is valid until the next call. After a deadline it goes on where it
// was. The caller holds input.
func (c *Conn) readRecord() (kind byte, content []byte, err error) {
	if err := c.receive(headSize); err != nil {
		return 0, nil, err
	}
	kind = c.record[0]
	if c.record[1] != 3 {
		return 0, nil, fmt.Errorf("renegotiation: this is not TLS: %w", tls.AlertError(alertProtocolVersion))
	}
	size := headSize + int(binary.BigEndian.Uint16(c.record[3:headSize]))
	if size > len(c.record) {
		return 0, nil, tls.AlertError(alertRecordOverflow)
	}
	if err := c.receive(size); err != nil {
		return 0, nil, err
	}
	c.arrived = 0
	content, err = c.in.open(kind, c.record[headSize:size])
	return kind, content, err
}

// receive waits until so many bytes of the record are there.
func (c *Conn) receive(size int) error {
	for c.arrived < size {
		n, err := c.raw.Read(c.record[c.arrived:size])
		c.arrived += n
		if err == io.EOF && c.arrived > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && c.arrived < size {
			return err
		}
	}
	return nil
}

// step reads a record outside a handshake, and does what it asks for. The caller holds input.
func (c *Conn) step() error {
	if c.broken != nil {
		return c.broken
	}
	kind, content, err := c.readRecord()
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return err
	}
	if err == nil {
		switch kind {
		case applicationData:
			err = c.hold(content)
		case alertRecord:
			err = c.alerted(content)
		case handshakeRecord:
			c.messages = append(c.messages, content...)
			err = c.renegotiate()
		default:
			err = tls.AlertError(alertUnexpectedMessage)
		}
	}
	if err != nil {
		return c.fail(err)
	}
	return nil
}

// hold keeps application data for Read.
func (c *Conn) hold(content []byte) error {
	if c.first.Load() == nil || c.changing {
		return tls.AlertError(alertUnexpectedMessage)
	}
	if len(c.plain)+len(content) > maxHeld {
		return fmt.Errorf("renegotiation: the client sends more than %d bytes, and no ClientHello", maxHeld)
	}
	c.plain = append(c.plain, content...)
	return nil
}

// alerted is what an alert of the client means: an error if it ends the connection.
func (c *Conn) alerted(content []byte) error {
	switch {
	case len(content) != 2:
		return tls.AlertError(alertDecodeError)
	case content[1] == alertCloseNotify:
		return io.EOF
	case content[0] == levelFatal:
		// Only its text, as an AlertError would be sent back.
		return fmt.Errorf("renegotiation: the client's alert: %s", tls.AlertError(content[1]).Error())
	case content[1] == alertNoRenegotiation:
		c.refused()
	}
	return nil
}

// send sends content in as many records as it takes, and returns how many of its bytes were sent.
func (c *Conn) send(kind byte, content []byte) (sent int, err error) {
	c.output.Lock()
	defer c.output.Unlock()
	return c.sendLocked(kind, content)
}

func (c *Conn) sendLocked(kind byte, content []byte) (sent int, err error) {
	for sent < len(content) {
		if c.ended {
			return sent, errEnded
		}
		part := content[sent:min(sent+maxPlain, len(content))]
		if _, err := c.raw.Write(c.out.seal(kind, part)); err != nil {
			c.ended = true
			return sent, err
		}
		sent += len(part)
	}
	return sent, nil
}

// alert sends an alert. After a fatal one, or a close_notify, nothing more is sent.
func (c *Conn) alert(level, description byte) {
	c.output.Lock()
	defer c.output.Unlock()
	c.alertLocked(level, description)
}

func (c *Conn) alertLocked(level, description byte) {
	_, _ = c.sendLocked(alertRecord, []byte{level, description})
	c.ended = true
}
