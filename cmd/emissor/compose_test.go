package main

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"emissor/cmd/emissor/cli"
)

// composeFile is what these tests read of a file of Compose.
type composeFile struct {
	Services map[string]struct {
		Environment map[string]*string `yaml:"environment"`
		Ports       []string           `yaml:"ports"`
		Networks    yaml.Node          `yaml:"networks"`
	} `yaml:"services"`
}

func readCompose(t *testing.T, path string) (file composeFile) {
	t.Helper()
	content, err := os.ReadFile(path)
	must(t, err)
	must(t, yaml.Unmarshal(content, &file))
	return file
}

func TestCompose_EveryServiceGetsWhatItsProcessReads(t *testing.T) {
	t.Parallel()
	services := readCompose(t, "../../docker-compose.yml").Services
	for service, readers := range map[string][]string{
		"api-1":       {cli.ReaderAPI},
		"api-2":       {cli.ReaderAPI},
		"worker":      {cli.ReaderWorker},
		"dashboard-1": {cli.ReaderDashboard},
		"dashboard-2": {cli.ReaderDashboard},
		"operator":    {cli.ReaderCommands},
		"migrate":     {cli.ReaderMigrate},
	} {
		var expected []string
		for _, row := range cells(succeeds(t, nil, "config"))[1:] {
			if row[0] == "EMISSOR_KEYSET" { // Compose has it as a file
				continue
			}
			if by := strings.Fields(row[1]); slices.ContainsFunc(by, func(reader string) bool {
				return slices.Contains(readers, reader)
			}) {
				expected = append(expected, row[0])
			}
		}
		slices.Sort(expected)
		if given := slices.Sorted(maps.Keys(services[service].Environment)); !reflect.DeepEqual(given, expected) {
			t.Errorf("%s is given\n%q\nand reads\n%q", service, given, expected)
		}
	}
}

// A fixed value keeps what .env says from a process: only where Compose itself
// decides it is there one.
func TestCompose_SettingsAreLeftToTheOperator(t *testing.T) {
	t.Parallel()
	fixed := map[string]bool{}
	for _, service := range []string{"api-1", "api-2", "worker", "dashboard-1", "dashboard-2", "operator", "migrate"} {
		for name, value := range readCompose(t, "../../docker-compose.yml").Services[service].Environment {
			if value != nil && !strings.HasPrefix(*value, "${"+name+":-") {
				fixed[name] = true
			}
		}
	}
	expected := []string{"EMISSOR_DASHBOARD_LISTEN", "EMISSOR_DATABASE_URL", "EMISSOR_KEYSET_FILE", "EMISSOR_LISTEN",
		"TEMPORAL_ADDRESS",
		"TEMPORAL_NAMESPACE"}
	if found := slices.Sorted(maps.Keys(fixed)); !reflect.DeepEqual(found, expected) {
		t.Errorf("Compose decides %q, expected %q", found, expected)
	}
}

func TestCompose_PublishesOnLoopback(t *testing.T) {
	t.Parallel()
	for name, service := range readCompose(t, "../../docker-compose.yml").Services {
		for _, port := range service.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s publishes %s to others", name, port)
			}
		}
	}
}

func TestCompose_CaddyIsTheTrustedProxy(t *testing.T) {
	t.Parallel()
	services := readCompose(t, "../../docker-compose.yml").Services
	var networks map[string]struct {
		Address string `yaml:"ipv4_address"`
	}
	caddy := services["caddy"].Networks
	must(t, caddy.Decode(&networks))
	for _, behind := range []string{"api-1", "api-2", "dashboard-1", "dashboard-2"} {
		trusted := services[behind].Environment["EMISSOR_TRUSTED_PROXIES"]
		if address := networks["edge"].Address; address == "" || trusted == nil ||
			*trusted != "${EMISSOR_TRUSTED_PROXIES:-"+address+"/32}" {
			t.Errorf("Caddy has %q, and %v is trusted by %s", address, services[behind].Environment, behind)
		}
	}
}

// Of what requests reach there are two, alike: one serves while the other is replaced.
func TestCompose_Twins(t *testing.T) {
	t.Parallel()
	file := readCompose(t, "../../docker-compose.yml")
	for one, other := range map[string]string{"api-1": "api-2", "dashboard-1": "dashboard-2"} {
		if first, second := file.Services[one], file.Services[other]; len(first.Environment) == 0 ||
			!reflect.DeepEqual(first.Environment, second.Environment) || len(first.Ports)+len(second.Ports) > 0 {
			t.Errorf("%s and %s are not alike, or take a port that only one can have", one, other)
		}
	}
}
