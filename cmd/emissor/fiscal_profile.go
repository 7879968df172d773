package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emissor/fiscal/national"
	"emissor/municipality"
	"emissor/nfse"
	"emissor/store"
)

func fiscalProfileCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "fiscal-profile",
		Short: "Manage fiscal profiles: how organizations issue live notes",
	}
	command.AddCommand(fiscalProfileSetCommand(), fiscalProfileShowCommand(), fiscalProfileListCommand())
	return command
}

func fiscalProfileSetCommand() *cobra.Command {
	var out output
	var organizationID string
	var given profileFlags
	var nextNumber int64
	command := &cobra.Command{
		Use:   "set --organization ORG",
		Short: "Set an organization's fiscal profile, or change what is given of it",
		Long: "Set an organization's fiscal profile, or change what is given of it: what no flag names stays\n" +
			"as it is. The first time --document, --municipality, --simples, --environment and --series are\n" +
			"required.\n\n" +
			"A change holds for every note that has no fiscal number yet. Document, municipality, series and\n" +
			"environment may change while others have theirs: a number keeps the profile with which it was taken,\n" +
			"and each combination counts its own numbers.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				profile, err := s.FiscalProfile(ctx, organizationID)
				if errors.Is(err, store.ErrNoFiscalProfile) {
					profile, err = newFiscalProfile(ctx, s, organizationID, command.Flags().Changed)
				}
				if err != nil {
					return err
				}
				if err := given.change(&profile, command.Flags().Changed); err != nil {
					return err
				}
				if err := checkProfile(profile); err != nil {
					return err
				}
				if command.Flags().Changed("next-number") {
					if nextNumber < 1 || nextNumber > greatestNumber {
						return errors.New("--next-number must be from 1 to 999999999999999")
					}
					if err := s.SetNextNumber(ctx, profile, nextNumber); err != nil {
						return atFlag(err)
					}
				}
				if err := s.SetFiscalProfile(ctx, profile); err != nil {
					return err
				}
				return printProfile(command, out, profile)
			})
		},
	}
	flags := command.Flags()
	flags.StringVar(&organizationID, "organization", "", "id of the organization (org_...)")
	flags.StringVar(&given.document, "document", "", "CNPJ or CPF of the issuer")
	flags.StringVar(&given.municipality, "municipality", "",
		"IBGE code of the municipality where the issuer is established")
	flags.StringVar(&given.simples, "simples", "", "Simples Nacional: none, mei (microentrepreneur) or me (ME and EPP)")
	flags.IntVar(&given.simplesRegime, "simples-regime", 0,
		"how an ME or EPP assesses its taxes: 1, 2 or 3 (regApTribSN); 0 is none")
	flags.IntVar(&given.specialRegime, "special-regime", 0,
		"special regime of the municipality: 0 to 6, or 9 (regEspTrib); 0 is none")
	flags.IntVar(&given.series, "series", 0,
		"series of the documents, 1 to 49999: one that no other program of the issuer uses")
	flags.Int64Var(&nextNumber, "next-number", 0,
		"number that the series goes on from, to continue one of another program; never back to a number taken here")
	flags.StringVar(&given.environment, "environment", "",
		"of the authority: production, or restricted (produção restrita, without fiscal value)")
	flags.StringVar(&given.registration, "municipal-registration", "",
		"municipal registration of the issuer; empty is none")
	flags.BoolVar(&given.sendRegistration, "send-municipal-registration", false,
		"send it: only where the municipality registers it with the authority (E0116, E0120)")
	flags.Var(&given.taxFederal, "tax-federal",
		"approximate federal taxes in percent of the price, as 13.45; of issuers outside Simples Nacional")
	flags.Var(&given.taxState, "tax-state", "approximate taxes of the state, likewise")
	flags.Var(&given.taxMunicipal, "tax-municipal", "approximate taxes of the municipality, likewise")
	flags.Var(&given.taxSimples, "tax-simples", "approximate taxes of an ME or EPP in percent of the price")
	flags.StringSliceVar(&given.inactive, "inactive-municipality", nil,
		"IBGE code of a municipality without active agreement with the national system (E0617, E0619); "+
			"repeat it for more; together they replace those before")
	_ = command.MarkFlagRequired("organization")
	return out.flag(command)
}

// greatestNumber is what the field nDPS holds.
const greatestNumber = 999_999_999_999_999

// requiredProfileFlags are needed the first time.
var requiredProfileFlags = []string{"document", "municipality", "simples", "environment", "series"}

