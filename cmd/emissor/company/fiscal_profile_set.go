package company

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/operate"
	"emissor/issuing/company"
	"emissor/issuing/company/whereissued"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
)

func fiscalProfileSetCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "set --organization ORG",
		Short: "Set an organization's fiscal profile, or change what is given of it",
		Long: `Set an organization's fiscal profile, or change what is given of it: what no flag names stays as it is.
The first time --document, --municipality, --simples, --environment and --series are required.

--authority says who issues: the national system, or for companies outside Simples Nacional their city, where it issues
itself (São Paulo, and the cities of emissor city list), which needs --municipal-registration. Under --environment
restricted São Paulo only checks (emissor fiscal-profile check). A profile that changes it must be right by the rules of
the other one. The profile of a city whose row is off is taken, and its notes wait until an operator turns it on.

--move says that another authority issues from a day of competence on: each note goes by its own day, and a note that
has a number stays where it was taken.

A change holds for every note that has no fiscal number yet. Authority, document, municipality, series and
environment may change while others have theirs: a number keeps the profile with which it was taken, and each
combination counts its own numbers.

--next-number is taken once a certificate has shown that the document is the organization's, or the operator has allowed
it (emissor organization tax-ids); the dashboard sets it forward by at most 1000 at a time.`,
		Example: `emissor fiscal-profile set --organization org_01m10n7b5xf0stgd3ek65gw866 --document 11222333000181 \
  --municipality 3304557 --simples me --simples-regime 1 --series 1 --environment production
emissor fiscal-profile set --organization org_01m10n7b5xf0stgd3ek65gw866 --reject-refused`,
		Args: cobra.NoArgs,
	}
	organization := cli.OrganizationFlag(command)
	var given profileFlags
	given.add(command)
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		changed := command.Flags().Changed
		profile, err := s.Store.Companies.FiscalProfile(ctx, *organization)
		if errors.Is(err, companies.ErrNoFiscalProfile) {
			profile, err = newFiscalProfile(ctx, s.Store, *organization, changed)
		}
		if err != nil {
			return err
		}
		if err := given.change(&profile, changed); err != nil {
			return err
		}
		if err := company.CheckProfile(profile); err != nil {
			return atFlag(err)
		}
		if changed("next-number") {
			on, err := given.nextNumberDay()
			if err != nil {
				return err
			}
			if err := setNextNumber(ctx, s, profile.On(on), given.nextNumber); err != nil {
				return err
			}
		}
		if err := company.SetProfile(ctx, s.Store, s.Changes, profile); err != nil {
			return err
		}
		if err := warnOfClaim(ctx, s, command.ErrOrStderr(), profile); err != nil {
			return err
		}
		if err := operate.WarnOfCity(ctx, s, command.ErrOrStderr(), profile); err != nil {
			return err
		}
		if err := warnOfAuthority(ctx, s, command.ErrOrStderr(), profile); err != nil {
			return err
		}
		return printProfile(ctx, s, profile)
	})
}

// nextNumberDay is the day of whose series the next number is.
func (f *profileFlags) nextNumberDay() (nfse.Day, error) {
	if f.nextNumberOn == "" {
		return nfse.DayOf(time.Now()), nil
	}
	day, err := nfse.ParseDay(f.nextNumberOn)
	if err != nil {
		err = cli.Usage("--next-number-on %w", err)
	}
	return day, err
}

// setNextNumber lets the series of a profile of a day go on from a number. An organization that has a
// certificate of the issuer claims the tax ID first.
func setNextNumber(ctx context.Context, s *cli.CommandRun, profile nfse.FiscalProfile, number int64) error {
	if err := company.CheckNextNumber(profile, number); err != nil {
		return atFlag(err)
	}
	if err := company.ClaimTaxID(ctx, s.Store, s.Changes, profile); err != nil {
		return err
	}
	return atFlag(s.Changes.Lifecycle.SetNextNumber(ctx, profile, number))
}

// warnOfClaim warns that notes of a profile will wait where another organization has claimed
// its tax ID. Where no certificate has shown whose it is, `certificate add` says so.
func warnOfClaim(ctx context.Context, s *cli.CommandRun, warnings io.Writer, profile nfse.FiscalProfile) error {
	for _, period := range profile.Periods() {
		err := s.Store.Companies.CheckTaxID(ctx, period)
		switch {
		case errors.Is(err, companies.ErrTaxIDNotShown):
			continue
		case errors.Is(err, companies.ErrTaxIDOfAnother):
			_, err = fmt.Fprintf(warnings, "warning: notes of this profile will wait: %s\n", cli.Message(err))
			return err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// warnOfAuthority warns where another authority than the profile's takes its notes today, as far as is
// known. What the national system has of the city, WarnOfCity says.
func warnOfAuthority(ctx context.Context, s *cli.CommandRun, warnings io.Writer, profile nfse.FiscalProfile) error {
	_, decision, err := whereissued.Read(ctx, s.Store, profile, nfse.DayOf(time.Now()))
	mentions := decision.Verdict == whereissued.Decide || !slices.Contains(decision.Authorities, profile.Authority)
	if err != nil || len(decision.Authorities) == 0 || !mentions ||
		decision.Verdict == whereissued.NotSure && profile.IgnoreMunicipalParameters {
		return err
	}
	for _, one := range append(decision.Why, decision.Do) {
		if !one.None() && err == nil {
			_, err = fmt.Fprintf(warnings, "note: %s\n", one.English())
		}
	}
	return err
}

// requiredProfileFlags are needed the first time.
var requiredProfileFlags = []string{"document", "municipality", "simples", "environment", "series"}

// newFiscalProfile makes the profile of an organization that has none.
func newFiscalProfile(
	ctx context.Context, db *store.Store, organizationID string, given func(flag string) bool,
) (nfse.FiscalProfile, error) {
	if _, err := db.Access.Organization(ctx, organizationID); err != nil {
		return nfse.FiscalProfile{}, err
	}
	var missing []string
	for _, flag := range requiredProfileFlags {
		if !given(flag) {
			missing = append(missing, "--"+flag)
		}
	}
	if missing != nil {
		return nfse.FiscalProfile{}, errors.New(
			"the organization has no fiscal profile yet; its first needs " + strings.Join(missing, ", "))
	}
	return company.NewProfile(organizationID), nil
}
