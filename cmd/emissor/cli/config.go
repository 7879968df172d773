package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/kelseyhightower/envconfig"

	"emissor/dashboard"
	accesspages "emissor/dashboard/access"
	"emissor/dashboard/frame"
	"emissor/fiscal/certificate"
	"emissor/fiscal/danfse"
	"emissor/internal/archive/objects"
	"emissor/internal/webhook"
	"emissor/store"
	"emissor/store/postgres"
)

// ArchiveConfig says where the documents of closed months go; the workers move them.
type ArchiveConfig struct {
	ArchiveURL   archiveURL `envconfig:"EMISSOR_ARCHIVE_URL" readers:"api worker dashboard commands" desc:"Where the documents of closed months are moved to, as s3://bucket/prefix?region=sa-east-1, with &endpoint=https://... for a service other than Amazon's, or file:///folder. Credentials come from where Amazon's own tools look for them, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Empty: every document stays in the database."`
	ArchiveAfter Age        `envconfig:"EMISSOR_ARCHIVE_AFTER" expert:"true" default:"1y" readers:"worker commands" desc:"How long a month has to be over before its documents are moved, in days or years, as 90d or 2y. 0 moves no more; what was moved is read where it is."`
}

// leastArchiveAge is longer than a cancellation, its e-mails and the month's closing take.
const leastArchiveAge = 30 * day

func (c ArchiveConfig) check() error {
	if c.ArchiveAfter != 0 && c.ArchiveAfter < leastArchiveAge {
		return errors.New("EMISSOR_ARCHIVE_AFTER must be 30d or more, or 0 to move nothing")
	}
	return nil
}

// Archive is the archive of the store; none where no address is set.
func (c ArchiveConfig) Archive(ctx context.Context) (archive postgres.DocumentArchive, err error) {
	if c.ArchiveURL.IsZero() {
		return archive, nil
	}
	if archive.Objects, err = objects.Open(ctx, c.ArchiveURL.Address); err != nil {
		return archive, fmt.Errorf("EMISSOR_ARCHIVE_URL: %w", err)
	}
	return archive, nil
}

// archiveURL is the address of the archive.
type archiveURL struct{ objects.Address }

// Decode implements envconfig.Decoder.
func (u *archiveURL) Decode(value string) (err error) {
	if value == "" {
		return nil
	}
	u.Address, err = objects.ParseAddress(value)
	return err
}

// Config is every setting of the program, by subject. Each is declared once, in the
// struct of its subject: its name, its default, which kinds of processes read it and
// what it means. `emissor config`, docs/settings.md and the check of docker-compose.yml
// are made of that, and TestSettings_List says who would change each. A tag is one line,
// however long its meaning is. With a wrong value the program does not start, and an empty
// one counts as none. (The structs are exported because envconfig fills only exported ones.)
type Config struct {
	ProcessConfig   `subject:"Every process"`
	DatabaseConfig  `subject:"The database"`
	EngineConfig    `subject:"The workflow engine (Temporal)"`
	DoorConfig      `subject:"The API and its callers"`
	DashboardConfig `subject:"The dashboard"`
	KeysetConfig    `subject:"The keyset"`
	WebhookConfig   `subject:"Webhooks"`
	SMTPConfig      `subject:"E-mails"`
	NoteConfig      `subject:"Notes"`
	AuthorityConfig `subject:"Every authority"`
	NationalConfig  `subject:"The national system"`
	SaoPauloConfig  `subject:"The city of São Paulo"`
	CitiesConfig    `subject:"Cities with servers of their own that take the national declaration"`
	RetentionConfig `subject:"For how long copies are kept"`
	ArchiveConfig   `subject:"The archive of documents"`
	TraceConfig     `subject:"Traces"`
}

// ProcessConfig are the settings of every process.
type ProcessConfig struct {
	LogLevel    logLevel      `envconfig:"EMISSOR_LOG_LEVEL" default:"info" readers:"api worker dashboard migrate" desc:"The least that is logged: debug, info, warn or error."`
	AdminListen string        `envconfig:"EMISSOR_ADMIN_LISTEN" default:"127.0.0.1:9090" readers:"api worker dashboard" desc:"Address of metrics, readiness and pprof. It asks for no authentication, so keep it private."`
	DrainDelay  time.Duration `envconfig:"EMISSOR_DRAIN_DELAY" expert:"true" default:"0s" readers:"api dashboard" desc:"How long a stopping process still serves after it says that it is not ready, so that a load balancer sees it."`
	Operator    string        `envconfig:"EMISSOR_OPERATOR" readers:"commands" desc:"Who runs a command, for the audit log, where the operating system does not know: in containers."`
}

