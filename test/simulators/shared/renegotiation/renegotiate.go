package renegotiation

import (
	"context"
	"crypto/tls"
	"errors"
)

// maxHeld bounds the application data that are held while a renegotiation goes on.
const maxHeld = 256 << 10

// ErrRefused says that the client refused to renegotiate. The connection can be used all the same.
var ErrRefused = errors.New("renegotiation: the client refused to renegotiate")

var (
	errCut   = errors.New("renegotiation: the connection was cut, as was asked for")
	errTwice = errors.New("renegotiation: a connection is renegotiated only once")
)

// renegotiation is one that was asked for.
type renegotiation struct {
	behaviour Behaviour
	done      chan struct{} // closed after the handshake, or when the client refused it
	err       error         // set before done is closed
}

// Renegotiate asks the client for another handshake and for its certificate, and returns when that is known. It is
// called once, after the first handshake, and nothing is written meanwhile. When ctx ends before, the connection is
// closed. Every error but ErrRefused ends the connection.
func (c *Conn) Renegotiate(ctx context.Context, behaviour Behaviour) error {
	pending := &renegotiation{behaviour: behaviour, done: make(chan struct{})}
	if !c.pending.CompareAndSwap(nil, pending) {
		return errTwice
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	stop := context.AfterFunc(ctx, func() { _ = c.raw.Close() })
	defer stop()

	if _, err := c.send(handshakeRecord, message(helloRequest)); err != nil {
		return err
	}
	if behaviour.Cut == AfterHello {
		return c.cut()
	}
	select {
	case <-pending.done: // a reader made the handshake
	case c.input <- struct{}{}: // nobody reads, or it ended without the handshake
		err := c.settle(pending)
		<-c.input
		if err != nil {
			return err
		}
	}
	return pending.err
}

// settle reads until the renegotiation is over. The caller holds input.
func (c *Conn) settle(pending *renegotiation) error {
	for {
		select {
		case <-pending.done:
			return nil
		default:
		}
		if err := c.step(); err != nil {
			return err
		}
	}
}

// renegotiate makes the handshake that the client begins with what is in messages. The caller holds input.
func (c *Conn) renegotiate() error {
	pending := c.pending.Load()
	if pending == nil || pending.err != nil || c.second.Load() != nil {
		return tls.AlertError(alertUnexpectedMessage)
	}
	if pending.behaviour.Hang {
		c.messages = nil
		return nil
	}
	certificate := c.certificate
	if pending.behaviour.Other != nil {
		certificate = pending.behaviour.Other
	}
	state, err := (&handshake{
		conn: c, certificate: certificate, ask: true, refuse: pending.behaviour.Refuse, cut: pending.behaviour.Cut,
	}).run()
	if err != nil {
		return err
	}
	c.second.Store(state)
	close(pending.done)
	return nil
}

// refused ends the renegotiation that the client does not want. The caller holds input.
func (c *Conn) refused() {
	if pending := c.pending.Load(); pending != nil && pending.err == nil && c.second.Load() == nil {
		pending.err = ErrRefused
		close(pending.done)
	}
}

// cut closes the connection without a word of TLS.
func (c *Conn) cut() error {
	_ = c.raw.Close()
	return errCut
}
