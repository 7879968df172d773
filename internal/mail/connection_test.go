package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"emissor/nfse/fact"
)

// What Go's network says is known by its types; what is not known is quoted, in short and
// without addresses of people.
func TestWhatHappened(t *testing.T) {
	const address = "10.0.0.7:587"
	other, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	broke := func(operation string, err error) error {
		return &net.OpError{Op: operation, Net: "tcp", Addr: other, Err: err}
	}
	failed := func(call string, number syscall.Errno) error {
		return broke(call, os.NewSyscallError(call, number))
	}
	named := func(failure net.DNSError) error {
		failure.Name = "mail.example"
		return &net.OpError{Op: "dial", Net: "tcp", Err: &failure}
	}
	unverified := func(err error) error { return &tls.CertificateVerificationError{Err: err} }
	since, until := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	certificate := &x509.Certificate{DNSNames: []string{"a.example"}, IPAddresses: []net.IP{net.IPv4(10, 0, 0, 7)},
		NotBefore: since, NotAfter: until}
	for _, c := range []struct {
		err  error
		want fact.Fact
	}{
		{failed("connect", syscall.ECONNREFUSED), fact.NetworkRefused.With("address", address)},
		{failed("connect", syscall.EHOSTUNREACH), fact.NetworkNoRoute.With("address", address)},
		{failed("connect", syscall.ENETUNREACH), fact.NetworkUnreachable.With("address", address)},
		{failed("connect", syscall.ETIMEDOUT), fact.NetworkSilent.With("address", address)},
		{broke("read", os.ErrDeadlineExceeded), fact.NetworkSilent.With("address", address)},
		{failed("read", syscall.ECONNRESET), fact.NetworkClosedBy.With("address", address)},
		{failed("write", syscall.EPIPE), fact.NetworkClosedBy.With("address", address)},
		{os.ErrDeadlineExceeded, fact.NoAnswerInTime.Fact()},
		{fmt.Errorf("sending: %w", context.DeadlineExceeded), fact.NoAnswerInTime.Fact()},
		{io.EOF, fact.NetworkClosed.Fact()},
		{fmt.Errorf("reading: %w", io.ErrUnexpectedEOF), fact.NetworkClosed.Fact()},
		{errEndless, fact.MailServerEndless.Fact()},

		{named(net.DNSError{IsNotFound: true}), fact.NameUnknown.With("name", "mail.example")},
		{named(net.DNSError{IsNotFound: true, Server: "10.0.0.1:53"}),
			fact.NameUnknownTo.With("name", "mail.example", "server", "10.0.0.1:53")},
		{named(net.DNSError{IsTimeout: true, Server: "10.0.0.1:53"}),
			fact.NameNotResolvedInTime.With("name", "mail.example", "server", "10.0.0.1:53")},
		{named(net.DNSError{Err: "server misbehaving", Server: "10.0.0.1:53"}),
			fact.NameNotResolved.With("name", "mail.example", "server", "10.0.0.1:53")},
		{named(net.DNSError{Err: "no resolver"}), fact.InWords("dial tcp: lookup mail.example: no resolver")},

		{tls.RecordHeaderError{Msg: "x"}, fact.TLSNotSpoken.Fact()},
		{unverified(x509.UnknownAuthorityError{}), fact.TLSNotVerified.With("why", fact.TLSUnknownAuthority.Fact())},
		{unverified(x509.HostnameError{Certificate: certificate, Host: "b.example"}), fact.TLSNotVerified.With("why",
			fact.TLSOtherHost.With("names", "a.example, 10.0.0.7", "host", "b.example"))},
		{unverified(x509.CertificateInvalidError{Cert: certificate, Reason: x509.Expired}),
			fact.TLSNotVerified.With("why", fact.TLSOutOfTime.With("since", since, "until", until))},
		{unverified(errors.New("odd")), fact.TLSNotVerified.With("why", fact.InWords("odd"))},

		{errors.New("no room for <maria@example.com>\r\nat all"), fact.InWords("no room for <(address)> at all")},
	} {
		if found := whatHappened(c.err); !found.Equal(c.want) {
			t.Errorf("%v is %s, not %s", c.err, found, c.want)
		}
	}
}
