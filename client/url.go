package client

import (
	"errors"
	"net/url"

	"emissor/internal/outgoing"
)

// wrongURL is the error of a URL. What it wraps is what is wrong, for who has another name for it.
type wrongURL struct{ error }

func (e wrongURL) Error() string { return "the URL " + e.error.Error() }
func (e wrongURL) Unwrap() error { return e.error }

// parseURL reads the address of a listener. Plain HTTP would show the key to the network, so that it is for this
// machine only. The error says what is wrong, and repeats nothing.
func parseURL(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Host == "" || address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return nil, wrongURL{errors.New(
			"must be an address as https://notas.example.com, without user, query or fragment")}
	case address.Scheme == "https", address.Scheme == "http" && outgoing.IsThisMachine(address.Hostname()):
		return address, nil
	}
	return nil, wrongURL{errors.New(
		"must begin with https://: only this machine itself (localhost) is reached by http://")}
}
