package webhook

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// connectTimeout bounds name resolution and connecting together.
const (
	connectTimeout = 5 * time.Second
	keepAlive      = 30 * time.Second
)

var (
	// azureMetadata is Azure's metadata service, which answers at a public address.
	azureMetadata = netip.MustParsePrefix("168.63.129.16/32")
	// translated are addresses of IPv4 hosts inside IPv6, whose target cannot be seen.
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
// address that it is about to dial, after name resolution, so a name that resolves
// to another address later is checked again.
func (g guard) control(network, address string, _ syscall.RawConn) error {
	if g.public.Safe(network, address, nil) != nil {
		return ErrForbiddenAddress
	}
	return nil
}

func (g guard) dialer() *net.Dialer {
	return &net.Dialer{Timeout: connectTimeout, KeepAlive: keepAlive, Control: g.control}
}

// URLError is why a URL cannot be an endpoint. Its kind is for who says it in other
// words: form, scheme, port, user, fragment or length.
type URLError struct{ Kind, text string }

// Error implements error.
func (e *URLError) Error() string { return e.text }

// CheckURL returns an error that says why a URL cannot be an endpoint: a *URLError, or
// ErrForbiddenAddress. The addresses behind its name are checked when they are dialled.
func (o Options) CheckURL(raw string) error {
	parsed, err := url.Parse(raw)
	switch {
	case err != nil || parsed.Host == "" || parsed.Hostname() == "":
		return &URLError{"form", "the URL must look like https://host/path"}
	case parsed.Scheme != "https" && (parsed.Scheme != "http" || !o.AllowLoopback || o.Proxy != nil):
		return &URLError{"scheme", "the URL must begin with https://"}
	case !o.allowsPort(parsed):
		return &URLError{"port", fmt.Sprintf("the URL's port %s is not among those that are allowed", parsed.Port())}
	case parsed.User != nil:
		return &URLError{"user", "the URL must not hold a user or a password"}
	case parsed.Fragment != "":
		return &URLError{"fragment", "the URL must not have a fragment"}
	case len(raw) > 2000:
		return &URLError{"length", "the URL must have at most 2000 characters"}
	}
	if address, err := netip.ParseAddr(parsed.Hostname()); err == nil {
		if newGuard(o.AllowLoopback).public.SafeAddr(address.Unmap()) != nil {
			return ErrForbiddenAddress
		}
	}
	return nil
}

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
