package mail

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"emissor/nfse/fact"
)

// errEndless ends a conversation in which the server sends more than maxAnswers.
var errEndless = errors.New("the server answers without end")

// whatHappened is what an error says of the connection: an unknown one in the library's
// words.
func whatHappened(err error) fact.Fact {
	if errors.Is(err, errEndless) {
		return fact.MailServerEndless.Fact()
	}
	for _, known := range []func(error) fact.Fact{unresolved, unprotected, broken} {
		if why := known(err); !why.None() {
			return why
		}
	}
	return inWords(err)
}

// unresolved is why the server's name has no address.
func unresolved(err error) fact.Fact {
	var failed *net.DNSError
	switch {
	case !errors.As(err, &failed):
		return fact.Fact{}
	case failed.IsNotFound && failed.Server == "":
		return fact.NameUnknown.With("name", failed.Name)
	case failed.IsNotFound:
		return fact.NameUnknownTo.With("name", failed.Name, "server", failed.Server)
	case failed.Server == "": // the system's own words say more
		return inWords(err)
	case failed.IsTimeout:
		return fact.NameNotResolvedInTime.With("name", failed.Name, "server", failed.Server)
	}
	return fact.NameNotResolved.With("name", failed.Name, "server", failed.Server)
}

// unprotected is why the connection cannot be TLS, or not be trusted.
func unprotected(err error) fact.Fact {
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &record):
		return fact.TLSNotSpoken.Fact()
	case errors.As(err, &certificate):
		return fact.TLSNotVerified.With("why", notVerified(certificate.Err))
	}
	return fact.Fact{}
}

func notVerified(err error) fact.Fact {
	var authority x509.UnknownAuthorityError
	var other x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return fact.TLSUnknownAuthority.Fact()
	case errors.As(err, &other) && namesOf(other.Certificate) != "":
		return fact.TLSOtherHost.With("names", namesOf(other.Certificate), "host", other.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fact.TLSOutOfTime.With("since", invalid.Cert.NotBefore, "until", invalid.Cert.NotAfter)
	}
	return inWords(err)
}

// namesOf are the hosts that a certificate is for; empty where it names none.
func namesOf(certificate *x509.Certificate) string {
	names := slices.Clone(certificate.DNSNames)
	for _, address := range certificate.IPAddresses {
		names = append(names, address.String())
	}
	return presentable(strings.Join(names, ", "))
}

// broken is how the connection failed or ended.
func broken(err error) fact.Fact {
	address := otherSide(err)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fact.NetworkClosed.Fact()
	case isTimeout(err) && address == "":
		return fact.NoAnswerInTime.Fact()
	case address == "":
		return fact.Fact{}
	case isTimeout(err):
		return fact.NetworkSilent.With("address", address)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fact.NetworkRefused.With("address", address)
	case errors.Is(err, syscall.EHOSTUNREACH):
		return fact.NetworkNoRoute.With("address", address)
	case errors.Is(err, syscall.ENETUNREACH):
		return fact.NetworkUnreachable.With("address", address)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fact.NetworkClosedBy.With("address", address)
	}
	return fact.Fact{}
}

// otherSide is the address of the other side; empty where an error does not name it.
func otherSide(err error) string {
	var operation *net.OpError
	if errors.As(err, &operation) && operation.Addr != nil {
		return operation.Addr.String()
	}
	return ""
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}
