package company

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/operate"
	"emissor/fiscal/authorities"
	"emissor/fiscal/national/classification"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// classifier makes the classifier, as of today, of the authority by which an organization issues
// or would; with an empty organizationID of the default authority.
func classifier(ctx context.Context, s *cli.CommandRun, organizationID string) (company.Classifier, error) {
	authority, err := authorities.Default, error(nil)
	if organizationID != "" {
		authority, err = company.AuthorityOf(ctx, s.Store, organizationID)
	}
	if err != nil {
		return company.Classifier{}, err
	}
	editions, err := operate.Editions(ctx, s)
	return company.NewClassifier(authority, editions.On(classification.Day(time.Now()))), err
}

func serviceClassifyCommand() *cobra.Command {
	command := &cobra.Command{
		Use: "classify SERVICE --organization ORG --nbs CODE --cindop CODE --cclasstrib CODE | " +
			"classify --organization ORG --csv FILE",
		Short: "Classify services for IBS and CBS; live notes that wait for it continue at once",
		Long: `Classify a service for IBS and CBS, in the place of how it was classified before, or those of a CSV file,
all or none; live notes that wait for it continue at once.

What is given is checked by the tables of the organization's authority that are in force today, and refused with the
authority's code of the rule that it breaks. The file has a first line of column names: service, and the names of the
flags (nbs, cindop, ...); "-" is the standard input.`,
		Example: `emissor service classify srv_01m0st8jg0e9rs904tvbhr82kp \
  --organization org_01m10n7b5xf0stgd3ek65gw866 --nbs 115022000 --cindop 100301 --cclasstrib 000001
emissor service classify --organization org_01m10n7b5xf0stgd3ek65gw866 --csv services.csv`,
		Args: cobra.MaximumNArgs(1),
	}
	organization := cli.OrganizationFlag(command)
	environment := liveUnlessSaid(command)
	parts := map[string]*string{}
	for _, part := range classification.Parts {
		parts[part.Name] = command.Flags().String(part.Name, "", part.Usage)
	}
	file := command.Flags().String("csv", "", "file of services and how they are classified")
	cli.CompleteFileFlag(command, "csv")
	cli.CompleteFlag(command, "indfinal", "true", "false")
	cli.CompleteFlag(command, "tp-ente-gov", "1", "2", "3", "4")
	cli.CompleteFlag(command, "tp-oper", "1", "4", "5")
	remove := command.Flags().Bool("remove", false, "take the service's classification away")
	partsGiven := func() bool {
		for _, part := range classification.Parts {
			if command.Flags().Changed(part.Name) {
				return true
			}
		}
		return false
	}
	return cli.CheckedCommand(command, func(args []string) error {
		switch {
		case (len(args) == 1) == (*file != ""):
			return errors.New("say which service, or --csv")
		case partsGiven() && (*file != "" || *remove):
			return errors.New("the parts of a classification are for one service that is classified: " +
				"neither --csv nor --remove goes with them")
		case *file != "" && *remove:
			return cli.Usage("--remove is for one service")
		}
		return nil
	}, func(ctx context.Context, s *cli.CommandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		switch {
		case *file != "":
			return classifyFromFile(ctx, s, scope, *file)
		case *remove:
			if err := s.Changes.Catalogues.RemoveClassification(ctx, scope, s.Args[0]); err != nil {
				return err
			}
			return s.Say(map[string]any{"id": s.Args[0], "classification": nil},
				"%s is no longer classified\n", s.Args[0])
		}
		return classifyOne(ctx, s, scope, s.Args[0], func(name string) string { return *parts[name] })
	})
}

// ClassifiedService is what is printed of a service that was classified.
type ClassifiedService struct {
	PrintedService
	Warnings []string `json:"warnings"`
}

func classifyOne(
	ctx context.Context, s *cli.CommandRun, scope nfse.Scope, serviceID string, part func(name string) string,
) error {
	service, err := classifiedServiceOf(ctx, s, scope, serviceID)
	if err != nil {
		return err
	}
	classifier, err := classifier(ctx, s, scope.OrganizationID)
	if err != nil {
		return err
	}
	c, defect := classifier.Read(part, nfse.OrEmpty(service.NationalTaxCode))
	if defect != nil {
		return cli.Usage("--%w", defect) // the flag of the part that is wrong
	}
	_, err = s.Changes.Catalogues.ClassifyServices(ctx, scope, []catalogues.ServiceClassification{
		{ServiceID: serviceID, Classification: c}})
	if err != nil {
		return err
	}
	service.Classification = &c
	printed := ClassifiedService{
		PrintedService: newPrintedService(service, classifier),
		Warnings:       append([]string{}, classifier.Warnings(c)...),
	}
	if err := s.Print(printed, serviceTable.Header, [][]any{serviceTable.Row(printed.PrintedService)}); err != nil {
		return err
	}
	return printWarnings(s, printed.Warnings)
}

func printWarnings(s *cli.CommandRun, warnings []string) error {
	for _, warning := range warnings {
		if !strings.HasSuffix(warning, ".") {
			warning += "."
		}
		if err := s.Printf("\nWARNING: %s\n", warning); err != nil {
			return err
		}
	}
	return nil
}