// DatabaseConfig are the settings of PostgreSQL.
type DatabaseConfig struct {
	DatabaseURL         string `envconfig:"EMISSOR_DATABASE_URL" required:"true" readers:"api worker dashboard migrate commands" desc:"The database and the account of this process, as postgres://user:password@host:port/database?sslmode=verify-full."`
	DatabaseConnections int    `envconfig:"EMISSOR_DATABASE_CONNECTIONS" expert:"true" default:"20" readers:"api worker dashboard migrate commands" desc:"The most connections of this process to the database. Commands use two."`
	RolePrefix          string `envconfig:"EMISSOR_DATABASE_ROLE_PREFIX" expert:"true" default:"emissor" readers:"migrate" desc:"What the names of the roles (groups) begin with that emissor migrate grants to: emissor_api, emissor_worker, emissor_dashboard and emissor_operator. Two installations on one database server need two."`
}

// EngineConfig are the settings of Temporal, by the names that its own tools use.
type EngineConfig struct {
	TemporalAddress    string        `envconfig:"TEMPORAL_ADDRESS" default:"127.0.0.1:7233" readers:"worker migrate" desc:"The frontend, as host:port."`
	TemporalNamespace  string        `envconfig:"TEMPORAL_NAMESPACE" default:"emissor" readers:"worker dashboard migrate commands" desc:"The namespace of the notes."`
	TemporalAPIKey     string        `envconfig:"TEMPORAL_API_KEY" readers:"worker migrate" desc:"API key, for Temporal Cloud. Like each of the settings of TLS below it makes the connection one of TLS."`
	TemporalTLSCA      string        `envconfig:"TEMPORAL_TLS_SERVER_CA_CERT_PATH" readers:"worker migrate" desc:"File (PEM) of the CA that signed the server's certificate. Empty: the system's."`
	TemporalTLSCert    string        `envconfig:"TEMPORAL_TLS_CLIENT_CERT_PATH" readers:"worker migrate" desc:"File (PEM) of the client's certificate and its key, for mutual TLS."`
	TemporalServerName string        `envconfig:"TEMPORAL_TLS_SERVER_NAME" readers:"worker migrate" desc:"The name to expect in the server's certificate. Empty: the host of the address. Set it to that host for TLS with nothing else."`
	TemporalUIURL      string        `envconfig:"TEMPORAL_UI_URL" readers:"dashboard commands" desc:"Base URL of the Temporal UI, for the links that the operators' pages and emissor note show have."`
	TaskQueue          string        `envconfig:"EMISSOR_TASK_QUEUE" expert:"true" default:"emissor" readers:"worker" desc:"What the names of the task queues begin with. Two installations in one namespace need two."`
	EngineLatency      time.Duration `envconfig:"EMISSOR_ENGINE_LATENCY" expert:"true" default:"300ms" readers:"worker" desc:"What the engine may take for the first task of a run. Where it takes longer, fewer runs are begun at once: more where the engine is far away."`
}

