package main

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"text/tabwriter"
	"time"

	"github.com/kelseyhightower/envconfig"
	"github.com/spf13/cobra"
)

// config is every setting of the program. A wrong value stops the start.
type config struct {
	DatabaseURL         string        `envconfig:"EMISSOR_DATABASE_URL" required:"true" desc:"postgres://user:password@host:port/database?sslmode=..."`
	DatabaseConnections int           `envconfig:"EMISSOR_DATABASE_CONNECTIONS" default:"20" desc:"the most connections of this process to the database"`
	LogLevel            logLevel      `envconfig:"EMISSOR_LOG_LEVEL" default:"info" desc:"debug, info, warn or error"`
	AdminListen         string        `envconfig:"EMISSOR_ADMIN_LISTEN" default:"127.0.0.1:9090" desc:"address of metrics, readiness and pprof; no authentication, so keep it private"`
	DrainDelay          time.Duration `envconfig:"EMISSOR_DRAIN_DELAY" default:"0s" desc:"how long a stopping process still serves after it says it is not ready"`

	Listen          string        `envconfig:"EMISSOR_LISTEN" default:":8080" desc:"address of the API"`
	Connections     int           `envconfig:"EMISSOR_CONNECTIONS" default:"2000" desc:"the most client connections to the API at once"`
	RateLimit       int           `envconfig:"EMISSOR_RATE_LIMIT" default:"100" desc:"requests a second of each key in each process; bursts of twice as many; 0 is off"`
	FailedAuthLimit int           `envconfig:"EMISSOR_FAILED_AUTH_LIMIT" default:"10" desc:"failed authentications a second of each address; bursts of ten times as many; 0 is off"`
	TrustedProxies  prefixes      `envconfig:"EMISSOR_TRUSTED_PROXIES" desc:"networks (CIDR, comma separated) of proxies whose X-Forwarded-For is believed"`
	ViaCEPURL       string        `envconfig:"EMISSOR_VIACEP_URL" desc:"base URL of a ViaCEP service, as https://viacep.com.br; empty is none"`
	BrasilAPIURL    string        `envconfig:"EMISSOR_BRASILAPI_URL" desc:"base URL of a BrasilAPI service, as https://brasilapi.com.br; empty is none"`
	TaskQueue       string        `envconfig:"EMISSOR_TASK_QUEUE" default:"emissor" desc:"prefix of the task queues: one for each installation in a namespace"`
	SlowScenario    time.Duration `envconfig:"EMISSOR_SLOW_SCENARIO" default:"30s" desc:"how long the sandbox scenario slow stays in processing"`

	KeysetFile           string `envconfig:"EMISSOR_KEYSET_FILE" desc:"file of the keyset that opens sealed secrets, as emissor keyset create makes it; for the worker and for commands"`
	Keyset               string `envconfig:"EMISSOR_KEYSET" desc:"the keyset itself, where a file is not possible"`
	WebhookAllowLoopback bool   `envconfig:"EMISSOR_WEBHOOK_ALLOW_LOOPBACK" desc:"development only: webhooks may go to this machine and over http"`
	WebhookSlots         int    `envconfig:"EMISSOR_WEBHOOK_ENDPOINT_SLOTS" default:"8" desc:"the most webhook attempts to one endpoint at once, in each process"`

	CertificateRoots string `envconfig:"EMISSOR_CERTIFICATE_ROOTS" desc:"file of the ICP-Brasil roots (PEM) that added certificates must lead to; empty: not checked"`

	NationalConfig
	SMTPConfig

	TemporalAddress    string `envconfig:"TEMPORAL_ADDRESS" default:"127.0.0.1:7233" desc:"host:port of the Temporal frontend"`
	TemporalNamespace  string `envconfig:"TEMPORAL_NAMESPACE" default:"emissor" desc:"namespace of the notes"`
	TemporalUIURL      string `envconfig:"TEMPORAL_UI_URL" desc:"base URL of the Temporal UI, for the links that emissor note show prints"`
	TemporalAPIKey     string `envconfig:"TEMPORAL_API_KEY" desc:"API key, for Temporal Cloud; implies TLS"`
	TemporalTLS        bool   `envconfig:"TEMPORAL_TLS" desc:"whether to use TLS"`
	TemporalTLSCA      string `envconfig:"TEMPORAL_TLS_SERVER_CA_CERT_PATH" desc:"file of the CA that signed the server's certificate; empty for the system's"`
	TemporalTLSCert    string `envconfig:"TEMPORAL_TLS_CLIENT_CERT_PATH" desc:"file of the client certificate, for mutual TLS"`
	TemporalTLSKey     string `envconfig:"TEMPORAL_TLS_CLIENT_KEY_PATH" desc:"file of the client certificate's key"`
	TemporalServerName string `envconfig:"TEMPORAL_TLS_SERVER_NAME" desc:"name to expect in the server's certificate"`
}

func loadConfig() (config, error) {
	var c config
	if err := envconfig.Process("", &c); err != nil {
		return c, describe(err)
	}
	for name, value := range map[string]int{
		"EMISSOR_RATE_LIMIT": c.RateLimit, "EMISSOR_FAILED_AUTH_LIMIT": c.FailedAuthLimit,
	} {
		if value < 0 {
			return c, fmt.Errorf("%s must be 0 or more", name)
		}
	}
	for name, value := range map[string]int{
		"EMISSOR_DATABASE_CONNECTIONS": c.DatabaseConnections, "EMISSOR_CONNECTIONS": c.Connections,
		"EMISSOR_WEBHOOK_ENDPOINT_SLOTS": c.WebhookSlots,
	} {
		if value < 1 {
			return c, fmt.Errorf("%s must be 1 or more", name)
		}
	}
	if c.SlowScenario < 0 || c.DrainDelay < 0 {
		return c, errors.New("EMISSOR_SLOW_SCENARIO and EMISSOR_DRAIN_DELAY must be 0s or more")
	}
	return c, c.NationalConfig.check()
}

// describe says which variable is wrong without repeating its value, which may
// be a secret.
func describe(err error) error {
	var parse *envconfig.ParseError
	if errors.As(err, &parse) {
		field, found := reflect.TypeFor[config]().FieldByName(parse.FieldName)
		for _, part := range []reflect.Type{reflect.TypeFor[NationalConfig](), reflect.TypeFor[SMTPConfig]()} {
			if !found {
				field, found = part.FieldByName(parse.FieldName)
			}
		}
		return fmt.Errorf("the environment variable %s is not a valid %s: %s", parse.KeyName, field.Type.Name(), field.Tag.Get("desc"))
	}
	return err
}

func configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "List every environment variable with its default",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			table := tabwriter.NewWriter(command.OutOrStdout(), 0, 4, 2, ' ', 0)
			format := "VARIABLE\tDEFAULT\tMEANING\n{{range .}}{{usage_key .}}\t{{usage_default .}}\t{{usage_description .}}\n{{end}}"
			if err := envconfig.Usagef("", &config{}, table, format); err != nil {
				return err
			}
			return table.Flush()
		},
	}
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
