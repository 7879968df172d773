package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"emissor/company"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/store"
)

func serviceCommand() *cobra.Command {
	return commandGroup("service", "List services, and classify them for IBS and CBS",
		serviceListCommand(), serviceClassifyCommand(), serviceSuggestCommand())
}

// liveUnlessSaid adds --environment, which is live unless it is given.
func liveUnlessSaid(command *cobra.Command) *string {
	return command.Flags().String("environment", nfse.Environment(true), "test or live")
}

// scopeOf reads --organization and --environment. The organization must exist.
func scopeOf(ctx context.Context, s *session, organizationID, environment string) (nfse.Scope, error) {
	livemode, err := parseEnvironment(environment)
	if err == nil {
		_, err = s.store.Organization(ctx, organizationID)
	}
	return nfse.Scope{OrganizationID: organizationID, Livemode: livemode}, err
}

// serviceOf reads a service of the scope.
func serviceOf(ctx context.Context, s *session, scope nfse.Scope, id string) (nfse.Service, error) {
	service, err := s.store.Service(ctx, scope, id)
	if nfse.IsCode(err, nfse.CodeServiceNotFound) {
		err = fmt.Errorf("the organization has no %s service %s", nfse.Environment(scope.Livemode), id)
	}
	return service, err
}

// printedService is a service as commands show it.
type printedService struct {
	store.ClassifiedService
	Fault *string `json:"fault"` // why the authority would refuse its classification today
}

var serviceTable = table[printedService]{
	"SERVICE\tNAME\tNATIONAL CODE\tACTIVE\tNBS\tCINDOP\tCST\tCCLASSTRIB\tFAULT",
	func(s printedService) []any {
		c := s.Classification
		if c == nil {
			c = &nfse.Classification{NBS: "-", CIndOp: "-", CST: "-", CClassTrib: "-"}
		}
		return []any{s.ID, shorten(s.Name), orDash(s.NationalTaxCode), s.Active, c.NBS, c.CIndOp, c.CST, c.CClassTrib,
			orDash(s.Fault)}
	},
}

func newPrintedService(service store.ClassifiedService, classifier company.Classifier) printedService {
	printed := printedService{ClassifiedService: service}
	if service.Classification != nil {
		if fault := classifier.Fault(*service.Classification, orNothing(service.NationalTaxCode)); fault != nil {
			printed.Fault = new(fault.Error())
		}
	}
	return printed
}

// orNothing returns a text that may be unset; empty when it is.
func orNothing(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func serviceListCommand() *cobra.Command {
	command := newCommand("list --organization ORG",
		"List an organization's services, newest first, with how they are classified and what is wrong with that today",
		cobra.NoArgs)
	organization := organizationFlag(command)
	environment := liveUnlessSaid(command)
	unclassified := command.Flags().Bool("unclassified", false, "only those that are not classified")
	page := store.Page{}
	command.Flags().IntVar(&page.Limit, "limit", 100, "the most rows")
	command.Flags().StringVar(&page.After, "starting-after", "", "only what is older than this service (srv_...)")
	return checkedCommand(command, func([]string) error {
		if page.Limit < 1 {
			return errors.New("--limit must be 1 or more")
		}
		if page.After != "" && !nfse.IsID(nfse.PrefixService, page.After) {
			return errors.New("--starting-after must be the id of a service (srv_...)")
		}
		return nil
	}, func(ctx context.Context, s *session) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		services, more, err := s.store.ClassifiedServices(ctx, scope, *unclassified, page)
		if err != nil {
			return err
		}
		classifier, err := s.classifier(ctx, scope.OrganizationID)
		if err != nil {
			return err
		}
		printed := mapped(services, func(service store.ClassifiedService) printedService {
			return newPrintedService(service, classifier)
		})
		if err := serviceTable.print(s, printed); err != nil {
			return err
		}
		if more {
			fmt.Fprintf(command.ErrOrStderr(), "the list ends at --limit %d: go on with --starting-after %s\n",
				page.Limit, services[len(services)-1].ID)
		}
		return nil
	})
}

var nationalTaxCode = regexp.MustCompile(`^[0-9]{6}$`)

var suggestionTable = table[classification.Suggestion]{
	"NBS\tNBS NAME\tCINDOP\tPLACE\tCCLASSTRIB\tNAME\tWHEN\tUNUSABLE",
	func(s classification.Suggestion) []any {
		dash := func(text string) string { return orDash(orNone(text)) }
		return []any{dash(s.NBS), dash(shorten(s.NBSName)), dash(s.CIndOp), dash(s.Place), dash(s.CClassTrib),
			dash(shorten(s.ClassTribName)), s.Condition(), dash(s.Unusable)}
	},
}

func serviceSuggestCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "suggest SERVICE --organization ORG | suggest --code CODE",
		Short: "Show what the correlation table (Annex VIII) names for a service; it changes nothing",
		Long: `Show what the correlation table (Annex VIII) names for a service, or for a national tax code.

It changes nothing. Each line is a whole: its cIndOp and cClassTrib belong together. Which line it is depends on what
the service is, on who acquires it and on the terms: that is a decision about tax, and the table has no legal force.`,
		Args: cobra.MaximumNArgs(1),
	}
	code := command.Flags().String("code", "", "national tax code, 6 digits, in the place of a service")
	organization := command.Flags().String("organization", "", "id of the service's organization (org_...)")
	environment := liveUnlessSaid(command)
	return checkedCommand(command, func(args []string) error {
		if (len(args) == 1) == (*code != "") {
			return errors.New("say which service, or --code")
		}
		if len(args) == 1 && *organization == "" {
			return errors.New("--organization must be given with a service")
		}
		if *code = strings.ReplaceAll(*code, ".", ""); *code != "" && !nationalTaxCode.MatchString(*code) {
			return errors.New("--code must be a national tax code of 6 digits, as 010701 or 01.07.01")
		}
		return nil
	}, func(ctx context.Context, s *session) error {
		if len(s.args) == 1 {
			scope, err := scopeOf(ctx, s, *organization, *environment)
			if err != nil {
				return err
			}
			service, err := serviceOf(ctx, s, scope, s.args[0])
			if err != nil {
				return err
			}
			if service.NationalTaxCode == nil {
				return fmt.Errorf("the service %s has no national tax code to find suggestions by", service.ID)
			}
			*code = *service.NationalTaxCode
		}
		return printSuggestions(ctx, s, *organization, *code)
	})
}

func printSuggestions(ctx context.Context, s *session, organizationID, code string) error {
	classifier, err := s.classifier(ctx, organizationID)
	if err != nil {
		return err
	}
	suggestions := classifier.Suggest(code)
	switch {
	case s.json || len(suggestions) > 0:
		if err := suggestionTable.print(s, suggestions); err != nil {
			return err
		}
		return s.printf("\nNone is applied: choose with `emissor service classify`.\n")
	case !classifier.HasCorrelation():
		return s.printf("There are no suggestions: no correlation table (Annex VIII) is in force today. " +
			"Import it with `emissor classification import`.\n")
	}
	return s.printf("The correlation table names nothing for %s.\n", code)
}
