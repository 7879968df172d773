package main

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"emissor/internal/testkit"
)

func TestConfig_EveryVariableListed(t *testing.T) {
	t.Parallel()
	listed := map[string][]string{}
	for _, row := range cells(succeeds(t, nil, "config")) { // which needs no configuration itself
		listed[row[0]] = row[1:]
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[config]()) {
		if field.Anonymous {
			continue // its fields follow
		}
		tag := field.Tag
		name := tag.Get("envconfig")
		expected := []string{strings.Join(readersOf(name), " ")}
		if text := tag.Get("default"); text != "" {
			expected = append(expected, text)
		}
		expected = append(expected, meanings[name])
		if name == "" || meanings[name] == "" || readersOf(name) == nil || !reflect.DeepEqual(listed[name], expected) {
			t.Errorf("%s is listed as %q, expected %q", name, listed[name], expected)
		}
		delete(listed, name)
	}
	delete(listed, "VARIABLE") // the header
	if len(listed) > 0 {
		t.Errorf("nobody reads %v", listed)
	}
}

func TestConfig_WrongValueStopsTheStart(t *testing.T) {
	t.Parallel()
	good := settingsOf(testkit.NewDatabase(t))
	for _, wrong := range []struct{ name, value, why string }{
		{"EMISSOR_DATABASE_URL", "", "required key EMISSOR_DATABASE_URL missing value"},
		{"EMISSOR_DATABASE_URL", "emissor:s3cret@localhost", "the database URL must look like postgres://"},
		{"EMISSOR_DATABASE_URL", "postgres://emissor:s3cret%zz@localhost/emissor?sslmode=disable",
			"the database URL must look like postgres://"},
		{"EMISSOR_DATABASE_URL", "postgres://emissor:s3cret@localhost/emissor", "the database URL must say sslmode="},
		{"EMISSOR_DATABASE_URL", "postgres://emissor:s3cret@127.0.0.1:1/emissor?sslmode=disable", "store: connect: "},
		{"EMISSOR_DATABASE_CONNECTIONS", "0", "EMISSOR_DATABASE_CONNECTIONS must be 1 or more"},
		{"EMISSOR_CONNECTIONS", "-9", "EMISSOR_CONNECTIONS must be 1 or more"},
		{"EMISSOR_CONNECTIONS_PER_ADDRESS", "0", "EMISSOR_CONNECTIONS_PER_ADDRESS must be 1 or more"},
		{"EMISSOR_RATE_LIMIT", "-9", "EMISSOR_RATE_LIMIT must be 0 or more"},
		{"EMISSOR_RATE_LIMIT", "s3cret", "the environment variable EMISSOR_RATE_LIMIT is not a valid int: requests a " +
			"second"},
		{"EMISSOR_FAILED_AUTH_LIMIT", "-9", "EMISSOR_FAILED_AUTH_LIMIT must be 0 or more"},
		{"EMISSOR_ORGANIZATION_KEYS", "-9", "EMISSOR_ORGANIZATION_KEYS must be 0 or more"},
		{"EMISSOR_ZIP_CODE_RATE", "-9", "EMISSOR_ZIP_CODE_RATE must be 0 or more"},
		{"EMISSOR_SLOW_SCENARIO", "-9s", "EMISSOR_SLOW_SCENARIO and EMISSOR_DRAIN_DELAY must be 0s or more"},
		{"EMISSOR_WEBHOOK_PORTS", "443,99999", "EMISSOR_WEBHOOK_PORTS is not a valid ports: ports that webhooks may"},
		{"EMISSOR_WEBHOOK_PROXY", "socks5://emissor:s3cret@proxy", "EMISSOR_WEBHOOK_PROXY is not a valid proxy"},
		{"EMISSOR_KEEP_TEST_NOTES", "s3cret", "EMISSOR_KEEP_TEST_NOTES is not a valid age: for how long test notes"},
		{"EMISSOR_KEEP_TEST_NOTES", "999999999999y", "EMISSOR_KEEP_TEST_NOTES is not a valid age"},
		{"EMISSOR_KEEP_EVENTS", "3d", "EMISSOR_KEEP_EVENTS must be 7d or more, or 0 for ever"},
		{"EMISSOR_KEEP_FISCAL_DOCUMENTS", "4y", "EMISSOR_KEEP_FISCAL_DOCUMENTS must be 5y or more"},
		{"EMISSOR_KEEP_FISCAL_DOCUMENTS", "1826d", "the law asks for fiscal documents for five years"},
		{"EMISSOR_DRAIN_DELAY", "s3cret", "EMISSOR_DRAIN_DELAY is not a valid Duration: how long"},
		{"EMISSOR_LOG_LEVEL", "s3cret", "EMISSOR_LOG_LEVEL is not a valid logLevel: debug, info, warn or error"},
		{"EMISSOR_TRUSTED_PROXIES", "10.0.0.0/8,s3cret",
			"EMISSOR_TRUSTED_PROXIES is not a valid prefixes: networks (CIDR"},
		{"EMISSOR_VIACEP_URL", "ftp://emissor:s3cret@viacep",
			"EMISSOR_VIACEP_URL: the address of a zip-code service must look like"},
		{"EMISSOR_BRASILAPI_URL", "https://emissor:s3cret%zz@brasilapi",
			"EMISSOR_BRASILAPI_URL: the address of a zip-code service must look like"},
		{"EMISSOR_NATIONAL_SIGNER_CA", "/etc/emissor/ca/roots.pem",
			"EMISSOR_NATIONAL_SIGNER_CA needs EMISSOR_NATIONAL_DOCUMENT_SIGNERS"},
		{"EMISSOR_NATIONAL_DOCUMENT_SIGNERS", "11222333000181", "need EMISSOR_NATIONAL_SIGNER_CA"},
		{"EMISSOR_NATIONAL_EVENT_SIGNERS", "s3cret",
			"EMISSOR_NATIONAL_EVENT_SIGNERS is not a valid signerWords: the same"},
		{"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM", "2027-1-1",
			"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM is not a valid calendarDay: day of competence, as 2027-01-01"},
		{"EMISSOR_SAO_PAULO_URL", "http://nfews.example/lotenfe.asmx",
			"EMISSOR_SAO_PAULO_URL: must be an https URL with a host"},
		{"EMISSOR_SAO_PAULO_SOAP", "s3cret", "EMISSOR_SAO_PAULO_SOAP is not a valid soapVersion: version of the"},
		{"EMISSOR_SAO_PAULO_CANCELLATION_WIDTH", "22",
			"EMISSOR_SAO_PAULO_CANCELLATION_WIDTH is not a valid cancellationWidth"},
		{"EMISSOR_SAO_PAULO_PLACE", "home", "EMISSOR_SAO_PAULO_PLACE is not a valid placeOfService: the city that is"},
		{"EMISSOR_SAO_PAULO_GRACE_PERIOD", "0s", "EMISSOR_SAO_PAULO_GRACE_PERIOD must be more than 0s"},
		{"EMISSOR_SAO_PAULO_WATCH_EVERY", "0s", "EMISSOR_SAO_PAULO_WATCH_EVERY and EMISSOR_SAO_PAULO_WATCH_FOR must"},
		{"EMISSOR_SAO_PAULO_RATE", "0", "EMISSOR_SAO_PAULO_RATE must be more than 0"},
		{"TEMPORAL_TLS", "s3cret", "TEMPORAL_TLS is not a valid bool"},
		{"TEMPORAL_TLS_SERVER_CA_CERT_PATH", "/nowhere/ca.pem", "TEMPORAL_TLS_SERVER_CA_CERT_PATH: "},
		{"TEMPORAL_TLS_SERVER_CA_CERT_PATH", "main.go", "the file holds no certificate in PEM"},
		{"TEMPORAL_TLS_CLIENT_CERT_PATH", "/nowhere/cert.pem",
			"TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH: "},
		{"EMISSOR_LISTEN", "127.0.0.1", "EMISSOR_LISTEN: "},
		{"EMISSOR_ADMIN_LISTEN", "127.0.0.1:s3cret", "EMISSOR_ADMIN_LISTEN: "},
	} {
		result := execute(t, good.with(wrong.name, wrong.value), "serve")
		lines := strings.Split(strings.TrimSpace(result.stderr), "\n")
		last := lines[len(lines)-1] // before it, what listens already may have said so
		if result.code != 1 || !strings.HasPrefix(last, "emissor: ") || !strings.Contains(last, wrong.why) {
			t.Errorf("%s=%s: it ended with %d and\n%s\nexpected a line that says %q", wrong.name, wrong.value,
				result.code, result.stderr, wrong.why)
		}
		if strings.Contains(result.stderr, "emissor:s3cret") {
			t.Errorf("%s: the error repeats the password: %s", wrong.name, result.stderr)
		}
	}
	fails(t, settings{}, "required key EMISSOR_DATABASE_URL missing value", "serve")
}

