package nfse

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Networks are networks of client addresses. They are stored as an array of CIDRs.
type Networks []netip.Prefix

// ParseNetwork reads a network in CIDR notation, or a single address.
func ParseNetwork(s string) (netip.Prefix, error) {
	network, err := netip.ParsePrefix(s)
	if address, single := netip.ParseAddr(s); single == nil && address.Zone() == "" {
		network, err = netip.PrefixFrom(address, address.BitLen()), nil
	}
	switch {
	case err != nil:
		return network, errors.New("must be a network as 203.0.113.0/24 or 2001:db8::/48, or an address")
	case network.Addr().Is4In6(): // addresses are compared unmapped, as IPv4
		return network, errors.New("must write a network of IPv4 as one, as 203.0.113.0/24")
	case network != network.Masked():
		return network, fmt.Errorf("has bits behind its mask; the network is %s", network.Masked())
	}
	return network, nil
}

// Contain reports whether an address is in one of the networks.
func (n Networks) Contain(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return slices.ContainsFunc(n, func(network netip.Prefix) bool { return network.Contains(address) })
}

// String lists the networks, separated by commas.
func (n Networks) String() string {
	texts := make([]string, len(n))
	for i, network := range n {
		texts[i] = network.String()
	}
	return strings.Join(texts, ",")
}

// Scan implements sql.Scanner.
func (n *Networks) Scan(v any) error {
	text := fmt.Sprintf("%s", v)
	inside, ok := strings.CutPrefix(strings.TrimSuffix(text, "}"), "{")
	if !ok {
		return fmt.Errorf("nfse: cannot read networks from %T", v)
	}
	*n = Networks{}
	for part := range strings.SplitSeq(inside, ",") {
		if part == "" {
			continue
		}
		network, err := netip.ParsePrefix(part)
		if err != nil {
			return err
		}
		*n = append(*n, network)
	}
	return nil
}

// Value implements driver.Valuer.
func (n Networks) Value() (driver.Value, error) { return "{" + n.String() + "}", nil }

// MarshalJSON implements json.Marshaler: an array of texts, empty for none.
func (n Networks) MarshalJSON() ([]byte, error) {
	texts := make([]string, len(n))
	for i, network := range n {
		texts[i] = network.String()
	}
	return Marshal(texts)
}
