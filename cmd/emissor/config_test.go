package main

import (
	"net/http"
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
	"emissor/test/long"
	"emissor/test/testkit"
)

// What is said of a wrong value that may hold a secret: its form, and not the value.
const (
	zipCodesWanted   = "EMISSOR_ZIP_CODE_SERVICES is not a valid zipCodes. On-line services"
	mailServerWanted = "EMISSOR_SMTP_URL is not a valid mailServer. The mail server"
)

func TestConfig_WrongValueStopsTheStart(t *testing.T) {
	long.Only(t, "starts the program with every wrong setting")
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
		{"EMISSOR_RATE_LIMIT", "s3cret", "the environment variable EMISSOR_RATE_LIMIT is not a valid int. Requests a " +
			"second"},
		{"EMISSOR_ORGANIZATION_LIMITS", "keys=0", "EMISSOR_ORGANIZATION_LIMITS is not a valid organizationLimits"},
		{"EMISSOR_ORGANIZATION_LIMITS", "customers=1", "EMISSOR_ORGANIZATION_LIMITS is not a valid organizationLimits"},
		{"EMISSOR_DATABASE_ROLE_PREFIX", strings.Repeat("e", 51),
			"EMISSOR_DATABASE_ROLE_PREFIX must have at most 50 characters"},
		{"EMISSOR_SLOW_SCENARIO", "-9s", "EMISSOR_SLOW_SCENARIO and EMISSOR_DRAIN_DELAY must be 0s or more"},
		{"EMISSOR_WEBHOOK_PORTS", "443,99999", "EMISSOR_WEBHOOK_PORTS is not a valid ports. Ports that webhooks may"},
		{"EMISSOR_WEBHOOK_PROXY", "socks5://emissor:s3cret@proxy", "EMISSOR_WEBHOOK_PROXY is not a valid proxy"},
		{"EMISSOR_KEEP_TEST_NOTES", "s3cret", "EMISSOR_KEEP_TEST_NOTES is not a valid age. For how long test notes"},
		{"EMISSOR_KEEP_TEST_NOTES", "999999999999y", "EMISSOR_KEEP_TEST_NOTES is not a valid age"},
		{"EMISSOR_KEEP_EVENTS", "3d", "EMISSOR_KEEP_EVENTS must be 7d or more, or 0 for ever"},
		{"EMISSOR_KEEP_FISCAL_DOCUMENTS", "4y", "EMISSOR_KEEP_FISCAL_DOCUMENTS must be 5y or more"},
		{"EMISSOR_KEEP_FISCAL_DOCUMENTS", "1826d", "the law asks for fiscal documents for five years"},
		{"EMISSOR_DRAIN_DELAY", "s3cret", "EMISSOR_DRAIN_DELAY is not a valid Duration. How long"},
		{"EMISSOR_LOG_LEVEL", "s3cret", "EMISSOR_LOG_LEVEL is not a valid logLevel. The least that is logged: debug"},
		{"EMISSOR_TRUSTED_PROXIES", "10.0.0.0/8,s3cret",
			"EMISSOR_TRUSTED_PROXIES is not a valid prefixes. Networks (CIDR"},
		{"EMISSOR_ZIP_CODE_SERVICES", "viacep=ftp://emissor:s3cret@viacep", zipCodesWanted},
		{"EMISSOR_ZIP_CODE_SERVICES", "viacep=https://viacep.com.br,brasilapi=https://emissor:s3cret%zz@brasilapi",
			zipCodesWanted},
		{"EMISSOR_ZIP_CODE_SERVICES", "https://viacep.com.br", zipCodesWanted},
		{"EMISSOR_SMTP_URL", "smtp://emissor:s3cret/x@mail:587", mailServerWanted},
		{"EMISSOR_SMTP_URL", "mail.example.com:587", mailServerWanted},
		{"EMISSOR_SMTP_URL", "https://emissor:s3cret@mail.example.com", mailServerWanted},
		{"EMISSOR_SMTP_URL", "smtps://mail.example.com?tls=none", mailServerWanted},
		{"EMISSOR_SMTP_URL", "smtp://mail.example.com?TLS=none", mailServerWanted},
		{"EMISSOR_SMTP_URL", "smtp://mail.example.com", "EMISSOR_SMTP_URL and EMISSOR_SMTP_FROM: the sender"},
		{"EMISSOR_SMTP_URL", "smtp://ana:s3cret@mail.example?token_url=http://login/token&client_id=a", mailServerWanted},
		{"EMISSOR_SMTP_URL", "smtp://ana:s3cret@mail.example.com?token_url=https://login/token", mailServerWanted},
		{"EMISSOR_SMTP_URL", "smtp://ana:s3cret@mail.example.com?scope=a", mailServerWanted},
		{"EMISSOR_NATIONAL_DOCUMENT_SIGNERS", "11222333000181",
			"EMISSOR_NATIONAL_DOCUMENT_SIGNERS needs EMISSOR_CERTIFICATE_ROOTS"},
		{"EMISSOR_NATIONAL_EVENT_SIGNERS", "11222333000181",
			"EMISSOR_NATIONAL_EVENT_SIGNERS needs EMISSOR_NATIONAL_DOCUMENT_SIGNERS"},
		{"EMISSOR_NATIONAL_REQUIRE_SIGNATURE", "true",
			"EMISSOR_NATIONAL_REQUIRE_SIGNATURE needs EMISSOR_NATIONAL_DOCUMENT_SIGNERS"},
		{"EMISSOR_NATIONAL_EVENT_SIGNERS", "s3cret",
			"EMISSOR_NATIONAL_EVENT_SIGNERS is not a valid signerWords. The same"},
		{"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM", "2027-1-1",
			"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM is not a valid calendarDay. Day of competence, as 2027-01-01"},
		{"EMISSOR_SAO_PAULO_URL", "http://nfews.example/lotenfe.asmx",
			"EMISSOR_SAO_PAULO_URL: must be an https URL with a host"},
		{"EMISSOR_SAO_PAULO_SOAP", "s3cret", "EMISSOR_SAO_PAULO_SOAP is not a valid soapVersion. Version of the"},
		{"EMISSOR_SAO_PAULO_PLACE", "home", "EMISSOR_SAO_PAULO_PLACE is not a valid placeOfService. The city that is"},
		{"EMISSOR_AUTHORITY_GRACE_PERIOD", "0s", "EMISSOR_AUTHORITY_GRACE_PERIOD must be more than 0s"},
		{"EMISSOR_AUTHORITY_TIMEOUT", "0s", "EMISSOR_AUTHORITY_TIMEOUT must be more than 0s and at most 1m0s"},
		{"EMISSOR_AUTHORITY_TIMEOUT", "61s", "EMISSOR_AUTHORITY_TIMEOUT must be more than 0s and at most 1m0s"},
		{"EMISSOR_AUTHORITY_TLS", "1.1", "EMISSOR_AUTHORITY_TLS is not a valid authorityTLS. The highest TLS version"},
		{"EMISSOR_SAO_PAULO_RATE", "0", "EMISSOR_SAO_PAULO_RATE must be more than 0"},
		{"EMISSOR_EMAIL_DANFSE", "s3cret", "EMISSOR_EMAIL_DANFSE is not a valid bool"},
		{"TEMPORAL_TLS_SERVER_CA_CERT_PATH", "/nowhere/ca.pem", "TEMPORAL_TLS_SERVER_CA_CERT_PATH: "},
		{"TEMPORAL_TLS_SERVER_CA_CERT_PATH", "main.go", "the file holds no certificate in PEM"},
		{"TEMPORAL_TLS_CLIENT_CERT_PATH", "/nowhere/cert.pem",
			"TEMPORAL_TLS_CLIENT_CERT_PATH: "},
		{"EMISSOR_LISTEN", "127.0.0.1", "EMISSOR_LISTEN: "},
		{"EMISSOR_ADMIN_LISTEN", "127.0.0.1:s3cret", "EMISSOR_ADMIN_LISTEN: "},
	} {
		result := execute(t, good.with(wrong.name, wrong.value), "serve")
		// Before it, what listens already may have said so; after it, other settings may be wrong by this one.
		_, why, said := strings.Cut("\n"+result.stderr, "\nemissor: ")
		if result.code != 1 || !said || !strings.Contains(why, wrong.why) {
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
	for _, setting := range cli.DeclaredSettings() {
		if settings[setting.Name] == "" {
			settings[setting.Name] = ""
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
	for _, setting := range cli.DeclaredSettings() {
		if strings.HasSuffix(setting.Name, "LISTEN") && !strings.HasPrefix(setting.Fallback, "127.0.0.1:") {
			t.Errorf("%s is %s by default", setting.Name, setting.Fallback)
		}
	}
}

func TestCommand_Unknown(t *testing.T) {
	t.Parallel()
	misused(t, nil, `unknown command "issue"`, "issue")
	misused(t, nil, "unknown flag: --jsno", "organization", "list", "--jsno")
	help := succeeds(t, nil)
	if !strings.Contains(help, "Available Commands:") || !strings.Contains(help, "organization") {
		t.Errorf("without a command it says\n%s", help)
	}
}
