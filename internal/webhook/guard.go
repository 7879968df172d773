package webhook

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"code.dny.dev/ssrf"
	"golang.org/x/net/idna"

	"emissor/nfse/fact"
)

// connectTimeout bounds name resolution and connecting together.
const (
	connectTimeout = 5 * time.Second
	keepAlive      = 30 * time.Second
)

var (
	// azureMetadata is Azure's metadata service, which answers at a public address.
	azureMetadata = netip.MustParsePrefix("168.63.129.16/32")
	// translated are IPv6 addresses that stand for IPv4 hosts. They are refused, as those are not checked.
	translated = []netip.Prefix{
		netip.MustParsePrefix("64:ff9b::/96"),
		netip.MustParsePrefix("64:ff9b:1::/48"),
		netip.MustParsePrefix("2002::/16"),
	}
	loopback4 = netip.MustParsePrefix("127.0.0.0/8")
	loopback6 = netip.MustParsePrefix("::1/128")
)

// ErrForbiddenAddress means that a destination is not public.
var ErrForbiddenAddress = errors.New("the address is not public")

// guard decides where a connection may go.
type guard struct {
	public        *ssrf.Guardian
	allowLoopback bool // development only: http, and receivers on this machine
}

func newGuard(allowLoopback bool) guard {
	options := []ssrf.Option{
		ssrf.WithAnyPort(),
		ssrf.WithDeniedV4Prefixes(azureMetadata),
		ssrf.WithDeniedV6Prefixes(translated...),
	}
	if allowLoopback {
		options = append(options, ssrf.WithAllowedV4Prefixes(loopback4), ssrf.WithAllowedV6Prefixes(loopback6))
	}
	return guard{public: ssrf.New(options...), allowLoopback: allowLoopback}
}

// control refuses addresses that are not public. The dialer calls it with every
// address that it is about to dial, after name resolution, so that a name that
// resolves to another address later is checked again.
func (g guard) control(network, address string, _ syscall.RawConn) error {
	if g.public.Safe(network, address, nil) != nil {
		return ErrForbiddenAddress
	}
	return nil
}

func (g guard) dialer() *net.Dialer {
	return &net.Dialer{Timeout: connectTimeout, KeepAlive: keepAlive, Control: g.control}
}

// URLError is why a URL cannot be an endpoint.
type URLError struct{ Why fact.Fact }

// Error implements error.
func (e *URLError) Error() string { return e.Why.English() }

// longestURL is how long the URL of an endpoint may be, in bytes.
const longestURL = 2000

// CheckURL returns an error that says why a URL cannot be an endpoint: a *URLError, or
// ErrForbiddenAddress. The addresses behind its name are checked when they are dialled.
func (o Options) CheckURL(raw string) error {
	parsed, err := url.Parse(raw)
	switch {
	case err != nil || parsed.Host == "" || parsed.Hostname() == "":
		return &URLError{fact.EndpointURLForm.Fact()}
	case parsed.Scheme != "https" && (parsed.Scheme != "http" || !o.AllowLoopback || o.Proxy != nil):
		return &URLError{fact.EndpointURLScheme.Fact()}
	case !o.allowsPort(parsed):
		return &URLError{fact.EndpointURLPort.With("port", parsed.Port())}
	case parsed.User != nil:
		return &URLError{fact.EndpointURLUser.Fact()}
	case parsed.Fragment != "":
		return &URLError{fact.EndpointURLFragment.Fact()}
	case len(raw) > longestURL:
		return &URLError{fact.EndpointURLLength.With("most", longestURL)}
	}
	return o.checkHost(parsed.Hostname())
}

// checkHost refuses an address that is not public, and a name that cannot be one's: it has one label, is
// reserved for machines of a network, or ends in a number, which resolvers read as an address of their own
// (2130706433, 0x7f.1). A name is judged as it is looked up, in ASCII.
func (o Options) checkHost(host string) error {
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return &URLError{fact.EndpointURLForm.Fact()}
		}
		host = ascii
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if address, err := netip.ParseAddr(host); err == nil {
		if newGuard(o.AllowLoopback).public.SafeAddr(address.Unmap()) != nil {
			return ErrForbiddenAddress
		}
		return nil
	}
	last := host[strings.LastIndex(host, ".")+1:]
	if !o.AllowLoopback && (last == host || slices.Contains(localNames, last) || numberForm.MatchString(last)) {
		return ErrForbiddenAddress
	}
	return nil
}

// localNames are the last labels of names that no public name has (RFC 6761, RFC 6762, RFC 8375, ICANN's internal).
var localNames = []string{"localhost", "localdomain", "local", "internal", "lan", "home", "corp", "arpa", "onion",
	"invalid", "test"}

// numberForm is a number in one of the bases that resolvers know.
var numberForm = regexp.MustCompile(`^(0x[0-9a-f]*|[0-9]+)$`)

// allowsPort reports whether a URL's port is allowed; that of its scheme when it
// names none.
func (o Options) allowsPort(destination *url.URL) bool {
	if len(o.Ports) == 0 || o.AllowLoopback {
		return true
	}
	port := destination.Port()
	if port == "" {
		port = "443"
	}
	number, err := strconv.Atoi(port)
	return err == nil && slices.Contains(o.Ports, number)
}
