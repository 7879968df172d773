package main

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"text/template"
	"time"

	"github.com/kelseyhightower/envconfig"
	"github.com/spf13/cobra"

	"emissor/store"
	"emissor/webhook"
)

// config is every setting of the program; meanings explains them. A wrong value
// stops the start, and an empty one is as good as none.
type config struct {
	DatabaseURL         string        `envconfig:"EMISSOR_DATABASE_URL" required:"true"`
	DatabaseConnections int           `envconfig:"EMISSOR_DATABASE_CONNECTIONS" default:"20"`
	APIRole             string        `envconfig:"EMISSOR_DATABASE_ROLE_API" default:"emissor_api"`
	WorkerRole          string        `envconfig:"EMISSOR_DATABASE_ROLE_WORKER" default:"emissor_worker"`
	DashboardRole       string        `envconfig:"EMISSOR_DATABASE_ROLE_DASHBOARD" default:"emissor_dashboard"`
	OperatorRole        string        `envconfig:"EMISSOR_DATABASE_ROLE_OPERATOR" default:"emissor_operator"`
	LogLevel            logLevel      `envconfig:"EMISSOR_LOG_LEVEL" default:"info"`
	AdminListen         string        `envconfig:"EMISSOR_ADMIN_LISTEN" default:"127.0.0.1:9090"`
	DrainDelay          time.Duration `envconfig:"EMISSOR_DRAIN_DELAY" default:"0s"`

	Listen          string        `envconfig:"EMISSOR_LISTEN" default:"127.0.0.1:8080"`
	Connections     int           `envconfig:"EMISSOR_CONNECTIONS" default:"2000"`
	AddressLimit    int           `envconfig:"EMISSOR_CONNECTIONS_PER_ADDRESS" default:"256"`
	RateLimit       int           `envconfig:"EMISSOR_RATE_LIMIT" default:"100"`
	FailedAuthLimit int           `envconfig:"EMISSOR_FAILED_AUTH_LIMIT" default:"10"`
	TrustedProxies  prefixes      `envconfig:"EMISSOR_TRUSTED_PROXIES"`
	ViaCEPURL       string        `envconfig:"EMISSOR_VIACEP_URL"`
	BrasilAPIURL    string        `envconfig:"EMISSOR_BRASILAPI_URL"`
	ZipCodeRate     int           `envconfig:"EMISSOR_ZIP_CODE_RATE" default:"5"`
	TaskQueue       string        `envconfig:"EMISSOR_TASK_QUEUE" default:"emissor"`
	SlowScenario    time.Duration `envconfig:"EMISSOR_SLOW_SCENARIO" default:"30s"`

	KeysetFile           string        `envconfig:"EMISSOR_KEYSET_FILE"`
	Keyset               string        `envconfig:"EMISSOR_KEYSET"`
	KeysetKEK            string        `envconfig:"EMISSOR_KEYSET_KEK"`
	KeysetInterval       time.Duration `envconfig:"EMISSOR_KEYSET_INTERVAL" default:"10s"`
	WebhookAllowLoopback bool          `envconfig:"EMISSOR_WEBHOOK_ALLOW_LOOPBACK"`
	WebhookSlots         int           `envconfig:"EMISSOR_WEBHOOK_ENDPOINT_SLOTS" default:"8"`

	CertificateRoots string `envconfig:"EMISSOR_CERTIFICATE_ROOTS"`
	Operator         string `envconfig:"EMISSOR_OPERATOR"`
	DANFSeLogo       string `envconfig:"EMISSOR_DANFSE_LOGO"`
	// of a note that an authority answers by a code of no catalogue
	UncataloguedRetry time.Duration `envconfig:"EMISSOR_UNCATALOGUED_RETRY" default:"1h"`
	EmailDANFSe       bool          `envconfig:"EMISSOR_EMAIL_DANFSE" default:"true"`

	WebhookPorts ports `envconfig:"EMISSOR_WEBHOOK_PORTS" default:"443,8443"`
	WebhookProxy proxy `envconfig:"EMISSOR_WEBHOOK_PROXY"`

	LimitsConfig
	DashboardConfig
	NationalConfig
	SaoPauloConfig
	SMTPConfig
	RetentionConfig

	TemporalAddress    string        `envconfig:"TEMPORAL_ADDRESS" default:"127.0.0.1:7233"`
	TemporalNamespace  string        `envconfig:"TEMPORAL_NAMESPACE" default:"emissor"`
	EngineLatency      time.Duration `envconfig:"EMISSOR_ENGINE_LATENCY" default:"300ms"`
	TemporalUIURL      string        `envconfig:"TEMPORAL_UI_URL"`
	TemporalAPIKey     string        `envconfig:"TEMPORAL_API_KEY"`
	TemporalTLS        bool          `envconfig:"TEMPORAL_TLS"`
	TemporalTLSCA      string        `envconfig:"TEMPORAL_TLS_SERVER_CA_CERT_PATH"`
	TemporalTLSCert    string        `envconfig:"TEMPORAL_TLS_CLIENT_CERT_PATH"`
	TemporalTLSKey     string        `envconfig:"TEMPORAL_TLS_CLIENT_KEY_PATH"`
	TemporalServerName string        `envconfig:"TEMPORAL_TLS_SERVER_NAME"`
}