// DoorConfig are the settings of the API, and of the bounds that the dashboard shares.
type DoorConfig struct {
	Listen          string             `envconfig:"EMISSOR_LISTEN" default:"127.0.0.1:8080" readers:"api" desc:"Address of the API, which speaks plain HTTP. 0.0.0.0:8080 is every interface."`
	TrustedProxies  prefixes           `envconfig:"EMISSOR_TRUSTED_PROXIES" readers:"api dashboard" desc:"Networks (CIDR, comma separated) of the proxies whose X-Forwarded-For is trusted."`
	Connections     int                `envconfig:"EMISSOR_CONNECTIONS" expert:"true" default:"2000" readers:"api dashboard" desc:"The most client connections at once, to the API and to the dashboard each. A quarter of them is for callers with a valid key or session."`
	AddressLimit    int                `envconfig:"EMISSOR_CONNECTIONS_PER_ADDRESS" expert:"true" default:"256" readers:"api dashboard" desc:"The most of them of one client address (IPv6: of one /64); behind trusted proxies the most requests at once of one address. Also the most requests at once of one organization and environment at the API, and of one session at the dashboard."`
	RateLimit       int                `envconfig:"EMISSOR_RATE_LIMIT" expert:"true" default:"100" readers:"api" desc:"Requests a second of each key in each process, with bursts of twice as many. 0 is no limit."`
	Organization    OrganizationLimits `envconfig:"EMISSOR_ORGANIZATION_LIMITS" expert:"true" default:"requests=300,keys=50,endpoints=20,deliveries=50,emails=10" readers:"api worker dashboard commands" desc:"What one organization may use in one environment: requests a second of all its keys, keys that are valid, webhook endpoints, and deliveries and e-mails that are begun in a second, the others of which wait. Rates are of each process, and 0 is no limit of one. What is not named keeps its default."`
	ZipCodeServices ZipCodes           `envconfig:"EMISSOR_ZIP_CODE_SERVICES" readers:"api worker dashboard" desc:"On-line services of zip codes, in the order in which they are asked: viacep=https://viacep.com.br,brasilapi=https://brasilapi.com.br, or one of them. The dashboard also fills in companies by their CNPJ: from brasilapi, or from receitaws=https://receitaws.com.br, which knows no zip codes, whichever is named first. Empty: none."`
}

// KeysetConfig are the settings of the keyset that seals secrets.
type KeysetConfig struct {
	KeysetFile string `envconfig:"EMISSOR_KEYSET_FILE" readers:"worker dashboard commands" desc:"File of the keyset that opens sealed secrets, as emissor keyset create makes it."`
	Keyset     string `envconfig:"EMISSOR_KEYSET" expert:"true" readers:"worker dashboard commands" desc:"The keyset itself, where a file is not possible."`
	KeysetKEK  string `envconfig:"EMISSOR_KEYSET_KEK" readers:"worker dashboard commands" desc:"Key of a KMS that encrypts the keyset, as aws-kms://arn:aws:kms:..., gcp-kms://projects/... or hcvault://HOST/transit/keys/KEY. Empty: it is in clear text."`
}

// WebhookConfig are the settings of what is sent to receivers.
type WebhookConfig struct {
	WebhookPorts         ports `envconfig:"EMISSOR_WEBHOOK_PORTS" expert:"true" default:"443,8443" readers:"worker dashboard commands" desc:"Ports that webhooks may go to, comma separated."`
	WebhookProxy         proxy `envconfig:"EMISSOR_WEBHOOK_PROXY" expert:"true" readers:"worker dashboard commands" desc:"Proxy that connects to receivers (CONNECT) and decides which addresses are good, as http://smokescreen:4750. Empty: none, and only public addresses are dialled."`
	WebhookAllowLoopback bool  `envconfig:"EMISSOR_WEBHOOK_ALLOW_LOOPBACK" expert:"true" default:"false" readers:"worker dashboard commands" desc:"For development only: whether webhooks may go to this machine, to any port and over http."`
}

// NoteConfig are the settings of notes, the same for all authorities.
type NoteConfig struct {
	CertificateRoots string        `envconfig:"EMISSOR_CERTIFICATE_ROOTS" readers:"worker dashboard commands" desc:"File (PEM) of the ICP-Brasil roots that added certificates must lead to, and signatures of the national system where its signers are named. Empty: the dashboard takes no certificates, and emissor certificate add wants --unverified-chain."`
	Signer           string        `envconfig:"EMISSOR_SIGNER" expert:"true" readers:"worker commands" desc:"Absolute path of the program that signs where the key of a certificate is on a token, in an HSM or in the cloud (A3): docs/operations/certificates.md. It is run without a shell, and sees PATH, HOME and variables that begin with SIGNER_. Empty: there are no such certificates."`
	DANFSeLogo       string        `envconfig:"EMISSOR_DANFSE_LOGO" readers:"worker dashboard commands" desc:"File of the official logo (PNG or JPEG) for the printed form of notes. Empty: a name in plain letters."`
	EmailDANFSe      bool          `envconfig:"EMISSOR_EMAIL_DANFSE" expert:"true" default:"true" readers:"worker" desc:"Whether e-mails to customers carry the printed form of the note (PDF) beside its XML."`
	SlowScenario     time.Duration `envconfig:"EMISSOR_SLOW_SCENARIO" expert:"true" default:"30s" readers:"worker" desc:"How long the sandbox scenario slow stays in processing."`
}

