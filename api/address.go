package api

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// client is where the request comes from: the address of the connection, or, behind
// trusted proxies, the last in X-Forwarded-For that is not one.
func (a *API) client(r *http.Request) netip.Addr {
	address := remoteAddress(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && a.proxies.contain(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap()
	}
	return address.WithZone("") // which may be any text
}

// clientAddress is the client as limits count it.
func (a *API) clientAddress(r *http.Request) string { return site(a.client(r)) }

// site is what limits count as one address: of IPv6 the /64, which is what one
// subscriber gets and may use all of.
func site(address netip.Addr) string {
	if address.Is6() {
		network, _ := address.Prefix(64)
		return network.String()
	}
	return address.String()
}

func remoteAddress(hostport string) netip.Addr {
	host, _, _ := net.SplitHostPort(hostport)
	address, _ := netip.ParseAddr(host)
	return address.Unmap()
}

// networks are those of the trusted proxies.
type networks []netip.Prefix

func (n networks) contain(address netip.Addr) bool {
	return slices.ContainsFunc(n, func(network netip.Prefix) bool { return network.Contains(address) })
}
