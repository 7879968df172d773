package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"emissor/fiscal/cities"
	"emissor/test/harness"
	"emissor/test/simulators/sefin"
)

// citiesName is the setting by which notes are issued by the cities of the table.
const citiesName = "EMISSOR_CITIES"

// ownServer is a city whose own server takes the national declaration, beside the national authority,
// which the same simulator plays.
type ownServer struct {
	national
	name string // of the city, in the table and in fiscal profiles
}

// The companies of the cities that can be shown, each by the city's name: CNPJs are invented.
var ownCompanies = map[string]string{"teresina": "11222333000343", "campinas": "11222333000424"}

// keyName and serviceName are the names, in the file env, of what a shell needs to issue there.
func (s ownServer) keyName() string     { return ownName(s.name, "LIVE_KEY") }
func (s ownServer) serviceName() string { return ownName(s.name, "SERVICE_ID") }

func ownName(city, what string) string {
	return "EMISSOR_" + strings.ToUpper(strings.ReplaceAll(city, "-", "_")) + "_" + what
}

// ownNames are those of all cities.
func ownNames() (names []string) {
	for _, city := range slices.Sorted(maps.Keys(ownCompanies)) {
		names = append(names, ownName(city, "LIVE_KEY"), ownName(city, "SERVICE_ID"))
	}
	return names
}

func (s ownServer) url() string { return "https://" + s.listen + sefin.CityPath(s.name) }

func (s ownServer) organizationName() string { return "Demonstração " + s.row().Municipality().Name }

// row is the city's in the table that is built in.
func (s ownServer) row() cities.Row { return cities.BuiltIn().OfName(s.name)[0] }

func (s ownServer) settings() environment {
	settings := s.national.settings()
	maps.Copy(settings, environment{citiesName: "true"})
	return settings
}

// importTable puts a table on record that has this city alone, at the simulator. The grace period is
// short, so that nobody has to wait for it.
func (s ownServer) importTable(ctx context.Context, d *demo) error {
	table, err := harness.CityTable(map[string]string{s.name: s.url()}, map[string]string{"grace-period": "3s"})
	if err != nil {
		return err
	}
	file := filepath.Join(d.dir, "cities.tsv")
	if err := os.WriteFile(file, []byte(table), 0o600); err != nil {
		return err
	}
	_, err = d.emissor.command(ctx, "city", "import", file)
	return err
}

// equip makes an organization that can issue by the city, and returns its id.
func (s ownServer) equip(ctx context.Context, d *demo, env environment) (organization string, err error) {
	if organization, err = d.emissor.organization(ctx, s.organizationName()); err != nil {
		return "", err
	}
	if err := d.ensureKey(ctx, env, s.keyName(), organization, "live"); err != nil {
		return "", err
	}
	municipality := s.row().MunicipalityCode
	if err := d.ensureService(ctx, env, s.keyName(), s.serviceName(), software(municipality, 2)); err != nil {
		return "", err
	}
	if _, err := d.emissor.command(ctx, "service", "tax", env[s.serviceName()], "--organization", organization,
		"--municipal-code", "001"); err != nil {
		return "", err
	}
	return organization, d.equip(ctx, issuer{
		organization: organization, name: s.organizationName(), document: ownCompanies[s.name], simulator: s.simulator,
		service: env[s.serviceName()], classification: []string{"--nbs", "1.1502.20.00", "--cindop", "100301",
			"--cclasstrib", "000001"},
		profile: []string{"--authority", s.name, "--environment", "restricted", "--municipality", municipality,
			"--municipal-registration", "998877", "--simples", "none", "--series", "10001", "--tax-federal", "13.45",
			"--tax-state", "0", "--tax-municipal", "2.90"},
	})
}

// issue has it said who takes the company's notes, issues a live one and shows that the city has it, once.
func (s ownServer) issue(ctx context.Context, out io.Writer, d *demo, env environment, organization string) error {
	checked, err := d.emissor.command(ctx, "fiscal-profile", "check", "--organization", organization)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nBefore the first note: emissor fiscal-profile check --organization %s\n", organization)
	for line := range strings.Lines(strings.TrimSpace(string(checked))) {
		fmt.Fprintf(out, "  %s\n", strings.TrimRight(line, "\n"))
	}
	note, err := issue(ctx, out, "live note", &client{base: env[urlName], key: env[s.keyName()]}, env[s.serviceName()])
	if err != nil {
		return err
	}
	all, err := s.holds(ctx, note.Authority.AccessKey)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  number        %s\n  access key    %s\n  ledger        holds it once (%d in all)\n",
		note.Authority.Number, note.Authority.AccessKey, all)
	return nil
}

// explainOwn prints where live notes go, and how to see that a lost answer makes no second note.
func (d *demo) explainOwn(out io.Writer, env environment) {
	fmt.Fprintf(out, `
The live key issues against a simulator of the server of %[1]s on this machine: what it signs has no fiscal value.
  live key      %[2]s
  city          %[3]s
  control       %[4]s
  ledger        %[4]s/ledger
  log           %[5]s

Whether a declaration that comes twice makes a second note there nobody knows. Have the city make one, and lose the
answer: it is asked about, and not sent again.

  curl -sS "$EMISSOR_AUTHORITY_CONTROL_URL/cities" | sed 's/^\( *"name"\)/"second_note":true,\1/' |
    curl -sS -X PUT "$EMISSOR_AUTHORITY_CONTROL_URL/cities" -d @-
  curl -sS -X PUT "$EMISSOR_AUTHORITY_CONTROL_URL/faults" \
    -d '{"faults":[{"kind":"drop","scope":"issue","after":true,"next":1}]}'
  issue "$%[8]s" "$%[9]s"
  %[6]s note show nfse_...    # issue: unknown; then find: accepted
  curl -sS "$EMISSOR_AUTHORITY_CONTROL_URL/ledger" | grep -c '"second_of"'    # 0

The table of cities has this one alone, at the simulator:

  %[6]s city list
  %[6]s city status

"%[7]s --help" lists what else can go wrong.
`, d.own.row().Municipality(), env[d.own.keyName()], d.own.url(), d.own.controlURL(), d.own.logPath, d.emissor.program,
		d.own.program, d.own.keyName(), d.own.serviceName())
}
