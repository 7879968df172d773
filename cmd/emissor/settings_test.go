package main

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emissor/cmd/emissor/cli"
)

// mostSettings is how many there may be. Before another one, ask whether nobody would
// turn it (then it is a constant), whether it differs by company or by city (then it is
// a column of a row), and which other one it makes unnecessary.
const mostSettings = 73

// settingsAndWhoTurnsThem is the list: another setting is a line here that says who would
// turn it.
var settingsAndWhoTurnsThem = map[string]string{
	"EMISSOR_LOG_LEVEL":    "an operator who looks for a fault",
	"EMISSOR_ADMIN_LISTEN": "whoever scrapes metrics from another machine",
	"EMISSOR_DRAIN_DELAY":  "an operator with a load balancer",
	"EMISSOR_OPERATOR":     "whoever runs commands in a container",

	"EMISSOR_DATABASE_URL":         "everybody, for each kind of process",
	"EMISSOR_DATABASE_CONNECTIONS": "a large installation: Sizing",
	"EMISSOR_DATABASE_ROLE_PREFIX": "two installations on one database server",

	"TEMPORAL_ADDRESS":                 "everybody",
	"TEMPORAL_NAMESPACE":               "everybody",
	"TEMPORAL_API_KEY":                 "users of Temporal Cloud",
	"TEMPORAL_TLS_SERVER_CA_CERT_PATH": "an engine on another machine",
	"TEMPORAL_TLS_CLIENT_CERT_PATH":    "an engine with mutual TLS",
	"TEMPORAL_TLS_SERVER_NAME":         "an engine behind another name, or with a public certificate",
	"TEMPORAL_UI_URL":                  "an operator who wants links",
	"EMISSOR_TASK_QUEUE":               "two installations in one namespace, and tests",
	"EMISSOR_ENGINE_LATENCY":           "an engine in another city: Sizing",

	"EMISSOR_LISTEN":                  "everybody with a proxy on another machine",
	"EMISSOR_TRUSTED_PROXIES":         "everybody with a proxy",
	"EMISSOR_CONNECTIONS":             "a large installation",
	"EMISSOR_CONNECTIONS_PER_ADDRESS": "an installation whose callers share an address",
	"EMISSOR_RATE_LIMIT":              "a large installation, and load tests",
	"EMISSOR_ORGANIZATION_LIMITS":     "an installation of large organizations, or of many small ones, and load tests",
	"EMISSOR_ZIP_CODE_SERVICES":       "everybody who wants on-line look-ups",

	"EMISSOR_DASHBOARD_LISTEN":             "everybody with a proxy on another machine",
	"EMISSOR_DASHBOARD_URL":                "everybody with a dashboard",
	"EMISSOR_API_URL":                      "who shows developers where the API is",
	"EMISSOR_DASHBOARD_IDLE_TIMEOUT":       "a company's rules of security",
	"EMISSOR_DASHBOARD_TRIES":              "a large office behind one address, and tests in browsers",
	"EMISSOR_DASHBOARD_OIDC_ISSUER":        "a company with a sign-on of its own",
	"EMISSOR_DASHBOARD_OIDC_CLIENT_ID":     "the same",
	"EMISSOR_DASHBOARD_OIDC_CLIENT_SECRET": "the same",

	"EMISSOR_KEYSET_FILE": "everybody",
	"EMISSOR_KEYSET":      "a platform that has no files",
	"EMISSOR_KEYSET_KEK":  "whoever has a KMS",

	"EMISSOR_WEBHOOK_PORTS":          "an operator whose receivers have other ports",
	"EMISSOR_WEBHOOK_PROXY":          "an operator whose network lets nothing out by itself",
	"EMISSOR_WEBHOOK_ALLOW_LOOPBACK": "development and tests",

	"EMISSOR_SMTP_URL":  "everybody who mails",
	"EMISSOR_SMTP_FROM": "the same",

	"EMISSOR_ALERTS_URL": "an operator whose alarms go to an on-call system, not to a mailbox",

	"EMISSOR_CERTIFICATE_ROOTS": "everybody with live notes",
	"EMISSOR_DANFSE_LOGO":       "everybody with live notes",
	"EMISSOR_SIGNER":            "whoever issues for companies whose keys are on a token, in an HSM or in the cloud",
	// It differs by company: a column of the organization would be better.
	"EMISSOR_EMAIL_DANFSE":  "whoever mails XML alone",
	"EMISSOR_SLOW_SCENARIO": "developers whose tests use the scenario, and our own of whole processes",

	"EMISSOR_AUTHORITY_TIMEOUT":      "Going live, where an authority is slow; tests",
	"EMISSOR_AUTHORITY_GRACE_PERIOD": "Going live, where an authority shows notes late; tests",
	"EMISSOR_AUTHORITY_TLS":          "Going live, where a server renegotiates",
	"EMISSOR_AUTHORITY_CA":           "Going live, where a CA is not the system's; tests",

	"EMISSOR_NATIONAL_PRODUCTION_URL":       "everybody with live notes",
	"EMISSOR_NATIONAL_RESTRICTED_URL":       "the same, to try",
	"EMISSOR_NATIONAL_PRODUCTION_ADN_URL":   "the same",
	"EMISSOR_NATIONAL_RESTRICTED_ADN_URL":   "the same, to try",
	"EMISSOR_NATIONAL_DOCUMENT_SIGNERS":     "whoever checks the authority's signatures",
	"EMISSOR_NATIONAL_EVENT_SIGNERS":        "the same, where others sign events",
	"EMISSOR_NATIONAL_REQUIRE_SIGNATURE":    "the same, who settles nothing without",
	"EMISSOR_NATIONAL_SIGNATURE":            "Going live, where signatures are refused",
	"EMISSOR_NATIONAL_IBSCBS_REQUIRED_FROM": "an operator, when the law moves the day",
	"EMISSOR_NATIONAL_RATE":                 "a large installation, and load tests",
	"EMISSOR_NATIONAL_CALCULATOR_URL":       "whoever doubts the authority's IBS and CBS",
	"EMISSOR_NATIONAL_DOUBTFUL_REFUSALS":    "whoever's companies are in registers that are right, or late",
	"EMISSOR_NATIONAL_EVENTS_INTERVAL":      "an installation of many issuers, and the demo",

	"EMISSOR_SAO_PAULO_URL":   "everybody who issues in São Paulo",
	"EMISSOR_SAO_PAULO_SOAP":  "Going live, where the city takes another version",
	"EMISSOR_SAO_PAULO_PLACE": "Going live, where the city wants another place",
	"EMISSOR_SAO_PAULO_RATE":  "a large installation, and load tests",

	"EMISSOR_CITIES": "everybody who issues by a city's own server",

	"EMISSOR_KEEP_TEST_NOTES":       "whoever answers for personal data",
	"EMISSOR_KEEP_EVENTS":           "the same",
	"EMISSOR_KEEP_FISCAL_DOCUMENTS": "the same",

	"EMISSOR_ARCHIVE_URL":   "a large installation, and whoever keeps documents for ever",
	"EMISSOR_ARCHIVE_AFTER": "the same, by how often old notes are looked at",

	"EMISSOR_TRACES_URL": "whoever has a collector of traces",
}

