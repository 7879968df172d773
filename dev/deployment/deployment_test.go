package deployment

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	_ "go.temporal.io/server/temporal" // registers every dynamic setting
	"gopkg.in/yaml.v3"
)

// The server's image fills its configuration from these variables.
func TestDeployment_ServerEnvironment(t *testing.T) {
	text, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services struct {
			Temporal struct{ Environment map[string]string }
		}
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	for name, value := range compose.Services.Temporal.Environment {
		t.Setenv(name, value)
	}

	c, err := config.Load(config.WithEmbedded())
	if err != nil {
		t.Fatal(err)
	}
	if c.Persistence.NumHistoryShards != 512 {
		t.Errorf("%d history shards, want 512", c.Persistence.NumHistoryShards)
	}
	for name, database := range map[string]string{
		c.Persistence.DefaultStore:    "temporal",
		c.Persistence.VisibilityStore: "temporal_visibility",
	} {
		store := c.Persistence.DataStores[name].SQL
		if store == nil {
			t.Fatalf("%s is not an SQL store", name)
		}
		if store.PluginName != "postgres12" || store.DatabaseName != database || store.ConnectAddr != "postgres:5432" ||
			store.User != "temporal" {
			t.Errorf("%s is %s at %s, database %s, user %s", name, store.PluginName, store.ConnectAddr,
				store.DatabaseName, store.User)
		}
	}
	if want := "/etc/emissor/dynamicconfig.yaml"; c.DynamicConfigClient.Filepath != want {
		t.Errorf("dynamic settings come from %s, want %s", c.DynamicConfigClient.Filepath, want)
	}
}

// The worker, or the operator's commands, can be given every setting of live notes, and the API none of them: above all
// not the keyset.
func TestDeployment_OnlyTheWorkerIssues(t *testing.T) {
	text, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	type service struct{ Environment map[string]string }
	var compose struct {
		Services struct {
			API              service `yaml:"api-1"`
			Worker, Operator service
		}
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob("../../cmd/emissor/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range liveSetting.FindAllSubmatch(text, -1) {
			known = append(known, string(found[1]))
		}
	}
	if len(known) < 20 {
		t.Fatalf("only %d settings were found in the program: %q", len(known), known)
	}
	for _, name := range known {
		_, worker := compose.Services.Worker.Environment[name]
		_, operator := compose.Services.Operator.Environment[name]
		if !worker && !operator {
			t.Errorf("nobody can be given %s", name)
		}
		if _, given := compose.Services.API.Environment[name]; given {
			t.Errorf("the API is given %s", name)
		}
	}
	// Not in the environment, which more eyes see than a file.
	if _, given := compose.Services.Worker.Environment["EMISSOR_KEYSET"]; given {
		t.Error("the worker has its keyset in the environment")
	}
	if _, given := compose.Services.API.Environment["EMISSOR_DATABASE_URL"]; !given {
		t.Error("the API's environment was not read")
	}
	for name := range compose.Services.Worker.Environment {
		if liveName.MatchString(name) && !slices.Contains(known, name) {
			t.Errorf("the program does not know %s", name)
		}
	}
}

var (
	liveNames = `EMISSOR_(?:KEYSET_\w+|CERTIFICATE_ROOTS|(?:AUTHORITY|NATIONAL|SAO_PAULO|SMTP)_\w+)`

	liveName    = regexp.MustCompile(`^` + liveNames + `$`)
	liveSetting = regexp.MustCompile(`envconfig:"(` + liveNames + `)"`)
)

// Every kind of process logs in with an account of its own, which roles.sql makes in the role of that kind, and
// the API gets no secret.
func TestDeployment_AccountForEach(t *testing.T) {
	text, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var compose struct {
		Services map[string]struct {
			Environment map[string]string
			Secrets     []string
		}
		Secrets map[string]struct{ File string }
	}
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	roles, err := os.ReadFile("../../deploy/postgres/roles.sql")
	if err != nil {
		t.Fatal(err)
	}
	for name, role := range map[string]string{
		"api-1": "emissor_api", "api-2": "emissor_api", "worker": "emissor_worker", "dashboard-1": "emissor_dashboard",
		"dashboard-2": "emissor_dashboard", "operator": "emissor_operator", "migrate": "",
	} {
		service := compose.Services[name]
		databaseURL := service.Environment["EMISSOR_DATABASE_URL"]
		address, err := url.Parse(urlVariable.ReplaceAllString(passwordVariable.ReplaceAllString(databaseURL, "secret"), "$1"))
		if err != nil {
			t.Fatal(err)
		}
		account, membership := role+"_user", " IN ROLE "+role+";"
		if role == "" {
			account, membership = "emissor", ";"
		}
		made := regexp.MustCompile(`(?m)^CREATE ROLE ` + account + ` LOGIN PASSWORD :'\w+'` + membership + `$`)
		if address.User.Username() != account || !made.Match(roles) {
			t.Errorf("%s logs in as %s, expected %s, made with%s", name, address.User.Username(), account, membership)
		}
		if holds := slices.Contains(service.Secrets, "keyset"); holds != (name == "worker" ||
			strings.HasPrefix(name, "dashboard") || name == "operator") {
			t.Errorf("%s holds the keyset: %t", name, holds)
		}
	}
	if compose.Secrets["keyset"].File == "" {
		t.Error("the keyset is not a file")
	}
}

