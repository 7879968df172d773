package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emissor/company"
	"emissor/fiscal"
	"emissor/fiscal/national"
	"emissor/fiscal/saopaulo"
	"emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
	"emissor/store"
)

func fiscalProfileCheckCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "check --organization ORG [--service SERVICE]",
		Short: "Say whether an organization can issue live notes, without issuing any; it fails when it cannot",
		Long: `Say whether an organization can issue live notes, without issuing any; it fails when it cannot.

Of the city of São Paulo this asks, with the organization's certificate, whether the municipal registration is known
and may issue (ConsultaCNPJ), and has it validate a note of a service for a made-up taker (TesteEnvioLoteRPS), of
which it makes none. That works under --environment restricted too, which for this city is good for nothing else. The
command needs EMISSOR_SAO_PAULO_URL and the keyset, as the worker has them.

Of the national system nothing is asked: the profile, the certificate, what is known of the city and the services are
looked at here.`,
		Args: cobra.NoArgs,
	}
	organization := organizationFlag(command)
	service := command.Flags().String("service", "",
		"live service to try (srv_...); without it the first active one that `emissor service list` shows")
	return databaseCommand(command, func(ctx context.Context, s *session) error {
		profile, err := s.store.FiscalProfile(ctx, *organization)
		if err != nil {
			return err
		}
		checks := profileChecks{session: s, profile: profile, serviceID: *service}
		run := map[string]func(context.Context) error{national.Name: checks.national, saopaulo.Name: checks.saoPaulo}
		if err := run[profile.Authority](ctx); err != nil {
			return err
		}
		return checks.print()
	})
}

// The states of a check.
const (
	checkPassed  = "ok"
	checkFailed  = "failed"
	checkSkipped = "not checked" // it needs what failed, or nothing is known
)

// profileCheck is something that was looked at, and what was found.
type profileCheck struct {
	Check       string `json:"check"`
	State       string `json:"state"`
	Found       string `json:"found"`
	Explanation string `json:"explanation,omitempty"` // of a code of the authority
	Action      string `json:"action,omitempty"`
}

// profileChecks are what is looked at of one profile.
type profileChecks struct {
	*session
	profile   nfse.FiscalProfile
	serviceID string // that was asked for
	done      []profileCheck
}

// add notes a check: err is what was found wrong, and else found what was found.
func (c *profileChecks) add(check, found string, err error) (passed bool) {
	if err != nil {
		c.done = append(c.done, profileCheck{Check: check, State: checkFailed, Found: message(err)})
		return false
	}
	c.done = append(c.done, profileCheck{Check: check, State: checkPassed, Found: found})
	return true
}

func (c *profileChecks) skip(check, why string) {
	c.done = append(c.done, profileCheck{Check: check, State: checkSkipped, Found: why})
}

// profileItself checks the profile by the rules of its authority.
func (c *profileChecks) profileItself() (passed bool) {
	return c.add("profile", fmt.Sprintf("%s, series %d, environment %s", c.profile.Authority, c.profile.Series,
		nfse.EnvironmentName(c.profile.Production)), atFlag(company.CheckProfile(c.profile)))
}

// certificate opens the organization's; nil where there is none that does.
func (c *profileChecks) certificate(ctx context.Context) *fiscal.Credentials {
	credentials, err := c.credentials(ctx, c.profile)
	found := ""
	if err == nil {
		found = credentials.ID + " opens, valid until " +
			credentials.Certificate.Leaf.NotAfter.UTC().Format("2006-01-02")
	}
	if !c.add("certificate", found, err) {
		return nil
	}
	return credentials
}

// taxID checks that the issuer is the organization's: of another's nothing is asked or told.
func (c *profileChecks) taxID(ctx context.Context) (passed bool) {
	return c.add("document", "its series is the organization's", atFlag(c.store.CheckTaxID(ctx, c.profile)))
}