func TestSettings_List(t *testing.T) {
	listed := 0
	for _, setting := range cli.DeclaredSettings() {
		if settingsAndWhoTurnsThem[setting.Name] == "" {
			t.Errorf("nobody has said who would turn %s", setting.Name)
		}
		listed++
	}
	if listed != len(settingsAndWhoTurnsThem) {
		t.Errorf("%d settings are declared, and %d are on the list", listed, len(settingsAndWhoTurnsThem))
	}
	if listed > mostSettings {
		t.Errorf("there are %d settings: more than %d", listed, mostSettings)
	}
}

func TestSettings_AreDeclaredWhole(t *testing.T) {
	known := []string{cli.ReaderAPI, cli.ReaderWorker, cli.ReaderDashboard, cli.ReaderMigrate, cli.ReaderCommands}
	for _, setting := range cli.DeclaredSettings() {
		if setting.Subject == "" || len(setting.Readers) == 0 || !strings.HasSuffix(setting.Meaning, ".") {
			t.Errorf("of %s a subject, who reads it or a meaning in sentences is missing: %+v", setting.Name, setting)
		}
		for _, reader := range setting.Readers {
			if !slices.Contains(known, reader) {
				t.Errorf("%s is read by %s, which is no kind of process", setting.Name, reader)
			}
		}
	}
}

// What only callers read is no setting of a process: none is configured by it, and none is counted.
func TestSettings_OfCallers(t *testing.T) {
	for _, one := range cli.CallerSettings() {
		declared := slices.ContainsFunc(cli.DeclaredSettings(), func(s cli.Setting) bool {
			return slices.Contains(s.Readers, cli.ReaderCallers) || s.Name == cli.VariableAPIKey
		})
		if declared || !strings.HasSuffix(one.Meaning, ".") {
			t.Errorf("%s is also a setting of processes, or has no meaning in sentences", one.Name)
		}
	}
}