func loadConfig() (config, error) {
	var c config
	forgetEmptyVariables()
	if err := envconfig.Process("", &c); err != nil {
		return c, describe(err)
	}
	for name, value := range map[string]int{
		"EMISSOR_RATE_LIMIT": c.RateLimit, "EMISSOR_FAILED_AUTH_LIMIT": c.FailedAuthLimit,
		"EMISSOR_ZIP_CODE_RATE": c.ZipCodeRate,
	} {
		if value < 0 {
			return c, fmt.Errorf("%s must be 0 or more", name)
		}
	}
	for name, value := range map[string]int{
		"EMISSOR_DATABASE_CONNECTIONS": c.DatabaseConnections, "EMISSOR_CONNECTIONS": c.Connections,
		"EMISSOR_CONNECTIONS_PER_ADDRESS": c.AddressLimit, "EMISSOR_WEBHOOK_ENDPOINT_SLOTS": c.WebhookSlots,
	} {
		if value < 1 {
			return c, fmt.Errorf("%s must be 1 or more", name)
		}
	}
	roles := []string{"", c.APIRole, c.WorkerRole, c.DashboardRole, c.OperatorRole}
	if len(slices.Compact(slices.Sorted(slices.Values(roles)))) != len(roles) {
		return c, errors.New("EMISSOR_DATABASE_ROLE_API, EMISSOR_DATABASE_ROLE_WORKER, " +
			"EMISSOR_DATABASE_ROLE_DASHBOARD and EMISSOR_DATABASE_ROLE_OPERATOR must be four different names")
	}
	if c.UncataloguedRetry < 0 {
		return c, errors.New("EMISSOR_UNCATALOGUED_RETRY must be 0s or more")
	}
	if c.EngineLatency <= 0 {
		return c, errors.New("EMISSOR_ENGINE_LATENCY must be more than 0s")
	}
	if c.KeysetInterval <= 0 || c.KeysetInterval > time.Minute {
		return c, errors.New("EMISSOR_KEYSET_INTERVAL must be more than 0s and at most 1m")
	}
	if c.SlowScenario < 0 || c.DrainDelay < 0 {
		return c, errors.New("EMISSOR_SLOW_SCENARIO and EMISSOR_DRAIN_DELAY must be 0s or more")
	}
	return c, errors.Join(c.NationalConfig.check(), c.SaoPauloConfig.check(), c.RetentionConfig.check(),
		c.DashboardConfig.check(), c.LimitsConfig.check())
}

// forgetEmptyVariables makes an empty variable count as one that is not set, so
// that a file of settings may name what it leaves to its default.
func forgetEmptyVariables() {
	for name := range meanings {
		if os.Getenv(name) == "" {
			_ = os.Unsetenv(name)
		}
	}
}

// describe says which variable is wrong without repeating its value, which may
// be a secret.
func describe(err error) error {
	var parse *envconfig.ParseError
	if errors.As(err, &parse) {
		kind := parse.TypeName[strings.LastIndex(parse.TypeName, ".")+1:]
		return fmt.Errorf("the environment variable %s is not a valid %s: %s",
			parse.KeyName, kind, meanings[parse.KeyName])
	}
	return err
}

var configTemplate = template.Must(template.New("config").
	Funcs(template.FuncMap{
		"readers": func(variable string) string { return strings.Join(readersOf(variable), " ") },
		"meaning": func(variable string) string { return meanings[variable] },
	}).
	Parse("VARIABLE\tREAD BY\tDEFAULT\tMEANING\n" +
		"{{range .}}{{.Key}}\t{{readers .Key}}\t{{.Tags.Get `default`}}\t{{meaning .Key}}\n{{end}}"))

func configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "List every environment variable: who reads it, its default and its meaning",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			lines := tabwriter.NewWriter(command.OutOrStdout(), 0, 4, 2, ' ', 0)
			if err := envconfig.Usaget("", &config{}, lines, configTemplate); err != nil {
				return err
			}
			return lines.Flush()
		},
	}
}

// roles are the names of the database's roles.
func (c config) roles() store.Roles {
	return store.Roles{API: c.APIRole, Worker: c.WorkerRole, Dashboard: c.DashboardRole, Operator: c.OperatorRole}
}

// webhooks makes the client of the receivers.
func (c config) webhooks() *webhook.Client {
	return webhook.NewClient(c.webhookOptions())
}

func (c config) webhookOptions() webhook.Options {
	return webhook.Options{AllowLoopback: c.WebhookAllowLoopback, Ports: c.WebhookPorts, Proxy: c.WebhookProxy.URL}
}

// prefixes is a comma-separated list of networks.
type prefixes []netip.Prefix

// Decode implements envconfig.Decoder.
func (p *prefixes) Decode(value string) error {
	for _, part := range splitList(value) {
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			return err
		}
		*p = append(*p, prefix)
	}
	return nil
}
