package company

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
)

// withholdGrammar is how --withhold is given.
const withholdGrammar = `
A set is a list as irrf=1.5,csrf,inss=11,inss-base=60: irrf, pis, cofins, csll and inss with their rates in percent, or
without one at the law's rate of today; csrf is pis, cofins and csll; inss-base is the part of the price that the INSS
is withheld of. Which service falls under the law is the company's to say.`

func serviceTaxCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "tax SERVICE --organization ORG [--withhold SET | --withhold none] [--iss ...] [--work WORK] ...",
		Short: "Show or set how a service is taxed: withholdings, ISS, deduction, abroad, and its work or event",
		Long: `Show how a service is taxed, or set it: what company customers withhold of its price (--withhold), how
its ISS is due (--iss), what is deducted from the base of the ISS, what it has to do with another country (--abroad),
and the work or event that it is for. A flag that is not given leaves what is set; an empty one takes it away. A note
keeps what was set when it was accepted.
` + withholdGrammar,
		Example: `emissor service tax srv_01m0st8jg0e9rs904tvbhr82kp --organization org_01m10n7b5xf0stgd3ek65gw866 \
  --withhold irrf=1.5,csrf
emissor service tax srv_01m0st8jg0e9rs904tvbhr82kp --organization org_01m10n7b5xf0stgd3ek65gw866 \
  --iss immune --iss-immunity 3`,
		Args: cobra.ExactArgs(1),
	}
	organization, environment := cli.OrganizationFlag(command), liveUnlessSaid(command)
	withhold := command.Flags().String("withhold", "", "what is withheld: a set, or none")
	cli.CompleteFlag(command, "withhold", company.WithholdingWords(nfse.Withholding{}))
	given := flagsOf(command, catalogue.ServiceFields, serviceFieldsExplained)
	for field, values := range ServiceFieldValues {
		cli.CompleteFlag(command, FlagOf(field), values...)
	}
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		service, err := serviceOf(ctx, s, scope, s.Args[0])
		if err != nil {
			return err
		}
		taxation, err := s.Store.Catalogues.ServiceTaxation(ctx, scope, service.ID)
		if err != nil {
			return err
		}
		version := nfse.VersionOf(taxation)
		if command.Flags().Changed("withhold") {
			set, err := company.ParseWithholding(*withhold, nfse.DayOf(time.Now()))
			if err != nil {
				return atWithhold(err)
			}
			if taxation.Withholding = nil; set != (nfse.Withholding{}) {
				taxation.Withholding = &set
			}
		}
		if fields := given(); len(fields) > 0 {
			texts := catalogue.TextsOfService(taxation)
			maps.Copy(texts, fields)
			if err := atFlags(catalogue.ReadServiceTaxation(&taxation, texts)); err != nil {
				return err
			}
		}
		if version != nfse.VersionOf(taxation) {
			if err := s.Changes.Catalogues.TaxService(ctx, scope, service.ID, taxation, version); err != nil {
				return atSite(err)
			}
		}
		profile, err := profileOrNone(ctx, s, scope.OrganizationID)
		if err != nil {
			return err
		}
		return printTaxed(s, printedTaxation{
			ID: service.ID, Name: service.Name, Taxation: taxation, Withheld: withheldWords(taxation.Withholding),
			Also:     wordsOf(catalogue.ServiceFields, catalogue.TextsOfService(taxation)),
			Warnings: warningsOf(company.ServiceTaxWarnings(profile, taxation, nfse.DayOf(time.Now()))),
		})
	})
}

func customerTaxCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "tax CUSTOMER --organization ORG [--withhold by-service | --withhold never | --withhold SET] " +
			"[--simples] [--work WORK]",
		Short: "Show or set what a customer withholds, where it is not what the service says",
		Long: `Show what a customer withholds of prices, or set it: what each service says (by-service),
nothing as it is exempt of the duty (never), or a set of its own, as public bodies have. A customer in Simples Nacional
(--simples, or --simples=false) withholds no PIS, COFINS and CSLL; who has a CPF withholds nothing. A note keeps what
was set when it was accepted.
` + withholdGrammar,
		Example: `emissor customer tax cus_01m0sthqf0fsytr0x9a1xe4sfc --organization org_01m10n7b5xf0stgd3ek65gw866 \
  --withhold never`,
		Args: cobra.ExactArgs(1),
	}
	organization, environment := cli.OrganizationFlag(command), liveUnlessSaid(command)
	withhold := command.Flags().String("withhold", "", "what it withholds: by-service, never or a set")
	cli.CompleteFlag(command, "withhold", withholdByService, withholdNever)
	simples := command.Flags().Bool("simples", false, "it is in Simples Nacional")
	work := command.Flags().String("work", "", "the work of the register that its notes are usually for; empty: none")
	return cli.DatabaseCommand(command, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		customer, err := s.Store.Catalogues.Customer(ctx, scope, s.Args[0])
		if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return fmt.Errorf("the organization has no %s customer %s", nfse.Environment(scope.Livemode), s.Args[0])
		}
		if err != nil {
			return err
		}
		taxation, err := s.Store.Catalogues.CustomerTaxation(ctx, scope, customer.ID)
		if err != nil {
			return err
		}
		version, changed := nfse.VersionOf(taxation), command.Flags().Changed
		if changed("withhold") {
			if err := withholdBy(&taxation, *withhold); err != nil {
				return err
			}
		}
		if changed("simples") {
			taxation.Simples = *simples
		}
		if changed("work") {
			taxation.WorkID = *work
		}
		if version != nfse.VersionOf(taxation) {
			if err := s.Changes.Catalogues.TaxCustomer(ctx, scope, customer.ID, taxation, version); err != nil {
				return atSite(err)
			}
		}
		profile, err := profileOrNone(ctx, s, scope.OrganizationID)
		if err != nil {
			return err
		}
		return printTaxed(s, printedTaxation{
			ID: customer.ID, Name: customer.Name, Taxation: taxation, Withheld: withheldByWords(taxation),
			Also: wordsOf([]string{"work"}, map[string]string{"work": taxation.WorkID}),
			Warnings: warningsOf(company.CustomerTaxWarnings(profile, customer.TaxID, taxation,
				nfse.DayOf(time.Now()))),
		})
	})
}

// serviceFieldsExplained are the flags of what is set of a service beside its withholdings.
var serviceFieldsExplained = map[string]string{
	"municipal_code":             "its code in the table of the city that issues by a server of its own (cTribMun)",
	"iss":                        "how its ISS is due: taxed, immune, not_taxed, suspended or benefit",
	"iss_immunity":               "of immune: its kind, 1 to 5 (tpImunidade)",
	"iss_suspension":             "of suspended: 1 by a court, 2 by the administration (tpSusp)",
	"iss_process":                "of suspended: its process, 30 digits, or 20 as courts have them",
	"iss_benefit":                "of benefit: its number, 14 digits (nBM)",
	"iss_benefit_percent":        "of benefit: by how much the base is reduced, in percent",
	"iss_benefit_amount":         "of benefit: by how much the base is reduced, in cents",
	"deduction_percent":          "what is deducted from the base of the ISS, in percent of the price (pDR)",
	"abroad":                     "what it has to do with another country: none, taxed (here all the same) or export",
	"abroad_country":             "where it is rendered, 2 letters; empty: in Brazil",
	"abroad_result_country":      "where an export that is rendered in Brazil has its result, 2 letters",
	"abroad_mode":                "1 across the border, 2 consumed in Brazil (mdPrestacao)",
	"abroad_relationship":        "of the parties: 0 to 6, or 9 (vincPrest)",
	"abroad_currency":            "3 digits of the central bank's table, as 220; empty: the real",
	"abroad_amount":              "the price in that currency, in cents; empty: that of the note, in reais",
	"abroad_provider_mechanism":  "mechanism of support of the provider, 01 to 08 (mecAFComexP)",
	"abroad_taker_mechanism":     "mechanism of support of the customer, 01 to 26 (mecAFComexT)",
	"abroad_goods":               "goods that move for a time: 1 none, 2 imported, 3 exported (movTempBens)",
	"abroad_import_declaration":  "of imported goods: the number of the declaration (nDI)",
	"abroad_export_record":       "of exported goods: the number of the record (nRE)",
	"abroad_to_ministry":         "yes: shared with the ministry of trade (mdic)",
	"abroad_no_foreign_currency": "yes: what is paid for an export brings in no foreign currency: PIS and COFINS are due",
	"work":                       "the work of the register that it is for, where the customer has none",
	"event":                      "the event of the register that it is for",
}

