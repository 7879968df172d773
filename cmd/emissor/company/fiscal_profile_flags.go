package company

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/fiscal/authorities"
	"emissor/issuing/company"
	"emissor/nfse"
)

// profileFlags are the parts of a profile as given on the command line.
type profileFlags struct {
	authority, taxID, municipality, simples, environment, registration string
	simplesRegime, specialRegime, series                               int
	nextNumber                                                         int64
	sendRegistration                                                   bool
	taxationInside, taxationOutside                                    string
	taxFederal, taxState, taxMunicipal, taxSimples                     percentFlag
	inactive                                                           []string
	ignoreParameters, exactCertificate                                 bool
	competenceDaysBack                                                 int
	ownContributions                                                   string
	simplesRates                                                       []string
	rejectRefused                                                      bool
	cancellationAnalysis                                               string
	moves                                                              []string
	nextNumberOn, grantedNumbers                                       string
}

// add adds the flags to the command.
func (f *profileFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.authority, "authority", authorities.Default, "by which notes are issued: "+
		strings.Join(authorities.Names(), " or "))
	flags.StringVar(&f.taxID, "document", "", "CNPJ or CPF of the issuer")
	flags.StringVar(&f.municipality, "municipality", "",
		"IBGE code of the municipality where the issuer is established")
	flags.StringVar(&f.simples, "simples", "", "Simples Nacional: none, mei (microentrepreneur) or me (ME and EPP)")
	flags.IntVar(&f.simplesRegime, "simples-regime", 0,
		"how an ME or EPP assesses its taxes: 1, 2 or 3 (regApTribSN); 0 is none")
	flags.IntVar(&f.specialRegime, "special-regime", 0,
		"special regime of the municipality: 0 to 6, or 9 (regEspTrib); 0 is none")
	flags.IntVar(&f.series, "series", 0,
		"series of the documents, 1 to 49999 (99999 in São Paulo): one that no other program of the issuer uses")
	flags.Int64Var(&f.nextNumber, "next-number", 0,
		"number that the series goes on from, to continue one of another program; never back to a number taken here")
	flags.StringVar(&f.environment, "environment", "",
		"of the authority: production, or restricted (produção restrita, without fiscal value)")
	flags.StringVar(&f.registration, "municipal-registration", "",
		"municipal registration of the issuer (in São Paulo the CCM, required); empty is none")
	flags.BoolVar(&f.sendRegistration, "send-municipal-registration", false,
		"send it: only where the municipality registers it with the authority (E0116, E0120)")
	flags.StringVar(&f.taxationInside, "taxation-inside", "",
		"São Paulo: letter of services taxed in the city (T) where the issuer is exempt (A), partly exempt (D), "+
			"immune (M, R) or suspended (X); empty is T")
	flags.StringVar(&f.taxationOutside, "taxation-outside", "",
		"São Paulo: likewise of services taxed elsewhere (F): B, N, S or V; empty is F")
	flags.Var(&f.taxFederal, "tax-federal",
		"approximate federal taxes in percent of the price, as 13.45; of issuers outside Simples Nacional")
	flags.Var(&f.taxState, "tax-state", "approximate taxes of the state, likewise")
	flags.Var(&f.taxMunicipal, "tax-municipal", "approximate taxes of the municipality, likewise")
	flags.Var(&f.taxSimples, "tax-simples", "approximate taxes of an ME or EPP in percent of the price")
	flags.StringSliceVar(&f.inactive, "inactive-municipality", nil,
		"IBGE code of a municipality without active agreement with the national system (E0617, E0619), whatever its "+
			"parameters say; repeat it for more; together they replace those before")
	flags.BoolVar(&f.ignoreParameters, "ignore-municipal-parameters", false,
		"go on without the parameters of cities, where they are wrong: no note waits for them, "+
			"--inactive-municipality alone decides about rates, and the authority about the rest")
	flags.BoolVar(&f.exactCertificate, "exact-certificate", false,
		"sign only by a certificate of this very establishment: where the authority refuses one of another "+
			"establishment with the same root of the CNPJ (E0718)")
	flags.IntVar(&f.competenceDaysBack, "competence-days-back", nfse.DefaultCompetenceDaysBack,
		"how many days before today a person may set a note's day of competence in the dashboard; 0 is none")
	flags.StringVar(&f.ownContributions, "own-contributions", "none",
		"PIS and COFINS that the issuer owes itself and declares on its notes until they end: none, cumulative "+
			"(0.65 and 3 percent), non-cumulative (1.65 and 7.6), or CST,PIS,COFINS as 01,0.65,3")
	flags.StringSliceVar(&f.simplesRates, "simples-rate", nil,
		"effective ISS rate of an ME or EPP in Simples Nacional in a month, as 2026-10=2.01: ISS that is withheld the "+
			"month after is withheld at it; repeat it for more; others stay, and 2026-10= takes one away")
	flags.BoolVar(&f.rejectRefused, "reject-refused", false,
		"reject a note that the authority refuses for the company's settings or registers; else it waits until they "+
			"are put right, and goes on under the same reference")
	flags.StringVar(&f.cancellationAnalysis, "cancellation-analysis", string(nfse.AskPerson),
		"when the city refuses to cancel a note and may decide by an analysis: ask (a person asks for it, on the "+
			"note's page or with emissor note request-analysis) or request (it is asked for at once); a note has one")
	flags.StringSliceVar(&f.moves, "move", nil,
		"from which day of competence on another authority issues, and under which series, as "+
			"2027-01-01=national:2, or with granted numbers 2027-01-01=brasilia:2:1-500; repeat it for more; together they "+
			"replace those before, and none takes them away")
	flags.StringVar(&f.grantedNumbers, "granted-numbers", "",
		"the first and the last number that the city has granted for the series, as 1-500: no other one is taken, and "+
			"notes wait when they are used up; empty is any number")
	flags.StringVar(&f.nextNumberOn, "next-number-on", "",
		"with --next-number: a day of competence, whose series it is of, as 2027-01-01 (default: today)")
	f.complete(command)
}

