package operate

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/internal/municipality"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
)

func MunicipalityCommand() *cobra.Command {
	return cli.CommandGroup("municipality", "See what cities have set at the authority, and have it fetched again",
		municipalityShowCommand(), municipalityRefreshCommand())
}

// ShownCity is what is known of a city, and of its services.
type ShownCity struct {
	companies.CityRecord
	Services []companies.CityServiceRecord `json:"services"`
}

func municipalityShowCommand() *cobra.Command {
	command := cli.NewCommand("show CODE", "Show the parameters of a city that are known, and since when",
		"emissor municipality show 3304557 --environment production", cobra.ExactArgs(1))
	environment := command.Flags().String("environment", "", "only of the authority's production, or restricted")
	cli.CompleteFlag(command, "environment", cli.AuthorityEnvironments...)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		cities, err := storedCities(ctx, s, s.Args[0], *environment)
		if err != nil {
			return err
		}
		shown := []ShownCity{}
		for _, city := range cities {
			services, err := s.Store.Companies.CityServices(ctx, city.CityKey)
			if err != nil {
				return err
			}
			shown = append(shown, ShownCity{city, services})
		}
		if len(shown) == 0 && !s.Json {
			return s.Printf("nothing is known of %s: no live note and no fiscal profile has used it, or the worker "+
				"has no address of the ADN\n", cli.MunicipalityName(s.Args[0]))
		}
		var rows [][]any
		for _, city := range shown {
			rows = append(rows, cityRows(city)...)
		}
		return s.Print(shown, "PARAMETER\tVALUE", rows)
	})
}

// storedCities reads what is known of a city in the environment, or in both.
func storedCities(ctx context.Context, s *cli.CommandRun, code, environment string) ([]companies.CityRecord, error) {
	if !municipality.Exists(code) {
		return nil, fmt.Errorf("no municipality has the IBGE code %q", code)
	}
	production, err := nfse.ParseEnvironment(environment)
	if err != nil && environment != "" {
		return nil, cli.Usage("--environment %w", err)
	}
	all, err := s.Store.Companies.Cities(ctx, code)
	var cities []companies.CityRecord
	for _, city := range all {
		if environment == "" || city.Production == production {
			cities = append(cities, city)
		}
	}
	return cities, err
}

func cityRows(city ShownCity) [][]any {
	rows := [][]any{
		{"municipality", cli.MunicipalityName(city.MunicipalityCode)},
		{"environment", nfse.EnvironmentName(city.Production)},
		{"fetched", cli.OrDash(city.FetchedAt)},
	}
	if city.City != nil {
		rows = append(rows, []any{"convênio active", city.City.Active})
		for _, flag := range []struct {
			name string
			is   *bool
		}{
			{"aderenteAmbienteNacional", city.City.AderenteAmbienteNacional},
			{"aderenteEmissorNacional", city.City.AderenteEmissorNacional},
			{"situacaoEmissaoPadraoContribuintesRFB", city.City.SituacaoEmissaoPadraoContribuintesRFB},
			{"aderenteMAN", city.City.AderenteMAN},
			{"permiteAproveitamentoDeCreditos", city.City.PermiteAproveitamentoDeCreditos},
		} {
			if city.City.Active {
				rows = append(rows, []any{flag.name, cli.OrDash(flag.is)})
			}
		}
	}
	rows = append(rows, []any{"counts", counts(city.CityRecord)}, []any{"next fetch", nextFetch(city.CityRecord)},
		[]any{"asked with the certificate of", cli.OrDash(city.AskedBy)})
	if !city.Failure.None() {
		rows = append(rows, []any{"could not be had", city.FailedAt.String() + ": " + city.Failure.English()})
	}
	for _, service := range city.Services {
		rows = append(rows, []any{"service " + service.ServiceCode, serviceSummary(service)})
	}
	return rows
}

// nextFetch says when the parameters of a city are fetched again.
func nextFetch(city companies.CityRecord) string {
	if city.Due {
		return "due: by the next note, or the worker within five minutes"
	}
	return city.NextFetchAt.String()
}

// counts says whether what is known of a city decides anything.
func counts(city companies.CityRecord) string {
	switch {
	case city.Counts:
		return "yes"
	case city.City == nil:
		return "no: it was never had"
	case city.DoubtedBy != nil:
		return "no: the authority answered " + *city.DoubtedBy + " on " + city.DoubtedAt.String()
	}
	return "no: it is more than a week old"
}

func serviceSummary(service companies.CityServiceRecord) string {
	switch {
	case service.Service == nil && !service.Failure.None():
		return "could not be had: " + service.Failure.English()
	case service.Service == nil:
		return "not fetched yet"
	}
	rates := cli.Mapped(service.Service.Rates, func(rate fiscal.CityRate) string {
		return rate.Percent + " % from " + rate.From
	})
	if len(rates) == 0 {
		rates = []string{"no rates"}
	}
	return fmt.Sprintf("%s; %d special regimes, %d withholdings (%s)", strings.Join(rates, ", "),
		len(service.Service.Regimes), len(service.Service.Withholdings), service.FetchedAt)
}

func municipalityRefreshCommand() *cobra.Command {
	command := cli.NewCommand("refresh CODE", "Have the parameters of a city fetched again",
		"emissor municipality refresh 3304557 --environment production", cobra.ExactArgs(1))
	command.Long = `Have the parameters of a city fetched again. A command has no certificate to ask with: the worker
does it with that of an organization, within five minutes, or for the next note, a minute after this at most.`
	environment := cli.RequiredFlag(command, "environment", "of the authority: production or restricted")
	cli.CompleteFlag(command, "environment", cli.AuthorityEnvironments...)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		production, err := nfse.ParseEnvironment(*environment)
		if err != nil {
			return cli.Usage("--environment %w", err)
		}
		if !municipality.Exists(s.Args[0]) {
			return fmt.Errorf("no municipality has the IBGE code %q", s.Args[0])
		}
		key := companies.CityKey{Authority: national.Name, Production: production, MunicipalityCode: s.Args[0]}
		if err := s.Changes.Companies.RefreshCity(ctx, key); err != nil {
			return err
		}
		record, err := s.Store.Companies.City(ctx, key)
		if err != nil {
			return err
		}
		services, err := s.Store.Companies.CityServices(ctx, key)
		if err != nil {
			return err
		}
		shown := ShownCity{record, services}
		return s.Print(shown, "PARAMETER\tVALUE", cityRows(shown))
	})
}

// WarnOfCity warns where by the parameters of its city a profile cannot issue.
func WarnOfCity(ctx context.Context, s *cli.CommandRun, warnings io.Writer, profile nfse.FiscalProfile) error {
	profile = company.Present(profile)
	reason, city, err := company.CityWarning(ctx, s.Store, profile)
	if err != nil || profile.IgnoreMunicipalParameters || !company.AsksCities(profile) {
		return err
	}
	if !city.Counts {
		_, err = fmt.Fprintf(warnings, "note: whether the city %[1]s takes this issuer's notes is not known here yet. "+
			"Once there is a certificate the worker asks, where it has an address of the ADN: "+
			"emissor municipality show %[1]s --environment %[2]s\n",
			profile.MunicipalityCode, nfse.EnvironmentName(profile.Production))
		return err
	}
	if reason.None() {
		return err
	}
	_, err = fmt.Fprintf(warnings, "warning: notes of this profile will wait. %s (Fetched %s.)\n", reason,
		city.FetchedAt)
	return err
}
