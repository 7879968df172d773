package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emissor/fiscal/authorities"
	"emissor/fiscal/national/classification"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// classifier makes the classifier, as of today, of the authority by which an organization issues
// or would; with an empty organizationID of the default authority.
func (s *commandRun) classifier(ctx context.Context, organizationID string) (company.Classifier, error) {
	authority, err := authorities.Default, error(nil)
	if organizationID != "" {
		authority, err = company.AuthorityOf(ctx, s.store, organizationID)
	}
	if err != nil {
		return company.Classifier{}, err
	}
	editions, err := s.editions(ctx)
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
	organization := organizationFlag(command)
	environment := liveUnlessSaid(command)
	parts := map[string]*string{}
	for _, part := range classification.Parts {
		parts[part.Name] = command.Flags().String(part.Name, "", part.Usage)
	}
	file := command.Flags().String("csv", "", "file of services and how they are classified")
	completeFileFlag(command, "csv")
	completeFlag(command, "indfinal", "true", "false")
	completeFlag(command, "tp-ente-gov", "1", "2", "3", "4")
	completeFlag(command, "tp-oper", "1", "4", "5")
	remove := command.Flags().Bool("remove", false, "take the service's classification away")
	partsGiven := func() bool {
		for _, part := range classification.Parts {
			if command.Flags().Changed(part.Name) {
				return true
			}
		}
		return false
	}
	return checkedCommand(command, func(args []string) error {
		switch {
		case (len(args) == 1) == (*file != ""):
			return errors.New("say which service, or --csv")
		case partsGiven() && (*file != "" || *remove):
			return errors.New("the parts of a classification are for one service that is classified: " +
				"neither --csv nor --remove goes with them")
		case *file != "" && *remove:
			return usage("--remove is for one service")
		}
		return nil
	}, func(ctx context.Context, s *commandRun) error {
		scope, err := scopeOf(ctx, s, *organization, *environment)
		if err != nil {
			return err
		}
		switch {
		case *file != "":
			return classifyFromFile(ctx, s, scope, *file)
		case *remove:
			if err := s.changes.Catalogues.RemoveClassification(ctx, scope, s.args[0]); err != nil {
				return err
			}
			return s.say(map[string]any{"id": s.args[0], "classification": nil},
				"%s is no longer classified\n", s.args[0])
		}
		return classifyOne(ctx, s, scope, s.args[0], func(name string) string { return *parts[name] })
	})
}

// classifiedService is what is printed of a service that was classified.
type classifiedService struct {
	printedService
	Warnings []string `json:"warnings"`
}

func classifyOne(
	ctx context.Context, s *commandRun, scope nfse.Scope, serviceID string, part func(name string) string,
) error {
	service, err := classifiedServiceOf(ctx, s, scope, serviceID)
	if err != nil {
		return err
	}
	classifier, err := s.classifier(ctx, scope.OrganizationID)
	if err != nil {
		return err
	}
	c, defect := classifier.Read(part, orNothing(service.NationalTaxCode))
	if defect != nil {
		return usage("--%w", defect) // the flag of the part that is wrong
	}
	_, err = s.changes.Catalogues.ClassifyServices(ctx, scope, []catalogues.ServiceClassification{
		{ServiceID: serviceID, Classification: c}})
	if err != nil {
		return err
	}
	service.Classification = &c
	printed := classifiedService{
		printedService: newPrintedService(service, classifier),
		Warnings:       append([]string{}, classifier.Warnings(c)...),
	}
	if err := s.print(printed, serviceTable.header, [][]any{serviceTable.row(printed.printedService)}); err != nil {
		return err
	}
	return s.printWarnings(printed.Warnings)
}

func (s *commandRun) printWarnings(warnings []string) error {
	for _, warning := range warnings {
		if !strings.HasSuffix(warning, ".") {
			warning += "."
		}
		if err := s.printf("\nWARNING: %s\n", warning); err != nil {
			return err
		}
	}
	return nil
}
