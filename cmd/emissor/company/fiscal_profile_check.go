package company

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/operate"
	"emissor/fiscal"
	"emissor/fiscal/saopaulo"
	"emissor/issuing/company/readiness"
	citycheck "emissor/issuing/company/readiness/saopaulo"
	"emissor/nfse"
	"emissor/store/catalogues"
)

func fiscalProfileCheckCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "check --organization ORG [--service SERVICE] [--on DAY]",
		Short: "Say whether an organization can issue live notes, without issuing any; it fails when it cannot",
		Long: `Say whether an organization can issue live notes, without issuing any; it fails when it cannot.

Of the city of São Paulo this asks, with the organization's certificate, whether the municipal registration is known
and may issue (ConsultaCNPJ), and has it validate a note of a service for a made-up taker (TesteEnvioLoteRPS), of
which it makes none. That works under --environment restricted too, which for this city is good for nothing else. The
command needs EMISSOR_SAO_PAULO_URL and the keyset, as the worker has them.

Of the national system, and of cities that take its declaration on servers of their own, nothing is asked: the profile
(registration, series), the certificate, who takes the company's notes today and why, the city's row in the table of
cities, and the services with their classification and the city's code of them are looked at here.

Of a company that moves to another authority (fiscal-profile set --move), --on looks at how it issues on that day.`,
		Example: "emissor fiscal-profile check --organization org_01m10n7b5xf0stgd3ek65gw866",
		Args:    cobra.NoArgs,
	}
	organization := cli.OrganizationFlag(command)
	service := command.Flags().String("service", "",
		"live service to try (srv_...); without it the first active one that `emissor service list` shows")
	day := cli.AddDayFlag(command, "on", "day of competence of whose authority and series this is")
	return cli.CheckedCommand(command, day.Check, func(ctx context.Context, s *cli.CommandRun) error {
		profile, err := s.Store.Companies.FiscalProfile(ctx, *organization)
		if err != nil {
			return err
		}
		report, err := checkReadiness(ctx, s, profile, nfse.Day(day.OrToday()), *service)
		if err != nil {
			return err
		}
		return printReadiness(s, report)
	})
}

// checkReadiness checks whether the organization of a profile can issue on a day of competence, by the
// service that is named or else by its active ones.
func checkReadiness(
	ctx context.Context, s *cli.CommandRun, profile nfse.FiscalProfile, day nfse.Day, serviceID string,
) (*readiness.Report, error) {
	profile = profile.On(day)
	services, err := servicesToTry(ctx, s, profile.OrganizationID, serviceID)
	if err != nil {
		return nil, err
	}
	editions, err := operate.Editions(ctx, s)
	if err != nil {
		return nil, err
	}
	of := readiness.Company{
		Store: s.Store, Cities: &s.Config.Cities, Profile: profile, Day: day, Services: services, Editions: editions,
		Open: func(ctx context.Context) (*fiscal.Credentials, error) { return s.Credentials(ctx, profile) },
	}
	if profile.Authority == saopaulo.Name {
		return citycheck.Check(ctx, of, s.Config.CityURL, func() (citycheck.City, error) {
			return s.SaoPaulo()
		})
	}
	return readiness.CheckNational(ctx, of)
}

// servicesToTry are the organization's, or the one that was asked for.
func servicesToTry(ctx context.Context, s *cli.CommandRun, organizationID, id string) ([]catalogues.ClassifiedService,
	error) {
	const most = 1000
	if id == "" {
		return readiness.ActiveServices(ctx, s.Store, organizationID, most)
	}
	scope := nfse.Scope{OrganizationID: organizationID, Livemode: true}
	service, err := classifiedServiceOf(ctx, s, scope, id)
	return []catalogues.ClassifiedService{service}, err
}

// ProfileCheck is a check as it is printed.
type ProfileCheck struct {
	Check       string          `json:"check"`
	State       readiness.State `json:"state"`
	Found       string          `json:"found"`
	Explanation string          `json:"explanation,omitempty"` // of a code of the authority
	Action      string          `json:"action,omitempty"`
}

func newProfileCheck(c readiness.Check) ProfileCheck {
	found := c.Found
	if c.Wrong != nil {
		found = cli.Message(atFlag(c.Wrong))
	}
	if c.Service != "" {
		found += " " + cli.Shorten(c.Service)
	}
	return ProfileCheck{c.Name, c.State, found, c.Explanation, c.Action}
}

// printReadiness prints what was found. That the organization cannot issue is an error.
func printReadiness(s *cli.CommandRun, report *readiness.Report) error {
	profile, failed, checks := report.Profile, report.Failed(), cli.Mapped(report.Checks, newProfileCheck)
	var rows [][]any
	for _, check := range checks {
		rows = append(rows, []any{check.Check, check.State, check.Found})
		for _, words := range []string{check.Explanation, check.Action} {
			if words != "" {
				rows = append(rows, []any{"", "", words})
			}
		}
	}
	err := s.Print(struct {
		OrganizationID string         `json:"organization_id"`
		Authority      string         `json:"authority"`
		Environment    string         `json:"environment"`
		Ready          bool           `json:"ready"`
		Checks         []ProfileCheck `json:"checks"`
	}{profile.OrganizationID, profile.Authority, nfse.EnvironmentName(profile.Production), failed == 0, checks},
		"CHECK\tSTATE\tFOUND", rows)
	if err == nil && failed > 0 {
		err = fmt.Errorf("the organization cannot issue live notes yet: %d of %d checks failed", failed, len(checks))
	}
	return err
}