func LoadConfig() (Config, error) {
	var c Config
	ForgetEmptyVariables()
	if err := envconfig.Process("", &c); err != nil {
		return c, Describe(err)
	}
	return c, errors.Join(c.check(), c.DashboardConfig.check(), c.AuthorityConfig.check(), c.NationalConfig.check(),
		c.SaoPauloConfig.check(), c.RetentionConfig.check(), c.ArchiveConfig.check())
}

// check refuses values that no process could run with, of the subjects without a file of
// their own.
func (c Config) check() error {
	for _, one := range []struct {
		name         string
		value, least int
	}{
		{"EMISSOR_DATABASE_CONNECTIONS", c.DatabaseConnections, 1},
		{"EMISSOR_CONNECTIONS", c.Connections, 1},
		{"EMISSOR_CONNECTIONS_PER_ADDRESS", c.AddressLimit, 1},
		{"EMISSOR_RATE_LIMIT", c.RateLimit, 0},
	} {
		if one.value < one.least {
			return fmt.Errorf("%s must be %d or more", one.name, one.least)
		}
	}
	switch {
	case len(c.RolePrefix) > longestRolePrefix:
		return fmt.Errorf("EMISSOR_DATABASE_ROLE_PREFIX must have at most %d characters", longestRolePrefix)
	case c.EngineLatency <= 0:
		return errors.New("EMISSOR_ENGINE_LATENCY must be more than 0s")
	case c.DocumentSigners.NeedRoots() && c.CertificateRoots == "":
		return errors.New("EMISSOR_NATIONAL_DOCUMENT_SIGNERS needs EMISSOR_CERTIFICATE_ROOTS for who is no host")
	case c.EventSigners.NeedRoots() && c.CertificateRoots == "":
		return errors.New("EMISSOR_NATIONAL_EVENT_SIGNERS needs EMISSOR_CERTIFICATE_ROOTS for who is no host")
	case c.SlowScenario < 0 || c.DrainDelay < 0:
		return errors.New("EMISSOR_SLOW_SCENARIO and EMISSOR_DRAIN_DELAY must be 0s or more")
	}
	return nil
}

// longestRolePrefix leaves room for the rest of a role's name: PostgreSQL cuts names
// off after 63 bytes, and cut off they could be the same.
const longestRolePrefix = 50

// Roles are the names of the database's roles.
func (c Config) Roles() store.Roles {
	return store.Roles{
		API: c.RolePrefix + "_api", Worker: c.RolePrefix + "_worker", Dashboard: c.RolePrefix + "_dashboard",
		Operator: c.RolePrefix + "_operator",
	}
}

// Webhooks makes the client of the receivers.
func (c Config) Webhooks() *webhook.Client {
	return webhook.NewClient(c.WebhookOptions())
}