var (
	passwordVariable = regexp.MustCompile(`\$\{\w+:\?[^}]*\}`)
	urlVariable      = regexp.MustCompile(`^\$\{\w+_DATABASE_URL:-(.*)\}$`) // what an operator may say instead
)

// Every dynamic setting exists under that name and takes that value.
func TestDeployment_DynamicConfig(t *testing.T) {
	text, err := os.ReadFile("../../deploy/temporal/dynamicconfig.yaml")
	if err != nil {
		t.Fatal(err)
	}
	loaded := dynamicconfig.LoadYamlFile(text)
	for _, problem := range append(loaded.Errors, loaded.Warnings...) {
		t.Error(problem)
	}
	for key, want := range map[string]any{"limit.maxIDLength": 255, "matching.enableFairness": true} {
		values := loaded.Map[dynamicconfig.MakeKey(key)]
		if len(values) != 1 || values[0].Value != want {
			t.Errorf("%s is %v, want %v", key, values, want)
		}
	}
}

// No container can write to its own files, has capabilities that it does not need, or can get more; and what need
// not talk shares no network.
func TestDeployment_Hardened(t *testing.T) {
	text, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	type service struct {
		ReadOnly    bool     `yaml:"read_only"`
		CapDrop     []string `yaml:"cap_drop"`
		CapAdd      []string `yaml:"cap_add"`
		SecurityOpt []string `yaml:"security_opt"`
		Networks    networks
	}
	var compose struct{ Services map[string]service }
	if err := yaml.Unmarshal(text, &compose); err != nil {
		t.Fatal(err)
	}
	capabilities := map[string][]string{
		"caddy":    {"NET_BIND_SERVICE"},
		"postgres": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"},
	}
	for name, s := range compose.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) ||
			!slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) || len(s.Networks) == 0 ||
			!slices.Equal(s.CapAdd, capabilities[name]) {
			t.Errorf("%s may do too much: %+v", name, s)
		}
	}
	for _, apart := range [][2]string{
		{"api-1", "temporal"}, {"api-1", "temporal-ui"}, {"dashboard-1", "temporal"}, {"dashboard-1", "temporal-ui"},
		{"temporal-ui", "postgres"}, {"temporal-namespace", "postgres"}, {"caddy", "postgres"}, {"caddy", "temporal"},
		{"caddy", "temporal-ui"}, {"caddy", "worker"},
	} {
		for _, network := range compose.Services[apart[0]].Networks {
			if slices.Contains(compose.Services[apart[1]].Networks, network) {
				t.Errorf("%s and %s share the network %s", apart[0], apart[1], network)
			}
		}
	}
	for _, together := range [][2]string{
		{"caddy", "api-1"}, {"caddy", "api-2"}, {"caddy", "dashboard-1"}, {"caddy", "dashboard-2"},
		{"api-1", "postgres"}, {"dashboard-1", "postgres"}, {"worker", "postgres"}, {"worker", "temporal"}, {"migrate",
			"temporal"},
		{"temporal", "postgres"}, {"temporal-schema", "postgres"}, {"temporal-ui", "temporal"},
		{"temporal-namespace", "temporal"},
	} {
		if !slices.ContainsFunc(compose.Services[together[0]].Networks, func(network string) bool {
			return slices.Contains(compose.Services[together[1]].Networks, network)
		}) {
			t.Errorf("%s cannot reach %s", together[0], together[1])
		}
	}
}

// networks are the names of a service's networks, which are a list or, with addresses, a map.
type networks []string

func (n *networks) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.SequenceNode {
		return node.Decode((*[]string)(n))
	}
	for i := 0; i < len(node.Content); i += 2 {
		*n = append(*n, node.Content[i].Value)
	}
	return nil
}
