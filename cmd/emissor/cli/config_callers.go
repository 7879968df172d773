package cli

import (
	"errors"
	"fmt"
	"os"

	"emissor/client"
	"emissor/dashboard/listening/forward"
	"emissor/nfse"
)

// ReaderCallers are the commands of those who call the API, as emissor client: they know an
// installation by an address and an API key, and read nothing of config.
const ReaderCallers = "callers"

// The environment variables of the commands for callers. A key is never a flag: command lines are seen by other users
// of a machine, and kept in a shell's history.
const (
	VariableAPIURL = "EMISSOR_API_URL"
	VariableAPIKey = "EMISSOR_API_KEY"
)

// CallerSettings are the environment variables of those commands, in the order in which they are
// listed. They belong to the caller's machine, so that no process of the service, no
// docker-compose.yml and no chart has them; two of them have the names of what the service says of
// itself, because they are the same addresses.
func CallerSettings() []Setting {
	const subject = "Commands of callers"
	readers := []string{ReaderCallers}
	return []Setting{
		{Subject: subject, Name: VariableAPIURL, Required: true, Readers: readers,
			Meaning: "Where the API is, as https://api.notas.example.com, without /v1. Plain http:// is for this machine only."},
		{Subject: subject, Name: VariableAPIKey, Required: true, Readers: readers,
			Meaning: "The API key (svc_test_... or svc_live_...) whose rights the command has. It is never a flag."},
		{Subject: subject, Name: forward.VariableDashboardURL, Readers: readers,
			Meaning: "Where the dashboard is, as https://notas.example.com, of the commands that ask there."},
	}
}

// APIFromEnvironment makes a client of the API at EMISSOR_API_URL with the key of EMISSOR_API_KEY. Its error names the
// variable that is missing or wrong, without its value.
func APIFromEnvironment() (*client.Client, error) {
	return fromEnvironment(VariableAPIURL, "https://api.notas.example.com", client.New)
}

// DashboardFromEnvironment makes a connection to the dashboard's listener at EMISSOR_DASHBOARD_URL, likewise, for what
// callers reach there.
func DashboardFromEnvironment() (*client.Connection, error) {
	return fromEnvironment(forward.VariableDashboardURL, "https://notas.example.com", client.Connect)
}

func fromEnvironment[T any](variable, example string, connect func(client.Options) (T, error)) (to T, err error) {
	options := client.Options{URL: os.Getenv(variable), Key: os.Getenv(VariableAPIKey)}
	switch {
	case options.URL == "":
		return to, fmt.Errorf("%s is not set: say where it is, as %s", variable, example)
	case options.Key == "":
		return to, errors.New(VariableAPIKey + " is not set: it holds the API key (svc_test_... or svc_live_...)")
	}
	if to, err = connect(options); err != nil {
		return to, fmt.Errorf("%s %w", variable, errors.Unwrap(err)) // what is wrong with the address
	}
	if !nfse.IsAPIKeyText(options.Key) {
		return to, errors.New(VariableAPIKey +
			" is not the text of an API key: svc_test_ or svc_live_ and 38 characters, " +
			"copied without a mistake")
	}
	return to, nil
}