func TestConfig_EmptyIsNotSet(t *testing.T) {
	t.Parallel()
	settings := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	for name := range meanings {
		if settings[name] == "" {
			settings[name] = ""
		}
	}
	p := start(t, settings, "serve")
	response, err := http.Get(p.api + "/v1/services")
	must(t, err)
	response.Body.Close()
	if limit := response.Header.Get("RateLimit-Limit"); limit != "100" { // ten seconds of the default
		t.Errorf("the limit of failed authentications is %q", limit)
	}
	p.terminate(t)
	p.expectEnd(t)
}

func TestConfig_ListensOnLoopback(t *testing.T) {
	t.Parallel()
	for _, field := range reflect.VisibleFields(reflect.TypeFor[config]()) {
		name, address := field.Tag.Get("envconfig"), field.Tag.Get("default")
		if strings.HasSuffix(name, "LISTEN") && !strings.HasPrefix(address, "127.0.0.1:") {
			t.Errorf("%s is %s by default", name, address)
		}
	}
}

func TestConfig_ReadersAreOfVariables(t *testing.T) {
	t.Parallel()
	for name := range readers {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(meanings)), func(variable string) bool {
			return strings.HasPrefix(variable, name)
		}) {
			t.Errorf("no variable begins with %s", name)
		}
	}
}

func TestCommand_Unknown(t *testing.T) {
	t.Parallel()
	fails(t, nil, `unknown command "issue"`, "issue")
	fails(t, nil, "unknown flag: --jsno", "organization", "list", "--jsno")
	help := succeeds(t, nil)
	if !strings.Contains(help, "Available Commands:") || !strings.Contains(help, "organization") {
		t.Errorf("without a command it says\n%s", help)
	}
}
