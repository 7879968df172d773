package company

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
)

func ServiceCommand() *cobra.Command {
	return cli.CommandGroup("service", "List services, classify them for IBS and CBS, and say what is withheld of them",
		serviceListCommand(), serviceClassifyCommand(), serviceSuggestCommand(), serviceTaxCommand())
}

// liveUnlessSaid adds --environment, which is live unless it is given.
func liveUnlessSaid(command *cobra.Command) *string {
	environment := command.Flags().String("environment", nfse.Environment(true), "test or live")
	cli.CompleteFlag(command, "environment", cli.Environments...)
	return environment
}

// scopeOf reads --organization and --environment. The organization must exist.
func scopeOf(ctx context.Context, s *cli.CommandRun, organizationID, environment string) (nfse.Scope, error) {
	livemode, err := cli.ParseEnvironment(environment)
	if err == nil {
		_, err = s.Store.Access.Organization(ctx, organizationID)
	}
	return nfse.Scope{OrganizationID: organizationID, Livemode: livemode}, err
}

// serviceOf reads a service of the scope.
func serviceOf(ctx context.Context, s *cli.CommandRun, scope nfse.Scope, id string) (nfse.Service, error) {
	service, err := classifiedServiceOf(ctx, s, scope, id)
	return service.Service, err
}

// classifiedServiceOf reads a service of the scope as it is classified.
func classifiedServiceOf(ctx context.Context, s *cli.CommandRun, scope nfse.Scope,
	id string) (catalogues.ClassifiedService,
	error) {
	service, err := s.Store.Catalogues.ClassifiedService(ctx, scope, id)
	if nfse.IsCode(err, nfse.CodeServiceNotFound) {
		err = fmt.Errorf("the organization has no %s service %s", nfse.Environment(scope.Livemode), id)
	}
	return service, err
}

// PrintedService is a service as commands show it.
type PrintedService struct {
	catalogues.ClassifiedService
	Defect *string `json:"defect"` // why the authority would refuse its classification, or its code, today
}

var serviceTable = cli.Table[PrintedService]{
	Header: "SERVICE\tNAME\tNATIONAL CODE\tMUNICIPAL CODE\tACTIVE\tNBS\tCINDOP\tCST\tCCLASSTRIB\tDEFECT",
	Row: func(s PrintedService) []any {
		c := s.Classification
		if c == nil {
			c = &nfse.Classification{NBS: "-", CIndOp: "-", CST: "-", CClassTrib: "-"}
		}
		return []any{s.ID, cli.Shorten(s.Name), cli.OrDash(s.NationalTaxCode), cmp.Or(s.MunicipalCode, "-"), s.Active,
			c.NBS,
			c.CIndOp, c.CST, c.CClassTrib, cli.OrDash(s.Defect)}
	},
}

func newPrintedService(service catalogues.ClassifiedService, classifier company.Classifier) PrintedService {
	printed := PrintedService{ClassifiedService: service}
	if service.Classification != nil {
		if defect := classifier.Defect(*service.Classification, nfse.OrEmpty(service.NationalTaxCode)); defect != nil {
			printed.Defect = new(defect.Error())
		}
	}
	if defect := classifier.MunicipalCodeDefect(service); printed.Defect == nil && !defect.None() {
		printed.Defect = new(defect.English())
	}
	return printed
}
