package postgres

import (
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestDSN_WrongURL(t *testing.T) {
	for _, wrong := range []struct{ url, why string }{
		{"", "must look like postgres://"},
		{"host=localhost password=s3cret dbname=emissor", "must look like postgres://"},
		{"mysql://emissor:s3cret@localhost/emissor?sslmode=disable", "must look like postgres://"},
		{"postgres//emissor:s3cret@localhost/emissor", "must look like postgres://"},
		{"postgres://emissor:s3cret%zz@localhost/emissor?sslmode=disable", "must look like postgres://"},
		{"postgres://emissor:s3cret@localhost:port/emissor?sslmode=disable", "must look like postgres://"},
		{"postgres://emissor:s3cret@local host/emissor?sslmode=disable", "must look like postgres://"},
		{"postgres://emissor:s3cret@localhost/emissor", "must say sslmode="},
		{"postgres://emissor:s3cret@localhost/emissor?sslmode=", "must say sslmode="},
		{"postgresql://emissor:s3cret@localhost/emissor?SSLMODE=disable", "must say sslmode="},
		{"postgres://emissor:s3cret@localhost/emissor?sslmode=maybe", "sslmode"},
		{"postgres://emissor:s3cret@localhost/emissor?sslmode=disable&connect_timeout=s3cret%3Fno", "connect_timeout"},
	} {
		s, err := Open(t.Context(), Config{URL: wrong.url, MaxConnections: 1, StatementTimeout: time.Second})
		if err == nil || s != nil || !strings.Contains(err.Error(), wrong.why) {
			t.Errorf("%s is answered %v, expected that it %s", wrong.url, err, wrong.why)
		}
		if err != nil && strings.Contains(err.Error(), ":s3cret") {
			t.Errorf("the error repeats the password: %v", err)
		}
	}
}

func TestDSN_Bounds(t *testing.T) {
	parameters := func(databaseURL string) url.Values {
		t.Helper()
		text, err := dsn(Config{URL: databaseURL, StatementTimeout: 5 * time.Second, Application: "emissor"})
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := url.Parse(text)
		if err != nil || parsed.User.String() != "emissor:s3%40cret" || parsed.Host != "localhost:5432" ||
			parsed.Path != "/emissor" {
			t.Fatalf("the address became %s, %v", text, err)
		}
		return parsed.Query()
	}
	const address = "postgres://emissor:s3%40cret@localhost:5432/emissor?sslmode=verify-full"
	expected := map[string]string{
		"sslmode": "verify-full", "application_name": "emissor", "statement_timeout": "5000", "lock_timeout": "2000",
		"idle_in_transaction_session_timeout": "10000", "connect_timeout": "5", "binary_parameters": "yes",
	}
	for name, value := range expected {
		if got := parameters(address).Get(name); got != value {
			t.Errorf("%s is %q, expected %q", name, got, value)
		}
	}
	changed := parameters(address + "&lock_timeout=100&application_name=loja&statement_timeout=0")
	if changed.Get("lock_timeout") != "100" || changed.Get("application_name") != "loja" {
		t.Errorf("the URL cannot say otherwise: %v", changed)
	}
	if changed.Get("statement_timeout") != "5000" {
		t.Errorf("the URL lifts the statement timeout, which the connection counts on: %v", changed)
	}
}

func TestEavesdropper(t *testing.T) {
	for address, why := range map[string]string{
		"postgres://localhost/emissor?sslmode=disable":                        "",
		"postgres://127.0.0.1:5432/emissor?sslmode=disable":                   "",
		"postgres://[::1]:5432/emissor?sslmode=disable":                       "",
		"postgres:///emissor?host=/var/run/postgresql&sslmode=disable":        "",
		"postgres://db.example.com/emissor?sslmode=verify-full":               "",
		"postgres://db.example.com/emissor?sslmode=verify-ca":                 "any server with a certificate",
		"postgres://10.0.0.7:5432/emissor?sslmode=require":                    "any server",
		"postgres://db.example.com/emissor?sslmode=prefer":                    "clear text",
		"postgres://emissor:s3cret@postgres:5432/emissor?sslmode=disable":     "sslmode=disable may send",
		"postgres://localhost/emissor?host=db.example.com&sslmode=disable":    "clear text",
		"postgres://localhost.example.com/emissor?sslmode=disable":            "clear text",
		"postgres://emissor:s3cret%zz@db.example.com/emissor?sslmode=disable": "",
	} {
		if got := Eavesdropper(address); (got == "") != (why == "") || !strings.Contains(got, why) ||
			strings.Contains(got, "s3cret") {
			t.Errorf("%s: %q, expected %q", address, got, why)
		}
	}
}

func TestOpen_ServerSettings(t *testing.T) {
	for _, server := range []struct {
		settings serverSettings
		why      string // empty when it is good
	}{
		{serverSettings{140000, "on", "on"}, ""},
		{serverSettings{180001, "on", "local"}, ""},
		{serverSettings{150018, "on", "remote_write"}, ""},
		{serverSettings{150018, "on", "remote_apply"}, ""},
		{serverSettings{130022, "on", "on"}, "PostgreSQL 14 or newer is needed, this is 13"},
		{serverSettings{150018, "off", "on"}, "fsync is off"},
		{serverSettings{150018, "on", "off"}, "synchronous_commit is off"},
	} {
		err := server.settings.check()
		if (err == nil) != (server.why == "") || err != nil && !strings.Contains(err.Error(), server.why) {
			t.Errorf("%+v: %v", server.settings, err)
		}
	}
}
