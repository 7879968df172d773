package company

import (
	"context"
	"fmt"
	"io"
	"os"

	"emissor/cmd/emissor/cli"
	"emissor/issuing/company/servicecsv"
	"emissor/nfse"
)

// classifyFromFile classifies the services of a CSV file, all or none.
func classifyFromFile(ctx context.Context, s *cli.CommandRun, scope nfse.Scope, path string) error {
	content, err := cli.Interruptible(ctx, func() ([]byte, error) { return readServiceFile(path) })
	if err != nil {
		return err
	}
	classifier, err := classifier(ctx, s, scope.OrganizationID)
	if err != nil {
		return err
	}
	outcome, err := servicecsv.Classify(ctx, s.Store, s.Changes, scope, classifier, path, content)
	if err != nil {
		return err
	}
	if s.Json {
		return s.Print(outcome, "", nil)
	}
	err = s.Printf("%d services are classified; %d were so already\n", outcome.Changed, outcome.Unchanged)
	if err != nil {
		return err
	}
	return printWarnings(s, outcome.Warnings)
}

// readServiceFile reads a file; "-" is the standard input.
func readServiceFile(path string) ([]byte, error) {
	file := os.Stdin
	if path != "-" {
		opened, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		file = opened
	}
	content, err := io.ReadAll(io.LimitReader(file, servicecsv.MaxSize+1))
	if err == nil && len(content) > servicecsv.MaxSize {
		err = fmt.Errorf("%s is larger than %d MiB", path, servicecsv.MaxSize>>20)
	}
	return content, err
}
