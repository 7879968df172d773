package main

import (
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/test/testkit"
)

// The limits that the contract tells callers are those that run where the operator sets none.
func TestContract_Limits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../api/llms-full.txt")
	must(t, err)
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	settings := settingsOf(database).withoutTemporal()
	running := start(t, settings, "api")
	burst := func(api, path string) string {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, api+path, nil)
		must(t, err)
		request.Header.Set("Authorization", "Bearer "+key)
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		must(t, response.Body.Close())
		return response.Header.Get("RateLimit-Limit")
	}
	ofKey, ofAddress := burst(running.api, "/v1/services"), burst(running.api, "/v1/health")
	running.terminate(t)
	ofOrganization := burst(start(t, settings.with("EMISSOR_RATE_LIMIT", "0"), "api").api, "/v1/services")

	byDefault := func(field string) string {
		setting, _ := reflect.TypeFor[cli.Config]().FieldByName(field)
		return setting.Tag.Get("default")
	}
	var organization cli.OrganizationLimits
	must(t, organization.Decode(byDefault("Organization")))
	for _, sentence := range []string{
		fmt.Sprintf("each key to %s requests a second with bursts of %s;", byDefault("RateLimit"), ofKey),
		fmt.Sprintf("all keys of an organization and environment together to %d requests a second with bursts of %s;",
			organization.Requests, ofOrganization),
		fmt.Sprintf("each address without a valid key to %d requests a second with bursts of %s.", cli.FailedAuthRate,
			ofAddress),
		fmt.Sprintf("at most %s requests of an organization and environment are answered at once",
			byDefault("AddressLimit")),
		fmt.Sprintf("it stays `processing` for %s seconds", strings.TrimSuffix(byDefault("SlowScenario"), "s")),
		fmt.Sprintf("test services expire after %.0f days", nfse.TestServiceLifetime.Hours()/24),
	} {
		if !strings.Contains(string(text), sentence) {
			t.Errorf("the contract does not say: %s", sentence)
		}
	}
}
