package outgoing_test

import (
	"testing"

	"emissor/internal/outgoing"
)

func TestIsBase(t *testing.T) {
	for address, want := range map[string]bool{
		"https://viacep.com.br": true, "http://127.0.0.1:8080/api": true, "": false, "viacep.com.br": false,
		"ftp://viacep.com.br": false, "https://": false, "https://viacep.com.br?a=b": false,
		"https://viacep.com.br#a": false,
	} {
		if outgoing.IsBase(address) != want {
			t.Errorf("%q is the address of a service: %t", address, !want)
		}
	}
}

func TestIsThisMachine(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.1.2.3": true, "::1": true,
		"::ffff:127.0.0.1": true,
		"":                 false, "localhost.example.com": false, "127.0.0.1.example.com": false, "10.0.0.1": false, "0.0.0.0": false,
	} {
		if outgoing.IsThisMachine(host) != want {
			t.Errorf("%q is this machine: %t", host, !want)
		}
	}
}