// newFiscalProfile begins the profile of an organization that has none.
func newFiscalProfile(
	ctx context.Context, s *store.Store, organizationID string, given func(flag string) bool,
) (nfse.FiscalProfile, error) {
	if _, err := s.Organization(ctx, organizationID); err != nil {
		return nfse.FiscalProfile{}, err
	}
	var missing []string
	for _, flag := range requiredProfileFlags {
		if !given(flag) {
			missing = append(missing, "--"+flag)
		}
	}
	if missing != nil {
		return nfse.FiscalProfile{}, errors.New("the organization has no fiscal profile yet; its first needs " +
			strings.Join(missing, ", "))
	}
	return nfse.FiscalProfile{
		OrganizationID: organizationID, Authority: national.Name, InactiveMunicipalities: []string{},
	}, nil
}

// profileFlags are the parts of a profile as given on the command line.
type profileFlags struct {
	document, municipality, simples, environment, registration string
	simplesRegime, specialRegime, series                       int
	sendRegistration                                           bool
	taxFederal, taxState, taxMunicipal, taxSimples             percentFlag
	inactive                                                   []string
}

// change puts what was given into the profile.
func (f *profileFlags) change(profile *nfse.FiscalProfile, given func(flag string) bool) error {
	taxes := &profile.ApproximateTaxes
	for _, part := range []struct {
		flag string
		set  func() error
	}{
		{"document", func() (err error) { profile.TaxID, err = nfse.ParseTaxID(f.document); return err }},
		{"municipality", func() error { profile.MunicipalityCode = f.municipality; return nil }},
		{"simples", func() (err error) { profile.Simples, err = parseSimples(f.simples); return err }},
		{"simples-regime", func() error { profile.SimplesRegime = orNone(f.simplesRegime); return nil }},
		{"special-regime", func() error { profile.SpecialRegime = f.specialRegime; return nil }},
		{"series", func() error { profile.Series = f.series; return nil }},
		{"environment", func() (err error) { profile.Production, err = parseProduction(f.environment); return err }},
		{"municipal-registration", func() error { profile.MunicipalRegistration = orNone(f.registration); return nil }},
		{"send-municipal-registration", func() error {
			profile.SendMunicipalRegistration = f.sendRegistration
			return nil
		}},
		{"tax-federal", func() error { taxes.Federal = nfse.Percent(f.taxFederal); return nil }},
		{"tax-state", func() error { taxes.State = nfse.Percent(f.taxState); return nil }},
		{"tax-municipal", func() error { taxes.Municipal = nfse.Percent(f.taxMunicipal); return nil }},
		{"tax-simples", func() error { taxes.Simples = nfse.Percent(f.taxSimples); return nil }},
		{"inactive-municipality", func() error { profile.InactiveMunicipalities = f.inactive; return nil }},
	} {
		if !given(part.flag) {
			continue
		}
		if err := part.set(); err != nil {
			return fmt.Errorf("--%s %w", part.flag, err)
		}
	}
	return nil
}

// orNone is nil for the flag value that means none.
func orNone[T comparable](value T) *T {
	var none T
	if value == none {
		return nil
	}
	return &value
}

// checkProfile refuses what no document could be issued with.
func checkProfile(profile nfse.FiscalProfile) error {
	if err := national.ValidateProfile(profile); err != nil {
		return atFlag(err)
	}
	if !municipality.Exists(profile.MunicipalityCode) {
		return fmt.Errorf("--municipality: no municipality has the IBGE code %q", profile.MunicipalityCode)
	}
	for _, code := range profile.InactiveMunicipalities {
		if !municipality.Exists(code) {
			return fmt.Errorf("--inactive-municipality: no municipality has the IBGE code %q", code)
		}
	}
	return nil
}

// profileFlag is how each field of a fiscal profile is given.
var profileFlag = map[string]string{
	"tax_id":                  "--document",
	"municipality_code":       "--municipality",
	"municipal_registration":  "--municipal-registration",
	"simples":                 "--simples",
	"simples_regime":          "--simples-regime",
	"special_regime":          "--special-regime",
	"series":                  "--series",
	"next_number":             "--next-number:",
	"approximate_taxes":       "the percentages of taxes (--tax-...)",
	"inactive_municipalities": "--inactive-municipality",
}

