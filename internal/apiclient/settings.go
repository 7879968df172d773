package apiclient

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"emissor/internal/outgoing"
	"emissor/nfse"
)

// The environment variables of the commands for callers. A key is never a flag: command lines
// are seen by other users of a machine, and kept in a shell's history.
const (
	VariableAPIURL       = "EMISSOR_API_URL"
	VariableAPIKey       = "EMISSOR_API_KEY"
	VariableDashboardURL = "EMISSOR_DASHBOARD_URL"
)

// FromEnvironment makes a client of the API at EMISSOR_API_URL with the key of
// EMISSOR_API_KEY. Its error names the variable that is missing or wrong, without its value.
func FromEnvironment() (*Client, error) {
	connection, err := connectionFromEnvironment(VariableAPIURL, "https://api.notas.example.com")
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(strings.TrimRight(connection.base.Path, "/"), "/v1") {
		return nil, errors.New(VariableAPIURL + " must be without /v1, which is part of each request's path")
	}
	return NewClient(connection), nil
}

// DashboardFromEnvironment makes a connection to the dashboard's listener at
// EMISSOR_DASHBOARD_URL with the key of EMISSOR_API_KEY, for what callers reach there.
func DashboardFromEnvironment() (*Connection, error) {
	return connectionFromEnvironment(VariableDashboardURL, "https://notas.example.com")
}

func connectionFromEnvironment(variable, example string) (*Connection, error) {
	base := os.Getenv(variable)
	if base == "" {
		return nil, fmt.Errorf("%s is not set: say where it is, as %s", variable, example)
	}
	key := os.Getenv(VariableAPIKey)
	if key == "" {
		return nil, errors.New(VariableAPIKey + " is not set: it holds the API key (svc_test_... or svc_live_...)")
	}
	address, err := parseBase(base)
	if err != nil {
		return nil, fmt.Errorf("%s %w", variable, err)
	}
	if !nfse.IsAPIKeyText(key) {
		return nil, errors.New(VariableAPIKey + " is not the text of an API key: svc_test_ or svc_live_ and 38 characters, " +
			"copied without a mistake")
	}
	return NewConnection(address, key, Options{}), nil
}

// parseBase reads the address of a listener. Plain HTTP would show the key to the network, so
// that it is for this machine only. The error says what is wrong, and repeats nothing.
func parseBase(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Host == "" || address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return nil, errors.New("must be an address as https://notas.example.com, without user, query or fragment")
	case address.Scheme == "https", address.Scheme == "http" && outgoing.IsThisMachine(address.Hostname()):
		return address, nil
	}
	return nil, errors.New("must begin with https://: only this machine itself (localhost) is reached by http://")
}