func TestConfigCommand_ListsEverySetting(t *testing.T) {
	var expected [][]string
	for _, setting := range cli.AllSettings() {
		expected = append(expected,
			[]string{setting.Name, strings.Join(setting.Readers, " "), setting.Otherwise(), setting.Meaning})
	}
	listed := cells(succeeds(t, nil, "config"))[1:] // it needs no configuration itself
	expert := slices.IndexFunc(listed, func(row []string) bool { return row[0] == "FOR EXPERTS" })
	if expert < 0 || listed[expert+1][0] != cli.AllSettings()[expert].Name || !cli.AllSettings()[expert].Expert {
		t.Fatalf("those for experts begin at line %d", expert)
	}
	listed = slices.Delete(listed, expert, expert+1)
	if !reflect.DeepEqual(listed, expected) {
		t.Errorf("it lists\n%q, expected\n%q", listed, expected)
	}
	scripts := cli.Mapped(printed[[]cli.PrintedSetting](t, nil, "config"), func(s cli.PrintedSetting) []string {
		return []string{s.Name, strings.Join(s.Readers, " "),
			cli.Setting{Fallback: s.Default, Required: s.Required}.Otherwise(), s.Meaning}
	})
	if !reflect.DeepEqual(scripts, expected) {
		t.Errorf("for scripts it lists\n%q, expected\n%q", scripts, expected)
	}
}

var update = flag.Bool("update", false, "write docs/settings.md anew")

// docs/settings.md is what the settings declare; with -update it is written.
func TestSettings_Docs(t *testing.T) {
	const file = "../../docs/settings.md"
	wanted := settingsDocs()
	if *update {
		must(t, os.WriteFile(file, []byte(wanted), 0o644))
	}
	content, err := os.ReadFile(file)
	must(t, err)
	if string(content) != wanted {
		t.Error("docs/settings.md is not what the settings declare: " +
			"go test ./cmd/emissor -run TestSettings_Docs -update")
	}
}

// namedOtherwise are names in the documents that are no settings of the program: of the
// demo's shell, of make run, of containers and of callers' own programs.
var namedOtherwise = regexp.MustCompile(`^(EMISSOR_(URL|WEBHOOK_SECRET|TEST_KEY|LIVE_KEY|SERVICE_ID|LIVE_SERVICE_ID|` +
	`(AUTHORITY|SAO_PAULO)_CONTROL_URL|(SAO_PAULO|TERESINA|CAMPINAS|BRASILIA)_(LIVE_KEY|SERVICE_ID)|(DASHBOARD_)?DOMAIN|` +
	`TLS|(API|WORKER|DASHBOARD|OPERATOR|MIGRATE)_DATABASE_URL|([A-Z]+_)?DATABASE_PASSWORD)|` +
	`TEMPORAL_(PORT|SERVER|MIRROR|(CHANGED_)?DATABASE_PASSWORD))$`)

// A setting that is named where operators read is one; EMISSOR_NATIONAL_… begins one.
func TestSettings_NamedInDocumentsExist(t *testing.T) {
	named := regexp.MustCompile(`(?:EMISSOR|TEMPORAL)_[A-Z_]+`)
	known := append(cli.DeclaredSettings(), cli.CallerSettings()...)
	for _, page := range append(documents(t), "../../deploy/env.example") {
		content, err := os.ReadFile(page)
		must(t, err)
		for _, name := range named.FindAllString(string(content), -1) {
			if !namedOtherwise.MatchString(name) && !slices.ContainsFunc(known, func(s cli.Setting) bool {
				return s.Name == name || strings.HasSuffix(name, "_") && strings.HasPrefix(s.Name, name)
			}) {
				t.Errorf("%s names %s, which is no setting", page, name)
			}
		}
	}
}

const settingsIntroduction = `# Settings

Generated from what cmd/emissor declares by ` +
	"`go test ./cmd/emissor -run TestSettings_Docs -update`" + `, and verified by
the same test without the flag. ` + "`emissor config`" + ` prints the same of the version that runs.

Every setting is an environment variable. An empty one counts as not set, and a wrong one stops the start. *Read by*
names the kinds of processes: ` + "`emissor serve`" + ` is api, worker and dashboard, commands are those of the
operator, and callers the commands of who calls the API, which read those under *Commands of callers* and nothing else.
Times are written as 300ms, 30s, 5m or 12h, those of *For how long copies are kept* as 90d or 5y. Most
operators never turn what is under *For experts*. What nobody would turn is a constant of the program, and what differs
by company belongs to its row.
`

func settingsDocs() string {
	var text strings.Builder
	text.WriteString(settingsIntroduction)
	heading := ""
	for _, setting := range cli.AllSettings() {
		subject := setting.Subject
		if setting.Expert {
			subject = "For experts"
		}
		if subject != heading {
			heading = subject
			fmt.Fprintf(&text, "\n## %s\n\n| setting | read by | default | meaning |\n|---|---|---|---|\n", subject)
		}
		fallback := setting.Otherwise()
		if setting.Fallback != "" {
			fallback = "`" + fallback + "`"
		}
		fmt.Fprintf(&text, "| `%s` | %s | %s | %s |\n", setting.Name, strings.Join(setting.Readers, ", "), fallback,
			setting.Meaning)
	}
	return text.String()
}
