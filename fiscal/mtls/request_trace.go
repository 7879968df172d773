package mtls

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptrace"
	"os"
	"syscall"
)

// requestTrace follows a request onto its connections; a transport may take a
// second one when nothing left over the first.
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

// failed returns the reply of a request without an answer. It is not delivered
// only if not one byte of it was written to a connection, or if the server ended
// the TLS handshake over our certificate, before it reads requests.
func (t *requestTrace) failed(ctx context.Context, err error) Reply {
	var sent bool
	var refusal error
	for _, try := range t.tries {
		wrote, refused := try.connection.end(try.written)
		if refused != nil {
			refusal = refused
		} else if wrote {
			sent = true
		}
	}
	switch {
	case !sent && refusal != nil:
		return unsent(refusal)
	case !sent:
		return unsent(err)
	case errors.Is(ctx.Err(), context.Canceled):
		return Reply{Sent: true, Reason: "stopped before an answer came"}
	case ctx.Err() != nil:
		return Reply{Sent: true, Reason: "no answer in time"}
	case tlsAlert("local error", err) == "no renegotiation":
		return Reply{Sent: true, Reason: "the authority asked for TLS renegotiation, which is not configured"}
	}
	return Reply{Sent: true, Reason: "the connection broke before an answer came"}
}

var errHandshake = errors.New("TLS handshake")

// unsent is the reply of a request that did not leave. A certificate that the
// authority does not take is for a person to replace: trying again is of no use.
func unsent(err error) Reply {
	reply := Reply{Reason: unsentReason(err)}
	if refusedCertificate(err) {
		reply.NeedsPerson = reply.Reason + ": add one that it takes by emissor certificate add; " +
			"it is tried again every hour"
	}
	return reply
}

// unsentReason says in words without an address or a certificate why a request
// did not leave.
func unsentReason(err error) string {
	var untrusted x509.UnknownAuthorityError
	var wrongHost x509.HostnameError
	var invalid x509.CertificateInvalidError
	var lookup *net.DNSError
	switch {
	case errors.As(err, &untrusted):
		return "the server's TLS certificate is signed by nobody we trust"
	case errors.As(err, &wrongHost):
		return "the server's TLS certificate is of another host"
	case errors.As(err, &invalid):
		return "the server's TLS certificate is not valid"
	case certificateAlert(err):
		return "the authority refused the certificate in the TLS handshake (" + tlsAlert("remote error", err) + ")"
	case errors.Is(err, errHandshake) && timedOut(err):
		return "the TLS handshake took too long"
	case errors.Is(err, errHandshake):
		return "the TLS handshake failed"
	case errors.As(err, &lookup):
		return "the authority's name could not be resolved"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the connection was refused"
	case timedOut(err):
		return "connecting took too long"
	}
	return "no connection to the authority"
}

func timedOut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}
