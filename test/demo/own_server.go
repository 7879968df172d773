package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"emissor/fiscal/cities"
	"emissor/test/harness"
	"emissor/test/simulators/issnet"
	"emissor/test/simulators/sefin"
)

// issnetFamily is the family of the cities that the simulator issnet plays.
const issnetFamily cities.Family = "issnet"

// citiesName is the setting by which notes are issued by the cities of the table.
const citiesName = "EMISSOR_CITIES"

// ownServer is a city whose own server takes the national declaration. The simulator of the national
// authority plays it.
type ownServer struct {
	national
	name string // of the city, in the table and in fiscal profiles
}

// ownCompany is a company of a city that can be shown. All of it is invented.
type ownCompany struct {
	document      string // CNPJ
	municipalCode string // of its service in the city (cTribMun)
	series        int
	granted       int64 // the last number that the city has granted it, from 1 on; 0: the city grants none
}

// ownCompanies are the companies of the cities that can be shown, by the city's name.
var ownCompanies = map[string]ownCompany{
	"teresina":       {document: "11222333000343", municipalCode: "001", series: 10001},
	"campinas":       {document: "11222333000424", municipalCode: "001", series: 10001},
	"brasilia":       {document: "11222333000505", municipalCode: "1009", series: 1, granted: 500},
	"ribeirao-preto": {document: "11222333000696", municipalCode: "100901", series: 1, granted: 500},
}

func (s ownServer) company() ownCompany { return ownCompanies[s.name] }

// keyName and serviceName are the names, in the file env, of what a shell needs to issue there.
func (s ownServer) keyName() string     { return ownName(s.name, "LIVE_KEY") }
func (s ownServer) serviceName() string { return ownName(s.name, "SERVICE_ID") }

func ownName(city, what string) string {
	return "EMISSOR_" + strings.ToUpper(strings.ReplaceAll(city, "-", "_")) + "_" + what
}

// ownNames returns the names of the keys and services of all cities.
func ownNames() (names []string) {
	for _, city := range slices.Sorted(maps.Keys(ownCompanies)) {
		names = append(names, ownName(city, "LIVE_KEY"), ownName(city, "SERVICE_ID"))
	}
	return names
}

// arguments are those by which the simulator plays the city.
func (s ownServer) arguments() []string {
	if s.row().Family == issnetFamily {
		return []string{"--issnet"}
	}
	return []string{"--city", s.name}
}

func (s ownServer) url() string {
	if s.row().Family == issnetFamily {
		return "https://" + s.listen + issnet.Path
	}
	return "https://" + s.listen + sefin.CityPath(s.name)
}

func (s ownServer) organizationName() string { return "Demonstração " + s.row().Municipality().Name }

// row is the city's in the table that is built in.
func (s ownServer) row() cities.Row { return cities.BuiltIn().OfName(s.name)[0] }

func (s ownServer) settings() environment {
	settings := s.national.settings()
	maps.Copy(settings, environment{citiesName: "true"})
	return settings
}

// importTable puts a table on record that has this city alone, at the simulator, which is on that city's
// data. The grace period is short, so that nobody has to wait for it.
func (s ownServer) importTable(ctx context.Context, d *demo) error {
	table, err := harness.CityTable(map[string]string{s.name: s.url()}, map[string]string{
		string(cities.GracePeriod): "3s", string(cities.SendTimeout): "3s", "test-city": "",
	})
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
	if err := s.register(ctx); err != nil {
		return "", err
	}
	company, municipality := s.company(), s.row().MunicipalityCode
	if err := d.ensureService(ctx, env, s.keyName(), s.serviceName(), software(municipality, 2)); err != nil {
		return "", err
	}
	if _, err := d.emissor.command(ctx, "service", "tax", env[s.serviceName()], "--organization", organization,
		"--municipal-code", company.municipalCode); err != nil {
		return "", err
	}
	return organization, d.equip(ctx, issuer{
		organization: organization, name: s.organizationName(), document: company.document, simulator: s.simulator,
		service: env[s.serviceName()], classification: []string{"--nbs", "1.1502.20.00", "--cindop", "100301",
			"--cclasstrib", "000001"},
		profile: slices.Concat([]string{"--authority", s.name, "--environment", "restricted", "--municipality",
			municipality, "--municipal-registration", "998877", "--simples", "none", "--series",
			fmt.Sprint(company.series), "--tax-federal", "13.45", "--tax-state", "0", "--tax-municipal", "2.90"},
			company.grantedNumbers()),
	})
}

// grantedNumbers are the flags of a fiscal profile for them, where there are some.
func (c ownCompany) grantedNumbers() []string {
	if c.granted == 0 {
		return nil
	}
	return []string{"--granted-numbers", fmt.Sprintf("1-%d", c.granted)}
}

// register has a city that grants numbers have the company on record: with these, and with its code.
func (s ownServer) register(ctx context.Context) error {
	company := s.company()
	if company.granted == 0 {
		return nil
	}
	return s.client().must(ctx, http.StatusOK, http.MethodPut, "/behaviour", issnet.Behaviour{
		Codes:   map[string][]string{company.document: {company.municipalCode}},
		Granted: map[string][]issnet.Granted{company.document: {{Series: company.series, First: 1, Last: company.granted}}},
	}, nil)
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
