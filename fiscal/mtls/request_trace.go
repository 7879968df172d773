package mtls

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptrace"
	"os"
	"syscall"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

// requestTrace records on which connections a request was tried; a transport may take
// a second one when nothing left over the first.
type requestTrace struct{ tries []connectionTry }

type connectionTry struct {
	connection *connection
	written    int64 // on the connection before it
}

func (t *requestTrace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if connection, ok := got.Conn.(*connection); ok {
			t.tries = append(t.tries, connectionTry{connection, connection.writtenBytes()})
		}
	}}
}

// failed returns the reply of a request without an answer. It is not delivered only if not
// one byte of it was written to a connection, or if the server ended the first TLS handshake
// because of our certificate, before it reads requests. What ends a renegotiation, also that our key does not sign, is
// no such proof: by then the server has read the head of the request, and perhaps its body.
func (t *requestTrace) failed(ctx context.Context, err error) Reply {
	var sent bool
	var alert error
	for _, try := range t.tries {
		wrote, refused := try.connection.end(try.written)
		if problem := cmp.Or(refused, try.connection.asks.notSigned()); problem != nil {
			alert = problem
		}
		sent = sent || wrote && (refused == nil || try.connection.mayRenegotiate())
	}
	switch {
	case !sent && alert != nil:
		return unsent(alert)
	case !sent:
		return unsent(err)
	case alert != nil:
		reply := unsent(alert)
		reply.Sent = true
		return reply
	case errors.Is(ctx.Err(), context.Canceled):
		return Reply{Sent: true, Reason: fact.CallStopped.Fact()}
	case ctx.Err() != nil:
		return Reply{Sent: true, Reason: fact.NoAnswerInTime.Fact()}
	case tlsAlert("local error", err) == "no renegotiation":
		return Reply{Sent: true, Reason: fact.TLSRenegotiationAsked.Fact()}
	}
	return Reply{Sent: true, Reason: fact.CallConnectionBroke.Fact()}
}

var errHandshake = errors.New("TLS handshake")

// unsent is the reply of a request that did not leave, or that ended with its TLS handshake. A
// certificate that the authority does not take is for a person to replace, and so is a program that does not sign.
func unsent(err error) Reply {
	reply := Reply{Reason: unsentReason(err)}
	switch {
	case refusedCertificate(err):
		refused := RefusesCertificate(fiscal.Answer{}, reply.Reason)
		reply.NeedsPerson, reply.RetryAfter = refused.NeedsPerson, refused.RetryAfter
	case reply.Reason.Is(fact.SigningProgramFailed):
		reply.NeedsPerson, reply.RetryAfter = reply.Reason, certificatePause
	}
	return reply
}

// unsentReason says, without an address or a certificate, why a request did not leave.
func unsentReason(err error) fact.Fact {
	var untrusted x509.UnknownAuthorityError
	var wrongHost x509.HostnameError
	var invalid x509.CertificateInvalidError
	var lookup *net.DNSError
	switch {
	case fact.OfError(err).Is(fact.SigningProgramFailed):
		return fact.OfError(err)
	case errors.As(err, &untrusted):
		return fact.TLSServerNotTrusted.Fact()
	case errors.As(err, &wrongHost):
		return fact.TLSServerOfAnotherHost.Fact()
	case errors.As(err, &invalid):
		return fact.TLSServerNotValid.Fact()
	case certificateAlert(err):
		return fact.TLSCertificateRefused.With("alert", tlsAlert("remote error", err))
	case errors.Is(err, errHandshake) && timedOut(err):
		return fact.TLSHandshakeTooSlow.Fact()
	case errors.Is(err, errHandshake):
		return fact.TLSHandshakeFailed.Fact()
	case errors.As(err, &lookup):
		return fact.CallNameNotResolved.Fact()
	case errors.Is(err, syscall.ECONNREFUSED):
		return fact.ConnectionRefused.Fact()
	case timedOut(err):
		return fact.CallConnectingTooSlow.Fact()
	}
	return fact.CallNoConnection.Fact()
}

func timedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}