func (c Config) WebhookOptions() webhook.Options {
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

func splitList(value string) []string {
	var parts []string
	for part := range strings.SplitSeq(value, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// SigningProgram is the program that signs with keys that are kept elsewhere, which has to be there if one is set.
func (c Config) SigningProgram() (program certificate.SigningProgram, err error) {
	if c.Signer != "" {
		_, err = exec.LookPath(c.Signer)
	}
	if err != nil || c.Signer != "" && !filepath.IsAbs(c.Signer) {
		return program, errors.New("EMISSOR_SIGNER must be the absolute path of a program that can be run")
	}
	return certificate.SigningProgram{Path: c.Signer}, nil
}

// DanfseLogo reads the official logo; nil when none is configured.
func (c Config) DanfseLogo() (*danfse.Logo, error) {
	if c.DANFSeLogo == "" {
		return nil, nil
	}
	file, err := os.ReadFile(c.DANFSeLogo)
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_DANFSE_LOGO: %w", err)
	}
	logo, err := danfse.ParseLogo(file)
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_DANFSE_LOGO: %w", err)
	}
	return logo, nil
}

// DashboardConfig is the settings of the dashboard.
type DashboardConfig struct {
	DashboardListen  string        `envconfig:"EMISSOR_DASHBOARD_LISTEN" default:"127.0.0.1:8090" readers:"dashboard" desc:"Address of the dashboard, which speaks plain HTTP. 0.0.0.0:8090 is every interface."`
	DashboardURL     address       `envconfig:"EMISSOR_DASHBOARD_URL" readers:"dashboard worker commands" desc:"Where people reach the dashboard, as https://notas.example.com: passkeys, cookies and links belong to it, also those in alerts by e-mail. Empty: emissor serve runs no dashboard."`
	APIURL           address       `envconfig:"EMISSOR_API_URL" readers:"dashboard" desc:"Where programs reach the API, as https://api.notas.example.com: the dashboard shows it where keys are. Empty: it shows none."`
	DashboardIdle    time.Duration `envconfig:"EMISSOR_DASHBOARD_IDLE_TIMEOUT" expert:"true" default:"12h" readers:"dashboard" desc:"After how long a session that is not used ends, from 1m to 168h. Any session ends after 168h."`
	DashboardTries   int           `envconfig:"EMISSOR_DASHBOARD_TRIES" expert:"true" default:"20" readers:"dashboard" desc:"How often a minute one address (IPv6: one /64) may try to sign in or to use a link, in each process. 0 is no limit."`
	OIDCIssuer       string        `envconfig:"EMISSOR_DASHBOARD_OIDC_ISSUER" readers:"dashboard" desc:"Provider of a company's own sign-on to the dashboard, as https://login.example.com. It sends people back to /oidc/callback, and they know it by its host. Empty: passkeys only."`
	OIDCClientID     string        `envconfig:"EMISSOR_DASHBOARD_OIDC_CLIENT_ID" readers:"dashboard" desc:"The client's id, as the provider knows the dashboard."`
	OIDCClientSecret string        `envconfig:"EMISSOR_DASHBOARD_OIDC_CLIENT_SECRET" readers:"dashboard" desc:"The client's secret, which goes with its id."`
}

// SessionLifetime is after how long any session of the dashboard ends.
const SessionLifetime = 7 * 24 * time.Hour

func (c DashboardConfig) check() error {
	if c.DashboardURL.URL != nil {
		if err := dashboard.CheckURL(c.DashboardURL.URL); err != nil {
			return fmt.Errorf("EMISSOR_DASHBOARD_URL %w", err)
		}
	}
	if at := c.APIURL.URL; at != nil && (at.Host == "" || at.Scheme != "https" && at.Scheme != "http" ||
		at.User != nil || at.RawQuery != "" || at.Fragment != "") {
		return errors.New("EMISSOR_API_URL must look like https://api.notas.example.com")
	}
	if c.DashboardIdle < time.Minute || c.DashboardIdle > SessionLifetime {
		return fmt.Errorf("EMISSOR_DASHBOARD_IDLE_TIMEOUT must be from 1m to %s", SessionLifetime)
	}
	if c.DashboardTries < 0 {
		return errors.New("EMISSOR_DASHBOARD_TRIES must be 0 or more")
	}
	if err := accesspages.CheckOIDC(c.OIDC()); err != nil {
		return fmt.Errorf("EMISSOR_DASHBOARD_OIDC_…: %w", err)
	}
	return nil
}

func (c DashboardConfig) OIDC() frame.OIDC {
	return frame.OIDC{Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID, ClientSecret: c.OIDCClientSecret}
}

// address is a URL; nil where none is set.
type address struct{ *url.URL }

// Text is the URL; empty where none is set.
func (a address) Text() string {
	if a.URL == nil {
		return ""
	}
	return a.String()
}

// Decode implements envconfig.Decoder.
func (a *address) Decode(value string) (err error) {
	a.URL, err = url.Parse(value)
	return err
}

// logLevel reads the words of EMISSOR_LOG_LEVEL.
type logLevel struct{ slog.Level }

// Decode implements envconfig.Decoder.
func (l *logLevel) Decode(value string) error { return l.UnmarshalText([]byte(value)) }
