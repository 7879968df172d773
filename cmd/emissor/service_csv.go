package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"emissor/company"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/store"
)

// The most that a CSV file of classifications may have.
const (
	maxClassificationFile = 16 << 20 // bytes
	maxClassificationRows = 100_000
)

// maxFaults is how many faults of a file are told at once.
const maxFaults = 20

// classifyFromFile classifies the services of a CSV file, all or none.
func classifyFromFile(ctx context.Context, s *session, scope nfse.Scope, path string) error {
	content, err := interruptible(ctx, func() ([]byte, error) { return readClassificationFile(path) })
	if err != nil {
		return err
	}
	lines, err := parseClassificationFile(content)
	if err != nil {
		return fmt.Errorf("nothing was changed: %s: %w", path, err)
	}
	codes, err := s.store.NationalTaxCodes(ctx, scope, mapped(lines, func(l classificationLine) string {
		return l.serviceID
	}))
	if err != nil {
		return err
	}
	classifier, err := s.classifier(ctx, scope.OrganizationID)
	if err != nil {
		return err
	}
	classifications, warnings, err := checkLines(lines, codes, classifier)
	if err != nil {
		return fmt.Errorf("nothing was changed: %s: %w", path, err)
	}
	changed, err := s.changes.ClassifyServices(ctx, scope, classifications)
	if err != nil {
		return err
	}
	if s.json {
		return s.print(struct {
			Changed   int      `json:"changed"`
			Unchanged int      `json:"unchanged"`
			Warnings  []string `json:"warnings"`
		}{changed, len(lines) - changed, warnings}, "", nil)
	}
	if err := s.printf("%d services are classified; %d were so already\n", changed, len(lines)-changed); err != nil {
		return err
	}
	for _, warning := range warnings {
		if err := s.printf("\nWARNING: %s.\n", warning); err != nil {
			return err
		}
	}
	return nil
}

// readClassificationFile reads a file; "-" is the standard input.
func readClassificationFile(path string) ([]byte, error) {
	file := os.Stdin
	if path != "-" {
		opened, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		file = opened
	}
	content, err := io.ReadAll(io.LimitReader(file, maxClassificationFile+1))
	if err == nil && len(content) > maxClassificationFile {
		err = fmt.Errorf("%s is larger than %d MiB", path, maxClassificationFile>>20)
	}
	return content, err
}

// classificationLine is a row of the file.
type classificationLine struct {
	number    int
	serviceID string
	columns   map[string]int // of the file
	cells     []string
}

// part is a cell by the name of its column; empty where the file has none.
func (l classificationLine) part(name string) string {
	if i, ok := l.columns[name]; ok {
		return strings.TrimSpace(l.cells[i])
	}
	return ""
}

// parseClassificationFile reads rows under a row of names, whose cells commas,
// semicolons or tabs separate.
func parseClassificationFile(content []byte) (lines []classificationLine, err error) {
	text := strings.TrimPrefix(string(content), "\ufeff")
	header, _, _ := strings.Cut(text, "\n")
	reader := csv.NewReader(strings.NewReader(text))
	for _, separator := range ";\t" {
		if strings.ContainsRune(header, separator) {
			reader.Comma = separator
		}
	}
	names, err := reader.Read()
	if err != nil {
		return nil, errors.New("the file has no line of column names")
	}
	columns, err := columnsOf(names)
	if err != nil {
		return nil, err
	}
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		number, _ := reader.FieldPos(0)
		line := classificationLine{number: number, columns: columns, cells: row}
		line.serviceID = line.part("service")
		if lines = append(lines, line); len(lines) > maxClassificationRows {
			return nil, fmt.Errorf("the file has more than %d services", maxClassificationRows)
		}
	}
	if len(lines) == 0 {
		return nil, errors.New("the file has no service")
	}
	return lines, nil
}

// columnsOf says where each column is. It refuses columns that mean nothing.
func columnsOf(names []string) (map[string]int, error) {
	known := []string{"service"}
	for _, part := range classification.Parts {
		known = append(known, part.Name)
	}
	columns := make(map[string]int, len(names))
	for i, given := range names {
		name := strings.ToLower(strings.TrimSpace(given))
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no column %q; they are %s", given, strings.Join(known, ", "))
		}
		if _, twice := columns[name]; twice {
			return nil, fmt.Errorf("the column %s is there twice", name)
		}
		columns[name] = i
	}
	if _, ok := columns["service"]; !ok {
		return nil, errors.New("there is no column service")
	}
	return columns, nil
}

// checkLines checks every line. Its error names each that is wrong, up to a
// number; warnings name the first line that they are about.
func checkLines(
	lines []classificationLine, codes map[string]string, classifier company.Classifier,
) (checked []store.ServiceClassification, warnings []string, err error) {
	var faults []error
	wrong := 0
	at := make(map[string]int, len(lines)) // line of each service
	warned := map[string][]int{}
	var order []string
	for _, line := range lines {
		c, err := line.check(codes, classifier)
		if before, twice := at[line.serviceID]; err == nil && twice {
			err = fmt.Errorf("the service %s is in line %d, too", line.serviceID, before)
		}
		at[line.serviceID] = line.number
		if err != nil {
			if wrong++; wrong <= maxFaults {
				faults = append(faults, fmt.Errorf("line %d: %w", line.number, err))
			}
			continue
		}
		for _, warning := range classifier.Warnings(c) {
			if warned[warning] == nil {
				order = append(order, warning)
			}
			warned[warning] = append(warned[warning], line.number)
		}
		checked = append(checked, store.ServiceClassification{ServiceID: line.serviceID, Classification: c})
	}
	if wrong > maxFaults {
		faults = append(faults, fmt.Errorf("and %d more lines are wrong", wrong-maxFaults))
	}
	warnings = []string{}
	for _, warning := range order {
		numbers := warned[warning]
		warnings = append(warnings, fmt.Sprintf("line %d, %d in all: %s", numbers[0], len(numbers), warning))
	}
	return checked, warnings, errors.Join(faults...)
}

func (l classificationLine) check(
	codes map[string]string, classifier company.Classifier,
) (c nfse.Classification, err error) {
	if l.serviceID == "" {
		return c, errors.New("service must be given")
	}
	code, known := codes[l.serviceID]
	if !known {
		return c, fmt.Errorf("the organization has no service %s in this environment", l.serviceID)
	}
	c, err = parseClassification(l.part)
	if err != nil {
		return c, err
	}
	return c, checkClassification(classifier, c, code)
}