// atFlag names the flag that gave the field which an error is about.
func atFlag(err error) error {
	var fault *nfse.Error
	if !errors.As(err, &fault) || profileFlag[fault.Field] == "" {
		return err
	}
	return fmt.Errorf("%s %s", profileFlag[fault.Field], fault.Message)
}

// The words of --simples and --environment.
var (
	simplesWords = map[nfse.SimplesOption]string{
		nfse.SimplesNone: "none", nfse.SimplesMEI: "mei", nfse.SimplesME: "me",
	}
	environmentWords = map[bool]string{true: "production", false: "restricted"}
)

func parseSimples(word string) (nfse.SimplesOption, error) {
	for option, name := range simplesWords {
		if name == word {
			return option, nil
		}
	}
	return 0, errors.New("must be none, mei or me")
}

func parseProduction(word string) (production bool, err error) {
	for production, name := range environmentWords {
		if name == word {
			return production, nil
		}
	}
	return false, errors.New("must be production or restricted")
}

// percentFlag is a flag of a percentage with at most two decimals.
type percentFlag nfse.Percent

var percentForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,2})(\.[0-9]{1,2})?$`)

// Set reads a percentage without passing through a float.
func (p *percentFlag) Set(text string) error {
	whole, decimals, _ := strings.Cut(text, ".")
	hundredths, err := strconv.Atoi(whole + (decimals + "00")[:2])
	if err != nil || !percentForm.MatchString(text) || hundredths > 100_00 {
		return errors.New("must be a percentage from 0 to 100 with at most two decimals, as 13.45")
	}
	*p = percentFlag(hundredths)
	return nil
}

// String prints the percentage.
func (p *percentFlag) String() string { return nfse.Percent(*p).String() }

// Type names the flag's kind in the help.
func (p *percentFlag) Type() string { return "percent" }

func fiscalProfileShowCommand() *cobra.Command {
	var out output
	var organizationID string
	command := &cobra.Command{
		Use:   "show --organization ORG",
		Short: "Show an organization's fiscal profile",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				profile, err := s.FiscalProfile(ctx, organizationID)
				if err != nil {
					return err
				}
				return printProfile(command, out, profile)
			})
		},
	}
	command.Flags().StringVar(&organizationID, "organization", "", "id of the organization (org_...)")
	_ = command.MarkFlagRequired("organization")
	return out.flag(command)
}

// printProfile prints a profile as the flags that would set it.
func printProfile(command *cobra.Command, out output, profile nfse.FiscalProfile) error {
	return out.print(command.OutOrStdout(), profile, "FLAG\tVALUE", func(add func(...any)) {
		add("organization", profile.OrganizationID)
		add("document", profile.TaxID)
		add("municipality", municipalityName(profile.MunicipalityCode))
		add("simples", simplesWords[profile.Simples])
		add("simples-regime", orDash(profile.SimplesRegime))
		add("special-regime", profile.SpecialRegime)
		add("series", profile.Series)
		add("environment", environmentWords[profile.Production])
		add("municipal-registration", orDash(profile.MunicipalRegistration))
		add("send-municipal-registration", profile.SendMunicipalRegistration)
		add("tax-federal", profile.ApproximateTaxes.Federal)
		add("tax-state", profile.ApproximateTaxes.State)
		add("tax-municipal", profile.ApproximateTaxes.Municipal)
		add("tax-simples", profile.ApproximateTaxes.Simples)
		for _, code := range profile.InactiveMunicipalities {
			add("inactive-municipality", municipalityName(code))
		}
	})
}

// municipalityName shows a code with its name, for whoever mistyped it.
func municipalityName(code string) string {
	found, _ := municipality.Find(code)
	return code + " " + found.String()
}

func fiscalProfileListCommand() *cobra.Command {
	var out output
	return out.flag(&cobra.Command{
		Use:   "list",
		Short: "List the fiscal profile of every organization that has one",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withStore(command.Context(), func(ctx context.Context, s *store.Store) error {
				profiles, err := s.FiscalProfiles(ctx)
				if err != nil {
					return err
				}
				header := "ORGANIZATION\tAUTHORITY\tENVIRONMENT\tDOCUMENT\tMUNICIPALITY\tSERIES\tSIMPLES"
				return out.print(command.OutOrStdout(), profiles, header, func(add func(...any)) {
					for _, p := range profiles {
						add(p.OrganizationID, p.Authority, environmentWords[p.Production], p.TaxID,
							municipalityName(p.MunicipalityCode), p.Series, simplesWords[p.Simples])
					}
				})
			})
		},
	})
}
