package nfse

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"
	"testing"
)

func TestParseNetwork(t *testing.T) {
	for text, expected := range map[string]string{
		"203.0.113.0/24": "203.0.113.0/24", "203.0.113.7": "203.0.113.7/32", "0.0.0.0/0": "0.0.0.0/0",
		"2001:db8::/48": "2001:db8::/48", "2001:DB8::7": "2001:db8::7/128", "::/0": "::/0",
	} {
		if network, err := ParseNetwork(text); err != nil || network.String() != expected {
			t.Errorf("%s is read as %s, %v", text, network, err)
		}
	}
	for text, why := range map[string]string{
		"": "must be a network", "lan": "must be a network", "10.0.0.0/33": "must be a network",
		"10.0.0/8": "must be a network", "fe80::1%eth0": "must be a network", "10.0.0.0/8 ": "must be a network",
		"10.0.0.1/8": "the network is 10.0.0.0/8", "2001:db8::1/48": "the network is 2001:db8::/48",
		"::ffff:10.0.0.0/104": "network of IPv4", "::ffff:10.0.0.1": "network of IPv4",
	} {
		if network, err := ParseNetwork(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q is read as %s, %v", text, network, err)
		}
	}
}

func TestNetworks_KeptAndPrinted(t *testing.T) {
	for _, networks := range []Networks{
		{}, {netip.MustParsePrefix("10.0.0.0/8")},
		{netip.MustParsePrefix("203.0.113.7/32"), netip.MustParsePrefix("2001:db8::/48")},
	} {
		kept, err := networks.Value()
		var read, unmarshalled Networks
		if err := read.Scan([]byte(kept.(string))); err != nil || !reflect.DeepEqual(read, networks) {
			t.Errorf("%v is kept as %v and read as %v, %v", networks, kept, read, err)
		}
		printed, marshalled := json.Marshal(networks)
		again := json.Unmarshal(printed, &unmarshalled)
		if err != nil || marshalled != nil || again != nil || !reflect.DeepEqual(unmarshalled, networks) {
			t.Errorf("%v is printed as %s and read as %v", networks, printed, unmarshalled)
		}
	}
	if printed, err := json.Marshal(Networks(nil)); err != nil || string(printed) != "[]" {
		t.Errorf("none is printed as %s, %v", printed, err)
	}
	if err := new(Networks).Scan(nil); err == nil {
		t.Error("nothing is read as networks")
	}
}
