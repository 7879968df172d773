package main

import (
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
	"emissor/dashboard/listening/forward"
	"emissor/nfse"
)

// setEnvironment sets the three variables; empty is one that is not set.
func setEnvironment(t *testing.T, api, key, dashboard string) {
	t.Helper()
	t.Setenv(cli.VariableAPIURL, api)
	t.Setenv(cli.VariableAPIKey, key)
	t.Setenv(forward.VariableDashboardURL, dashboard)
}

// What is missing or wrong is named by its variable, and its value is not repeated.
func TestFromEnvironment_NamesWhatIsWrong(t *testing.T) {
	key := nfse.NewAPIKeyText(false)
	for _, c := range []struct{ api, key, says string }{
		{"", key, "EMISSOR_API_URL is not set"},
		{"https://api.example.com", "", "EMISSOR_API_KEY is not set"},
		{"https://api.example.com", key[:len(key)-1] + "~", "EMISSOR_API_KEY is not the text of an API key"},
		{"https://api.example.com", "hunter2", "EMISSOR_API_KEY is not the text of an API key"},
		{"http://api.example.com", key, "EMISSOR_API_URL must begin with https://"},
		{"https://ana:hunter2@api.example.com", key, "EMISSOR_API_URL must be an address"},
		{"https://api.example.com/v1/", key, "EMISSOR_API_URL must be without /v1"},
	} {
		setEnvironment(t, c.api, c.key, "")
		_, err := cli.APIFromEnvironment()
		if err == nil || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s and %q: %v, expected %q", c.api, c.key, err, c.says)
			continue
		}
		for _, secret := range []string{"hunter2", "~", key} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error repeats %s: %v", secret, err)
			}
		}
	}
}

// The dashboard's listener is reached without the API's address.
func TestDashboardFromEnvironment(t *testing.T) {
	key := nfse.NewAPIKeyText(false)
	setEnvironment(t, "", key, "https://notas.example.com")
	connection, err := cli.DashboardFromEnvironment()
	if err != nil || connection.Base() != "https://notas.example.com" {
		t.Errorf("%v", err)
	}
	setEnvironment(t, "https://api.example.com", key, "")
	if _, err := cli.DashboardFromEnvironment(); err == nil ||
		!strings.HasPrefix(err.Error(), "EMISSOR_DASHBOARD_URL is not set") {
		t.Errorf("%v", err)
	}
}