// complete has shells offer the values of those that are chosen from few.
func (f *profileFlags) complete(command *cobra.Command) {
	cli.CompleteFlag(command, "authority", authorities.Names()...)
	cli.CompleteFlag(command, "simples", company.SimplesWord(nfse.SimplesNone), company.SimplesWord(nfse.SimplesMEI),
		company.SimplesWord(nfse.SimplesME))
	cli.CompleteFlag(command, "simples-regime", "0", "1", "2", "3")
	cli.CompleteFlag(command, "special-regime", "0", "1", "2", "3", "4", "5", "6", "9")
	cli.CompleteFlag(command, "environment", cli.AuthorityEnvironments...)
	cli.CompleteFlag(command, "taxation-inside", "T", "A", "D", "M", "R", "X")
	cli.CompleteFlag(command, "taxation-outside", "F", "B", "N", "S", "V")
	cli.CompleteFlag(command, "own-contributions", company.NoContributions, company.CumulativeContributions,
		company.NonCumulativeContributions)
	cli.CompleteFlag(command, "cancellation-analysis", nfse.AskPerson, nfse.RequestAnalysis)
}

// change puts what was given into the profile.
func (f *profileFlags) change(profile *nfse.FiscalProfile, given func(flag string) bool) error {
	taxes := &profile.ApproximateTaxes
	for _, part := range []struct {
		flag string
		set  func() error
	}{
		{"authority", func() error { profile.Authority = f.authority; return nil }},
		{"document", func() (err error) { profile.TaxID, err = nfse.ParseTaxID(f.taxID); return err }},
		{"municipality", func() error { profile.MunicipalityCode = f.municipality; return nil }},
		{"simples", func() (err error) {
			if profile.Simples, err = company.ParseSimples(f.simples); profile.Simples != nfse.SimplesME {
				profile.SimplesRegime = nil // who leaves the Simples leaves its regime
			}
			return err
		}},
		{"simples-regime", func() error { profile.SimplesRegime = cli.OrNone(f.simplesRegime); return nil }},
		{"special-regime", func() error { profile.SpecialRegime = f.specialRegime; return nil }},
		{"series", func() error { profile.Series = f.series; return nil }},
		{"environment", func() (err error) {
			profile.Production, err = nfse.ParseEnvironment(f.environment)
			return err
		}},
		{"municipal-registration", func() error { profile.MunicipalRegistration = cli.OrNone(f.registration); return nil }},
		{"send-municipal-registration",
			func() error { profile.SendMunicipalRegistration = f.sendRegistration; return nil }},
		{"taxation-inside", func() error { profile.TaxationInside = f.taxationInside; return nil }},
		{"taxation-outside", func() error { profile.TaxationOutside = f.taxationOutside; return nil }},
		{"tax-federal", func() error { taxes.Federal = nfse.Percent(f.taxFederal); return nil }},
		{"tax-state", func() error { taxes.State = nfse.Percent(f.taxState); return nil }},
		{"tax-municipal", func() error { taxes.Municipal = nfse.Percent(f.taxMunicipal); return nil }},
		{"tax-simples", func() error { taxes.Simples = nfse.Percent(f.taxSimples); return nil }},
		{"inactive-municipality", func() error { profile.InactiveMunicipalities = f.inactive; return nil }},
		{"ignore-municipal-parameters",
			func() error { profile.IgnoreMunicipalParameters = f.ignoreParameters; return nil }},
		{"exact-certificate", func() error { profile.ExactCertificate = f.exactCertificate; return nil }},
		{"competence-days-back", func() error { profile.CompetenceDaysBack = &f.competenceDaysBack; return nil }},
		{"own-contributions", func() (err error) {
			profile.OwnContributions, err = company.ParseOwnContributions(f.ownContributions)
			return err
		}},
		{"simples-rate", func() (err error) {
			profile.SimplesRates, err = company.ChangeSimplesRates(profile.SimplesRates, f.simplesRates)
			return err
		}},
		{"reject-refused", func() error { profile.RejectRefused = f.rejectRefused; return nil }},
		{"cancellation-analysis", func() error {
			profile.CancellationAnalysis = nfse.CancellationAnalysis(f.cancellationAnalysis)
			return nil
		}},
		{"granted-numbers", func() (err error) {
			profile.GrantedNumbers, err = company.ParseGrantedNumbers(f.grantedNumbers)
			return err
		}},
		{"move", func() (err error) { profile.Moves, err = company.ParseMoves(f.moves); return err }},
	} {
		if !given(part.flag) {
			continue
		}
		if err := part.set(); err != nil {
			return cli.Usage("--%s %w", part.flag, err)
		}
	}
	return nil
}