// national checks what can be checked without the authority.
func (c *profileChecks) national(ctx context.Context) error {
	c.profileItself()
	c.certificate(ctx)
	c.taxID(ctx)
	if err := c.city(ctx); err != nil {
		return err
	}
	return c.services(ctx)
}

// city checks what is known of the issuer's city.
func (c *profileChecks) city(ctx context.Context) error {
	const check = "city"
	reason, city, err := company.CityWarning(ctx, c.store, c.profile)
	switch name := municipalityName(c.profile.MunicipalityCode); {
	case err != nil:
		return err
	case c.profile.IgnoreMunicipalParameters:
		c.skip(check, "the profile goes on without the parameters of cities (--ignore-municipal-parameters)")
	case !city.Counts:
		c.skip(check, "whether "+name+" takes this issuer's notes is not known here yet: the worker asks")
	case !reason.None() && c.profile.MunicipalityCode == rules.Municipality:
		c.add(check, "", errors.New(reason.English()+" The city issues for this company itself: "+
			"emissor fiscal-profile set --authority sao-paulo"))
	case !reason.None():
		c.add(check, "", errors.New(reason.English()))
	default:
		c.add(check, name+" takes this issuer's notes", nil)
	}
	return nil
}

// services checks that there is a service by which notes can be issued.
func (c *profileChecks) services(ctx context.Context) error {
	services, err := c.activeServices(ctx)
	if err != nil {
		return err
	}
	editions, err := c.editions(ctx)
	if err != nil {
		return err
	}
	var ready int
	var lacking []string
	for _, service := range services {
		faults := company.ServiceFaults(c.profile.Authority, tablesToday(editions), service)
		if len(faults) == 0 {
			ready++
			continue
		}
		lacking = append(lacking, service.ID+" ("+strings.Join(faults, ", ")+")")
	}
	found := fmt.Sprintf("%d of %d active live services are ready", ready, len(services))
	if len(lacking) > 0 {
		found += "; these are not: " + strings.Join(lacking, ", ")
	}
	if ready == 0 {
		err = errors.New(found + "; `emissor service list` shows them, `emissor service classify` classifies them")
	}
	c.add("services", found, err)
	return nil
}

// activeServices are the organization's, or the one that was asked for.
func (c *profileChecks) activeServices(ctx context.Context) (active []store.ClassifiedService, err error) {
	scope := nfse.Scope{OrganizationID: c.profile.OrganizationID, Livemode: true}
	if c.serviceID != "" {
		service, err := serviceOf(ctx, c.session, scope, c.serviceID)
		if err != nil {
			return nil, err
		}
		classification, err := c.store.ServiceClassification(ctx, scope, service.ID)
		return []store.ClassifiedService{{Service: service, Classification: classification}}, err
	}
	const most = 1000
	all, _, err := c.store.ClassifiedServices(ctx, scope, false, store.Page{Limit: most})
	for _, service := range all {
		if service.Active {
			active = append(active, service)
		}
	}
	return active, err
}

// print prints what was found. That the organization cannot issue is an error.
func (c *profileChecks) print() error {
	failed := 0
	var rows [][]any
	for _, check := range c.done {
		if check.State == checkFailed {
			failed++
		}
		rows = append(rows, []any{check.Check, check.State, check.Found})
		for _, words := range []string{check.Explanation, check.Action} {
			if words != "" {
				rows = append(rows, []any{"", "", words})
			}
		}
	}
	err := c.session.print(struct {
		OrganizationID string         `json:"organization_id"`
		Authority      string         `json:"authority"`
		Environment    string         `json:"environment"`
		Ready          bool           `json:"ready"`
		Checks         []profileCheck `json:"checks"`
	}{c.profile.OrganizationID, c.profile.Authority, nfse.EnvironmentName(c.profile.Production), failed == 0, c.done},
		"CHECK\tSTATE\tFOUND", rows)
	if err == nil && failed > 0 {
		err = fmt.Errorf("the organization cannot issue live notes yet: %d of %d checks failed", failed, len(c.done))
	}
	return err
}
