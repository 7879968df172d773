package client_test

import (
	"strings"
	"testing"

	"emissor/client"
	"emissor/nfse"
)

// What is wrong with an address is said, and the address is not repeated.
func TestNew_RefusesURLs(t *testing.T) {
	for address, says := range map[string]string{
		"":                                    "the URL must be an address",
		"http://api.example.com":              "the URL must begin with https://",
		"http://localhost.example.com":        "the URL must begin with https://",
		"http://10.0.0.1:8080":                "the URL must begin with https://",
		"ftp://127.0.0.1":                     "the URL must begin with https://",
		"api.example.com":                     "the URL must be an address",
		"https://ana:hunter2@api.example.com": "the URL must be an address",
		"https://api.example.com?key=hunter2": "the URL must be an address",
		"https://api.example.com/v1/":         "the URL must be without /v1",
	} {
		_, err := client.New(client.Options{URL: address, Key: nfse.NewAPIKeyText(false)})
		if err == nil || !strings.HasPrefix(err.Error(), says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, expected %q", address, err, says)
		}
	}
}

func TestNew_TakesHTTPSAndThisMachine(t *testing.T) {
	for _, address := range []string{"https://api.example.com", "https://example.com/emissor/", "http://127.0.0.1:8080",
		"http://localhost:8080", "http://[::1]:8080"} {
		for _, live := range []bool{false, true} {
			api, err := client.New(client.Options{URL: address, Key: nfse.NewAPIKeyText(live)})
			if err != nil || api.Base() != address || api.Livemode() != live {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}