// ServiceFieldValues are the values of those that are chosen from few.
var ServiceFieldValues = map[string][]string{
	"iss": {catalogue.Taxed, string(nfse.ISSImmune), string(nfse.ISSNotTaxed), string(nfse.ISSSuspended),
		string(nfse.ISSBenefit)},
	"iss_immunity":               {"1", "2", "3", "4", "5"},
	"iss_suspension":             {"1", "2"},
	"abroad":                     {catalogue.Nothing, catalogue.Taxed, catalogue.Exported},
	"abroad_mode":                {"1", "2"},
	"abroad_relationship":        {"0", "1", "2", "3", "4", "5", "6", "9"},
	"abroad_provider_mechanism":  mechanisms(8),
	"abroad_taker_mechanism":     mechanisms(26),
	"abroad_goods":               {"1", "2", "3"},
	"abroad_to_ministry":         {"yes"},
	"abroad_no_foreign_currency": {"yes"},
}

// mechanisms are the codes of mechanisms of support up to the last one.
func mechanisms(last int) (codes []string) {
	for code := range last {
		codes = append(codes, fmt.Sprintf("%02d", code+1))
	}
	return codes
}

// wordsOf prints texts of fields as flags set them.
func wordsOf(fields []string, texts map[string]string) string {
	var words []string
	for _, field := range fields {
		if texts[field] != "" {
			words = append(words, FlagOf(field)+"="+texts[field])
		}
	}
	return strings.Join(words, ",")
}

// atSite names the flag of a work or event that notes may not refer to.
func atSite(err error) error {
	var invalid *nfse.Error
	if !errors.As(err, &invalid) || invalid.Field == "" {
		return err
	}
	return cli.Usage("--%s %s", strings.TrimSuffix(invalid.Field, "_id"), invalid.Message)
}

// The words of --withhold for a customer that has no set of its own.
const (
	withholdByService = "by-service"
	withholdNever     = "never"
)

// withholdBy puts what --withhold gives into what is set of a customer.
func withholdBy(taxation *nfse.CustomerTaxation, words string) error {
	taxation.Withholds, taxation.Withholding = nfse.WithholdsByService, nil
	switch words {
	case withholdByService:
		return nil
	case withholdNever:
		taxation.Withholds = nfse.WithholdsNothing
		return nil
	}
	set, err := company.ParseWithholding(words, nfse.DayOf(time.Now()))
	taxation.Withholds, taxation.Withholding = nfse.WithholdsItsOwn, &set
	return atWithhold(err)
}

func atWithhold(err error) error {
	var invalid *nfse.Error
	if !errors.As(err, &invalid) {
		return err
	}
	return cli.Usage("--withhold %s", invalid.Message)
}

// profileOrNone reads an organization's fiscal profile; the zero value where there is none.
func profileOrNone(ctx context.Context, s *cli.CommandRun, organizationID string) (nfse.FiscalProfile, error) {
	profile, err := s.Store.Companies.FiscalProfile(ctx, organizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return nfse.FiscalProfile{}, nil
	}
	return profile, err
}

// printedTaxation is how a service or customer is taxed as commands show it.
type printedTaxation struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Taxation any      `json:"taxation"` // nfse.ServiceTaxation or nfse.CustomerTaxation
	Withheld string   `json:"withheld"` // as --withhold takes it
	Also     string   `json:"also"`     // the other flags that set what is set; empty: nothing is
	Warnings []string `json:"warnings"`
}

func printTaxed(s *cli.CommandRun, printed printedTaxation) error {
	simples := "-"
	if customer, is := printed.Taxation.(nfse.CustomerTaxation); is {
		simples = fmt.Sprint(customer.Simples)
	}
	err := s.Print(printed, "ID\tNAME\tWITHHELD\tIN SIMPLES\tALSO",
		[][]any{{printed.ID, cli.Shorten(printed.Name), printed.Withheld, simples, cmp.Or(printed.Also, "-")}})
	if err != nil {
		return err
	}
	return printWarnings(s, printed.Warnings)
}

func withheldWords(set *nfse.Withholding) string {
	if set == nil {
		return company.WithholdingWords(nfse.Withholding{})
	}
	return company.WithholdingWords(*set)
}

func withheldByWords(taxation nfse.CustomerTaxation) string {
	switch taxation.Withholds {
	case nfse.WithholdsByService:
		return withholdByService
	case nfse.WithholdsNothing:
		return withholdNever
	}
	return withheldWords(taxation.Withholding)
}

// warningsOf are facts as the command prints them.
func warningsOf(facts []fact.Fact) []string { return cli.Mapped(facts, fact.Fact.English) }