// profileFlag is how each field of a fiscal profile is given.
var profileFlag = map[string]string{
	"authority":               "--authority",
	"tax_id":                  "--document",
	"municipality_code":       "--municipality",
	"municipal_registration":  "--municipal-registration",
	"simples":                 "--simples",
	"simples_regime":          "--simples-regime",
	"special_regime":          "--special-regime",
	"series":                  "--series",
	"taxation_inside":         "--taxation-inside",
	"taxation_outside":        "--taxation-outside",
	"next_number":             "--next-number:",
	"approximate_taxes":       "the percentages of taxes (--tax-...)",
	"inactive_municipalities": "--inactive-municipality",
	"competence_days_back":    "--competence-days-back",
	"own_contributions":       "--own-contributions",
	"simples_rates":           "--simples-rate",
	"cancellation_analysis":   "--cancellation-analysis",
	"moves":                   "--move",
	"granted_numbers":         "--granted-numbers",
}

// atFlag names the flag that gave the field which an error is about.
func atFlag(err error) error {
	var invalid *nfse.Error
	if !errors.As(err, &invalid) || profileFlag[invalid.Field] == "" {
		return err
	}
	return fmt.Errorf("%s %s", profileFlag[invalid.Field], invalid.Message)
}

// percentFlag is a flag of a percentage with at most two decimals.
type percentFlag nfse.Percent

// Set reads a percentage.
func (p *percentFlag) Set(text string) error {
	value, err := nfse.ParsePercent(text)
	if err == nil {
		*p = percentFlag(value)
	}
	return err
}

// String prints the percentage.
func (p *percentFlag) String() string { return nfse.Percent(*p).String() }

// Type names the flag's kind in the help.
func (p *percentFlag) Type() string { return "percent" }
