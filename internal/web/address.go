package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Client is where a request comes from: the address of the connection, or, behind
// trusted proxies, the last in X-Forwarded-For that is not one.
func Client(r *http.Request, proxies Networks) netip.Addr {
	address := RemoteAddress(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && proxies.Contain(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap()
	}
	return address.WithZone("") // which may be any text
}

// Site is what limits count as one address: of IPv6 the /64, all of which one subscriber
// may use.
func Site(address netip.Addr) string {
	if address.Is6() {
		network, _ := address.Prefix(64)
		return network.String()
	}
	return address.String()
}

// RemoteAddress is the address of a connection's other end.
func RemoteAddress(hostport string) netip.Addr {
	host, _, _ := net.SplitHostPort(hostport)
	address, _ := netip.ParseAddr(host)
	return address.Unmap()
}

// Networks are the networks of the trusted proxies.
type Networks []netip.Prefix

// Contain says whether an address is in one of them.
func (n Networks) Contain(address netip.Addr) bool {
	return slices.ContainsFunc(n, func(network netip.Prefix) bool { return network.Contains(address) })
}
